package servers

import (
	"errors"
	"io"
	"sync/atomic"
)

// errOver ends a conversation that grows beyond its bounds.
var errOver = errors.New("servers: more than is taken")

// lines is the standard output of a server. It stops after maxMessage bytes
// without a line's end and after maxTalk in all, and notes what it saw, because
// the protocol above only says that it could not go on.
type lines struct {
	r           io.ReadCloser
	start       bool // at the start of a line
	line, total int

	over  atomic.Bool // a bound was reached
	noise atomic.Bool // a line is no message
	ended atomic.Bool // the other side closed first
	left  atomic.Bool // this side hung up
}

// Read reads on within the bounds.
func (l *lines) Read(p []byte) (int, error) {
	if l.over.Load() {
		return 0, errOver
	}
	n, err := l.r.Read(p)
	for _, b := range p[:n] {
		l.look(b)
	}
	l.total += n
	if l.line > maxMessage || l.total > maxTalk {
		l.over.Store(true)
		return 0, errOver
	}
	if errors.Is(err, io.EOF) && !l.left.Load() {
		l.ended.Store(true)
	}
	return n, err
}

func (l *lines) look(b byte) {
	switch {
	case b == '\n':
		l.start, l.line = true, 0
		return
	case b == ' ', b == '\t', b == '\r':
	case l.start && b != '{' && b != '[':
		l.noise.Store(true)
		l.start = false
	default:
		l.start = false
	}
	l.line++
}

// Close closes what is read from; a Read that waits returns.
func (l *lines) Close() error { return l.r.Close() }
