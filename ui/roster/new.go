package roster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/assets"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

const (
	newWidth  float32 = 800
	newList   float32 = 320
	newHeight float32 = 376 // its six rows, and some room
)

// blank is an agent of which nothing is written yet.
const blank = "---\nname: new-agent\ntools: Read, Grep, Glob\n---\n"

// starter is an agent to begin from.
type starter struct {
	item  widget.Item
	text  string
	agent agent.Agent
}

// starters are the embedded ones, and a blank one.
func starters() []starter {
	var out []starter
	for _, s := range append(assets.Starters(), assets.Starter{Name: "blank", Text: blank}) {
		f, err := profile.Read(agent.Source{Format: string(profile.ClaudeCode), Path: "/" + s.Name + ".md", Original: []byte(s.Text)})
		if err != nil {
			continue // a test reads all of them
		}
		f.Agent.Source = nil
		what, _, _ := strings.Cut(strings.TrimSuffix(f.Agent.Identity.Description, "."), ". ")
		item := widget.Item{ID: s.Name, Name: f.Agent.Identity.Name, Detail: what}
		if s.Text == blank {
			item.Name, item.Detail = "Blank", "Nothing but the right to read files"
		}
		out = append(out, starter{item, s.Text, f.Agent})
	}
	return out
}

// New lets the person choose what a new agent begins from.
func (s *Screen) New() {
	all := starters()
	list, code := widget.NewList(), widget.NewCode()
	code.SetWrap(true)
	at := func() *starter {
		return &all[max(0, slices.IndexFunc(all, func(x starter) bool { return x.item.ID == list.Selected() }))]
	}
	var items []widget.Item
	for _, x := range all {
		items = append(items, x.item)
	}
	list.SetItems(items)
	list.Select(items[0].ID)
	code.SetText(at().text)
	var sheet *widget.Sheet
	create := func() {
		sheet.Close()
		a := at().agent.Clone()
		a.Identity.Name = s.free(a.Identity.Name, "")
		s.add(a, a.Identity.Name+" created. It is in no file until you export it.")
	}
	shown := items[0].ID
	list.OnSelected = func(id string) {
		if id == shown { // Enter on the row
			create()
			return
		}
		shown = id
		code.SetText(at().text)
		code.ScrollTo(0)
	}
	body := widget.Column(12,
		widget.NewParagraph(theme.Body, theme.Mute, "Begin from one of these and make it yours. Nothing is written to a file."),
		widget.Panes(theme.Pad,
			widget.Sized(newList, newHeight, widget.NewFrame(list)), widget.Grow(1, code)))
	sheet = widget.NewSheet("New agent", body, "Cancel", "Create", create)
	sheet.SetWidth(newWidth)
	sheet.Open(s.object)
}

// Duplicate makes another agent of what is shown, without its file.
func (s *Screen) Duplicate() {
	d := s.editor.Draft()
	if d == nil {
		return
	}
	if len(d.Problems()) > 0 {
		s.cfg.Say("Not duplicated: correct what is wrong in it first.", nil)
		return
	}
	a := d.Agent.Clone()
	a.Source, a.Enabled = nil, false
	a.Identity.Name = s.free(original(a.Identity.Name), " copy")
	text := a.Identity.Name + " made. It is disabled, and in no file until you export it."
	if keys := profile.HeldBackBy(d.Agent); len(keys) > 0 {
		text += " It may do more than the original: " + strings.Join(keys, ", ") + " of its file stayed behind."
	}
	s.add(a, text)
}

// original is a name without the mark of a copy.
func original(name string) string {
	bare := strings.TrimSuffix(strings.TrimRight(name, "0123456789"), " ")
	if head, marked := strings.CutSuffix(bare, " copy"); marked && head != "" {
		return head
	}
	return name
}

// free is a name with that mark that no agent has, numbered where it must be.
func (s *Screen) free(name, mark string) string {
	for n := 1; ; n++ {
		end := mark
		switch {
		case n > 1 && mark == "":
			end = fmt.Sprintf("-%d", n)
		case n > 1:
			end = fmt.Sprintf("%s %d", mark, n)
		}
		next := short(name, agent.MaxName-utf8.RuneCountInString(end)) + end
		if !slices.ContainsFunc(s.all, func(a roster.Summary) bool { return strings.EqualFold(a.Name, next) }) {
			return next
		}
	}
}

// short is at most so many characters of a text.
func short(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most]))
}

// add puts an agent into the roster and shows it, ready to be named. The
// message can take it back.
func (s *Screen) add(a agent.Agent, done string) {
	before := s.want
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (roster.Imported, error) {
		return s.cfg.Roster.Import(ctx, roster.Newcomers(a))
	}, func(got roster.Imported, err error) {
		if err != nil {
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		s.search.Clear()
		s.want, s.arrives = got.IDs[0], got.IDs[0]
		s.Reload(nil)
		s.sayAdded(done, got, before)
	})
}

func (s *Screen) sayAdded(done string, got roster.Imported, before string) {
	s.cfg.Say(done, func() {
		if d := s.drafts[got.IDs[0]]; d != nil && d.Dirty() {
			s.sayAdded("Not taken back: it has edits that are not saved. Discard them first.", got, before)
			return
		}
		s.takeBack(got, before)
	})
}

// takeBack takes an agent that was just added out again.
func (s *Screen) takeBack(got roster.Imported, before string) {
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.cfg.Roster.Undo(ctx, got.Change)
	}, func(_ struct{}, err error) {
		switch {
		case errors.Is(err, roster.ErrUndone):
			s.cfg.Say("Not taken back: the agent was changed since.", nil)
			return
		case err != nil:
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		if s.want == got.IDs[0] {
			s.want, s.arrives = before, before
		}
		s.Reload(nil)
		s.cfg.Say("The new agent is taken back.", nil)
	})
}
