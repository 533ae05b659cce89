package tomldoc_test

import (
	"testing"

	"callboard/app/profile/document"
)

var (
	scalar = document.Scalar
	items  = document.Strings
)

// replaceCases give the key a a new value: want is the whole file afterwards.
var replaceCases = map[string]struct {
	in   string
	v    document.Value
	want string
}{
	"basic":                {"a = \"x\" # c\nb = 1\n", scalar(`y "z" \`), "a = \"y \\\"z\\\" \\\\\" # c\nb = 1\n"},
	"basic lines":          {"a = \"x\"\n", scalar("y\n\tz"), "a = \"y\\n\\tz\"\n"},
	"basic control":        {"a = \"x\"\n", scalar("\x00\x1f\x7f\r\u0085"), "a = \"\\u0000\\u001F\\u007F\\r\u0085\"\n"},
	"basic empty":          {"a = \"\"", scalar("y"), "a = \"y\""},
	"literal":              {"a   =   'x'   # c\n", scalar(`y "z" \d`), "a   =   'y \"z\" \\d'   # c\n"},
	"literal quote":        {"a = 'x'\n", scalar("it's"), "a = \"it's\"\n"},
	"literal both quotes":  {"a = 'x'\n", scalar(`it's "y"`), "a = \"it's \\\"y\\\"\"\n"},
	"literal lines":        {"a = 'x' # c\n", scalar("y\nz"), "a = '''\ny\nz''' # c\n"},
	"literal lines quotes": {"a = 'x'\n", scalar("y'''\nz"), "a = \"\"\"\ny'''\nz\"\"\"\n"},
	"lines":                {"a = '''\nx\ny\n'''\n", scalar("x\nz\n"), "a = '''\nx\nz\n'''\n"},
	"lines one":            {"a = '''\nx\n'''\n", scalar("y"), "a = '''\ny'''\n"},
	"lines closed":         {"a = '''x\ny'''\n", scalar("x\nz"), "a = '''x\nz'''\n"},
	"lines blank first":    {"a = '''x'''\n", scalar("\nx"), "a = '''\n\nx'''\n"},
	"lines empty":          {"a = ''''''\n", scalar("x"), "a = '''x'''\n"},
	"lines emptied":        {"a = '''\nx'''\n", scalar(""), "a = '''\n'''\n"},
	"lines quotes":         {"a = '''\nx'''\n", scalar("it''s ''"), "a = '''\nit''s '''''\n"},
	"lines three quotes":   {"a = '''\nx\ny\n'''\n", scalar("x\n'''\n"), "a = \"\"\"\nx\n'''\n\"\"\"\n"},
	"lines control":        {"a = '''\nx\n'''\n", scalar("x\x01\n"), "a = \"\"\"\nx\\u0001\n\"\"\"\n"},
	"lines crlf":           {"a = '''\r\nx\r\ny\r\n'''\r\nb = 1\r\n", scalar("x\nz\nw\n"), "a = '''\r\nx\r\nz\r\nw\r\n'''\r\nb = 1\r\n"},
	"lines mixed":          {"a = '''\nx\r\ny\nz\r\n'''\n", scalar("x\nY\nz\n"), "a = '''\nx\r\nY\nz\r\n'''\n"},
	"many":                 {"a = \"\"\"\nx \\u0041\ny\\\n  z\nw\"\"\"\n", scalar("x A\nyz\nv\\"), "a = \"\"\"\nx \\u0041\ny\\\n  z\nv\\\\\"\"\"\n"},
	"many two lines":       {"a = \"\"\"\nx\\ny\nz\"\"\"\n", scalar("x\ny\nw"), "a = \"\"\"\nx\\ny\nw\"\"\"\n"},
	"many middle":          {"a = \"\"\"\n1\n\\u0041\n3\n\\u0042\n5\n\"\"\"\n", scalar("0\nA\nnew\nB\n6\n"), "a = \"\"\"\n0\n\\u0041\nnew\n\\u0042\n6\n\"\"\"\n"},
	"many quotes":          {"a = \"\"\"\nx\"\"\"\n", scalar(`"" """ """" ""`), "a = \"\"\"\n\"\" \"\"\\\" \"\"\\\"\" \"\\\"\"\"\"\n"},
	"many crlf escape":     {"a = \"\"\"\r\nx\\r\r\ny\"\"\"\r\n", scalar("x\r\nz"), "a = \"\"\"\r\nx\\r\r\nz\"\"\"\r\n"},
	"many taken":           {"a = \"\"\"\\\n  x\\\n  \"\"\"\n", scalar("x\ny"), "a = \"\"\"x\ny\"\"\"\n"},
	"many taken lines":     {"a = \"\"\"\r\nx\\ \r\n\r\n  y\r\nz\"\"\"\r\n", scalar("xy\nw"), "a = \"\"\"\r\nx\\ \r\n\r\n  y\r\nw\"\"\"\r\n"},
	"boolean":              {"a = true # c\n", scalar("true"), "a = \"true\" # c\n"},
	"number":               {"a = 1\n", scalar(`C:\x`), "a = 'C:\\x'\n"},
	"date to lines":        {"a = 2020-01-01 10:00:00 # c\r\nb = 1\r\n", scalar("x\ny\n"), "a = '''\r\nx\r\ny\r\n''' # c\r\nb = 1\r\n"},
	"lines with quote end": {"a = 1\n", scalar("x\nit's '"), "a = \"\"\"\nx\nit's '\"\"\"\n"},
	"quoted key":           {"\"a\" = 'x'\n", scalar("y"), "\"a\" = 'y'\n"},
	"indented":             {"\ufeff  a = 'x'", scalar("y"), "\ufeff  a = 'y'"},
	"table":                {"a = {b = 1} # c\n", scalar("y"), "a = \"y\" # c\n"},
	"list to text":         {"a = [\n\"x\", # d\n] # c\n", scalar("y"), "a = \"y\" # c\n"},
	"text to list":         {"a = 'x' # c\n", items("y", `"`, "it's"), "a = [\"y\", '\"', \"it's\"] # c\n"},
	"mixed to list":        {"a = [1, 'x']\n", items(), "a = []\n"},
	"list add":             {"a = [ 'x',\"y\" ] # c\n", items("x", "y", "z"), "a = [ 'x',\"y\",\"z\" ] # c\n"},
	"list add second":      {"a = ['x']\n", items("x", "y"), "a = ['x', 'y']\n"},
	"list add first":       {"a = [ 'x']\n", items("y", "x"), "a = [ 'y', 'x']\n"},
	"list from empty":      {"a = [ ]\n", items("y"), "a = [\"y\"]\n"},
	"list from note":       {"a = [ # c\n]\n", items("y"), "a = [\"y\" # c\n]\n"},
	"list change":          {"a = ['x', \"y\", 'z']\n", items("x", "it's", "z"), "a = ['x', \"it's\", 'z']\n"},
	"list reorder":         {"a = [\n  'x',\n  'y', # c\n]\n", items("y", "x"), "a = [\n  'y', # c\n  'x',\n]\n"},
	"list no comma":        {"a = [\n  'x', # d\n  'y' # c\n]\n", items("x", "y", "z"), "a = [\n  'x', # d\n  'y', # c\n  'z'\n]\n"},
	"list take last":       {"a = [\n  'x', # d\n  'y' # c\n]\n", items("x"), "a = [\n  'x' # d\n]\n"},
	"list take last line":  {"a = [ 'x', # d\n'y' ]\n", items("x"), "a = [ 'x' # d\n]\n"},
	"list take first":      {"a = [ 'x','y' ]\n", items("y"), "a = [ 'y' ]\n"},
	"list take noted":      {"a = [\n  # about x\n  'x',\n  'y',\n]\n", items("y"), "a = [\n  # about x\n  'y',\n]\n"},
	"list take all":        {"a = [\n  'x',\n  # n\n  'y', # c\n]\n", items(), "a = [\n  # n\n]\n"},
	"list same line":       {"a = [\n  'x', 'y', # xy\n  'z',\n]\n", items("y", "z"), "a = [\n  'y', # xy\n  'z',\n]\n"},
	"list same line two":   {"a = [\n  'x', 'y', # xy\n  'z',\n]\n", items("x", "z"), "a = [\n  'x', # xy\n  'z',\n]\n"},
	"list comma first":     {"a = [\n  'x' # d\n , 'y'\n]\n", items("y"), "a = [ # d\n  'y'\n]\n"},
	"list crlf":            {"a = [\r\n  'x'\r\n]\r\n", items("x", "y"), "a = [\r\n  'x',\r\n  'y'\r\n]\r\n"},
	"list long item":       {"a = ['''\nx\ny\n''', 'z']\n", items("x\nY\n", "z"), "a = ['''\nx\nY\n''', 'z']\n"},
	"list lines":           {"a = ['x']\n", items("y\nz"), "a = [\"y\\nz\"]\n"},
}

func TestReplace(t *testing.T) {
	for name, tc := range replaceCases {
		t.Run(name, func(t *testing.T) {
			for _, after := range []string{"", "[t]\na = 1\n[[u]]\n"} {
				if after != "" && tc.in[len(tc.in)-1] != '\n' {
					continue
				}
				d := parse(t, tc.in+after)
				c, err := d.Replace("a", tc.v)
				if err != nil {
					t.Fatal(err)
				}
				if got := string(document.Apply([]byte(tc.in+after), c)); got != tc.want+after {
					t.Errorf("got  %q\nwant %q", got, tc.want+after)
				}
			}
		})
	}
}

func TestInsert(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		v    document.Value
		want string
	}{
		"empty":            {"", scalar("x"), "new = \"x\"\n"},
		"mark":             {"\ufeff", scalar("x"), "\ufeffnew = \"x\"\n"},
		"behind keys":      {"a = 1 # c\n# d\n\n[t]\nb = 1\n", scalar("x"), "a = 1 # c\nnew = \"x\"\n# d\n\n[t]\nb = 1\n"},
		"behind lines":     {"a = '''\n[t]\n'''\n[t]\n", scalar("x"), "a = '''\n[t]\n'''\nnew = \"x\"\n[t]\n"},
		"behind dotted":    {"a.b = 1\n\n[t]\n", scalar("x"), "a.b = 1\nnew = \"x\"\n\n[t]\n"},
		"no line end":      {"a = 1", scalar("x"), "a = 1\nnew = \"x\""},
		"no line end crlf": {"b = 2\r\na = 1", scalar("x"), "b = 2\r\na = 1\r\nnew = \"x\""},
		"only tables":      {"[t]\na = 1\n", scalar("x"), "new = \"x\"\n\n[t]\na = 1\n"},
		"notes of tables":  {"# file\n\n# of t\n  # more\n  [t]\n", scalar("x"), "# file\n\nnew = \"x\"\n\n# of t\n  # more\n  [t]\n"},
		"note of a table":  {"\ufeff# of t\r\n[t]\r\n", scalar("x"), "\ufeffnew = \"x\"\r\n\r\n# of t\r\n[t]\r\n"},
		"only notes":       {"# file\n", scalar("x"), "# file\nnew = \"x\"\n"},
		"only a note":      {"# file", scalar("x"), "# file\nnew = \"x\""},
		"lines":            {"a = 1\r\n", scalar("x\ny\\\n"), "a = 1\r\nnew = '''\r\nx\r\ny\\\r\n'''\r\n"},
		"lines escaped":    {"a = 1\n", scalar("x'''\ny\\\n"), "a = 1\nnew = \"\"\"\nx'''\ny\\\\\n\"\"\"\n"},
		"literal":          {"a = 1\n", scalar(`\d "x"`), "a = 1\nnew = '\\d \"x\"'\n"},
		"list":             {"a = 1\n", items("x", "y"), "a = 1\nnew = [\"x\", \"y\"]\n"},
		"no items":         {"a = 1\n", items(), "a = 1\nnew = []\n"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(t, tc.in).Insert("new", tc.v)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(document.Apply([]byte(tc.in), c)); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"only":      {"a = 1", ""},
		"noted":     {"# above\na = 1 # c\n# below\nb = 2\n", "# above\n# below\nb = 2\n"},
		"lines":     {"b = 1\r\na = '''\r\nx\r\n''' # c\r\n[t]\r\n", "b = 1\r\n[t]\r\n"},
		"list":      {"\ufeffa = [ # c\n 'x', # d\n]\n\nb = 1", "\ufeff\nb = 1"},
		"last":      {"b = 1\na = 1", "b = 1\n"},
		"inline":    {"a = {b = 1}\n[t]\na = 1\n", "[t]\na = 1\n"},
		"quoted":    {"'a' = 1\nb = 1\n", "b = 1\n"},
		"same word": {"b.a = 1\na = 1\n", "b.a = 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(t, tc.in).Remove("a")
			if err != nil {
				t.Fatal(err)
			}
			if got := string(document.Apply([]byte(tc.in), c)); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}
