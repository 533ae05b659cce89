package profile

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/profile/document"
	"callboard/app/profile/frontmatter"
	"callboard/app/profile/jsondoc"
	"callboard/app/profile/tomldoc"
)

// sheet is one file, or the part of it that is one agent, parsed in the syntax
// it is written in.
type sheet interface {
	document.Keyed
	// marked reports whether the file starts with a byte order mark.
	marked() bool
	// present is false for a file that has no place for keys.
	present() bool
	// clear is false where something is left that could be read in two ways.
	clear() bool
	// problems are what the syntax has to say.
	problems() []Problem
	// doubts are the lines that could be stating tools and were not read as that.
	doubts(words *statements) []hint
	// separator is what stands between tools where the list at key is one text.
	separator(key string) (sep string, isText bool)
	// body is the text that follows the keys, whose first line is bodyLine.
	body() string
	bodyLine() int
	replaceBody(text string) (document.Edit, error)
}

// parse reads data as the syntax of path has it. key names the agent in files
// that keep several.
func (s *spec) parse(path, key string, data []byte) (sheet, error) {
	switch extension(path) {
	case ".toml":
		d, err := tomldoc.Parse(data)
		if err != nil {
			return nil, err
		}
		return tomlSheet{Document: d}, nil
	case ".json", ".jsonc":
		d, err := jsondoc.Parse(data)
		if err != nil {
			return nil, err
		}
		at, err := d.Object(place(key)...)
		if s.format == OpenCode && !slices.ContainsFunc(sections, func(o string) bool { return strings.HasPrefix(key, o+"/") }) {
			err = document.ErrMissing
		}
		if err != nil {
			return nil, err
		}
		return jsonSheet{Object: at, bom: d.BOM}, nil
	case ".yaml", ".yml":
		d, err := frontmatter.ParseBare(data, s.known)
		if err != nil {
			return nil, err
		}
		return yamlSheet{doc: d, data: data}, nil
	}
	d, err := frontmatter.Parse(data, s.known)
	if err != nil {
		return nil, err
	}
	return yamlSheet{doc: d, data: data}, nil
}

// place is the object a key names: "agent/reviewer" is reviewer in agent, and
// no key is the file's own.
func place(key string) []string {
	section, name, ok := strings.Cut(key, "/")
	if !ok {
		return nil
	}
	return []string{section, name}
}

// extension is how the name of a file ends, in small letters.
func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

// yamlSheet is Markdown with a front matter, or a YAML file.
type yamlSheet struct {
	doc  *frontmatter.Document
	data []byte
}

func (y yamlSheet) Entries() []document.Entry {
	out := make([]document.Entry, len(y.doc.Entries))
	for i, e := range y.doc.Entries {
		out[i] = document.Entry{Key: e.Key, Line: e.Line, Full: e.Full, Value: e.Value, Reading: e.Reading}
	}
	return out
}

func (y yamlSheet) Replace(key string, v document.Value) (document.Edit, error) {
	return y.doc.Replace(key, v)
}

func (y yamlSheet) Insert(key string, v document.Value) (document.Edit, error) {
	return y.doc.Insert(key, v)
}

func (y yamlSheet) Remove(key string) (document.Edit, error) { return y.doc.Remove(key) }

func (y yamlSheet) marked() bool  { return y.doc.BOM }
func (y yamlSheet) present() bool { return y.doc.Present }
func (y yamlSheet) clear() bool   { return y.doc.Clear }
func (y yamlSheet) body() string  { return y.doc.Text() }
func (y yamlSheet) bodyLine() int { return y.doc.BodyLine() }

func (y yamlSheet) replaceBody(text string) (document.Edit, error) { return y.doc.ReplaceBody(text) }

func (y yamlSheet) problems() []Problem {
	var out []Problem
	for _, n := range y.doc.Notices {
		level := Notice
		switch n.Rule {
		case "front_matter_form", "front_matter_keys", "carriage_return", "front_matter_not_yaml",
			"yaml_merge", "yaml_special", "key_twice", "value_unreadable":
			level = Warning
		}
		out = append(out, Problem{n.Line, n.Rule, n.Text, level})
	}
	for _, e := range y.doc.Entries {
		if e.Cut > 0 && (e.Key == "name" || e.Key == "title" || e.Key == "description") {
			out = append(out, Problem{e.Cut, "inline_comment", "Everything after # on this line is a comment to YAML. It is no part of the " + e.Key + ".", Notice})
		}
	}
	return out
}

func (y yamlSheet) doubts(words *statements) []hint { return words.hints(y.doc, y.data) }

func (y yamlSheet) separator(key string) (string, bool) {
	e, ok := y.doc.Entry(key)
	switch {
	case ok && (e.Style == frontmatter.FlowList || e.Style == frontmatter.BlockList):
		return "", false
	case strings.Contains(e.Reading.Text, ",") && !strings.ContainsAny(e.Reading.Text, " \t\n"):
		return ",", true
	}
	return ", ", true
}

// plain is what the strict syntaxes have in common: they are read whole or not
// at all, and no text follows their keys.
type plain struct{}

func (plain) present() bool                             { return true }
func (plain) clear() bool                               { return true }
func (plain) problems() []Problem                       { return nil }
func (plain) doubts(*statements) []hint                 { return nil }
func (plain) separator(string) (string, bool)           { return "", false }
func (plain) body() string                              { return "" }
func (plain) bodyLine() int                             { return 1 }
func (plain) replaceBody(string) (document.Edit, error) { return document.Edit{}, document.ErrForm }

// tomlSheet is a TOML file.
type tomlSheet struct {
	plain
	*tomldoc.Document
}

func (t tomlSheet) marked() bool { return t.BOM }

// jsonSheet is one object of a JSON file, with comments or without.
type jsonSheet struct {
	plain
	*jsondoc.Object
	bom bool
}

func (j jsonSheet) marked() bool { return j.bom }

// Entries are the members of the object. Only their values are their own: the
// commas between them belong to the object.
func (j jsonSheet) Entries() []document.Entry {
	all := j.Object.Entries()
	for i := range all {
		all[i].Full = all[i].Value
	}
	return all
}

// kept reports whether every key but those in except stands in after as it does
// in before, in the same order and with the same bytes, and nothing new.
func kept(before sheet, was []byte, after sheet, is []byte, except ...string) bool {
	return bytes.Equal(rest(before, was, except), rest(after, is, except))
}

func rest(s sheet, data []byte, except []string) []byte {
	var out []byte
	for _, e := range s.Entries() {
		if !slices.Contains(except, e.Key) {
			out = append(append(out, e.Key...), 0)
			out = append(append(out, bytes.TrimRight(data[e.Full.Start:e.Full.End], "\r\n")...), 0)
		}
	}
	return out
}
