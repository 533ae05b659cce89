package profile

import "callboard/app/profile/document"

// layers tell edits that were laid over a file one after the other as spans of
// the file as it was at first. The file is a row of pieces: what stayed, and
// what took the place of something.
type layers struct{ pieces []piece }

// piece stands for the bytes from start to end of the original. length is how
// many bytes stand there now; stayed says that it is those bytes.
type piece struct {
	start, end int
	length     int
	stayed     bool
}

// over starts with a file of n bytes.
func over(n int) layers {
	return layers{[]piece{{end: n, length: n, stayed: true}}}
}

// add lays e, whose span is one of the file as it is now, over it.
func (l *layers) add(e document.Edit) {
	var before, after []piece
	fresh := piece{start: -1, length: len(e.New)}
	cover := func(start, end int) {
		if fresh.start < 0 {
			fresh.start = start
		}
		fresh.end = end
	}
	at := 0
	for _, p := range l.pieces {
		from, to := at, at+p.length
		at = to
		switch {
		case to <= e.Start:
			before = append(before, p)
		case from >= e.End:
			after = append(after, p)
		case p.stayed:
			left, right := max(0, e.Start-from), max(0, to-e.End)
			if left > 0 {
				before = append(before, piece{p.start, p.start + left, left, true})
			}
			cover(p.start+left, p.end-right)
			if right > 0 {
				after = append(after, piece{p.end - right, p.end, right, true})
			}
		default: // part of an earlier edit: both become one
			fresh.length += max(0, e.Start-from) + max(0, to-e.End)
			cover(p.start, p.end)
		}
	}
	if fresh.start < 0 { // an insertion between two pieces
		here := 0
		if len(before) > 0 {
			here = before[len(before)-1].end
		}
		fresh.start, fresh.end = here, here
	}
	l.pieces = append(append(before, fresh), after...)
}

// spans are the pieces that did not stay, with their bytes in now.
func (l *layers) spans(now []byte) []Span {
	var out []Span
	at := 0
	for _, p := range l.pieces {
		if !p.stayed {
			out = append(out, Span{p.start, p.end, now[at : at+p.length]})
		}
		at += p.length
	}
	return out
}
