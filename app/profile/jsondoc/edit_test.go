package jsondoc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/profile/document"
)

type editCase struct {
	name string
	path []string
	in   string
	key  string
	to   document.Value
	want string
}

func text(s string) document.Value            { return document.Scalar(s) }
func items(s ...string) document.Value        { return document.Strings(s...) }
func apply(in string, e document.Edit) string { return string(document.Apply([]byte(in), e)) }

func check(t *testing.T, cases []editCase, edit func(document.Keyed, editCase) (document.Edit, error)) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			e, err := edit(object(t, tc.in, tc.path...), tc)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, apply(tc.in, e)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var replaceCases = []editCase{
	{"pretty", nil, "{\n  \"a\": \"x\",\n  \"b\": 1\n}\n", "a", text("y"), "{\n  \"a\": \"y\",\n  \"b\": 1\n}\n"},
	{"same", nil, `{"a": "\u0078"}`, "a", text("x"), `{"a": "\u0078"}`},
	{"escapes", nil, `{"a": 1}`, "a", text("<&>\"\\/\n\r\t\b\f\x01\x7f\u0085\u2028\u2029é😀"), `{"a": "<&>\"\\/\n\r\t\b\f\u0001\u007f\u0085\u2028\u2029é😀"}`},
	{"NUL", nil, `{"a": 1}`, "a", text("\x00"), `{"a": "\u0000"}`},
	{"escaped key", nil, `{"\u006eame": "x", "b": 1}`, "name", text("y"), `{"\u006eame": "y", "b": 1}`},
	{"text that looks like more", nil, `{"a": true}`, "a", text("true"), `{"a": "true"}`},
	{"text to truth", nil, `{"a": "true"}`, "a", document.Truth(true), `{"a": true}`},
	{"truth", nil, `{"a": true}`, "a", document.Truth(false), `{"a": false}`},
	{"byte order mark", nil, "\ufeff{\"a\": null}", "a", text("y"), "\ufeff{\"a\": \"y\"}"},
	{"notes around", nil, "{/* 1 */\"a\"/* 2 */:/* 3 */\"x\"/* 4 */,// 5\n}", "a", text("y"), "{/* 1 */\"a\"/* 2 */:/* 3 */\"y\"/* 4 */,// 5\n}"},
	{"note that ends the file", nil, "{\"a\": 1} // x", "a", text("y"), "{\"a\": \"y\"} // x"},
	{"nested", []string{"agent", "reviewer"}, "{\n\t\"agent\": {\n\t\t\"reviewer\": {\"prompt\": \"x\"},\n\t},\n}", "prompt", text("y"), "{\n\t\"agent\": {\n\t\t\"reviewer\": {\"prompt\": \"y\"},\n\t},\n}"},
	{"object", nil, `{"a": {"b": 1}}`, "a", text("y"), `{"a": "y"}`},
	{"text to list", nil, "{\n  \"a\": \"x\"\n}", "a", items("b", "c"), "{\n  \"a\": [\"b\", \"c\"]\n}"},
	{"text to no items", nil, `{"a": "x"}`, "a", items(), `{"a": []}`},
	{"list to text", nil, `{"a": ["x", "y"]}`, "a", text("x"), `{"a": "x"}`},
	{"mixed list", nil, `{"a": ["x", 1]}`, "a", items("x"), `{"a": ["x"]}`},
	{"empty list in lines", nil, "{\n    \"a\": [\n    ]\n}", "a", items("x"), "{\n    \"a\": [\n        \"x\"\n    ]\n}"},
	{"CRLF", nil, "{\r\n  \"a\": \"x\"\r\n}\r\n", "a", text("y\nz"), "{\r\n  \"a\": \"y\\nz\"\r\n}\r\n"},
}

