package tomldoc

import "bytes"

// scanner walks over the bytes of a file without any recursion, to hold the
// limits before a parser sees it, and to find what only TOML 1.1 allows. It
// follows the parsers up to the first error that they would see, which is as
// far as they read.
type scanner struct {
	data  []byte
	at    int
	line  int
	open  []byte // the brackets that are open
	dots  int    // since a key may have started
	marks int
	comma bool // a comma was the last thing seen
}

// check refuses what is over the limits and what is newer than TOML 1.0.
func check(data []byte) error {
	s := scanner{data: data, line: 1}
	for s.at < len(data) {
		if err := s.step(); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner) step() error {
	c := s.data[s.at]
	s.at++
	switch c {
	case ' ', '\t', '\r':
		return nil
	case '\n':
		return s.newline()
	case '#':
		s.comment()
		return nil
	case '"', '\'':
		s.comma = false
		return s.text(c)
	case '[', '{':
		s.open = append(s.open, c)
		if len(s.open) > MaxDepth {
			return wrong(ErrTooDeep, s.line, "")
		}
		return s.mark(c)
	case ']', '}':
		return s.closing(c)
	case '.', ',', '=':
		return s.mark(c)
	}
	s.comma = false
	return nil
}

func (s *scanner) mark(c byte) error {
	s.comma = c == ','
	if c == '.' {
		s.dots++
	} else {
		s.dots = 0
	}
	s.marks++
	switch {
	case s.marks > MaxMarks:
		return wrong(ErrTooMany, s.line, "")
	case s.dots >= MaxDepth:
		return wrong(ErrTooDeep, s.line, "")
	}
	return nil
}

func (s *scanner) newline() error {
	if n := len(s.open); n > 0 && s.open[n-1] == '{' {
		return wrong(ErrNotTOML, s.line, "an inline table must end on its line")
	}
	s.line++
	s.dots = 0
	return nil
}

func (s *scanner) closing(c byte) error {
	if c == '}' && s.comma {
		return wrong(ErrNotTOML, s.line, "an inline table must not end with a comma")
	}
	s.comma = false
	if len(s.open) > 0 {
		s.open = s.open[:len(s.open)-1]
	}
	return nil
}

func (s *scanner) comment() {
	n := bytes.IndexByte(s.data[s.at:], '\n')
	if n < 0 {
		n = len(s.data) - s.at
	}
	s.at += n
}

// text walks over a string whose first quote was just read.
func (s *scanner) text(quote byte) error {
	closing := []byte{quote}
	if triple := bytes.Repeat(closing, 3); bytes.HasPrefix(s.data[s.at-1:], triple) {
		s.at += 2
		closing = triple
	}
	for s.at < len(s.data) && !bytes.HasPrefix(s.data[s.at:], closing) {
		c := s.data[s.at]
		if c == '\\' && quote == '"' {
			if err := s.escape(); err != nil {
				return err
			}
			continue
		}
		if c == '\n' {
			if len(closing) == 1 {
				return nil
			}
			s.line++
		}
		s.at++
	}
	s.close(closing)
	return nil
}

// close walks over the quotes that end a string: two more than three may belong
// to its text.
func (s *scanner) close(closing []byte) {
	n := 1
	if len(closing) == 3 {
		n = 5
	}
	for ; n > 0 && s.at < len(s.data) && s.data[s.at] == closing[0]; n-- {
		s.at++
	}
}

// escape walks over a backslash and the letter after it.
func (s *scanner) escape() error {
	s.at++
	if s.at == len(s.data) || s.data[s.at] == '\n' {
		return nil
	}
	if c := s.data[s.at]; c == 'e' || c == 'x' {
		return wrong(ErrNotTOML, s.line, "an escape that TOML 1.0 does not have")
	}
	s.at++
	return nil
}
