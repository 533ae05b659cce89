package frontmatter

import "strings"

// commentStart is where the comment of a plain value starts, -1 if it has none:
// a # after white space.
func commentStart(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && (text[i-1] == ' ' || text[i-1] == '\t') {
			return i
		}
	}
	return -1
}

// quoteEnd is the index after the quote that closes the one text starts with,
// -1 if none does.
func quoteEnd(text string) int {
	q := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && q == '"':
			i++
		case text[i] == q && q == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case text[i] == q:
			return i + 1
		}
	}
	return -1
}

// flow walks a flow collection that text starts with and calls each for every
// bracket and comma outside quotes and comments, until each says to stop.
func flow(text string, each func(i int) (stop bool)) {
	start := true // a quote may open here
	for i := 0; i < len(text); i++ {
		c := text[i]
		skip := 0
		switch {
		case (c == '"' || c == '\'') && start:
			skip, start = quoteEnd(text[i:]), false
		case c == '#' && i > 0 && strings.IndexByte(" \t\n", text[i-1]) >= 0:
			skip = strings.IndexByte(text[i:], '\n') + 1
		case strings.IndexByte("[]{},", c) >= 0:
			if each(i) {
				return
			}
			skip, start = 1, true
		default:
			skip, start = 1, c == ':' || start && strings.IndexByte(" \t\r\n", c) >= 0
		}
		if skip <= 0 {
			return
		}
		i += skip - 1
	}
}

// flowEnd is the index after the bracket that closes the one text starts with,
// -1 if none does.
func flowEnd(text string) int {
	depth, end := 0, -1
	flow(text, func(i int) bool {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth == 0 {
			end = i + 1
		}
		return depth == 0
	})
	return end
}
