package frontmatter

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"callboard/app/profile/document"
)

var errEntry = errors.New("not one key")

// read finds the entries and their values: by strict YAML if yaml.v3 finds the
// same keys on the same lines, else key by key with repairs.
func (d *Document) read() {
	block := d.data[d.Block.Start:d.Block.End]
	root, err := decode(block)
	s := scanner{d: d}
	s.scan()
	if err == nil && s.stray == 0 && d.strict(root, s.out) {
		d.Strict, d.Entries = true, s.out
	} else {
		d.readLoose(err == nil)
	}
	if i := bytes.IndexByte(bytes.ReplaceAll(block, []byte("\r\n"), []byte("\n")), '\r'); i >= 0 {
		d.unclear(1, "carriage_return", "The front matter holds a carriage return within a line. Readers differ on where that line ends.")
	}
	d.twice()
	d.special()
}

func (d *Document) unclear(l int, rule, text string) {
	d.Clear = false
	d.notice(Notice{Line: l, Rule: rule, Text: text})
}

// readLoose reads a block key by key. otherwise says that yaml.v3 did read the
// block, but found other keys than the scanner: then nobody can be sure.
func (d *Document) readLoose(otherwise bool) {
	s := scanner{d: d, loose: true}
	s.scan()
	d.Entries = s.out[:min(len(s.out), MaxKeys)]
	repaired := false
	for i := range d.Entries {
		e := &d.Entries[i]
		n, err := d.entryNode(*e)
		if err != nil || e.Style == Unindented || e.Style == Other {
			e.Reading = d.repair(e)
			repaired = true
			continue
		}
		d.settle(e, n)
	}
	switch {
	case s.stray != 0:
		d.shaped = false
		d.unclear(s.stray, "front_matter_form", "The front matter is written in a form that Callboard does not edit, from this line on.")
	case otherwise:
		d.unclear(2, "front_matter_form", "Strict YAML finds other keys here than a reader that goes by lines.")
	case !repaired:
		d.unclear(2, "front_matter_not_yaml", "The front matter as a whole is not strict YAML, though each key is. Each was read by itself.")
	}
	if len(s.out) > MaxKeys {
		d.shaped = false
		d.unclear(2, "front_matter_keys", fmt.Sprintf("The front matter has more than %d keys. It is not edited.", MaxKeys))
	}
}

// decode parses YAML into nodes. Aliases stay aliases, so nothing expands.
func decode(text []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	return doc.Content[0], nil
}

// strict reports whether root holds exactly the entries, and gives them their
// values.
func (d *Document) strict(root *yaml.Node, entries []Entry) bool {
	if root.Kind != yaml.MappingNode || len(root.Content) != 2*len(entries) || len(entries) > MaxKeys {
		return false
	}
	for i := range entries {
		e := &entries[i]
		k, v := root.Content[2*i], root.Content[2*i+1]
		if k.Kind != yaml.ScalarNode || k.Value != e.Key || d.lines[e.first].number != d.lines[0].number+k.Line-1 {
			return false
		}
		if !special(v) {
			own, err := d.entryNode(*e)
			if err != nil || !alike(own, v) {
				return false
			}
		}
		d.settle(e, v)
	}
	return true
}

// entryNode is the value of one entry, parsed by itself.
func (d *Document) entryNode(e Entry) (*yaml.Node, error) {
	root, err := decode(d.data[e.Full.Start:e.Full.End])
	if err != nil {
		return nil, err
	}
	if root.Kind != yaml.MappingNode || len(root.Content) != 2 || root.Content[0].Value != e.Key {
		return nil, errEntry
	}
	return root.Content[1], nil
}

// special reports whether n holds anything beyond plain data: an anchor, an
// alias, a tag or a merge key.
func special(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return true
	}
	for i, c := range n.Content {
		if special(c) || (n.Kind == yaml.MappingNode && i%2 == 0 && c.ShortTag() == "!!merge") {
			return true
		}
	}
	return false
}

func alike(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Value != b.Value || a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !alike(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// settle gives e the value and style that its node has.
func (d *Document) settle(e *Entry, n *yaml.Node) {
	below := e.Style == Mapping && e.Value.Start == e.colon
	switch {
	case special(n):
		e.Style, e.Reading = Other, document.Reading{Kind: document.Unclear}
	case n.Kind == yaml.ScalarNode:
		e.Reading = document.Reading{Kind: document.Text, Text: n.Value, Tag: n.ShortTag()}
		if e.Style == Mapping {
			e.Style = Other // a scalar on the line after its key
		}
		if e.Reading.Tag == "!!null" {
			e.Reading.Kind = document.Null
		}
	case n.Kind == yaml.SequenceNode:
		e.Reading = list(n)
		if e.Style == Mapping {
			e.Style = BlockList
		}
	default:
		e.Style, e.Reading = Mapping, document.Reading{Kind: document.Map}
	}
	e.sound = true
	if below && (n.Kind == yaml.ScalarNode || n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle != 0) {
		d.settleOwn(e)
	}
}

// settleOwn finds the value of e on the line after its key, so that it can be
// edited there.
func (d *Document) settleOwn(e *Entry) {
	s := scanner{d: d}
	own := s.nextLine(e)
	if own == nil {
		return
	}
	own.Reading, own.sound = e.Reading, true
	e.own, e.Cut = own, own.Cut
}

func list(n *yaml.Node) document.Reading {
	r := document.Reading{Kind: document.List}
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode || c.ShortTag() != "!!str" {
			return document.Reading{Kind: document.Unclear, Tag: "!!seq"}
		}
		r.Items = append(r.Items, c.Value)
	}
	return r
}

// twice points out keys that stand in the block more than once.
func (d *Document) twice() {
	first := map[string]int{}
	for _, e := range d.Entries {
		if l, dup := first[e.Key]; dup {
			d.notice(Notice{e.Line, "key_twice", fmt.Sprintf(
				"The key on line %d stands here again. The last one counts; other readers refuse the file.", l), []string{e.Key}})
			continue
		}
		first[e.Key] = e.Line
	}
}

// special points out anchors, aliases, tags and merge keys.
func (d *Document) special() {
	for _, e := range d.Entries {
		switch {
		case e.Key == "<<":
			d.unclear(e.Line, "yaml_merge", "A merge key takes values from elsewhere. Callboard does not follow it.")
		case e.Style == Other && e.sound && e.Reading.Kind == document.Unclear:
			d.notice(Notice{e.Line, "yaml_special", fmt.Sprintf(
				"The value of %s uses an anchor, an alias or a tag. It is kept and not read.", d.label(e.Key)), []string{e.Key}})
		}
	}
}
