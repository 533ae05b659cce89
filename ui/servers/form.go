package servers

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/servers"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// The transports in words.
var (
	transports     = []servers.Transport{servers.Stdio, servers.HTTP}
	transportWords = []string{"A program on this computer", "An address"}
)

// form is the boxes of one server. base is what they began from.
type form struct {
	page    *Page
	base    servers.Entry
	behind  bool // the stored server is newer than base
	changed func()

	name, command, args, dir, env *widget.Field
	url, headers, limit           *widget.Field
	how                           *widget.Choice
	enabled                       *widget.Check
	values                        *values
	program, address              *fyne.Container
	fields                        map[servers.Field]*widget.Field
	save, discard                 *widget.Button
	scroll                        *widget.Scroller
	object                        *fyne.Container
}

func newForm(p *Page) *form {
	f := &form{
		page:    p,
		name:    widget.NewField("Name"),
		how:     widget.NewChoice("How it is reached", transportWords...),
		command: widget.NewField("Command"),
		args:    widget.NewCodeArea("Arguments, one a line", 3),
		dir:     widget.NewField("Folder it starts in"),
		env:     widget.NewCodeArea("Environment names, one a line", 3),
		url:     widget.NewField("Address"),
		headers: widget.NewCodeArea("Header names, one a line", 2),
		limit:   widget.NewField("Time limit in seconds"),
		enabled: widget.NewCheck("Enabled", ""),
		values:  newValues(p),
	}
	f.dir.SetPlaceholder("home folder")
	f.limit.SetPlaceholder(strconv.Itoa(int(servers.DefaultTimeout.Seconds())))
	f.url.SetPlaceholder("https://")
	f.fields = map[servers.Field]*widget.Field{
		servers.FieldName: f.name, servers.FieldCommand: f.command, servers.FieldArgs: f.args, servers.FieldDir: f.dir,
		servers.FieldEnv: f.env, servers.FieldURL: f.url, servers.FieldHeaders: f.headers, servers.FieldTimeout: f.limit,
	}
	for _, box := range f.fields {
		box.OnChanged = func(string) { f.touched() }
		box.OnSubmitted = func(string) { f.keep() }
	}
	f.how.OnChanged = func(string) { f.touched() }
	f.enabled.OnChanged = func(widget.Tick) { f.touched() }
	f.values.typed = func() { f.touched() }
	f.save = widget.NewButton(widget.Primary, "Save", f.keep)
	f.discard = widget.NewButton(widget.Secondary, "Discard", f.undo)
	f.arrange()
	return f
}

func (f *form) arrange() {
	f.program = widget.Column(12,
		widget.Panes(12, widget.Grow(1, f.command), widget.Grow(1, f.dir)),
		widget.Panes(12, widget.Grow(1, f.args), widget.Grow(1, f.env)))
	f.address = widget.Column(12, f.url, f.headers)
	card := widget.NewCard(widget.Column(12,
		widget.Panes(12, widget.Grow(1, f.name), widget.Grow(1, f.how)),
		f.program, f.address,
		widget.Panes(12, widget.Grow(1, f.limit), widget.Grow(1, widget.Inset(24, 0, 0, 0, f.enabled)))))
	f.scroll = widget.NewScroller(widget.Column(theme.Pad, card, f.values.object))
	f.object = widget.Column(12, widget.Grow(1, f.scroll.Object()), widget.Row(theme.Gap, f.save, f.discard, widget.Space()))
}

// take begins from a stored server, unless it is the one that is being edited.
// It reports whether that one is newer than what the edit began from.
func (f *form) take(e servers.Entry) bool {
	same := e.Server.ID == f.base.Server.ID
	newer := e.Revision != f.base.Revision
	if same && f.dirty() {
		if newer {
			f.behind = true
			e.Server, e.Revision = f.base.Server, f.base.Revision
		}
		f.base = e
		return f.behind
	}
	f.base = e
	if !same || newer {
		f.fill()
	}
	return false
}

// fill puts the stored server into the boxes.
func (f *form) fill() {
	s := f.base.Server
	f.behind = false
	f.name.SetText(s.Name)
	f.how.SetValue(transportWords[max(0, slices.Index(transports, s.Transport))])
	f.command.SetText(s.Command)
	f.args.SetText(strings.Join(s.Args, "\n"))
	several := strings.Contains(strings.Join(s.Args, ""), "\n")
	f.args.SetReadOnly(several)
	f.args.SetHelper(map[bool]string{true: "one has several lines"}[several])
	f.dir.SetText(s.Dir)
	f.env.SetText(strings.Join(s.Env, "\n"))
	f.url.SetText(s.URL)
	f.headers.SetText(strings.Join(s.Headers, "\n"))
	f.limit.SetText("")
	if s.Seconds > 0 {
		f.limit.SetText(strconv.Itoa(s.Seconds))
	}
	f.enabled.SetState(map[bool]widget.Tick{true: widget.Ticked}[s.Enabled])
	f.values.clear()
	f.problems(nil)
	f.scroll.ScrollToTop()
}

