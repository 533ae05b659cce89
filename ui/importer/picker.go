package importer

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// picker is a sheet to walk through folders. It reads names only and keeps
// nothing of where it was.
type picker struct {
	screen *Screen
	at     string
	turn   int
	path   *widget.Text
	why    *widget.Text
	list   *widget.List
	up     *widget.Button
	open   *widget.Button
	sheet  *widget.Sheet
}

// Browse lets the person walk to the folder.
func (s *Screen) Browse() {
	if s.busy {
		return
	}
	p := &picker{
		screen: s,
		path:   widget.NewCut(theme.CodeSmall, theme.Mute, ""),
		why:    widget.NewParagraph(theme.Secondary, theme.Bad.Text(), ""),
		list:   widget.NewList(),
	}
	p.why.Hide()
	p.up = widget.NewButton(widget.Secondary, "Up", func() { p.walk(filepath.Dir(p.at)) })
	p.open = widget.NewIconButton(widget.Secondary, "folder-open", "Open", func() { p.walk(p.list.Selected()) })
	p.list.OnSelected = func(string) { p.open.Enable() }
	p.up.Disable() // until the first folder is read
	p.open.Disable()
	body := widget.Column(12, p.path, p.why,
		widget.Sized(0, 320, widget.NewFrame(p.list)), widget.Row(theme.Gap, p.up, p.open, widget.Space()))
	p.sheet = widget.NewSheet("Choose a folder", body, "Cancel", "Look here", p.pick)
	p.walk(s.start())
	p.sheet.Open(s.object)
}

// start is where the walk begins: what the box names, else the person's own
// folder.
func (s *Screen) start() string {
	at := words.Whole(strings.TrimSpace(s.folder.Text()), s.cfg.UserDir)
	if !filepath.IsAbs(at) {
		return s.cfg.UserDir
	}
	return at
}

// place is one folder and the folders in it.
type place struct {
	dir   string
	items []widget.Item
}

// read is the place at dir, or at the nearest folder above that there is.
func read(dir string) (place, error) {
	for {
		if fi, err := os.Stat(dir); (err == nil && fi.IsDir()) || dir == filepath.Dir(dir) {
			items, err := folders(dir)
			return place{dir, items}, err
		}
		dir = filepath.Dir(dir)
	}
}

// walk shows the folders in dir. The disk is asked off the drawing thread.
func (p *picker) walk(dir string) {
	if dir == "" {
		return
	}
	p.turn++
	turn := p.turn
	loop.Go(p.screen.cfg.Loop, p.screen.cfg.Context, func(context.Context) (place, error) {
		return read(dir)
	}, func(at place, err error) {
		if p.turn != turn {
			return
		}
		if err != nil {
			p.why.SetText(fault.Sentence(err))
			p.why.Show()
			p.sheet.Refresh()
			return
		}
		p.at = at.dir
		p.why.Hide()
		p.path.SetText(words.Path(at.dir, p.screen.cfg.UserDir))
		p.list.SetItems(at.items)
		p.list.Select("")
		p.open.SetEnabled(false)
		p.up.SetEnabled(filepath.Dir(at.dir) != at.dir)
		p.sheet.Refresh()
	})
}

// pick looks into the chosen folder, or the one that is shown.
func (p *picker) pick() {
	dir := p.list.Selected()
	if dir == "" {
		dir = p.at
	}
	p.sheet.Close()
	p.screen.folder.SetText(words.Path(dir, p.screen.cfg.UserDir))
	p.screen.Look()
}

// folders are the folders in dir by name; of the hidden ones only .claude.
func folders(dir string) ([]widget.Item, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, profile.ErrFolder
	}
	items := []widget.Item{}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		fi, err := os.Stat(path)
		if err != nil || !fi.IsDir() || (strings.HasPrefix(e.Name(), ".") && e.Name() != ".claude") {
			continue
		}
		item := widget.Item{ID: path, Name: e.Name(), Detail: "Folder"}
		if fi, err := os.Stat(filepath.Join(path, ".claude", "agents")); err == nil && fi.IsDir() {
			item.Tone, item.State = theme.OK, "has agents"
		}
		items = append(items, item)
	}
	return items, nil
}