var listCases = []editCase{
	{"same", nil, `["\u0061",]`, "", items("a"), `["\u0061",]`},
	{"append", nil, `["a", "b"]`, "", items("a", "b", "c"), `["a", "b", "c"]`},
	{"append tight", nil, `["a","b"]`, "", items("a", "b", "c"), `["a","b","c"]`},
	{"append spaced", nil, `[ "a", "b" ]`, "", items("a", "b", "c"), `[ "a", "b", "c" ]`},
	{"append comma", nil, `["a",]`, "", items("a", "c"), `["a", "c",]`},
	{"prepend", nil, `[ "a", "b" ]`, "", items("c", "a", "b"), `[ "c", "a", "b" ]`},
	{"prepend to one", nil, `["a"]`, "", items("c", "a"), `["c", "a"]`},
	{"first goes", nil, `["a", "b"]`, "", items("b"), `["b"]`},
	{"two go", nil, `["a", "b", "c"]`, "", items("c"), `["c"]`},
	{"middle goes", nil, `["\u0061", "b", "\u0063"]`, "", items("a", "c"), `["\u0061", "\u0063"]`},
	{"last goes", nil, `[ "a", "b" ]`, "", items("a"), `[ "a" ]`},
	{"all go", nil, `[ "a", "b", ]`, "", items(), `[]`},
	{"to empty", nil, `[ ]`, "", items("a", "b"), `["a", "b"]`},
	{"order", nil, `["a", "b", "c"]`, "", items("c", "b", "a"), `["c", "b", "a"]`},
	{"lines", nil, "[\n      \"a\",\n      \"b\"\n    ]", "", items("a", "c", "d"), "[\n      \"a\",\n      \"c\",\n      \"d\"\n    ]"},
	{"lines, first goes", nil, "[\n\t\"a\",\n\t\"b\",\n]", "", items("b"), "[\n\t\"b\",\n]"},
	{"lines, last goes", nil, "[\n\t\"a\",\n\t\"b\"\n]", "", items("a"), "[\n\t\"a\"\n]"},
	{"lines, all go", nil, "[\n\t\"a\",\n\t\"b\"\n]", "", items(), "[]"},
	{"lines, prepend", nil, "[\r\n\t\"a\"\r\n]", "", items("b", "a"), "[\r\n\t\"b\",\r\n\t\"a\"\r\n]"},
	{"noted, append", nil, "[ // h\n  \"a\", // a\n  // b\n  \"b\" // bb\n  // t\n]", "", items("a", "b", "c"), "[ // h\n  \"a\", // a\n  // b\n  \"b\", // bb\n  \"c\"\n  // t\n]"},
	{"noted, first goes", nil, "[\n  \"a\", // a\n  \"b\"\n]", "", items("b"), "[\n  // a\n  \"b\"\n]"},
	{"noted, last goes", nil, "[\n  \"a\",\n  // b\n  \"b\" // bb\n]", "", items("a"), "[\n  \"a\"\n  // b\n  // bb\n]"},
	{"noted, all go", nil, "[\n  \"a\", // a\n  \"b\" /* b */\n]", "", items(), "[\n  // a\n  /* b */\n]"},
	{"noted, changed", nil, "[\n  \"a\", // a\n  /* b */ \"b\"\n]", "", items("x", "y"), "[\n  \"x\", // a\n  /* b */ \"y\"\n]"},
	{"noted line, append", nil, `[ "a" /* a */ ]`, "", items("a", "b"), `[ "a" /* a */, "b" ]`},
	{"noted line, first goes", nil, `["a" /* a */, /* b */ "b"]`, "", items("b"), `[/* a */ /* b */ "b"]`},
	{"noted first, prepend", nil, "[\n  // a\n  \"a\"\n]", "", items("b", "a"), "[\n  \"b\",\n  // a\n  \"a\"\n]"},
	{"noted empty", nil, "[\n  // none\n]", "", items("a"), "[\n  // none\n  \"a\"\n]"},
	{"noted empty line", nil, "[/* none */]", "", items("a"), "[/* none */ \"a\"]"},
	{"comma under a note", nil, "[\"a\", // a\n \"b\"]", "", items("a"), "[\"a\" // a\n]"},
	{"note before the comma", nil, "[\"a\" // a\n , \"b\"]", "", items("a"), "[\"a\" // a\n]"},
}

