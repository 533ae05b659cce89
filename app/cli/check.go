package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

type checkCmd struct {
	Paths     []string `arg:"" name:"path" help:"Agent files, folders or repositories." type:"path"`
	JSON      bool     `name:"json" help:"One JSON object an agent: path, format, key (in a file of several), name, problems [{line, text}], tools {stated, effective}, identical, and with --roundtrip roundtrip {edits, refused, failed}."`
	RoundTrip bool     `name:"roundtrip" help:"Write every agent back in memory, edit each of its fields and undo that. Only what goes wrong there, or cannot be read, counts."`
}

// Run checks every path and ends with 2 if a file could not be read, 1 if one
// has problems.
func (c *checkCmd) Run(r *run) error {
	if c.RoundTrip {
		return c.roundTrip(r)
	}
	reports, err := profile.Check(r.ctx, c.Paths)
	if err != nil {
		return err
	}
	code := OK
	for _, rep := range reports {
		switch {
		case rep.Unreadable:
			code = Usage
		case len(rep.Problems) > 0 && code == OK:
			code = Failed
		}
		if err := c.print(r, rep); err != nil {
			return err
		}
	}
	if !c.JSON && len(reports) == 0 {
		say(r.p.Stdout, "No agent files there.")
	}
	return ended(code)
}

// ended is how a command ends that has said everything.
func ended(code int) error {
	if code == OK {
		return nil
	}
	return exit(code)
}

func (c *checkCmd) print(r *run, rep profile.Report) error {
	if c.JSON {
		return object(r.p.Stdout, rep)
	}
	problems(r, rep)
	if len(rep.Problems) == 0 {
		ok := "ok, "
		if rep.Format != profile.ClaudeCode {
			ok = fmt.Sprintf("ok (%s), ", rep.Format.Label())
		}
		say(r.p.Stdout, place(rep)+": "+ok+granted(rep))
	}
	return nil
}

// object writes v as one line of JSON.
func object(w io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	say(w, string(line))
	return nil
}

func problems(r *run, rep profile.Report) {
	for _, p := range rep.Problems {
		where := shown(rep.Path)
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, p.Line)
		}
		if rep.Key != "" {
			where += ": " + shown(rep.Key)
		}
		say(r.p.Stdout, where+": "+plain(p.Text))
	}
}

// place is where an agent stands, in a file of several with its key.
func place(rep profile.Report) string {
	if rep.Key == "" {
		return shown(rep.Path)
	}
	return shown(rep.Path) + ": " + shown(rep.Key)
}

// shown is a path that cannot break a line, colour a terminal or read
// backwards: one with such a character is quoted.
func shown(path string) string {
	if strings.ContainsFunc(path, agent.Hidden) || !utf8.ValidString(path) {
		return strconv.QuoteToASCII(path)
	}
	return path
}

// plain is a sentence whose hidden characters are spelled out.
func plain(text string) string {
	if !strings.ContainsFunc(text, agent.Hidden) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if agent.Hidden(c) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(c), "'"))
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

func granted(rep profile.Report) string {
	t := rep.Tools
	facts, _ := tool.FactsOf(tool.Dialect(rep.Format))
	switch {
	case t.Default != "":
		return "grants nothing here: " + plain(t.Default)
	case len(t.Effective) == 0:
		return "grants nothing" + unstated(t, facts)
	}
	return "grants " + plain(strings.Join(t.Effective, ", ")) + unstated(t, facts)
}

// unstated points out tools that are granted because the file does not list
// any, where such files can.
func unstated(t profile.ToolReport, facts tool.Facts) string {
	if t.Stated.Stated == tool.Omitted && facts.Omitted != tool.NoList {
		return " (no tools stated)"
	}
	return ""
}
