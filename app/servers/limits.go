package servers

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"callboard/app/agent"
	"callboard/app/fault"
)

// The limits of what a person configures; sizes are bytes.
const (
	MaxCommand  = 4096
	MaxArgs     = 64
	MaxArgBytes = 64 << 10 // all arguments together
	MaxNames    = 64       // environment or header names
	MaxURL      = 2048
	MaxSeconds  = 600
	MaxValue    = 32 << 10
)

// Own is the name of Callboard's own server, which no other may have.
const Own = "callboard"

// ErrInvalid refuses a server that breaks a limit. The error's text names the
// first field that does; Check lists all of them.
var ErrInvalid = fault.New(fault.Invalid, "server_invalid_entry", "not saved")

// Field names one editable field, as the wire spells it.
type Field string

// The fields that have rules.
const (
	FieldName      Field = "name"
	FieldTransport Field = "transport"
	FieldCommand   Field = "command"
	FieldArgs      Field = "args"
	FieldEnv       Field = "env"
	FieldDir       Field = "dir"
	FieldURL       Field = "url"
	FieldHeaders   Field = "headers"
	FieldTimeout   Field = "timeout_s"
)

// Problem is one broken rule. Limit and Size are 0 where the rule is no size;
// Text is a plain sentence that never repeats the field's value.
type Problem struct {
	Field Field  `json:"field"`
	Text  string `json:"text"`
	Limit int    `json:"limit,omitempty"`
	Size  int    `json:"size,omitempty"`
}

// Check returns every rule s breaks on its own, in the order of the form. That
// no two servers have one name is for Save to say.
func Check(s Server) []Problem {
	var c checker
	c.name(s.Name)
	switch s.Transport {
	case Stdio:
		c.stdio(s)
		c.unused(s.URL != "" || len(s.Headers) > 0, FieldURL, "A command has no address and no headers.")
	case HTTP:
		c.address(s.URL)
		c.names(FieldHeaders, s.Headers, headerName, "Header names are letters, digits and hyphens.")
		c.reserved(s.Headers)
		c.unused(s.Command != "" || len(s.Args) > 0 || len(s.Env) > 0 || s.Dir != "", FieldCommand,
			"A server with an address has no command, arguments, environment or folder.")
	default:
		c.add(FieldTransport, "Choose a command or an address.")
	}
	if s.Seconds < 0 || s.Seconds > MaxSeconds {
		c.found = append(c.found, Problem{Field: FieldTimeout, Limit: MaxSeconds, Size: s.Seconds, Text: fmt.Sprintf("Must be 1 to %d seconds.", MaxSeconds)})
	}
	return c.found
}

// Validate is Check as one error, nil when nothing is wrong.
func Validate(s Server) error {
	p := Check(s)
	if len(p) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s: %s", ErrInvalid, p[0].Field, strings.TrimSuffix(p[0].Text, "."))
}

var (
	serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	envName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)
	headerName = regexp.MustCompile(`^[A-Za-z0-9-]{1,128}$`)
)

// ours are headers that the protocol itself sets, in lower case.
var ours = []string{
	"accept", "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "keep-alive",
	"last-event-id", "te", "trailer", "transfer-encoding", "upgrade",
}

type checker struct{ found []Problem }

func (c *checker) add(f Field, text string) {
	c.found = append(c.found, Problem{Field: f, Text: text})
}

func (c *checker) unused(bad bool, f Field, text string) {
	if bad {
		c.add(f, text)
	}
}

func (c *checker) size(f Field, size, limit int, unit string) {
	if size > limit {
		c.found = append(c.found, Problem{Field: f, Limit: limit, Size: size, Text: fmt.Sprintf("Too long: %d %s, at most %d.", size, unit, limit)})
	}
}

// text refuses what a person could not see or a process could not be handed.
func (c *checker) text(f Field, s, visible string) {
	if !utf8.ValidString(s) {
		c.add(f, "Holds bytes that are not UTF-8 text.")
		return
	}
	for _, r := range s {
		if agent.Hidden(r) && !strings.ContainsRune(visible, r) {
			c.add(f, fmt.Sprintf("Holds the hidden character U+%04X.", r))
			return
		}
	}
}

// name holds a server to what "@name" and Claude Code's "mcp__name__tool" can
// both say: there the first two underscores after the name end it.
func (c *checker) name(s string) {
	switch {
	case !serverName.MatchString(s):
		c.found = append(c.found, Problem{Field: FieldName, Limit: 64, Size: len(s), Text: "A name has 1 to 64 letters, digits, hyphens and underscores."})
	case strings.Contains(s, "__"), strings.HasSuffix(s, "_"):
		c.add(FieldName, "A name has no two underscores in a row and none at its end.")
	case strings.EqualFold(s, Own):
		c.add(FieldName, "This is the name of Callboard's own server.")
	}
}

func (c *checker) stdio(s Server) {
	switch {
	case strings.TrimSpace(s.Command) == "":
		c.add(FieldCommand, "A command is needed.")
	case strings.ContainsAny(s.Command, `/\`) && !filepath.IsAbs(s.Command):
		c.add(FieldCommand, "A command is a name or an absolute path.")
	}
	c.size(FieldCommand, len(s.Command), MaxCommand, "bytes")
	c.text(FieldCommand, s.Command, "")
	c.size(FieldArgs, len(s.Args), MaxArgs, "arguments")
	c.size(FieldArgs, len(strings.Join(s.Args, "")), MaxArgBytes, "bytes")
	c.text(FieldArgs, strings.Join(s.Args, " "), "\n\t")
	c.names(FieldEnv, s.Env, envName, "Environment names are letters, digits and underscores.")
	if s.Dir != "" && !filepath.IsAbs(s.Dir) {
		c.add(FieldDir, "A folder is an absolute path.")
	}
	c.size(FieldDir, len(s.Dir), MaxCommand, "bytes")
	c.text(FieldDir, s.Dir, "")
}

func (c *checker) names(f Field, names []string, form *regexp.Regexp, text string) {
	c.size(f, len(names), MaxNames, "names")
	var seen []string
	for _, n := range names {
		switch folded := strings.ToLower(n); {
		case !form.MatchString(n):
			c.add(f, text)
			return
		case slices.Contains(seen, folded):
			c.add(f, "One name stands twice.")
			return
		default:
			seen = append(seen, folded)
		}
	}
}

func (c *checker) reserved(headers []string) {
	for _, h := range headers {
		h = strings.ToLower(h)
		if slices.Contains(ours, h) || strings.HasPrefix(h, "mcp-") || strings.HasPrefix(h, "proxy-") {
			c.add(FieldHeaders, "One of these headers is set by Callboard itself.")
			return
		}
	}
}

func (c *checker) address(s string) {
	c.size(FieldURL, len(s), MaxURL, "bytes")
	c.text(FieldURL, s, "")
	u, err := url.Parse(s)
	switch {
	case s == "":
		c.add(FieldURL, "An address is needed.")
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "":
		c.add(FieldURL, "This is no web address.")
	case u.User != nil:
		c.add(FieldURL, "A password does not belong in an address. Use a header.")
	case u.Fragment != "":
		c.add(FieldURL, "An address ends before #.")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		c.add(FieldURL, "Only a server on this computer may be reached without https.")
	case u.Scheme != "http" && u.Scheme != "https":
		c.add(FieldURL, "An address begins with https or http.")
	}
}

// loopback reports whether a host is this computer by its very name.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