var insertCases = []editCase{
	{"pretty", nil, "{\n  \"a\": 1\n}\n", "b", text("x"), "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n"},
	{"pretty list", nil, "{\n  \"a\": 1\n}\n", "b", items("x", "y"), "{\n  \"a\": 1,\n  \"b\": [\"x\", \"y\"]\n}\n"},
	{"truth", nil, "{\n  \"a\": 1\n}\n", "b", document.Truth(true), "{\n  \"a\": 1,\n  \"b\": true\n}\n"},
	{"comma", nil, "{\n  \"a\": 1,\n}\n", "b", text("x"), "{\n  \"a\": 1,\n  \"b\": \"x\",\n}\n"},
	{"tabs, CRLF", nil, "{\r\n\t\"a\": 1\r\n}\r\n", "b", text("x"), "{\r\n\t\"a\": 1,\r\n\t\"b\": \"x\"\r\n}\r\n"},
	{"one line", nil, `{"a": 1}`, "b", text("x"), `{"a": 1, "b": "x"}`},
	{"one line, spaced", nil, `{ "a" : 1, "c" : 2 }`, "b", text("x"), `{ "a" : 1, "c" : 2, "b" : "x" }`},
	{"one line, comma", nil, `{ "a": 1, }`, "b", text("x"), `{ "a": 1, "b": "x", }`},
	{"tight", nil, `{"a":1}`, "b", text("x"), `{"a":1,"b":"x"}`},
	{"escaped key", nil, `{"a": 1}`, "b\"\n", text("x"), `{"a": 1, "b\"\n": "x"}`},
	{"byte order mark", nil, "\ufeff{\"a\": 1}", "b", text("x"), "\ufeff{\"a\": 1, \"b\": \"x\"}"},
	{"empty", nil, `{}`, "b", text("x"), `{"b": "x"}`},
	{"empty, spaced", nil, `{ }`, "b", text("x"), `{"b": "x"}`},
	{"empty, lines", nil, "{\n}\n", "b", text("x"), "{\n  \"b\": \"x\"\n}\n"},
	{"empty, in lines", []string{"agent", "r"}, "{\n\t\"agent\": {\n\t\t\"r\": {}\n\t}\n}", "b", text("x"), "{\n\t\"agent\": {\n\t\t\"r\": {\n\t\t\t\"b\": \"x\"\n\t\t}\n\t}\n}"},
	{"empty, in one line", []string{"agent", "r"}, `{"agent": {"r": {}}}`, "b", text("x"), `{"agent": {"r": {"b": "x"}}}`},
	{"empty, noted", nil, "{\n    // none yet\n}", "b", text("x"), "{\n    // none yet\n    \"b\": \"x\"\n}"},
	{"empty, noted brace", nil, "{ // none yet\n}", "b", text("x"), "{ // none yet\n  \"b\": \"x\"\n}"},
	{"empty, block note", nil, "{ /* none */ }", "b", text("x"), "{ /* none */ \"b\": \"x\" }"},
	{"note behind", nil, "{\n  \"a\": 1 // a\n}", "b", text("x"), "{\n  \"a\": 1, // a\n  \"b\": \"x\"\n}"},
	{"note behind a comma", nil, "{\n  \"a\": 1, // a\n}", "b", text("x"), "{\n  \"a\": 1, // a\n  \"b\": \"x\",\n}"},
	{"notes below", nil, "{\n  \"a\": 1 // a\n  // end, {\n  /* } */\n}", "b", text("x"), "{\n  \"a\": 1, // a\n  \"b\": \"x\"\n  // end, {\n  /* } */\n}"},
	{"block note behind", nil, `{"a": 1 /* a */ }`, "b", text("x"), `{"a": 1 /* a */, "b": "x" }`},
	{"note on one line", nil, "{\"a\": 1 // a\n}", "b", text("x"), "{\"a\": 1, // a\n\"b\": \"x\"\n}"},
	{"nested", []string{"a"}, "{\n  \"a\": {\n    \"x\": {}\n  },\n  \"b\": 1\n}", "b", text("x"), "{\n  \"a\": {\n    \"x\": {},\n    \"b\": \"x\"\n  },\n  \"b\": 1\n}"},
	{"two on a line", nil, "{\n  \"a\": 1, \"c\": 2\n}", "b", text("x"), "{\n  \"a\": 1, \"c\": 2,\n  \"b\": \"x\"\n}"},
	{"twice elsewhere", nil, `{"a": 1, "a": 2}`, "b", text("x"), `{"a": 1, "a": 2, "b": "x"}`},
}

