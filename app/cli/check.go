package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

type checkCmd struct {
	Paths []string `arg:"" name:"path" help:"Agent files or folders." type:"path"`
	JSON  bool     `name:"json" help:"One JSON object a file: path, format, name, problems [{line, text}], tools {stated, effective}, identical."`
}

// Run checks every path and ends with 2 if a file could not be read, 1 if one
// has problems.
func (c *checkCmd) Run(r *run) error {
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
	if code != OK {
		return exit(code)
	}
	return nil
}

func (c *checkCmd) print(r *run, rep profile.Report) error {
	if c.JSON {
		line, err := json.Marshal(rep)
		if err != nil {
			return err
		}
		say(r.p.Stdout, string(line))
		return nil
	}
	for _, p := range rep.Problems {
		where := shown(rep.Path)
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, p.Line)
		}
		say(r.p.Stdout, where+": "+p.Text)
	}
	if len(rep.Problems) == 0 {
		say(r.p.Stdout, fmt.Sprintf("%s: ok, %s", shown(rep.Path), granted(rep.Tools)))
	}
	return nil
}

// shown is a path that cannot break a line, colour a terminal or read
// backwards: one with such a character is quoted.
func shown(path string) string {
	if strings.ContainsFunc(path, agent.Hidden) || !utf8.ValidString(path) {
		return strconv.QuoteToASCII(path)
	}
	return path
}

func granted(t profile.ToolReport) string {
	what := "grants nothing"
	if len(t.Effective) > 0 {
		what = "grants " + strings.Join(t.Effective, ", ")
	}
	if t.Stated.Stated == tool.Omitted {
		what += " (no tools stated)"
	}
	return what
}
