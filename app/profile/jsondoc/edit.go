package jsondoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"callboard/app/profile/document"
)

// Replace gives key a new value (a bare one is true or false) and changes no byte but the value's. A list
// keeps its layout, its comments and the bytes of the items that stay. A value
// that holds comments is only replaced as a list by a list.
func (o *Object) Replace(key string, v document.Value) (document.Edit, error) {
	at, err := o.d.find(o.node, key)
	if err != nil {
		return document.Edit{}, err
	}
	e := o.entries[at]
	text := render(v)
	switch old := o.d.textOf(e.Value); {
	case says(e.Reading, v):
		text = old
	case v.List && e.Reading.Kind == document.List:
		value := o.node.Members[at].Value
		s := o.d.array(value, value.Value.(*hujson.Array))
		s.setItems(e.Reading.Items, v.Items)
		text = s.String()
	case hasNote(old):
		return document.Edit{}, fmt.Errorf("%w: the value on line %d holds comments", document.ErrForm, e.Line)
	}
	return o.checked(document.Edit{Span: e.Value, New: []byte(text)}, change{key: key, at: at, want: &v})
}

// Insert adds key as the last member, laid out as the others are: before the
// lines of comments that may close the object, after the one that ends the line
// of the last member.
func (o *Object) Insert(key string, v document.Value) (document.Edit, error) {
	if i := slices.IndexFunc(o.entries, func(e document.Entry) bool { return e.Key == key }); i >= 0 {
		return document.Edit{}, fmt.Errorf("%w: %q on line %d", document.ErrTwice, key, o.entries[i].Line)
	}
	s := o.sequence()
	colon := ": "
	if n := len(o.node.Members); n > 0 {
		last := o.node.Members[n-1]
		if gap := o.d.text[o.d.span(last.Name).End:o.d.span(last.Value).Start]; !hasNote(gap) && !hasNewline(gap) {
			colon = gap
		}
		s.tight = colon == ":"
	}
	s.add(quote(key) + colon + render(v))
	return o.checked(o.narrow(s.String()), change{key: key, at: len(o.entries), want: &v, added: true})
}

// Remove takes key away with its value and its comma, its lines too if nothing
// else stands there. Comments on the lines above stay.
func (o *Object) Remove(key string) (document.Edit, error) {
	at, err := o.d.find(o.node, key)
	if err != nil {
		return document.Edit{}, err
	}
	s := o.sequence()
	s.remove(at)
	return o.checked(o.narrow(s.String()), change{key: key, at: at})
}

// sequence cuts the object into pieces.
func (o *Object) sequence() sequence {
	s := o.d.object(hujson.Value{StartOffset: o.span.Start - o.d.shift}, o.node)
	if root, ok := o.d.root.Value.(*hujson.Object); ok {
		s.lines = slices.ContainsFunc(root.Members, func(m hujson.ObjectMember) bool { return hasNewline(string(m.Name.BeforeExtra)) })
	}
	return s
}

// narrow is the edit that makes the object read text, without the characters at
// both ends that stay.
func (o *Object) narrow(text string) document.Edit {
	old := o.d.textOf(o.span)
	n, limit := 0, min(len(old), len(text))
	for n < limit && old[n] == text[n] {
		n++
	}
	for n > 0 && (n < len(old) && !utf8.RuneStart(old[n]) || n < len(text) && !utf8.RuneStart(text[n])) {
		n--
	}
	m := 0
	for m < limit-n && old[len(old)-1-m] == text[len(text)-1-m] {
		m++
	}
	for m > 0 && !utf8.RuneStart(old[len(old)-m]) {
		m--
	}
	span := document.Span{Start: o.span.Start + n, End: o.span.End - m}
	return document.Edit{Span: span, New: []byte(text[n : len(text)-m])}
}

// change is what one edit is meant to do: want is nil for a removal.
type change struct {
	key   string
	at    int
	want  *document.Value
	added bool
}

// checked is c if it holds.
func (o *Object) checked(c document.Edit, ch change) (document.Edit, error) {
	if !o.holds(c, ch) {
		return document.Edit{}, fmt.Errorf("%w: %q", document.ErrCannotWrite, ch.key)
	}
	return c, nil
}

// holds reads the file as c would leave it and reports whether exactly the
// wanted key of this object changed.
func (o *Object) holds(c document.Edit, ch change) bool {
	p, err := Parse(document.Apply(o.d.data, c))
	if err != nil || p.BOM != o.d.BOM || o.d.Strict && !p.Strict {
		return false
	}
	q, err := p.Object(o.path...)
	if err != nil || p.text[:q.span.Start] != o.d.text[:o.span.Start] || p.text[q.span.End:] != o.d.text[o.span.End:] {
		return false
	}
	if ch.want != nil && !slices.Equal(notes(o.d.textOf(o.span)), notes(p.textOf(q.span))) {
		return false
	}
	return o.membersHold(q, ch) && o.valuesHold(q, ch)
}

// membersHold compares the members one by one.
func (o *Object) membersHold(q *Object, ch change) bool {
	have, got := slices.Clone(o.entries), slices.Clone(q.entries)
	if !ch.added {
		have = slices.Delete(have, ch.at, ch.at+1)
	}
	if ch.want != nil {
		if ch.at >= len(got) || got[ch.at].Key != ch.key || !says(got[ch.at].Reading, *ch.want) {
			return false
		}
		got = slices.Delete(got, ch.at, ch.at+1)
	}
	return slices.EqualFunc(have, got, func(a, b document.Entry) bool {
		return o.d.textOf(a.Full) == q.d.textOf(b.Full) && a.Key == b.Key && a.Reading.Equal(b.Reading)
	})
}

// valuesHold compares what the whole files say, read by another reader.
func (o *Object) valuesHold(q *Object, ch change) bool {
	have, err := o.d.value()
	if err != nil {
		return false
	}
	got, err := q.d.value()
	if err != nil {
		return false
	}
	before, after := within(have, o.path), within(got, o.path)
	if before == nil || after == nil {
		return false
	}
	v, ok := after[ch.key]
	if ok != (ch.want != nil) || ok && !reflect.DeepEqual(v, plain(*ch.want)) {
		return false
	}
	delete(before, ch.key)
	delete(after, ch.key)
	return reflect.DeepEqual(have, got)
}

// value is what the file says as plain JSON.
func (d *Document) value() (any, error) {
	v := d.root.Clone()
	v.Standardize()
	dec := json.NewDecoder(bytes.NewReader(v.Pack()))
	dec.UseNumber()
	var out any
	err := dec.Decode(&out)
	return out, err
}

// within is the object at a path of keys, nil if there is none.
func within(v any, path []string) map[string]any {
	m, _ := v.(map[string]any)
	for _, key := range path {
		m, _ = m[key].(map[string]any)
	}
	return m
}

// plain is v as a JSON reader returns it.
func plain(v document.Value) any {
	if v.Bare {
		return v.Text == "true"
	}
	if !v.List {
		return v.Text
	}
	items := make([]any, len(v.Items))
	for i, item := range v.Items {
		items[i] = item
	}
	return items
}

// says reports whether r is v.
func says(r document.Reading, v document.Value) bool {
	switch {
	case v.List:
		return r.Kind == document.List && slices.Equal(r.Items, v.Items)
	case v.Bare:
		return r.Kind == document.Text && r.Tag == "!!bool" && r.Text == v.Text
	}
	return r.Kind == document.Text && r.Tag == "!!str" && r.Text == v.Text
}
