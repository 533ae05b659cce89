package frontmatter_test

import (
	"strings"
	"testing"

	"callboard/app/fault"
	"callboard/app/profile/document"
	"callboard/app/profile/frontmatter"
)

var known = []string{"name", "description", "tools", "model"}

// replaceCases give key "description" or "tools" a new value: want is the whole
// block afterwards.
var replaceCases = map[string]struct {
	in, key string
	v       document.Value
	want    string
}{
	"plain":             {"---\ndescription: a\n---\n", "description", document.Scalar("b"), "---\ndescription: b\n---\n"},
	"plain comment":     {"---\ndescription: a   # c\n---\n", "description", document.Scalar("b"), "---\ndescription: b   # c\n---\n"},
	"needs quotes":      {"---\ndescription: a\n---\n", "description", document.Scalar("b: c"), "---\ndescription: 'b: c'\n---\n"},
	"needs escapes":     {"---\ndescription: a\n---\n", "description", document.Scalar("b\x01"), "---\ndescription: \"b\\u0001\"\n---\n"},
	"boolean":           {"---\ndescription: a\n---\n", "description", document.Scalar("yes"), "---\ndescription: 'yes'\n---\n"},
	"number":            {"---\ndescription: 1\n---\n", "description", document.Scalar("007"), "---\ndescription: '007'\n---\n"},
	"hash in plain":     {"---\ndescription: a\n---\n", "description", document.Scalar("a #b"), "---\ndescription: 'a #b'\n---\n"},
	"single":            {"---\ndescription: 'a' # c\n---\n", "description", document.Scalar("it's"), "---\ndescription: 'it''s' # c\n---\n"},
	"double":            {"---\ndescription: \"a\"\n---\n", "description", document.Scalar("b\"\nc"), "---\ndescription: \"b\\\"\\nc\"\n---\n"},
	"plain to lines":    {"---\r\ndescription: a # c\r\nname: n\r\n---\r\n", "description", document.Scalar("b\nc"), "---\r\ndescription: |- # c\r\n  b\r\n  c\r\nname: n\r\n---\r\n"},
	"literal":           {"---\ndescription: | # c\n    a\n\n    b\r\n    c\nname: n\n---\n", "description", document.Scalar("a\n\nB\nc\n"), "---\ndescription: | # c\n    a\n\n    B\r\n    c\nname: n\n---\n"},
	"literal chomped":   {"---\ndescription: |\n   a\n---\n", "description", document.Scalar("a\nb"), "---\ndescription: |-\n   a\n   b\n---\n"},
	"literal indented":  {"---\ndescription: |\n   a\n---\n", "description", document.Scalar(" a\n"), "---\ndescription: |3\n    a\n---\n"},
	"literal kept":      {"---\ndescription: |+\n  a\n\nname: n\n---\n", "description", document.Scalar("b\n\n"), "---\ndescription: |+\n  b\n\nname: n\n---\n"},
	"literal emptied":   {"---\ndescription: |\n  a\n---\n", "description", document.Scalar(""), "---\ndescription: ''\n---\n"},
	"folded":            {"---\ndescription: >-\n  a\n  b\n---\n", "description", document.Scalar("a c\nd"), "---\ndescription: >-\n  a c\n\n  d\n---\n"},
	"blank":             {"---\ndescription:   # c\n---\n", "description", document.Scalar("a"), "---\ndescription: a # c\n---\n"},
	"null":              {"---\ndescription: ~\n---\n", "description", document.Scalar("a"), "---\ndescription: a\n---\n"},
	"repaired":          {"---\ndescription: a: b # c\n---\n", "description", document.Scalar("a: d"), "---\ndescription: 'a: d' # c\n---\n"},
	"unindented":        {"---\ndescription: a\n<b>\r\nuser: c\n</b>\n\nemoji: x\nname: n\n---\n", "description", document.Scalar("a\n<b>\nuser: d\n</b>"), "---\ndescription: a\n<b>\r\nuser: d\n</b>\n\nemoji: x\nname: n\n---\n"},
	"unindented short":  {"---\ndescription: a\n<b>\n\nname: n\n---\n", "description", document.Scalar("a"), "---\ndescription: a\n\nname: n\n---\n"},
	"next line":         {"---\ndescription:\n  a\nname: n\n---\n", "description", document.Scalar("b"), "---\ndescription: b\nname: n\n---\n"},
	"two lines":         {"---\ndescription: a\n  b # c\nname: n\n---\n", "description", document.Scalar("d"), "---\ndescription: d # c\nname: n\n---\n"},
	"quoted key":        {"---\n'description' :   a\n---\n", "description", document.Scalar("b"), "---\n'description' :   b\n---\n"},
	"flow add":          {"---\ntools: [ A, \"B\" ] # c\n---\n", "tools", document.Strings("A", "B", "C"), "---\ntools: [ A, \"B\", C ] # c\n---\n"},
	"flow quotes":       {"---\ntools: [\"A\"]\n---\n", "tools", document.Strings("A", "B"), "---\ntools: [\"A\", \"B\"]\n---\n"},
	"flow first":        {"---\ntools: [ A,B]\n---\n", "tools", document.Strings("X", "A", "B"), "---\ntools: [ X,A,B]\n---\n"},
	"flow change":       {"---\ntools: [A, 'B', C]\n---\n", "tools", document.Strings("A", "X", "C"), "---\ntools: [A, 'X', C]\n---\n"},
	"flow empty":        {"---\ntools: [A]\n---\n", "tools", document.Strings(), "---\ntools: []\n---\n"},
	"flow lines":        {"---\ntools: [\n  A, # a\n  B,\n]\n---\n", "tools", document.Strings("A", "B", "C"), "---\ntools: [\n  A, # a\n  B, C,\n]\n---\n"},
	"block add":         {"---\ntools:\n  -  A # a\n  -  'B'\nname: n\n---\n", "tools", document.Strings("A", "B", "C"), "---\ntools:\n  -  A # a\n  -  'B'\n  -  C\nname: n\n---\n"},
	"block change":      {"---\ntools: # t\n- A # a\n# between\n- 'B' # b\r\n---\n", "tools", document.Strings("A", "C, d"), "---\ntools: # t\n- A # a\n# between\n- 'C, d' # b\r\n---\n"},
	"block remove":      {"---\ntools:\n- A\n- B\n- C\n---\n", "tools", document.Strings("A", "C"), "---\ntools:\n- A\n- C\n---\n"},
	"block empty":       {"---\ntools: # t\n- A\nname: n\n---\n", "tools", document.Strings(), "---\ntools: [] # t\nname: n\n---\n"},
	"flow take first":   {"---\ntools: [\n  A, # a\n  # b\n  B\n]\n---\n", "tools", document.Strings("B"), "---\ntools: [\n   # a\n  # b\n  B\n]\n---\n"},
	"flow take last":    {"---\ntools: [\n  A, # a\n  # b\n  B\n]\n---\n", "tools", document.Strings("A"), "---\ntools: [\n  A # a\n  # b\n]\n---\n"},
	"flow take middle":  {"---\ntools: [A,\n  # b\n  B,\n  C]\n---\n", "tools", document.Strings("A", "C"), "---\ntools: [A,\n  # b\n  C]\n---\n"},
	"flow take all":     {"---\ntools: [A,\n  # b\n  B]\n---\n", "tools", document.Strings(), "---\ntools: [\n  # b\n  ]\n---\n"},
	"flow next line":    {"---\ntools: # t\n  [A, B] # c\n---\n", "tools", document.Strings("A"), "---\ntools: # t\n  [A] # c\n---\n"},
	"block take first":  {"---\ntools:\n- A # a\n# b\n\n- B\n---\n", "tools", document.Strings("B"), "---\ntools:\n# b\n\n- B\n---\n"},
	"block take all":    {"---\ntools: # t\n- A\n  # b\n- B\nname: n\n---\n", "tools", document.Strings(), "---\ntools: [] # t\n  # b\nname: n\n---\n"},
	"next line notes":   {"---\ndescription: # k\n  # l\n  'a' # c\nname: n\n---\n", "description", document.Scalar("b"), "---\ndescription: # k\n  # l\n  'b' # c\nname: n\n---\n"},
	"next line to more": {"---\ndescription:\n  a # c\nname: n\n---\n", "description", document.Scalar("b\nc"), "---\ndescription:\n  |- # c\n  b\n  c\nname: n\n---\n"},
	"behind a tab":      {"---\ndescription: |-\t# c\n  a\nname: n\n---\n", "description", document.Scalar("b"), "---\ndescription: |-\t# c\n  b\nname: n\n---\n"},
	"list to text":      {"---\ntools:\n- A\nname: n\n---\n", "tools", document.Scalar("A"), "---\ntools: A\nname: n\n---\n"},
}