// read is the server that the boxes say.
func (f *form) read() servers.Server {
	s := servers.Server{
		ID: f.base.Server.ID, Name: strings.TrimSpace(f.name.Text()), Enabled: f.enabled.State() == widget.Ticked,
		Transport: transports[max(0, slices.Index(transportWords, f.how.Value()))],
	}
	if text := strings.TrimSpace(f.limit.Text()); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n == 0 {
			n = -1 // which Check refuses
		}
		s.Seconds = n
	}
	if s.Transport == servers.HTTP {
		s.URL, s.Headers = strings.TrimSpace(f.url.Text()), lines(f.headers.Text())
		return s
	}
	s.Command = words.Whole(strings.TrimSpace(f.command.Text()), f.page.cfg.UserDir)
	s.Dir = words.Whole(strings.TrimSpace(f.dir.Text()), f.page.cfg.UserDir)
	s.Args, s.Env = f.arguments(), lines(f.env.Text())
	return s
}

// arguments are the lines of their box, verbatim but for empty ones at the end.
func (f *form) arguments() []string {
	if text := f.args.Text(); text != strings.Join(f.base.Server.Args, "\n") {
		if text = strings.TrimRight(text, "\n"); text == "" {
			return nil
		}
		return strings.Split(text, "\n")
	}
	return f.base.Server.Args
}

// lines are the names in a box, nil for none.
func lines(text string) []string {
	if out := strings.Fields(text); len(out) > 0 {
		return out
	}
	return nil
}

// dirty reports whether the boxes say something else than what is stored.
func (f *form) dirty() bool {
	if f.base.Server.ID == "" {
		return false
	}
	return f.values.any() || !reflect.DeepEqual(plain(f.read()), plain(f.base.Server))
}

// plain is s with no empty slices, to compare.
func plain(s servers.Server) servers.Server {
	for _, list := range []*[]string{&s.Args, &s.Env, &s.Headers} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	return s
}

// touched follows an edit.
func (f *form) touched() {
	f.problems(nil)
	f.changed()
}

// refresh shows the boxes that the transport has, and what can be done.
func (f *form) refresh() {
	s := f.read()
	widget.Visible(f.program, s.Transport == servers.Stdio)
	widget.Visible(f.address, s.Transport == servers.HTTP)
	f.values.show(s, f.base.Set)
	f.save.SetEnabled(f.dirty())
	f.discard.SetEnabled(f.dirty() || f.behind)
	f.object.Refresh()
}

// problems says below each box what is wrong with it, and goes to the first.
func (f *form) problems(found []servers.Problem) {
	said := map[servers.Field]string{}
	for _, p := range slices.Backward(found) {
		said[p.Field] = p.Text
	}
	for field, box := range f.fields {
		box.SetError(said[field])
	}
	if len(found) > 0 {
		if box := f.fields[found[0].Field]; box != nil {
			box.Focus()
		}
	}
}

// saved is what came of saving: the server, and why its values were not kept.
type saved struct {
	entry  servers.Entry
	values error
}

// keep saves the boxes and the values that were typed.
func (f *form) keep() {
	if !f.dirty() {
		return
	}
	s := f.read()
	if found := servers.Check(s); len(found) > 0 {
		f.problems(found)
		return
	}
	p, set, had := f.page, f.values.take(), f.base.Consented
	req := servers.SaveRequest{Server: s, Revision: f.base.Revision}
	f.save.SetBusy(true)
	run(p.cfg.Context, p, func(ctx context.Context) (out saved, err error) {
		defer wipe(set)
		if out.entry, err = p.cfg.Servers.Save(ctx, req); err != nil || len(set.Env)+len(set.Headers) == 0 {
			return out, err
		}
		e, err := p.cfg.Servers.SetValues(ctx, s.ID, set)
		if err == nil {
			out.entry = e
		}
		out.values = err
		return out, nil
	}, func(out saved, err error) {
		f.save.SetBusy(false)
		f.kept(out, err, had)
	})
}

// kept shows what came of saving.
func (f *form) kept(out saved, err error, had bool) {
	p := f.page
	switch {
	case err != nil:
		p.detail.refresh()
		p.detail.fail("Not saved", err)
		return // a new look at the servers would say something else in its place
	case out.values != nil:
		f.base = out.entry
		f.fill()
		p.detail.fail("Saved, but for the values", out.values)
	default:
		f.base = out.entry
		f.fill()
		p.detail.settle()
		text := out.entry.Server.Name + " is saved."
		if had && !out.entry.Consented {
			text += " What it runs or contacts changed, so it needs a new consent."
		}
		p.cfg.Say(text, nil)
	}
	p.detail.refresh()
	p.Reload()
}

// undo goes back to what is stored.
func (f *form) undo() {
	id := f.base.Server.ID
	f.clear()
	f.page.detail.settle()
	f.page.want = id
	f.page.Reload()
}

// clear empties every box.
func (f *form) clear() {
	f.base = servers.Entry{}
	f.fill()
}
