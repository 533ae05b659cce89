package ident_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"callboard/app/ident"
)

// form is the text form of the ULID specification.
var form = regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)

func TestNewSortsByTimeAndHasTheForm(t *testing.T) {
	at := time.UnixMilli(1469918176385)
	a, b := ident.New(at), ident.New(at.Add(time.Millisecond))
	if a[:10] != "01ARYZ6S41" {
		t.Errorf("time part of %s, want the ULID specification's 01ARYZ6S41", a)
	}
	if a >= b {
		t.Errorf("%s is not before %s", a, b)
	}
	for _, id := range []string{a, b, ident.New(time.Unix(0, 0))} {
		if !form.MatchString(id) || len(id) != ident.Len {
			t.Errorf("%s has not the form", id)
		}
	}
	if a == ident.New(at) {
		t.Error("two ids of one instant are equal")
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"reviewer":              "reviewer",
		"  SQL Tuner (v2) ":     "sql-tuner-v2",
		"Crème brûlée":          "creme-brulee",
		"数据":                    "agent",
		"🚀 launch 🚀":            "launch",
		"../../etc/passwd":      "etc-passwd",
		strings.Repeat("a", 99): strings.Repeat("a", 63),
	} {
		if got := ident.Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}
