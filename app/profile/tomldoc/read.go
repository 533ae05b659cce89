package tomldoc

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"callboard/app/profile/document"
)

// entry is an Entry with what the edits need to know of it.
type entry struct {
	document.Entry
	plain  bool // it is one key = value
	items  []document.Span
	values []string // the text, or the items, with the file's line breaks
}

// collector gathers the entries from the expressions of one file.
type collector struct {
	d      *Document
	p      *unstable.Parser
	text   []byte
	base   int // of text in the file
	seen   map[string]bool
	line   int // of counted
	upTo   int
	header bool // a table header was read
}

// collect finds the entries in text, which is what follows the byte order mark.
func (d *Document) collect(text []byte) error {
	c := &collector{d: d, p: &unstable.Parser{}, text: text, base: d.start(), seen: map[string]bool{}, line: 1}
	d.header = len(d.data)
	c.p.Reset(text)
	for c.p.NextExpression() {
		if err := c.expression(c.p.Expression()); err != nil {
			return err
		}
	}
	if err := c.p.Error(); err != nil {
		at := len(text)
		if e, ok := errors.AsType[*unstable.ParserError](err); ok {
			at -= min(cap(e.Highlight), len(text))
		}
		return wrong(ErrNotTOML, 1+bytes.Count(text[:at], []byte("\n")), plainReason(err.Error()))
	}
	return nil
}

func (c *collector) expression(n *unstable.Node) error {
	keys := n.Key()
	keys.Next()
	first := *keys.Node()
	at := int(first.Raw.Offset)
	from := bytes.LastIndexByte(c.text[:at], '\n') + 1
	line := c.lineAt(from)
	if n.Kind != unstable.KeyValue {
		if !c.header {
			c.header, c.d.header = true, from+c.base
		}
		to := c.lineEnd(at)
		return c.add(string(first.Data), entry{Entry: document.Entry{
			Line: line, Full: c.span(from, to), Value: c.span(to, to), Reading: document.Reading{Kind: document.Map},
		}})
	}
	if shortTime(n.Value()) {
		return wrong(ErrNotTOML, line, "a time needs its seconds")
	}
	if c.header {
		return nil
	}
	value := c.value(n)
	e := entry{plain: !keys.Next()}
	e.Line, e.Full, e.Value = line, c.span(from, c.lineEnd(value.End-c.base)), value
	e.Reading = document.Reading{Kind: document.Map}
	if e.plain {
		c.read(&e, n.Value())
	}
	c.d.last = e.Full.End
	return c.add(string(first.Data), e)
}

// add takes e as the entry of key unless there is one.
func (c *collector) add(key string, e entry) error {
	if c.seen[key] {
		return nil // a key given twice is refused by the decoder
	}
	if len(c.seen) == MaxKeys {
		return wrong(ErrTooMany, e.Line, "")
	}
	c.seen[key] = true
	e.Key = key
	c.d.entries = append(c.d.entries, e)
	return nil
}

// value is where the value of a key stands.
func (c *collector) value(n *unstable.Node) document.Span {
	at := 0
	for keys := n.Key(); keys.Next(); {
		raw := keys.Node().Raw
		at = int(raw.Offset + raw.Length)
	}
	at += bytes.IndexByte(c.text[at:], '=') + 1
	for c.text[at] == ' ' || c.text[at] == '\t' {
		at++
	}
	end := int(n.Raw.Offset + n.Raw.Length)
	return c.span(at, at+len(bytes.TrimRight(c.text[at:end], " \t")))
}

// tags are the short type names of what is one word or text.
var tags = map[unstable.Kind]string{
	unstable.String: "!!str", unstable.Bool: "!!bool", unstable.Integer: "!!int", unstable.Float: "!!float",
	unstable.LocalDate: "!!timestamp", unstable.LocalTime: "!!timestamp",
	unstable.LocalDateTime: "!!timestamp", unstable.DateTime: "!!timestamp",
}

// read says what the value n is.
func (c *collector) read(e *entry, n *unstable.Node) {
	raw := c.d.bytes(e.Value)
	tag, scalar := tags[n.Kind]
	switch {
	case n.Kind == unstable.Array:
		e.Reading = c.list(e, n)
	case !scalar:
		e.Reading = document.Reading{Kind: document.Map}
	case n.Kind == unstable.String:
		e.Reading = document.Reading{Kind: document.Text, Text: textOf(raw, n.Data), Tag: tag}
		e.values = []string{string(n.Data)}
	default:
		e.Reading = document.Reading{Kind: document.Text, Text: string(raw), Tag: tag}
	}
}

func (c *collector) list(e *entry, n *unstable.Node) document.Reading {
	r := document.Reading{Kind: document.List}
	for it := n.Children(); it.Next(); {
		item := it.Node()
		if item.Kind != unstable.String {
			e.items, e.values = nil, nil
			return document.Reading{Kind: document.Unclear}
		}
		s := c.span(int(item.Raw.Offset), int(item.Raw.Offset+item.Raw.Length))
		e.items = append(e.items, s)
		e.values = append(e.values, string(item.Data))
		r.Items = append(r.Items, textOf(c.d.bytes(s), item.Data))
	}
	return r
}

