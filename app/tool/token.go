package tool

import (
	"strings"

	"callboard/app/fault"
)

// ErrTokens refuses a written tool list whose tokens cannot be told apart.
var ErrTokens = fault.New(fault.Invalid, "tools_unreadable", "the tool list cannot be read for certain").
	Then("Separate tools with commas and close every bracket.")

// Split cuts a comma-separated tool list into tokens. Commas inside brackets
// belong to their token, as in Agent(a, b). It refuses unbalanced brackets,
// empty tokens between commas and white space outside brackets, because tools
// differ in what they make of those. A blank string is no token and no error.
func Split(s string) ([]string, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var out []string
	depth, start := 0, 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
		if depth < 0 || depth > 1 {
			return nil, ErrTokens
		}
	}
	if depth != 0 {
		return nil, ErrTokens
	}
	out = append(out, strings.TrimSpace(s[start:]))
	for _, t := range out {
		if !ValidToken(t) {
			return nil, ErrTokens
		}
	}
	return out, nil
}

// ValidToken reports whether t can stand as one token of a list: not blank, no
// comma or white space outside a bracket, brackets closed and at its end.
func ValidToken(t string) bool {
	name, args, bracketed := strings.Cut(t, "(")
	if name == "" || strings.ContainsAny(name, ", \t\r\n)") {
		return false
	}
	if !bracketed {
		return true
	}
	return strings.HasSuffix(args, ")") && !strings.ContainsAny(args[:len(args)-1], "()\r\n")
}

// Join writes tokens as one comma-separated list.
func Join(tokens []string) string { return strings.Join(tokens, ", ") }

// base is the native name of a token and whether it carries a pattern:
// Bash(git *) is Bash with one.
func base(token string) (name string, pattern bool) {
	name, _, pattern = strings.Cut(token, "(")
	return name, pattern
}