var removeCases = []editCase{
	{name: "pretty", in: "{\n  \"a\": 1,\n  \"b\": 2\n}\n", key: "a", want: "{\n  \"b\": 2\n}\n"},
	{name: "pretty, last", in: "{\n  \"a\": 1,\n  \"b\": 2\n}\n", key: "b", want: "{\n  \"a\": 1\n}\n"},
	{name: "middle", in: "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n", key: "b", want: "{\n  \"a\": 1,\n  \"c\": 3\n}\n"},
	{name: "comma", in: "{\n  \"a\": 1,\n  \"b\": 2,\n}\n", key: "b", want: "{\n  \"a\": 1,\n}\n"},
	{name: "only one", in: "{\n  \"a\": 1,\n}\n", key: "a", want: "{}\n"},
	{name: "CRLF", in: "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}\r\n", key: "b", want: "{\r\n\t\"a\": 1\r\n}\r\n"},
	{name: "byte order mark", in: "\ufeff{\"a\": 1}", key: "a", want: "\ufeff{}"},
	{name: "one line", in: `{"a": 1, "b": 2}`, key: "a", want: `{"b": 2}`},
	{name: "one line, middle", in: `{ "a": 1, "b": 2, "c": 3 }`, key: "b", want: `{ "a": 1, "c": 3 }`},
	{name: "one line, last", in: `{ "a": 1 , "b": 2 }`, key: "b", want: `{ "a": 1 }`},
	{name: "one line, comma", in: `{"a": 1, "b": 2,}`, key: "b", want: `{"a": 1,}`},
	{name: "letters in common", in: `{"éa": 1, "èa": 1}`, key: "éa", want: `{"èa": 1}`},
	{name: "many lines", in: "{\n  \"a\": {\n    \"x\": [\n      1\n    ]\n  },\n  \"b\": 2\n}", key: "a", want: "{\n  \"b\": 2\n}"},
	{name: "escaped key", in: "{\n  \"\\u006eame\": 1,\n  \"b\": 2\n}", key: "name", want: "{\n  \"b\": 2\n}"},
	{name: "nested", path: []string{"a", "b"}, in: "{\"a\": {\"b\": {\"c\": 1}, \"c\": 2}}", key: "c", want: "{\"a\": {\"b\": {}, \"c\": 2}}"},
	{name: "own notes", in: "{\n  // top\n  \"a\": 1, // a\n  \"b\": 2, // b\n  \"c\": 3 // c\n}", key: "b", want: "{\n  // top\n  \"a\": 1, // a\n  \"c\": 3 // c\n}"},
	{name: "own notes, last", in: "{\n  \"a\": 1, // a\n  // about\n  \"b\": 2 // b\n  // end\n}", key: "b", want: "{\n  \"a\": 1 // a\n  // about\n  // end\n}"},
	{name: "own notes, first", in: "{ // brace\n  // top\n  \"a\": /* x */ 1, // a\n  \"b\": 2\n}", key: "a", want: "{ // brace\n  // top\n  \"b\": 2\n}"},
	{name: "own notes, only one", in: "{\n  // top\n  \"a\": 1 // a\n}", key: "a", want: "{\n  // top\n}"},
	{name: "note before it on its line", in: "{\n  \"a\": 1,\n  /* b */ \"b\": 2,\n  \"c\": 3\n}", key: "b", want: "{\n  \"a\": 1,\n  \"c\": 3\n}"},
	{name: "note before it on a shared line", in: `{ "a": 1, /* b */ "b": 2, /* c */ "c": 3 }`, key: "b", want: `{ "a": 1, /* c */ "c": 3 }`},
	{name: "note behind two", in: "{\n  \"a\": 1, \"b\": 2, // both\n  \"c\": 3\n}", key: "b", want: "{\n  \"a\": 1, // both\n  \"c\": 3\n}"},
	{name: "first of two on a line", in: "{\n  // ab\n  \"a\": 1, \"b\": 2,\n  \"c\": 3\n}", key: "a", want: "{\n  // ab\n  \"b\": 2,\n  \"c\": 3\n}"},
	{name: "blank lines", in: "{\n  \"a\": 1,\n\n  \"b\": 2, \t\n  \"c\": 3\n}", key: "b", want: "{\n  \"a\": 1,\n\n  \"c\": 3\n}"},
	{name: "blank line before the last", in: "{\n  \"a\": 1,\n\n  \"b\": 2\n}", key: "b", want: "{\n  \"a\": 1\n}"},
	{name: "note before the comma", in: "{\"a\": 1 // a\n, \"b\": 2}", key: "b", want: "{\"a\": 1 // a\n}"},
	{name: "comma first", in: "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}", key: "b", want: "{ \"a\": 1\n, \"c\": 3\n}"},
	{name: "note that ends the file", in: "{\"a\": 1, \"b\": 2} // x", key: "b", want: "{\"a\": 1} // x"},
}

