package tomldoc_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/profile/document"
	"callboard/app/profile/tomldoc"
)

const agentFile = `# Reviews what others wrote.
name = "reviewer"            # shown in the list
description = 'Reads diffs, "carefully".'
developer_instructions = '''
You review code.

- Be brief.
- Quote lines: C:\dir "x"
'''

model = "gpt-5.2-codex"
model_reasoning_effort = "high"
sandbox_mode = "read-only"
nickname_candidates = [
  "Rev", # short
  # the long one
  "Reviewer",
]
web_search = true
limit = 1_000
ratio = 0.5
since = 2026-01-02T03:04:05Z
features = { a = 1 }
mixed = ["a", 1]
tools.view_image = false

# for the documents
[mcp_servers.docs]
command = "npx"
name = "inner"
args = ["-y", "docs"]

[[skills.config]]
path = "/a"
enabled = false

[tools.extra]
x = 1
`

func parse(t *testing.T, in string) *tomldoc.Document {
	t.Helper()
	d, err := tomldoc.Parse([]byte(in))
	if err != nil {
		t.Fatalf("%v\n%s", err, in)
	}
	return d
}

func TestEntries(t *testing.T) {
	text := func(s, tag string) document.Reading {
		return document.Reading{Kind: document.Text, Text: s, Tag: tag}
	}
	table := document.Reading{Kind: document.Map}
	type key struct {
		Key     string
		Line    int
		Reading document.Reading
	}
	want := []key{
		{"name", 2, text("reviewer", "!!str")},
		{"description", 3, text(`Reads diffs, "carefully".`, "!!str")},
		{"developer_instructions", 4, text("You review code.\n\n- Be brief.\n- Quote lines: C:\\dir \"x\"\n", "!!str")},
		{"model", 11, text("gpt-5.2-codex", "!!str")},
		{"model_reasoning_effort", 12, text("high", "!!str")},
		{"sandbox_mode", 13, text("read-only", "!!str")},
		{"nickname_candidates", 14, document.Reading{Kind: document.List, Items: []string{"Rev", "Reviewer"}}},
		{"web_search", 19, text("true", "!!bool")},
		{"limit", 20, text("1_000", "!!int")},
		{"ratio", 21, text("0.5", "!!float")},
		{"since", 22, text("2026-01-02T03:04:05Z", "!!timestamp")},
		{"features", 23, table},
		{"mixed", 24, document.Reading{Kind: document.Unclear}},
		{"tools", 25, table},
		{"mcp_servers", 28, table},
		{"skills", 33, table},
	}
	for name, in := range map[string]string{
		"lf":   agentFile,
		"crlf": strings.ReplaceAll(agentFile, "\n", "\r\n"),
		"bom":  "\ufeff" + agentFile,
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, in)
			if d.BOM != (name == "bom") {
				t.Errorf("BOM %v", d.BOM)
			}
			var got []key
			for _, e := range d.Entries() {
				got = append(got, key{e.Key, e.Line, e.Reading})
				full, value := in[e.Full.Start:e.Full.End], in[e.Value.Start:e.Value.End]
				if !strings.HasSuffix(full, "\n") || !strings.Contains(full, value) || strings.TrimSpace(value) != value {
					t.Errorf("%s: full %q, value %q", e.Key, full, value)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if n := len(parse(t, "").Entries()) + len(parse(t, "\ufeff# x").Entries()); n != 0 {
		t.Error("keys in an empty file")
	}
}

func TestNumbersAndQuotedKeys(t *testing.T) {
	d := parse(t, "a = 0x1F\nb = 0o17\nc = 0b1\nd = +1_0\ne = -nan\nf = inf\ng = -1e1_0\n\"h i\" = \"\"\n'' = ''\nj.k = [{a = 1}]\nl = [\"\"\"\nx\r\ny\"\"\"]\nm = 07:00:00\n[[n]]\n[[n]]\n")
	var got []string
	for _, e := range d.Entries() {
		got = append(got, e.Key+" "+e.Reading.Tag+" "+e.Reading.Text+strings.Join(e.Reading.Items, ","))
	}
	want := []string{"a !!int 0x1F", "b !!int 0o17", "c !!int 0b1", "d !!int +1_0", "e !!float -nan", "f !!float inf", "g !!float -1e1_0", "h i !!str ", " !!str ", "j  ", "l  x\ny", "m !!timestamp 07:00:00", "n  "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, key := range []string{"a", "e", "h i", ""} { // what is no number does not stop an edit
		if _, err := d.Replace(key, document.Scalar("x")); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// TestIdentity gives every text and list of the file the value it has.
func TestIdentity(t *testing.T) {
	for _, in := range []string{agentFile, strings.ReplaceAll(agentFile, "\n", "\r\n"), "\ufeff" + agentFile} {
		d := parse(t, in)
		n := 0
		for _, e := range d.Entries() {
			v := document.Value{Text: e.Reading.Text, Items: e.Reading.Items, List: e.Reading.Kind == document.List}
			if !v.List && e.Reading.Tag != "!!str" {
				continue
			}
			c, err := d.Replace(e.Key, v)
			if err != nil {
				t.Fatal(e.Key, err)
			}
			if got := string(document.Apply([]byte(in), c)); got != in {
				t.Errorf("%s: %q", e.Key, got)
			}
			n++
		}
		if n != 7 {
			t.Errorf("%d keys", n)
		}
	}
}

func TestNarrow(t *testing.T) {
	d := parse(t, agentFile)
	for name, tc := range map[string]struct {
		key      string
		v        document.Value
		old, now string
	}{
		"line":   {"developer_instructions", document.Scalar("You review code.\n\n- Be terse.\n- Quote lines: C:\\dir \"x\"\n"), "- Be brief.\n", "- Be terse.\n"},
		"added":  {"developer_instructions", document.Scalar("You review code.\n\n- Be brief.\n- New.\n- Quote lines: C:\\dir \"x\"\n"), "", "- New.\n"},
		"first":  {"developer_instructions", document.Scalar("I review code.\n\n- Be brief.\n- Quote lines: C:\\dir \"x\"\n"), "You review code.\n", "I review code.\n"},
		"item":   {"nickname_candidates", document.Strings("Rev", "Critic"), "  \"Reviewer\",\n", "  \"Critic\",\n"},
		"add":    {"nickname_candidates", document.Strings("Rev", "Reviewer", "Critic"), "", "  \"Critic\",\n"},
		"remove": {"nickname_candidates", document.Strings("Reviewer"), "  \"Rev\", # short\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := d.Replace(tc.key, tc.v)
			if err != nil {
				t.Fatal(err)
			}
			if old := agentFile[c.Start:c.End]; old != tc.old || string(c.New) != tc.now {
				t.Errorf("%q by %q", old, c.New)
			}
		})
	}
}

func TestRefusedEdits(t *testing.T) {
	d := parse(t, agentFile+"\n[more]\nlater = 1\n")
	insert := func(key string) error { _, err := d.Insert(key, document.Scalar("x")); return err }
	replace := func(key, text string) error { _, err := d.Replace(key, document.Scalar(text)); return err }
	remove := func(key string) error { _, err := d.Remove(key); return err }
	for name, tc := range map[string]struct{ err, want error }{
		"missing":         {replace("nothing", "x"), document.ErrMissing},
		"of a table":      {replace("later", "x"), document.ErrMissing},
		"remove missing":  {remove("command"), document.ErrMissing},
		"dotted":          {replace("tools", "x"), document.ErrForm},
		"table":           {replace("mcp_servers", "x"), document.ErrForm},
		"remove table":    {remove("mcp_servers"), document.ErrForm},
		"remove tables":   {remove("skills"), document.ErrForm},
		"there":           {insert("name"), document.ErrTwice},
		"there as tables": {insert("skills"), document.ErrTwice},
		"no bare key":     {insert("a.b"), document.ErrForm},
		"no key":          {insert(""), document.ErrForm},
		"key of letters":  {insert("é"), document.ErrForm},
		"not UTF-8":       {replace("name", "a\xff"), document.ErrCannotWrite},
		"not UTF-8 lines": {replace("developer_instructions", "a\n\xff"), document.ErrCannotWrite},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: got %v, want %v", name, tc.err, tc.want)
		}
	}
}

func TestKeepsItsArgument(t *testing.T) {
	data := []byte(agentFile + "tail")[:len(agentFile)]
	d, err := tomldoc.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Replace("name", document.Scalar("other")); err != nil {
		t.Fatal(err)
	}
	d.Entries()[0].Key = "x"
	if !bytes.Equal(data, []byte(agentFile)) || d.Entries()[0].Key != "name" {
		t.Error("changed")
	}
}
