package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"callboard/ui/theme"
)

// cutLine is one line of text that a part places in a width and that ends in
// an ellipsis there. Unlike Text it leaves the pointer to the part it is in.
type cutLine struct {
	*canvas.Text
	full string
	role theme.Role
	ink  theme.Token
	cut  bool
}

func newCutLine(role theme.Role, ink theme.Token) *cutLine {
	return &cutLine{Text: &canvas.Text{}, role: role, ink: ink}
}

// in places the line at x in the middle of a height, no wider than width.
func (c *cutLine) in(x, top, width, height float32) {
	c.Color = theme.Color(c.ink)
	c.TextSize, c.TextStyle = c.role.TextSize(), c.role.Style()
	c.Text.Text, c.cut = "", false
	if width > 0 && c.full != "" {
		row := cutSpans([]Span{{c.full, c.role, c.ink}}, width)
		c.cut = row.cut
		if len(row.parts) > 0 {
			c.Text.Text = row.parts[0].text
		}
	}
	min := c.MinSize()
	c.Resize(min)
	c.Move(fyne.NewPos(x, top+inLine(height, min.Height)))
}