func TestReplace(t *testing.T) {
	check(t, replaceCases, func(o document.Keyed, tc editCase) (document.Edit, error) { return o.Replace(tc.key, tc.to) })
}

func TestReplaceTouchesOnlyTheValue(t *testing.T) {
	for _, tc := range replaceCases {
		o := object(t, tc.in, tc.path...)
		for _, e := range o.Entries() {
			if c, err := o.Replace(e.Key, tc.to); err == nil && c.Span != e.Value {
				t.Errorf("%s: %v is not %v", tc.name, c.Span, e.Value)
			}
		}
	}
}

func TestReplaceList(t *testing.T) {
	var cases []editCase
	for _, tc := range listCases {
		tc.key = "tools"
		tc.in = "{\"tools\": " + tc.in + "}"
		tc.want = "{\"tools\": " + tc.want + "}"
		cases = append(cases, tc)
	}
	check(t, cases, func(o document.Keyed, tc editCase) (document.Edit, error) { return o.Replace(tc.key, tc.to) })
}

func TestInsert(t *testing.T) {
	check(t, insertCases, func(o document.Keyed, tc editCase) (document.Edit, error) { return o.Insert(tc.key, tc.to) })
}

func TestRemove(t *testing.T) {
	check(t, removeCases, func(o document.Keyed, tc editCase) (document.Edit, error) { return o.Remove(tc.key) })
}

// TestInsertThenRemove checks that a member that comes and goes leaves the file
// as it was.
func TestInsertThenRemove(t *testing.T) {
	for _, tc := range insertCases {
		if e, err := object(t, tc.want, tc.path...).Remove(tc.key); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		} else if got := apply(tc.want, e); got != tc.in && len(object(t, tc.in, tc.path...).Entries()) > 0 {
			t.Errorf("%s: %q is not %q", tc.name, got, tc.in)
		}
	}
}
