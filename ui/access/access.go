// Package access is the screen of who may see and call whom: a table with the
// callers down and the targets across, why the chosen caller may or may not
// call the chosen target, and which agents call each other in circles. Every
// change is stored at once and can be undone.
package access

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const sideWidth float32 = 320

// everyone is the first column.
const everyone = "Everyone"

// Roster is what the screen reads and changes.
type Roster interface {
	List(context.Context) (roster.List, error)
	Allow(context.Context, ...roster.Grant) (roster.Change, error)
	Undo(context.Context, roster.Change) error
	Why(ctx context.Context, caller, target string) ([]roster.Reason, error)
}

// Config is what the screen needs.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Roster  Roster
	Back    func()
	Say     func(text string, undo func())
}

// Screen belongs to the Fyne thread.
type Screen struct {
	cfg    Config
	all    []roster.Summary
	shown  []roster.Summary // those that the search finds, as callers
	turn   int              // of the list; late answers of an earlier one are dropped
	asked  int              // of the reasons, likewise
	head   *widget.Head
	search *widget.Search
	grid   *widget.Grid
	none   *widget.Empty
	why    *whyCard
	rounds *widget.Notice
	object fyne.CanvasObject
}

// New makes a screen that shows nothing until Show.
func New(cfg Config) *Screen {
	s := &Screen{cfg: cfg, grid: widget.NewGrid(false), rounds: widget.NewNotice(theme.Warn, "", "", "")}
	s.head = widget.NewHead("Who may call whom", "Nobody may see or call anybody unless it is allowed here.",
		widget.NewButton(widget.Secondary, "Back to the roster", cfg.Back))
	s.search = widget.NewSearch("Search callers", "")
	s.search.OnChanged = func(string) { s.narrow() }
	s.search.OnDown = func() { loop.Focus(s.grid) }
	s.grid.Level = s.level
	s.grid.OnMoved = func(int, int) { s.explain() }
	s.grid.OnPressed = s.press
	s.grid.OnTyped = s.typed
	s.none = widget.NewEmpty("No agents to connect yet. Import some, or write a new one.", "Back to the roster", cfg.Back)
	s.why = newWhyCard()
	s.rounds.Hide()
	side := widget.Sized(sideWidth, 0, widget.NewScroller(widget.Column(theme.Pad, s.why.object, s.rounds, legend())).Object())
	table := widget.Column(theme.Pad, s.search, widget.Grow(1, container.NewStack(widget.NewFrame(s.grid), s.none)))
	pad := theme.PadDetail
	s.object = widget.Column(0, s.head.Object(), widget.Grow(1, widget.Fill(theme.Bg, widget.Inset(pad-4, pad, pad, pad,
		widget.Panes(theme.Pad, widget.Grow(1, table), side)))))
	return s
}

func legend() fyne.CanvasObject {
	return widget.NewParagraph(theme.Secondary, theme.Mute,
		"Callers are rows, targets are columns. An eye: may see. A tick: may see and call. "+
			"Space goes from one to the next; S and C turn one of them on or off. "+
			"Everyone covers agents that come later, too.")
}

// Object is what to draw.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// Show reads the roster. A caller, if not empty, becomes the current row.
func (s *Screen) Show(caller string) {
	s.Reload(func() {
		for i, a := range s.shown {
			if a.ID == caller {
				_, col := s.grid.Current()
				s.grid.GoTo(i, col)
			}
		}
		s.explain()
		loop.Focus(s.grid)
	})
}

