package agent

import (
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold is text as Callboard compares names and searches: without case, and with
// look-alike forms such as wide letters as one (NFKC). Agents whose names fold
// to the same are pointed out as twins; the names themselves stay as they are.
func Fold(text string) string { return cases.Fold().String(norm.NFKC.String(text)) }
