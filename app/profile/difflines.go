package profile

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// DiffKind says what happened to a line.
type DiffKind string

// The kinds of line in a diff.
const (
	LineSame    DiffKind = "same"
	LineRemoved DiffKind = "removed"
	LineAdded   DiffKind = "added"
)

// DiffLine is one line of a diff. Line is its number in the file it is in: the
// old one if it was removed, else the new one. Text has no line break, but a
// changed line that breaks with CRLF ends with "␍".
type DiffLine struct {
	Kind DiffKind `json:"kind"`
	Line int      `json:"line"`
	Text string   `json:"text"`
}

// NoLineBreak ends the text of a changed line that is the last of its file and
// has no line break.
const NoLineBreak = " (no line break at the end of the file)"

// The bounds of DiffLines: lines of context around a change, and how many lines
// of changed text are compared line by line rather than shown whole.
const (
	diffContext = 3
	diffCompare = 400
)

// DiffLines shows what differs between two versions of a file, with three lines
// of context, in time that grows with their size. nil where nothing differs.
func DiffLines(before, after []byte) []DiffLine {
	if bytes.Equal(before, after) {
		return nil
	}
	a, b := diffSplit(before), diffSplit(after)
	pre := 0
	for pre < len(a) && pre < len(b) && a[pre] == b[pre] {
		pre++
	}
	post := 0
	for post < len(a)-pre && post < len(b)-pre && a[len(a)-1-post] == b[len(b)-1-post] {
		post++
	}
	d := differ{old: a, fresh: b}
	for i := max(0, pre-diffContext); i < pre; i++ {
		d.add(LineSame, i+1, b[i])
	}
	d.middle(pre, len(a)-post, pre, len(b)-post)
	for i := len(b) - post; i < min(len(b), len(b)-post+diffContext); i++ {
		d.add(LineSame, i+1, b[i])
	}
	return d.unmarked()
}

// unmarked takes the "␍" away where all changed lines have it: then no line
// break differs.
func (d *differ) unmarked() []DiffLine {
	for _, l := range d.out {
		if l.Kind != LineSame && !strings.HasSuffix(l.Text, "␍") {
			return d.out
		}
	}
	for i := range d.out {
		d.out[i].Text = strings.TrimSuffix(d.out[i].Text, "␍")
	}
	return d.out
}

func diffSplit(text []byte) []string {
	lines := strings.SplitAfter(string(text), "\n")
	if lines[len(lines)-1] == "" {
		return lines[:len(lines)-1]
	}
	return lines
}

type differ struct {
	old, fresh []string
	out        []DiffLine
}

func (d *differ) add(k DiffKind, number int, raw string) {
	text, ended := strings.CutSuffix(raw, "\n")
	if !ended && k != LineSame {
		text += NoLineBreak
	}
	if cut, ok := strings.CutSuffix(text, "\r"); ok {
		text = cut
		if k != LineSame {
			text += "␍"
		}
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "�")
	}
	d.out = append(d.out, DiffLine{k, number, text})
}

// middle shows old[a0:a1] against fresh[b0:b1]: by longest common subsequence
// where that is small, else as one block.
func (d *differ) middle(a0, a1, b0, b1 int) {
	if a1-a0 > diffCompare || b1-b0 > diffCompare {
		for i := a0; i < a1; i++ {
			d.add(LineRemoved, i+1, d.old[i])
		}
		for j := b0; j < b1; j++ {
			d.add(LineAdded, j+1, d.fresh[j])
		}
		return
	}
	common := shared(d.old[a0:a1], d.fresh[b0:b1])
	for i, j := a0, b0; i < a1 || j < b1; {
		switch {
		case i < a1 && j < b1 && d.old[i] == d.fresh[j]:
			d.add(LineSame, j+1, d.fresh[j])
			i, j = i+1, j+1
		case i < a1 && (j == b1 || common[i+1-a0][j-b0] >= common[i-a0][j+1-b0]):
			d.add(LineRemoved, i+1, d.old[i])
			i++
		default:
			d.add(LineAdded, j+1, d.fresh[j])
			j++
		}
	}
}

// shared holds, for every i and j, how many lines old[i:] and fresh[j:] have in
// common in the same order.
func shared(old, fresh []string) [][]int {
	n := make([][]int, len(old)+1)
	for i := range n {
		n[i] = make([]int, len(fresh)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(fresh) - 1; j >= 0; j-- {
			n[i][j] = max(n[i+1][j], n[i][j+1])
			if old[i] == fresh[j] {
				n[i][j] = n[i+1][j+1] + 1
			}
		}
	}
	return n
}
