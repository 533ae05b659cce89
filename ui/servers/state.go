package servers

import (
	"net/url"
	"strings"

	"callboard/app/fault"
	"callboard/app/servers"
	"callboard/ui/theme"
	"callboard/ui/words"
)

// stateOf is the chip of a server.
func stateOf(e servers.Entry) (theme.Tone, string) {
	if e.Looking {
		return theme.Info, "being asked"
	}
	switch e.Why() { //nolint:exhaustive // all other codes say that it could not be asked
	case "":
		return theme.OK, "ready"
	case servers.NotAsked:
		return theme.Info, "not asked yet"
	case servers.Disabled:
		return theme.Off, "disabled"
	case servers.ConsentMissing:
		return theme.Warn, "consent needed"
	default:
		return theme.Bad, "unready"
	}
}

// reason puts a code into words for somebody who is on this page already.
func reason(c servers.Code) string {
	switch c { //nolint:exhaustive // the others are words already
	case "":
		return ""
	case servers.NotAsked:
		return "It was not asked for its tools yet."
	case servers.Disabled:
		return "It is switched off. Tick Enabled and save to use it."
	case servers.ConsentMissing:
		return "Nobody has agreed to what it runs or contacts. List tools… shows what that is."
	default:
		return fault.Sentence(c.Err())
	}
}

// where is the command or the host of a server.
func where(s servers.Server) string {
	if s.Transport == servers.Stdio {
		return s.Command
	}
	if u, err := url.Parse(s.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return s.URL
}

// changed says what a look found that the look before did not.
func changed(c servers.Changes) string {
	var out []string
	for _, part := range []struct {
		names []string
		word  string
	}{{c.Added, "new"}, {c.Removed, "gone"}, {c.Changed, "changed"}} {
		n := len(part.names)
		switch {
		case n > 0 && len(out) == 0:
			out = append(out, words.Count(n, "tool")+" "+part.word)
		case n > 0:
			out = append(out, words.Number(n)+" "+part.word)
		}
	}
	switch {
	case c.First:
		return "Listed for the first time."
	case len(out) == 0:
		return "Nothing changed since the look before."
	}
	return "Since the look before: " + strings.Join(out, ", ") + "."
}

// listed says how many tools there are and since when that is known.
func listed(k servers.Known) string {
	if k.At.IsZero() {
		return ""
	}
	text := words.Count(len(k.Tools), "tool") + ", listed " + words.When(k.At) + "."
	if k.Dropped > 0 {
		text += " " + words.Number(k.Dropped) + " left out: their names or schemas cannot be used."
	}
	return text
}
