package jsondoc_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/profile/document"
	"callboard/app/profile/jsondoc"
)

func parse(t testing.TB, data string) *jsondoc.Document {
	t.Helper()
	d, err := jsondoc.Parse([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func object(t testing.TB, data string, path ...string) *jsondoc.Object {
	t.Helper()
	o, err := parse(t, data).Object(path...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestRefusals(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want error
		line int
	}{
		"empty":                     {"", jsondoc.ErrNotJSON, 1},
		"blank":                     {" \n ", jsondoc.ErrNotJSON, 2},
		"yaml":                      {"a: b\n", jsondoc.ErrNotJSON, 1},
		"binary":                    {"{\"a\": \"\x00\"}", document.ErrBinary, 0},
		"invalid UTF-8 in a string": {"{\n\"a\": \"\xff\"}", jsondoc.ErrNotJSON, 2},
		"invalid UTF-8 in a note":   {"{}\n\n// \xc3", jsondoc.ErrNotJSON, 3},
		"open object":               {"{\n\"a\": 1\n", jsondoc.ErrNotJSON, 3},
		"open object with a note":   {"{\n\"a\": 1 // x", jsondoc.ErrNotJSON, 2},
		"open string":               {"{\n\"a\": \"secret,\n \"b\": 1}", jsondoc.ErrNotJSON, 2},
		"open note":                 {"{}\n/* secret", jsondoc.ErrNotJSON, 2},
		"two values":                {"{}\n{}", jsondoc.ErrNotJSON, 2},
		"two commas":                {"{\"a\": 1,, \"b\": 2}", jsondoc.ErrNotJSON, 1},
		"only a comma":              {"[,]", jsondoc.ErrNotJSON, 1},
		"single quotes":             {"{'secret': 1}", jsondoc.ErrNotJSON, 1},
		"bare key":                  {"{secret: 1}", jsondoc.ErrNotJSON, 1},
		"bad literal":               {"{\n\n\"a\": secret}", jsondoc.ErrNotJSON, 3},
		"bad escape":                {"[\n\"\\x secret\"]", jsondoc.ErrNotJSON, 2},
		"hash note":                 {"{} # secret", jsondoc.ErrNotJSON, 1},
		"second byte order mark":    {"\ufeff\ufeff{}", jsondoc.ErrNotJSON, 1},
		"carriage return in a note": {"{\n// a\r\"b\": 1\n}", jsondoc.ErrNotJSON, 2},
		"line separator in a note":  {"{\n// a\u2028\"b\": 1\n}", jsondoc.ErrNotJSON, 2},
		"too large":                 {strings.Repeat(" ", document.MaxFile+1), document.ErrTooLarge, 0},
		"nested arrays":             {strings.Repeat("[", 100_000), document.ErrTooLarge, 1},
		"nested objects":            {strings.Repeat("{\"a\":\n", 100_000), document.ErrTooLarge, 65},
		"4 MiB of brackets":         {strings.Repeat("[", document.MaxFile), document.ErrTooLarge, 1},
		"4 MiB of braces":           {strings.Repeat("{", document.MaxFile), document.ErrTooLarge, 1},
		"4 MiB of commas":           {strings.Repeat("1,", document.MaxFile/2), document.ErrTooLarge, 1},
		"4 MiB of notes":            {strings.Repeat("/**/", document.MaxFile/4), jsondoc.ErrNotJSON, 1},
		"4 MiB of open notes":       {strings.Repeat("/*\n", document.MaxFile/3), jsondoc.ErrNotJSON, 1},
		"4 MiB of quotes":           {strings.Repeat("\"", document.MaxFile), jsondoc.ErrNotJSON, 1},
		"a million elements":        {"[" + strings.Repeat("1,", 1_000_000) + "1]", document.ErrTooLarge, 1},
		"a million empty arrays":    {"[" + strings.Repeat("[],", 1_000_000) + "1]", document.ErrTooLarge, 1},
		"one element too many":      {"[" + strings.Repeat("1,", jsondoc.MaxMembers) + "1]", document.ErrTooLarge, 1},
		"one level too many":        {strings.Repeat("[", 65) + strings.Repeat("]", 65), document.ErrTooLarge, 1},
		"brackets after a note":     {"// \"\n" + strings.Repeat("[", 100), document.ErrTooLarge, 2},
		"brackets after an escape":  {"[\"\\\"\"," + strings.Repeat("[", 100), document.ErrTooLarge, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := jsondoc.Parse([]byte(tc.in))
			if !errors.Is(err, tc.want) || jsondoc.Line(err) != tc.line {
				t.Fatalf("%v, line %d", err, jsondoc.Line(err))
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%v names a value", err)
			}
		})
	}
}

func TestAccepts(t *testing.T) {
	for name, tc := range map[string]struct {
		in          string
		bom, strict bool
	}{
		"plain":                        {"{\"a\": [1, 2]}", false, true},
		"byte order mark":              {"\ufeff{}\n", true, true},
		"note":                         {"{} // x\n", false, false},
		"note that ends with the file": {"{} // x", false, false},
		"block note":                   {"/* x */ {}", false, false},
		"comma":                        {"{\"a\": 1,}", false, false},
		"comma in a list":              {"[1,]", false, false},
		"64 levels":                    {strings.Repeat("[", 64) + strings.Repeat("]", 64), false, true},
		"brackets in a string":         {"[\"" + strings.Repeat("[", 100) + "\"]", false, true},
		"brackets in a note":           {"[/*" + strings.Repeat("[", 100) + "*/]", false, false},
		"65,536 elements":              {"[" + strings.Repeat("1,", jsondoc.MaxMembers-1) + "1]", false, true},
		"notes that look alike":        {"{\"a\": \"// /* x\"}", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, tc.in)
			if d.BOM != tc.bom || d.Strict != tc.strict {
				t.Errorf("BOM %v, strict %v", d.BOM, d.Strict)
			}
		})
	}
}

func TestReadings(t *testing.T) {
	in := "\ufeff{ // x\n" + `  "text": "a\u00e9\n\ud83d\ude00", "empty": "",
  "yes": true, "no": false,
  "int": -12, "float": 1.50, "exp": 1E3,
  "null": null,
  "list": ["a", /* x */ "\"b\"",], "none": [],
  "mixed": ["a", 1], "nested": [["a"]],
  "map": {"a": 1},
  "half": "\ud83d", "low": "\ude00", "wrong": "\ud83d\u0041", "kept": "\\ud83d",
  "half list": ["a", "\ud83d"],
  "\u006eame": "x", "twice": 1, "twice": 2
}`
	text := func(s string) document.Reading { return document.Reading{Kind: document.Text, Text: s, Tag: "!!str"} }
	scalar := func(s, tag string) document.Reading { return document.Reading{Kind: document.Text, Text: s, Tag: tag} }
	unclear := document.Reading{Kind: document.Unclear}
	type row struct {
		Key   string
		Line  int
		Value string
		R     document.Reading
	}
	want := []row{
		{"text", 2, `"a\u00e9\n\ud83d\ude00"`, text("aé\n😀")},
		{"empty", 2, `""`, text("")},
		{"yes", 3, "true", scalar("true", "!!bool")},
		{"no", 3, "false", scalar("false", "!!bool")},
		{"int", 4, "-12", scalar("-12", "!!int")},
		{"float", 4, "1.50", scalar("1.50", "!!float")},
		{"exp", 4, "1E3", scalar("1E3", "!!float")},
		{"null", 5, "null", document.Reading{}},
		{"list", 6, `["a", /* x */ "\"b\"",]`, document.Reading{Kind: document.List, Items: []string{"a", `"b"`}}},
		{"none", 6, "[]", document.Reading{Kind: document.List, Items: []string{}}},
		{"mixed", 7, `["a", 1]`, unclear},
		{"nested", 7, `[["a"]]`, unclear},
		{"map", 8, `{"a": 1}`, document.Reading{Kind: document.Map}},
		{"half", 9, `"\ud83d"`, unclear},
		{"low", 9, `"\ude00"`, unclear},
		{"wrong", 9, `"\ud83d\u0041"`, unclear},
		{"kept", 9, `"\\ud83d"`, text(`\ud83d`)},
		{"half list", 10, `["a", "\ud83d"]`, unclear},
		{"name", 11, `"x"`, text("x")},
		{"twice", 11, "1", scalar("1", "!!int")},
		{"twice", 11, "2", scalar("2", "!!int")},
	}
	o := object(t, in)
	var got []row
	for _, e := range o.Entries() {
		if full := in[e.Full.Start:e.Full.End]; !strings.HasPrefix(full, `"`) || !strings.HasSuffix(full, in[e.Value.Start:e.Value.End]) {
			t.Errorf("full %q", full)
		}
		got = append(got, row{e.Key, e.Line, in[e.Value.Start:e.Value.End], e.Reading})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if o.Line() != 1 || o.Span() != (document.Span{Start: 3, End: len(in)}) {
		t.Errorf("line %d, span %v", o.Line(), o.Span())
	}
}

func TestObject(t *testing.T) {
	in := "{\n\"a\": {\"b\": {}, \"B\": 1, \"twice\": {}, \"twice\": {}},\n\"\\u006e\": {\n\"x\": {}},\n\"list\": [{}],\n\"\\ud800\": {}}"
	for name, tc := range map[string]struct {
		path []string
		want error
		line int
	}{
		"root":                 {nil, nil, 1},
		"nested":               {[]string{"a", "b"}, nil, 2},
		"escaped":              {[]string{"n", "x"}, nil, 4},
		"missing":              {[]string{"c"}, document.ErrMissing, 0},
		"missing on the way":   {[]string{"c", "b"}, document.ErrMissing, 0},
		"other case":           {[]string{"A"}, document.ErrMissing, 0},
		"no object":            {[]string{"a", "B"}, document.ErrForm, 0},
		"no object on the way": {[]string{"a", "B", "c"}, document.ErrForm, 0},
		"list":                 {[]string{"list"}, document.ErrForm, 0},
		"twice":                {[]string{"a", "twice"}, document.ErrTwice, 0},
		"half a character":     {[]string{"\ufffd"}, document.ErrForm, 0},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := parse(t, in).Object(tc.path...)
			if !errors.Is(err, tc.want) {
				t.Fatal(err)
			}
			if err == nil && (o.Line() != tc.line || in[o.Span().Start] != '{' || in[o.Span().End-1] != '}') {
				t.Errorf("line %d, span %v", o.Line(), o.Span())
			}
		})
	}
	if _, err := parse(t, "[1]").Object(); !errors.Is(err, document.ErrForm) {
		t.Error(err)
	}
}