func (c *collector) span(from, to int) document.Span {
	return document.Span{Start: from + c.base, End: to + c.base}
}

// lineEnd is just after the line that at stands on.
func (c *collector) lineEnd(at int) int {
	if n := bytes.IndexByte(c.text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(c.text)
}

// lineAt is the number of the line at; it never goes back.
func (c *collector) lineAt(at int) int {
	c.line += bytes.Count(c.text[c.upTo:at], []byte("\n"))
	c.upTo = at
	return c.line
}

// textOf is what a string says whose bytes are raw and which the parser reads
// as value: line breaks in it are LF, but what its escapes say stays.
func textOf(raw, value []byte) string {
	switch {
	case !bytes.Contains(raw, []byte("\r\n")):
		return string(value)
	case raw[0] == '\'' || !bytes.Contains(raw, []byte(`\`)):
		return strings.ReplaceAll(string(value), "\r\n", "\n")
	}
	return decode(&unstable.Parser{}, strings.ReplaceAll(string(raw), "\r\n", "\n"))
}

// decode is what one written string says, empty if raw is none.
func decode(p *unstable.Parser, raw string) string {
	p.Reset([]byte("a=" + raw))
	if !p.NextExpression() || p.Expression().Value().Kind != unstable.String {
		return ""
	}
	return string(p.Expression().Value().Data)
}

var fullTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\d[Tt ])?\d\d:\d\d:\d\d`)

// shortTime reports whether n is or holds a time without seconds.
func shortTime(n *unstable.Node) bool {
	switch {
	case n.Kind == unstable.LocalTime || n.Kind == unstable.LocalDateTime || n.Kind == unstable.DateTime:
		return !fullTime.Match(n.Data)
	case n.Kind == unstable.KeyValue:
		return shortTime(n.Value())
	case n.Kind != unstable.Array && n.Kind != unstable.InlineTable:
		return false
	}
	for it := n.Children(); it.Next(); {
		if shortTime(it.Node()) {
			return true
		}
	}
	return false
}

// agree compares what the entries say with what the decoder found.
func (d *Document) agree() error {
	for _, e := range d.entries {
		v, ok := d.values[e.Key]
		if !ok || !e.agrees(v) {
			return wrong(ErrNotTOML, e.Line, "it can be read in two ways")
		}
	}
	if len(d.values) != len(d.entries) {
		return ErrNotTOML
	}
	return nil
}

func (e entry) agrees(v any) bool {
	r := e.Reading
	switch v := v.(type) {
	case string:
		return r.Tag == "!!str" && e.values[0] == v
	case bool:
		return r.Tag == "!!bool" && r.Text == strconv.FormatBool(v)
	case int64:
		n, err := strconv.ParseInt(r.Text, 0, 64)
		return r.Tag == "!!int" && err == nil && n == v
	case float64:
		return r.Tag == "!!float" && sameFloat(number(r.Text), v)
	case time.Time, toml.LocalDate, toml.LocalTime, toml.LocalDateTime:
		return r.Tag == "!!timestamp"
	case map[string]any:
		return r.Kind == document.Map
	case []any:
		return e.agreesList(v)
	}
	return false
}

// agreesList compares with an array: of tables, of strings, or of other values,
// which the entry says nothing about.
func (e entry) agreesList(v []any) bool {
	switch {
	case !e.plain:
		return e.Reading.Kind == document.Map
	case e.Reading.Kind == document.List:
		return sameStrings(e.values, v)
	}
	return e.Reading.Kind == document.Unclear
}

func sameStrings(items []string, v []any) bool {
	if len(items) != len(v) {
		return false
	}
	for i, item := range items {
		if s, ok := v[i].(string); !ok || s != item {
			return false
		}
	}
	return true
}

// number reads a float; what is none has no equal but another one.
func number(text string) float64 {
	text = strings.ReplaceAll(text, "_", "")
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return math.NaN()
}

func sameFloat(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// undecoded is the refusal of what the parser took and the decoder did not.
func undecoded(err error) error {
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := e.Position()
		return wrong(ErrNotTOML, line, plainReason(e.Error()))
	}
	return ErrNotTOML
}

var quotedLetter = regexp.MustCompile(`(:| but got)? U\+[0-9A-F]{4,}( '.')?`)

// plainReason is a parser's message without what it may quote of a value, ""
// if nothing is left to tell.
func plainReason(message string) string {
	message = quotedLetter.ReplaceAllString(strings.TrimPrefix(message, "toml: "), "")
	message, _, _ = strings.Cut(message, ": ")
	for _, r := range message {
		if r < ' ' || r > '~' {
			return ""
		}
	}
	if len(message) > 120 {
		return ""
	}
	return message
}