func TestReplace(t *testing.T) {
	for name, tc := range replaceCases {
		t.Run(name, func(t *testing.T) {
			d, err := frontmatter.Parse([]byte(tc.in), known)
			if err != nil {
				t.Fatal(err)
			}
			c, err := d.Replace(tc.key, tc.v)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(document.Apply([]byte(tc.in), c)); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestInsertAndRemove(t *testing.T) {
	for name, tc := range map[string]struct {
		in, insert, remove, want string
	}{
		"insert":              {"---\r\nname: n\r\n\r\n---\r\nb", "model", "", "---\r\nname: n\r\n\r\nmodel: v\r\n---\r\nb"},
		"insert into nothing": {"---\n---\nb", "model", "", "---\nmodel: v\n---\nb"},
		"gain front matter":   {"\xef\xbb\xbfb\r\nc", "model", "", "\xef\xbb\xbf---\r\nmodel: v\r\n---\r\nb\r\nc"},
		"remove":              {"---\nname: n # c\n# own\nmodel: m\n---\n", "", "name", "---\n# own\nmodel: m\n---\n"},
		"remove block":        {"---\ntools:\n- a\n\n# own\n- b\nmodel: m\n---\n", "", "tools", "---\nmodel: m\n---\n"},
		"remove text":         {"---\ndescription: a\n<b>\nuser: c\n</b>\n\nemoji: x\n---\n", "", "description", "---\n\nemoji: x\n---\n"},
		"remove all":          {"---\nname: n\n---", "", "name", "---\n---"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := frontmatter.Parse([]byte(tc.in), known)
			if err != nil {
				t.Fatal(err)
			}
			var c document.Edit
			if tc.insert != "" {
				c, err = d.Insert(tc.insert, document.Scalar("v"))
			} else {
				c, err = d.Remove(tc.remove)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := string(document.Apply([]byte(tc.in), c)); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestEditsRefuse(t *testing.T) {
	replace := func(d *frontmatter.Document) error {
		_, err := d.Replace("name", document.Scalar("x"))
		return err
	}
	for name, tc := range map[string]struct {
		in   string
		edit func(*frontmatter.Document) error
		rule string
	}{
		"no such key": {"---\nmodel: m\n---\n", replace, "key_missing"},
		"twice":       {"---\nname: a\nname: b\n---\n", replace, "key_twice"},
		"other form":  {"---\n{name: a}\n---\n", replace, "form_not_edited"},
		"not UTF-8": {"---\nname: a\n---\n", func(d *frontmatter.Document) error {
			_, err := d.Replace("name", document.Scalar("\xff"))
			return err
		}, "not_writable"},
		"insert twice":  {"---\nname: a\n---\n", func(d *frontmatter.Document) error { _, err := d.Insert("name", document.Scalar("x")); return err }, "key_twice"},
		"anchor in use": {"---\nname: &a x\nmodel: *a\n---\n", func(d *frontmatter.Document) error { _, err := d.Remove("name"); return err }, "not_writable"},
		"body is fence": {"a\n", func(d *frontmatter.Document) error { _, err := d.ReplaceBody("---\nx\n---\n"); return err }, "not_writable"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := frontmatter.Parse([]byte(tc.in), known)
			if err != nil {
				t.Fatal(err)
			}
			if err := tc.edit(d); fault.RuleOf(err) != tc.rule {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestBody(t *testing.T) {
	for name, tc := range map[string]struct {
		in, shown, next, want string
	}{
		"hidden line breaks":    {"---\n---\n\na\n", "a", "b", "---\n---\n\nb\n"},
		"no hidden line breaks": {"---\n---\na", "a", "b", "---\n---\nb"},
		"more of them":          {"---\n---\n\n\na\n\n", "\na\n", "a", "---\n---\n\na\n"},
		"leading added":         {"---\n---\na", "a", "\na", "---\n---\n\n\na"},
		"trailing added":        {"---\n---\na", "a", "a\n", "---\n---\na\n\n"},
		"emptied":               {"---\n---\n\na\n", "a", "", "---\n---\n\n"},
		"only line break":       {"---\n---\n\n", "", "a", "---\n---\n\na\n"},
		"none yet":              {"---\n---\n", "", "a", "---\n---\n\na\n"},
		"closing ends file":     {"---\r\n---", "", "a\nb", "---\r\n---\r\n\r\na\r\nb\r\n"},
		"mixed kept":            {"---\n---\na\r\nb\nc\r\nd", "a\nb\nc\nd", "a\nB\nc\nd", "---\n---\na\r\nB\nc\r\nd"},
		"mixed changed":         {"---\n---\na\r\nb\nc\r\nd", "a\nb\nc\nd", "a\nb\nC\nnew\nd", "---\n---\na\r\nb\nC\r\nnew\r\nd"},
		"added at end":          {"---\n---\r\na\nb", "a\nb", "a\nb\nc", "---\n---\r\na\nb\nc"},
		"carriage return":       {"---\n---\na\rb\n", "a\rb", "a\rc", "---\n---\na\rc\n"},
		"two carriage returns":  {"---\n---\na\r\r\nb\n", "a\nb", "a\nc", "---\n---\na\r\r\nc\n"},
		"without front matter":  {"\xef\xbb\xbfa\r\nb", "a\nb", "a\nc", "\xef\xbb\xbfa\r\nc"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := frontmatter.Parse([]byte(tc.in), known)
			if err != nil {
				t.Fatal(err)
			}
			if d.Text() != tc.shown {
				t.Errorf("shows %q, want %q", d.Text(), tc.shown)
			}
			c, err := d.ReplaceBody(tc.next)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(document.Apply([]byte(tc.in), c)); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestFences(t *testing.T) {
	for name, tc := range map[string]struct {
		in      string
		present bool
	}{
		"plain":                   {"---\na: 1\n---\n", true},
		"trailing blanks":         {"--- \t\na: 1\n---  \n", true},
		"indented fence in block": {"---\na: |\n  ---\n---\n", true},
		"blank line first":        {"\n---\na: 1\n---\n", false},
		"four dashes":             {"----\na: 1\n----\n", false},
		"empty file":              {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := frontmatter.Parse([]byte(tc.in), known)
			if err != nil || d.Present != tc.present {
				t.Errorf("present %v, %v", d.Present, err)
			}
		})
	}
	for _, open := range []string{"---", "---\n", "---\na: 1\n...\n", "---\na: |\n  x\n  ---\n"} {
		if _, err := frontmatter.Parse([]byte(open), known); fault.RuleOf(err) != "front_matter_open" {
			t.Errorf("%q: %v", open, err)
		}
	}
}

func TestNoticesNameNoText(t *testing.T) {
	d, err := frontmatter.Parse([]byte("---\nsecret: a: b\nsecret: x\n---\n"), known)
	if err != nil || len(d.Notices) != 2 {
		t.Fatalf("%v, %v", d.Notices, err)
	}
	for _, n := range d.Notices {
		if strings.Contains(n.Text, "secret") {
			t.Errorf("%q names an unknown key", n.Text)
		}
	}
}

func TestUnindentedText(t *testing.T) {
	for name, tc := range map[string]struct{ in, text, keys string }{
		"prose first":       {"description: a\n<b>\nuser: c\n</b>\nmodel: m\n", "a\n<b>\nuser: c\n</b>", "description model"},
		"ends with speaker": {"description: a\nbc\nuser: c\nassistant: d\nemoji: x\n", "a\nbc\nuser: c\nassistant: d", "description emoji"},
		"starts with one":   {"description: a\nContext: b\nuser: c\n<d>\nmodel: m\n", "a\nContext: b\nuser: c\n<d>", "description model"},
		"unknown in middle": {"description: a\n<b>\nfoo: bar\n</b>\nfoo: baz\nmodel: m\n", "a\n<b>\nfoo: bar\n</b>", "description foo model"},
		"unknown before":    {"description: a\nfoo: bar\n</b>\nmodel: m\n", "a", "description foo model"},
		"list of its own":   {"description: a\n<b>\ntags:\n- x\n- y\nmodel: m\n", "a\n<b>", "description tags model"},
		"list in prose":     {"description: Use when:\n- x\n- y\nmodel: m\n", "Use when:\n- x\n- y", "description model"},
		"comment in prose":  {"description: a\n<b>\n# c\n</b>\n# d\nmodel: m\n", "a\n<b>\n# c\n</b>", "description model"},
		"nothing at first":  {"description:\n<b>\nmodel: m\n", "<b>", "description model"},
		"block header":      {"description: >-\nUse it\nwell\nmodel: m\n", "Use it\nwell", "description model"},
		"known key in it":   {"description: a\n<b>\nname: n\n</b>\nmodel: m\n", "a\n<b>\nname: n\n</b>", "description model"},
		"after an open tag": {"description: a\n<b>\nname: n\nmodel: m\n", "a\n<b>", "description name model"},
		"tag in a tag":      {"description: a\n<b x=1>\n<c>\n\nname: n\n</b>\n\nname: m\n", "a\n<b x=1>\n<c>\n\nname: n\n</b>", "description name"},
		"another script":    {"name: a\n工具: b\ndescription: c: d\n", "c: d", "name 工具 description"},
		"script in prose":   {"description: a\n<b>\n例: x\n</b>\n例: y\nmodel: m\n", "a\n<b>\n例: x\n</b>", "description 例 model"},
		"header and note":   {"description: |\t# c\nUse it: well\nand more\nmodel: m\n", "Use it: well\nand more", "description model"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := frontmatter.Parse([]byte("---\n"+tc.in+"---\n"), known)
			if err != nil {
				t.Fatal(err)
			}
			var keys []string
			for _, e := range d.Entries {
				keys = append(keys, e.Key)
			}
			e, _ := d.Entry("description")
			if e.Reading.Text != tc.text || strings.Join(keys, " ") != tc.keys {
				t.Errorf("%q, keys %q", e.Reading.Text, keys)
			}
		})
	}
}

// TestHostileBlocksAreBounded parses blocks that invite quadratic work.
func TestHostileBlocksAreBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"stray lines": "k: []\n  x\n", "empty keys": "a:\n", "open quotes": "a: \"\n \"", "flows": "a: [[[[{{{{\n", "comments": "#\n",
		"dashes": "- - - -\n", "blocks": "a: |\n x\n", "anchors": "a: &a [*a]\n", "speakers": "user: x\n<b>\n",
	} {
		t.Run(name, func(t *testing.T) {
			in := "---\nname: n\ntools: [" + strings.Repeat("A,", 20_000) + "]\n" + strings.Repeat(unit, 200<<10/len(unit)) + "\n---\n"
			d, err := frontmatter.Parse([]byte(in), known)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = d.Replace("name", document.Scalar("x: y"))
			_, _ = d.Replace("tools", document.Strings("A", "B"))
		})
	}
}