func TestEditRefusals(t *testing.T) {
	in := `{"a": 1, "twice": 1, "twice": 2, "noted": {"x": 1 /* why */}, "list": ["a" /* why */], "\ud800": 1}`
	o := object(t, in)
	text, list := document.Scalar("x"), document.Strings("x")
	one := func(_ document.Edit, err error) error { return err }
	for name, tc := range map[string]struct{ got, want error }{
		"replace missing":        {one(o.Replace("b", text)), document.ErrMissing},
		"remove missing":         {one(o.Remove("b")), document.ErrMissing},
		"replace other case":     {one(o.Replace("A", text)), document.ErrMissing},
		"insert what is there":   {one(o.Insert("a", text)), document.ErrTwice},
		"replace twice":          {one(o.Replace("twice", text)), document.ErrTwice},
		"remove twice":           {one(o.Remove("twice")), document.ErrTwice},
		"insert twice":           {one(o.Insert("twice", text)), document.ErrTwice},
		"replace a noted object": {one(o.Replace("noted", list)), document.ErrForm},
		"text for a noted list":  {one(o.Replace("list", text)), document.ErrForm},
		"half a character":       {one(o.Replace("\ufffd", text)), document.ErrForm},
		"invalid UTF-8":          {one(o.Replace("a", document.Scalar("\xff"))), document.ErrCannotWrite},
		"invalid UTF-8 in a key": {one(o.Insert("\xff", text)), document.ErrCannotWrite},
		"bare word":              {one(o.Replace("a", document.Value{Text: "y", Bare: true})), document.ErrCannotWrite},
		"more than a bare word":  {one(o.Replace("a", document.Value{Text: "true, \"b\": true", Bare: true})), document.ErrCannotWrite},
		"bare null":              {one(o.Insert("b", document.Value{Text: "null", Bare: true})), document.ErrCannotWrite},
		"too large":              {one(o.Replace("a", document.Scalar(strings.Repeat("x", document.MaxFile)))), document.ErrCannotWrite},
	} {
		if !errors.Is(tc.got, tc.want) {
			t.Errorf("%s: %v", name, tc.got)
		}
	}
	edit, err := o.Remove("noted")
	if got := string(document.Apply([]byte(in), edit)); err != nil || strings.Contains(got, "noted") {
		t.Error(got, err)
	}
}

func TestLargeFile(t *testing.T) {
	in := `{"a": "` + strings.Repeat("x", document.MaxFile-100) + "\",\n\"list\": [\"a\"]}"
	edit, err := object(t, in).Insert("b", document.Scalar("y"))
	if err != nil || edit.Start != len(in)-1 {
		t.Fatal(edit, err)
	}
	items := make([]string, 20_000)
	for i := range items {
		items[i] = strings.Repeat("y", i%50)
	}
	in = "{\"list\": [\"" + strings.Join(items, "\", // note\n\"") + "\"]}"
	slices.Reverse(items)
	if _, err := object(t, in).Replace("list", document.Strings(items[:19_000]...)); err != nil {
		t.Fatal(err)
	}
}
