package frontmatter_test

import (
	"testing"

	"callboard/app/profile/document"
	"callboard/app/profile/frontmatter"
)

// TestBareFilesAreEditedInPlace: a file that is YAML as a whole is edited like
// a front matter, wherever its last line ends.
func TestBareFilesAreEditedInPlace(t *testing.T) {
	const recipe = "version: \"1.0.0\"\r\ntitle: one # note\r\ninstructions: |\r\n  first\r\n  second {{ x }}\r\nextensions:\r\n  - type: builtin\r\n    name: developer"
	for name, tc := range map[string]struct {
		in   string
		edit func(*frontmatter.Document) (document.Edit, error)
		want string
	}{
		"scalar": {recipe, func(d *frontmatter.Document) (document.Edit, error) {
			return d.Replace("title", document.Scalar("two"))
		}, "version: \"1.0.0\"\r\ntitle: two # note\r\n" + recipe[len("version: \"1.0.0\"\r\ntitle: one # note\r\n"):]},
		"one line": {"title: a\n", func(d *frontmatter.Document) (document.Edit, error) {
			return d.Insert("description", document.Scalar("b"))
		}, "title: a\ndescription: b\n"},
		"no last end": {"title: a", func(d *frontmatter.Document) (document.Edit, error) {
			return d.Insert("description", document.Scalar("b"))
		}, "title: a\ndescription: b"},
		"after start": {"---\ntitle: a\n", func(d *frontmatter.Document) (document.Edit, error) { return d.Replace("title", document.Scalar("b")) }, "---\ntitle: b\n"},
		"byte order":  {"\ufefftitle: a\n", func(d *frontmatter.Document) (document.Edit, error) { return d.Replace("title", document.Scalar("b")) }, "\ufefftitle: b\n"},
		"literal": {"title: a\nprompt: |\n  x\n  y\n", func(d *frontmatter.Document) (document.Edit, error) {
			return d.Replace("prompt", document.Scalar("x\nz\n"))
		}, "title: a\nprompt: |\n  x\n  z\n"},
		"truth": {"readonly: true # why\n", func(d *frontmatter.Document) (document.Edit, error) {
			return d.Replace("readonly", document.Truth(false))
		}, "readonly: false # why\n"},
		"empty": {"", func(d *frontmatter.Document) (document.Edit, error) { return d.Insert("title", document.Scalar("b")) }, "title: b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := frontmatter.ParseBare([]byte(tc.in), nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := tc.edit(d)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(document.Apply([]byte(tc.in), e)); got != tc.want {
				t.Errorf("got  %q\nwant %q", got, tc.want)
			}
		})
	}
}

// TestTwoBareDocumentsAreNotEdited: only the first would be read.
func TestTwoBareDocumentsAreNotEdited(t *testing.T) {
	d, err := frontmatter.ParseBare([]byte("title: a\n---\ntitle: b\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.Clear {
		t.Error("a file of two documents is clear")
	}
	if _, err := d.Replace("title", document.Scalar("c")); err == nil {
		t.Error("edited")
	}
}
