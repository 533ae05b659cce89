package frontmatter

import (
	"fmt"
	"strings"

	"callboard/app/profile/document"
)

// Text is the body as people edit it: line breaks are LF, and one line break at
// its start and one at its end, which most files have, are not shown. Every
// text stands for some body, so ReplaceBody can write any.
func (d *Document) Text() string {
	text, _, _ := d.parts()
	return text
}

// parts is the shown text and the two line breaks that are not shown.
func (d *Document) parts() (text, lead, trail string) {
	text = Normal(string(d.bytes(d.Body)))
	if rest, ok := strings.CutPrefix(text, "\n"); ok {
		text, lead = rest, "\n"
	}
	if rest, ok := strings.CutSuffix(text, "\n"); ok {
		text, trail = rest, "\n"
	}
	return text, lead, trail
}

// Normal is text as Text shows it once it was written: LF and any carriage
// returns right before it become LF. Others stay.
func Normal(text string) string {
	if !strings.Contains(text, "\r\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines[:len(lines)-1] {
		lines[i] = strings.TrimRight(l, "\r")
	}
	return strings.Join(lines, "\n")
}

// ReplaceBody makes the body show text. Lines that do not change keep their own
// line breaks; a changed line takes the one of the line it replaces, a new line
// the one before it.
func (d *Document) ReplaceBody(text string) (document.Edit, error) {
	text = Normal(text)
	old, lead, trail := d.parts()
	if old == "" && d.Present {
		trail = "\n"
		if d.Body.Start == d.Body.End {
			lead = "\n"
		}
	}
	switch {
	case text == "":
		trail = ""
	case strings.HasSuffix(text, "\n"):
		trail = "\n"
	}
	if strings.HasPrefix(text, "\n") {
		lead = "\n"
	}
	rows := bodyRows(string(d.bytes(d.Body)))
	before := eolBefore(d.data, d.Body.Start)
	body := mergeBody(rows, splitAfter(lead+text+trail), before)
	if d.Present && d.data[d.Body.Start-1] != '\n' && body != "" {
		body = before + body // the closing fence ends the file
	}
	c := d.narrow(document.Edit{Span: d.Body, New: []byte(body)})
	p, err := d.parse(document.Apply(d.data, c))
	if err != nil || p.Present != d.Present || p.Text() != text || p.Block != d.Block {
		return document.Edit{}, fmt.Errorf("%w: the body", document.ErrCannotWrite)
	}
	return c, nil
}

func splitAfter(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// bodyRows cuts the body into lines whose text ends with LF if they have a line
// break at all.
func bodyRows(body string) []row {
	var out []row
	for _, raw := range splitAfter(body) {
		text, eol := raw, ""
		if line, ended := strings.CutSuffix(raw, "\n"); ended {
			line = strings.TrimRight(line, "\r")
			text, eol = line+"\n", raw[len(line):]
		}
		out = append(out, row{text, raw, eol})
	}
	return out
}

// mergeBody lays the lines want over rows. before is the line break of the line
// before the body.
func mergeBody(rows []row, want []string, before string) string {
	for i := range rows {
		if i >= len(want) || rows[i].text != want[i] {
			break
		}
		before = eolOf(&rows[i], before)
	}
	return merge(rows, want, func(text string, was *row) string {
		line, ended := strings.CutSuffix(text, "\n")
		if !ended {
			return line
		}
		before = eolOf(was, before)
		return line + before
	})
}
