package widget_test

import (
	"fyne.io/fyne/v2"

	"callboard/ui/theme"
	"callboard/ui/widget"
)

var agents = []widget.Item{
	{ID: "1", Name: "reviewer", Detail: "Reads a diff and finds what breaks", Tone: theme.OK, State: "ready"},
	{ID: "2", Name: "sql-tuner", Detail: "Explains slow queries and proposes indexes for them", Tone: theme.Warn, State: "stale"},
	{ID: "3", Name: "test-doctor", Detail: "Makes flaky tests honest", Tone: theme.Info, State: "pending"},
	{ID: "4", Name: "docs-writer", Detail: "Turns a change into user words", Tone: theme.Off, State: "disabled"},
	{ID: "5", Name: "security-scout", Detail: "Threat-models a change before review", Tone: theme.Bad, State: "failed"},
	{ID: "6", Name: "planner-with-a-long-name-that-is-cut", Detail: "Plans work across the roster", Tone: theme.OK, State: "ready"},
	{ID: "7", Name: "release-engineer", Detail: "Cuts, signs and announces a release", Tone: theme.OK, State: "ready"},
}

func rail() *widget.Rail {
	return widget.NewRail(
		widget.RailItem{Icon: "users", Label: "Roster"},
		widget.RailItem{Icon: "folder-open", Label: "Sessions"},
		widget.RailItem{Icon: "search", Label: "Settings"})
}

func strip() *widget.Strip {
	s := widget.NewStrip("Ctrl F finds")
	s.SetFacts(
		widget.Fact{Icon: "lock-open", Spans: []widget.Span{widget.Firm("Unlocked"), widget.Plain(" · passphrase")}},
		widget.Fact{Spans: []widget.Span{widget.Plain("Home "), widget.Address("~/.local/share/callboard")}})
	return s
}

func listPane() fyne.CanvasObject {
	list := widget.NewList()
	list.SetItems(agents)
	list.Select("1")
	head := widget.Column(8,
		widget.Row(8, widget.NewText(theme.Title, theme.Ink, "Roster"), widget.Space(), widget.NewIconButton(widget.Primary, "plus", "Import", nil)),
		widget.NewSearch("Search 128 agents", "Ctrl F"))
	return widget.Fill(theme.Panel, widget.Panes(0,
		widget.Grow(1, widget.Column(0, widget.Inset(16, 16, 12, 16, head), widget.NewRule(), widget.Grow(1, list))),
		widget.NewRule()))
}

func detailHead() fyne.CanvasObject {
	tabs := widget.NewTabs("Profile", "Tools")
	tabs.Select(1)
	title := widget.Column(0,
		widget.NewCut(theme.Title, theme.Ink, "reviewer"),
		widget.NewCut(theme.Secondary, theme.Mute, "Claude Code · sonnet · imported from ~/code/shop/.claude/agents/reviewer.md"))
	return widget.Fill(theme.Panel, widget.Column(0,
		widget.Inset(16, 24, 12, 24, widget.Row(12, widget.NewAvatar("reviewer", 36), widget.Grow(1, title),
			widget.Row(8, widget.NewIconButton(widget.Secondary, "file-down", "Write to file…", nil), widget.NewButton(widget.Primary, "Save", nil)))),
		widget.Inset(0, 24, 0, 24, tabs), widget.NewRule()))
}
