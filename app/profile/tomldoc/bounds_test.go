package tomldoc_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"callboard/app/fault"
	"callboard/app/profile/document"
	"callboard/app/profile/tomldoc"
)

func TestRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want error
		line int
	}{
		"binary":            {"a = 1\x00", document.ErrBinary, 0},
		"latin 1":           {"a = 1\nb = \"\xe9\"\n", tomldoc.ErrNotTOML, 2},
		"no value":          {"a = 1\n\nb =\n", tomldoc.ErrNotTOML, 3},
		"open string":       {"a = 1\nb = \"x\nc = 1\n", tomldoc.ErrNotTOML, 2},
		"open lines":        {"a = '''\nx\n", tomldoc.ErrNotTOML, 2},
		"bare text":         {"a = secret words\n", tomldoc.ErrNotTOML, 1},
		"twice":             {"a = 1\nb = 1\na = 2\n", tomldoc.ErrNotTOML, 3},
		"twice by quotes":   {"a = 1\n\"a\" = 2\n", tomldoc.ErrNotTOML, 2},
		"twice as a table":  {"a = 1\n[a]\n", tomldoc.ErrNotTOML, 2},
		"twice in a table":  {"[t]\na = 1\na = 2\n", tomldoc.ErrNotTOML, 3},
		"carriage return":   {"a = 1\rb = 2\n", tomldoc.ErrNotTOML, 1},
		"date":              {"a = 1\nb = 2020-13-01\n", tomldoc.ErrNotTOML, 2},
		"float":             {"a = 1e99999\n", tomldoc.ErrNotTOML, 1},
		"escape e":          {"a = '\\e'\nb = \"\\e\"\n", tomldoc.ErrNotTOML, 2},
		"escape x":          {"a = \"\"\"\n\\\\x\n\\x41\"\"\"\n", tomldoc.ErrNotTOML, 3},
		"escape after note": {"# it's ''' \"\"\"\na = \"\\e\"\n", tomldoc.ErrNotTOML, 2},
		"table lines":       {"a = {\n b = 1 }\n", tomldoc.ErrNotTOML, 1},
		"table comma":       {"a = { b = 1, }\n", tomldoc.ErrNotTOML, 1},
		"short time":        {"a = 07:32\n", tomldoc.ErrNotTOML, 1},
		"short time inside": {"[t]\na = [{ b = 2020-01-01 07:32 }]\n", tomldoc.ErrNotTOML, 2},
		"arrays":            {"a = " + strings.Repeat("[", 100_000), tomldoc.ErrTooDeep, 1},
		"arrays closed":     {"a = " + strings.Repeat("[", 65) + strings.Repeat("]", 65), tomldoc.ErrTooDeep, 1},
		"arrays of 4 MiB":   {"a = " + strings.Repeat("[", document.MaxFile-4), tomldoc.ErrTooDeep, 1},
		"tables":            {"a = " + strings.Repeat("{a=", 100_000), tomldoc.ErrTooDeep, 1},
		"dotted key":        {strings.Repeat("a.", 100_000) + "a = 1", tomldoc.ErrTooDeep, 1},
		"dotted header":     {"a = 1\n[" + strings.Repeat("\"a\" . ", 100_000) + "a]", tomldoc.ErrTooDeep, 2},
		"dots after quotes": {"a = '''[[\n''' # [[\n" + strings.Repeat("a.", 1_000_000) + "a = 1", tomldoc.ErrTooDeep, 3},
		"many keys":         {lines(5000, "k%d = 1\n"), tomldoc.ErrTooMany, 4097},
		"many tables":       {lines(5000, "[t%d]\n"), tomldoc.ErrTooMany, 4097},
		"many items":        {"a = [" + strings.Repeat("0,", 2_000_000) + "0]", tomldoc.ErrTooMany, 1},
		"too large":         {strings.Repeat("#", document.MaxFile+1), document.ErrTooLarge, 0},
	} {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			_, err := tomldoc.Parse([]byte(tc.in))
			if !errors.Is(err, tc.want) {
				t.Fatalf("got %v, want %v", err, tc.want)
			}
			if got := tomldoc.Line(err); got != tc.line {
				t.Errorf("line %d, want %d: %v", got, tc.line, err)
			}
			if tc.line > 0 && !strings.Contains(err.Error(), fmt.Sprintf("line %d", tc.line)) {
				t.Errorf("no line in %q", err)
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "99999") {
				t.Errorf("a value in %q", err)
			}
			if fault.KindOf(err) == fault.Internal {
				t.Errorf("%v is no fault", err)
			}
			if d := time.Since(begun); d > 10*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
	if tomldoc.Line(errors.New("x")) != 0 {
		t.Error("a line out of nothing")
	}
}

// TestHeavy reads what is just under the limits.
func TestHeavy(t *testing.T) {
	for name, in := range map[string]string{
		"keys of one table": "[t]\n" + lines(16000, "k%d = 1\n"),
		"array of tables":   lines(4000, "k%d = 1\n") + strings.Repeat("[[a]]\n", 6000),
		"nested tables":     "[[a]]\n" + lines(4000, "[a.b%d]\n") + strings.Repeat("[[a]]\n", 4000),
		"deep tables":       strings.Repeat("a = [{"+strings.Repeat("a.", 60)+"b = 1}]\n", 1),
		"long text":         "a = '''" + strings.Repeat("\n", document.MaxFile-20) + "'''",
		"deep note":         "# " + strings.Repeat("[", 100) + "\na = '" + strings.Repeat("{", 100) + "'\n" + `b = "\"` + strings.Repeat("[", 100) + "\"\n",
		"deep array":        "a = " + strings.Repeat("[", 64) + strings.Repeat("]", 64),
		"long escapes":      "a = \"\"\"" + strings.Repeat("\\n\r\n", document.MaxFile/4-20) + "\"\"\"",
	} {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			d, err := tomldoc.Parse([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Insert("new", document.Scalar("x")); err != nil {
				t.Error(err)
			}
			if d.Entries()[0].Reading.Kind == document.Text {
				if _, err := d.Replace(d.Entries()[0].Key, document.Scalar("x\ny")); err != nil {
					t.Error(err)
				}
			}
			t.Log(time.Since(begun))
			if d := time.Since(begun); d > 30*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
}

func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
