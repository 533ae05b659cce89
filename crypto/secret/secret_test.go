package secret_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"callboard/crypto/secret"
)

func TestNothingShowsASecret(t *testing.T) {
	const canary = "correct horse"
	s := secret.FromString(canary)
	type holder struct {
		S secret.Bytes
		P *secret.Bytes
	}
	h := holder{s, &s}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", slog.Any("s", s), slog.Any("h", h))
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", slog.Any("s", s), slog.Any("h", h))
	j, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	x, err := xml.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{log.String(), string(j), string(x)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T"} {
		all = append(all, fmt.Sprintf(verb, s), fmt.Sprintf(verb, &s), fmt.Sprintf(verb, h), fmt.Sprintf(verb, []secret.Bytes{s}))
	}
	hex := fmt.Sprintf("%x", canary)
	decimal := strings.Trim(fmt.Sprintf("%d", []byte(canary)), "[]")
	for _, out := range all {
		for _, leak := range []string{canary, hex, strings.ToUpper(hex), decimal} {
			if strings.Contains(out, leak) {
				t.Errorf("secret shown: %s", out)
			}
		}
	}
	if string(s.Reveal()) != canary {
		t.Error("Reveal must give the secret")
	}
	s.Wipe()
	if string(s.Reveal()) == canary {
		t.Error("Wipe must overwrite")
	}
	if json.Unmarshal([]byte(`"redacted"`), &s) == nil {
		t.Error("reading back must fail")
	}
}