// Reload reads the roster again and then calls then, which may be nil.
func (s *Screen) Reload(then func()) {
	s.turn++
	turn := s.turn
	loop.Go(s.cfg.Loop, s.cfg.Context, s.cfg.Roster.List, func(l roster.List, err error) {
		switch {
		case s.turn != turn:
			return
		case err != nil:
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		s.all = l.Agents
		s.narrow()
		s.warn()
		if then != nil {
			then()
		}
	})
}

// narrow shows the callers that the search finds.
func (s *Screen) narrow() {
	s.shown = roster.Filter(s.all, s.search.Text())
	rows, cols := make([]string, len(s.shown)), make([]string, len(s.all)+1)
	for i, a := range s.shown {
		rows[i] = a.Name
	}
	cols[0] = everyone
	for i, a := range s.all {
		cols[i+1] = a.Name
	}
	s.grid.SetNames(rows, cols)
	s.search.SetPlaceholder("Search " + words.Count(len(s.all), "caller"))
	widget.Visible(s.none, len(s.all) == 0)
	s.explain()
}

// target is the id of a column.
func (s *Screen) target(col int) string {
	if col == 0 {
		return agent.Everyone
	}
	return s.all[col-1].ID
}

func (s *Screen) level(row, col int) widget.Level {
	if row >= len(s.shown) || col > len(s.all) {
		return widget.Blank
	}
	from, to := s.shown[row], s.target(col)
	see, call := from.Reach.May(agent.See, to), from.Reach.May(agent.Call, to)
	if to == agent.Everyone {
		see, call = from.Reach.See.All, from.Reach.See.All && from.Reach.Call.All
	}
	switch {
	case from.ID == to:
		return widget.Never
	case call:
		return widget.Full
	case see:
		return widget.Half
	}
	return widget.Blank
}

// press goes from nothing to seeing, to calling, to nothing.
func (s *Screen) press(row, col int) {
	switch s.level(row, col) {
	case widget.Blank:
		s.allow(row, col, agent.See, true)
	case widget.Half:
		s.allow(row, col, agent.Call, true)
	case widget.Full:
		s.allow(row, col, agent.See, false)
	case widget.Never:
	}
}

// typed turns one right on or off.
func (s *Screen) typed(row, col int, r rune) {
	level := s.level(row, col)
	switch strings.ToLower(string(r)) {
	case "s":
		s.allow(row, col, agent.See, level == widget.Blank)
	case "c":
		s.allow(row, col, agent.Call, level != widget.Full)
	}
}

func (s *Screen) allow(row, col int, do agent.Action, on bool) {
	from, to := s.shown[row], s.target(col)
	switch {
	case from.ID == to:
		return
	case !on && to != agent.Everyone && (do == agent.See && from.Reach.See.All || do == agent.Call && from.Reach.Call.All):
		s.cfg.Say(fmt.Sprintf("%s may %s everyone. Take that away first, in the first column.", from.Name, do), nil)
		return
	}
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (roster.Change, error) {
		return s.cfg.Roster.Allow(ctx, roster.Grant{Caller: from.ID, Target: to, Do: do, On: on})
	}, func(done roster.Change, err error) {
		if err != nil {
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		s.Reload(nil)
		if done.Len() > 0 {
			s.cfg.Say(s.said(from.Name, to, do, on), func() { s.undo(done) })
		}
	})
}

func (s *Screen) said(from, to string, do agent.Action, on bool) string {
	name := "everyone"
	for _, a := range s.all {
		if a.ID == to {
			name = a.Name
		}
	}
	if on {
		return fmt.Sprintf("%s may %s %s.", from, do, name)
	}
	return fmt.Sprintf("%s may not %s %s any more.", from, do, name)
}

func (s *Screen) undo(done roster.Change) {
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.cfg.Roster.Undo(ctx, done)
	}, func(_ struct{}, err error) {
		if err != nil {
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		s.Reload(nil)
		s.cfg.Say("Undone.", nil)
	})
}

// maxRounds is how many circles are spelled out.
const maxRounds = 3

// warn says which agents call each other in circles.
func (s *Screen) warn() {
	rounds := roster.Cycles(s.all)
	widget.Visible(s.rounds, len(rounds) > 0)
	if len(rounds) == 0 {
		return
	}
	names := map[string]string{}
	for _, a := range s.all {
		names[a.ID] = a.Name
	}
	var lines []string
	for i, ids := range rounds {
		if i == maxRounds {
			lines = append(lines, fmt.Sprintf("and %d more", len(rounds)-i))
			break
		}
		lines = append(lines, Circle(ids, names))
	}
	s.rounds.Set(theme.Warn, "", words.Count(len(rounds), "circle")+" of calls",
		strings.Join(lines, "; ")+". That is allowed here; a call that would close a circle is refused while it runs.")
}

// maxNames is how many agents of a circle are named.
const maxNames = 4

// Circle names the agents of a circle of calls.
func Circle(ids []string, names map[string]string) string {
	var out []string
	for i, id := range ids {
		if i == maxNames {
			out = append(out, fmt.Sprintf("%d more", len(ids)-i))
			break
		}
		out = append(out, names[id])
	}
	return strings.Join(out, ", ")
}

// Forget drops everything that was read, for a vault that is being locked.
func (s *Screen) Forget() {
	s.turn++
	s.asked++
	s.all = nil
	s.search.Clear()
	s.narrow()
	s.warn()
	s.rounds.Set(theme.Warn, "", "", "")
}
