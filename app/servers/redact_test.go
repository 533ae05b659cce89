package servers_test

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/servers"
)

func TestRedact(t *testing.T) {
	for name, tc := range map[string]struct {
		text, value, want string
	}{
		"as it is":            {"key s3cr3t-value here", "s3cr3t-value", "key redacted here"},
		"twice":               {"s3cr3ts3cr3t", "s3cr3t", "redactedredacted"},
		"one word of it":      {"your token is abcdefgh1234", "Bearer abcdefgh1234", "your token is redacted"},
		"split by what hides": {"s3c\u200br3t-value", "s3cr3t-value", "redacted"},
		"over lines":          {"begin LINE ONE\r\n\tLINE TWO end", "LINE ONE\nLINE TWO", "begin redacted end"},
		"too short to tell":   {"yes or no", "yes", "yes or no"},
		"hidden in the value": {"v\u200bisible", "v\u200bisible", "redacted"},
	} {
		if got, _ := servers.Redact(tc.text, tc.value); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	long := strings.Repeat("0123456789", 3)
	if got := servers.Tail(long[10:]+" was set\n"+strings.Repeat("second ", 9), true, long); strings.Contains(got, "9") || !strings.Contains(got, "second") {
		t.Errorf("a cut tail shows %q", got)
	}
}

// TestNoFormOfAValueIsShown: whatever stands around it.
func TestNoFormOfAValueIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[!-~]{12,40}`).Draw(t, "value")
		before := rapid.StringMatching(`[ -~]{0,7}`).Draw(t, "before")
		after := rapid.StringMatching(`[ -~]{0,7}`).Draw(t, "after")
		forms := map[string]string{
			value:                  before + value + after,
			url.QueryEscape(value): "https://x/?k=" + url.QueryEscape(value) + after,
		}
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			text := enc.EncodeToString([]byte(before + value + after))
			from := (len(before)*8 + 5) / 6
			forms[text[from:(len(before)+len(value))*8/6]] = text
		}
		for form, text := range forms {
			if got, _ := servers.Redact(text, value); strings.Contains(got, form) {
				t.Fatalf("%q shows %q", got, form)
			}
		}
	})
}
