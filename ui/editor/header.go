package editor

import (
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// nameLeast is the room the name keeps in a narrow window.
const nameLeast float32 = 96

// header names the agent and holds what can be done with the draft.
type header struct {
	ed      *Editor
	avatar  *widget.Avatar
	name    *widget.Text
	facts   *widget.Text
	discard *widget.Button
	write   *widget.Button
	export  *widget.Button
	save    *widget.Button
	object  *fyne.Container
}

func newHeader(e *Editor) *header {
	h := &header{
		ed:     e,
		avatar: widget.NewAvatar("", 36),
		name:   widget.NewCut(theme.Title, theme.Ink, ""),
		facts:  widget.NewCut(theme.Secondary, theme.Mute, ""),
	}
	h.discard = widget.NewButton(widget.Secondary, "Discard", e.Discard)
	h.write = widget.NewIconButton(widget.Secondary, "file-down", "Write to file…", e.WriteToFile)
	h.export = widget.NewButton(widget.Secondary, "Export…", e.Export)
	h.save = widget.NewButton(widget.Primary, "Save", e.Save)
	h.object = widget.Row(12, h.avatar,
		widget.Grow(1, widget.Sized(nameLeast, 0, widget.Column(0, h.name, h.facts))),
		widget.Row(theme.Gap, h.discard, h.export, h.write, h.save))
	return h
}

func (h *header) refresh() {
	d := h.ed.draft
	name := d.Agent.Identity.Name
	if strings.TrimSpace(name) == "" {
		name = d.Base.Agent.Identity.Name
	}
	h.avatar.SetName(name)
	h.name.SetText(name)
	h.facts.SetText(h.factLine())
	dirty := d.Dirty()
	h.save.SetEnabled(dirty && len(d.Problems()) == 0)
	h.discard.SetEnabled(dirty)
	h.write.SetEnabled(h.ed.CanWrite())
	widget.Visible(h.write, d.Agent.Source != nil)
	h.object.Refresh()
}

func (h *header) factLine() string {
	a := h.ed.draft.Agent
	parts := []string{runsOn(a)}
	if a.Run.Model != "" {
		parts = append(parts, a.Run.Model)
	}
	if a.Source != nil {
		parts = append(parts, "imported from "+origin(a.Source, h.ed.cfg.UserDir))
	}
	return strings.Join(parts, " · ")
}

// origin is the file an agent came from, and where in it if it holds several.
func origin(src *agent.Source, userDir string) string {
	path := words.Path(src.Path, userDir)
	if src.Key == "" {
		return path
	}
	_, name, _ := strings.Cut(src.Key, "/")
	return name + " in " + path
}

// runsOn is what runs the agent: Callboard's provider, or else the program
// whose file it is or in whose words it is written.
func runsOn(a agent.Agent) string {
	if a.Run.Provider == agent.None && a.Source != nil {
		return profile.Format(a.Source.Format).Label()
	}
	if a.Run.Provider == agent.None && a.Access.Dialect != "" {
		return a.Access.Dialect.Label()
	}
	return ProviderName(a.Run.Provider)
}

// ProviderName is what people call a provider.
func ProviderName(p agent.Provider) string {
	switch p {
	case agent.ClaudeCode:
		return "Claude Code"
	case agent.Codex:
		return "Codex"
	case agent.Native:
		return "Native"
	case agent.None:
		return "Not run"
	default:
		return string(p)
	}
}
