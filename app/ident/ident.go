// Package ident makes the names things are known by: 26-character ULIDs that
// sort by creation time, and ASCII slugs for paths, headers and arguments.
package ident

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// crockford is the alphabet of the ULID specification: no I, L, O or U.
var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// Len is the length of an id in bytes.
const Len = 26

// New is a fresh ULID for the instant now: 48 bits of milliseconds, then 80
// random bits. Safe for concurrent use.
func New(now time.Time) string {
	var raw [20]byte // 4 zero bytes, 6 of time, 10 random: 160 bits = 32 digits
	binary.BigEndian.PutUint64(raw[2:10], uint64(now.UnixMilli()))
	raw[2], raw[3] = 0, 0
	if _, err := rand.Read(raw[10:]); err != nil {
		panic("ident: no randomness: " + err.Error())
	}
	return crockford.EncodeToString(raw[:])[32-Len:]
}

// Slug is an ASCII name of at most 64 bytes made of a-z, 0-9 and single
// hyphens. Letters lose their marks; everything else becomes a hyphen. A name
// without any ASCII letter or digit has the slug "agent".
func Slug(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		r = unicode.ToLower(r)
		if r > unicode.MaxASCII || (!unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			gap = b.Len() > 0
			continue
		}
		if b.Len()+2 > 64 {
			break
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "agent"
	}
	return b.String()
}
