package llm_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/llm"
	"callboard/app/model"
)

func TestLookup(t *testing.T) {
	var c llm.Catalogue
	for name, tc := range map[string]struct {
		url, id string
		want    bool
	}{
		"OpenAI":              {"https://api.openai.com/v1", "gpt-5.5", true},
		"a slash at the end":  {"https://api.openai.com/v1/", "gpt-5.5", true},
		"in capitals":         {"https://API.OPENAI.COM:443/v1", "gpt-5.5", true},
		"another port":        {"https://api.openai.com:8443/v1", "gpt-5.5", false},
		"another path":        {"https://api.openai.com/v2", "gpt-5.5", false},
		"path that begins so": {"https://api.openai.com/v10", "gpt-5.5", false},
		"another host":        {"https://api.openai.com.example/v1", "gpt-5.5", false},
		"this machine":        {"http://127.0.0.1:8000/v1", "gpt-5.5", false},
		"id in capitals":      {"https://api.openai.com/v1", "GPT-5.5", false},
		"no address":          {"", "gpt-5.5", false},
		"Anthropic":           {"https://api.anthropic.com/v1/", "claude-opus-5", true},
		"two at one host":     {"https://opencode.ai/zen/go/v1", "claude-opus-5", false},
	} {
		t.Run(name, func(t *testing.T) {
			if k, ok := c.Lookup(tc.url, tc.id); ok != tc.want || ok && k.ID != tc.id {
				t.Errorf("%v %+v", ok, k)
			}
		})
	}
}

// TestFigures: dollars of the data in micro-dollars, by one row whose cached
// figure for reading is the second and one where it is the first.
func TestFigures(t *testing.T) {
	var c llm.Catalogue
	opus, _ := c.Lookup("https://api.anthropic.com/v1", "claude-opus-5")
	want := model.Known{
		Provider: "Anthropic", BaseURL: "https://api.anthropic.com/v1", ID: "claude-opus-5", Name: "Claude Opus 5",
		Context: 1_000_000, MaxOutput: 128_000,
		Price: model.Price{State: model.Priced, Input: 5_000_000, Output: 25_000_000, CachedInput: 500_000, Source: model.Catalogue, Date: "2026-08-19"},
	}
	if diff := cmp.Diff(want, opus); diff != "" {
		t.Error(diff)
	}
	flash, _ := c.Lookup("https://api.deepseek.com/v1", "deepseek-v4-flash")
	if p := flash.Price; p.Input != 140_000 || p.Output != 280_000 || p.CachedInput != 2_800 {
		t.Errorf("%+v", p)
	}
}

// TestEveryKnownModelCanBeConfigured: what the picker offers passes the rules
// of a model, and nothing in it is free.
func TestEveryKnownModelCanBeConfigured(t *testing.T) {
	var c llm.Catalogue
	known := c.Search("", 0)
	if len(known) < 1000 {
		t.Fatalf("only %d models", len(known))
	}
	unknown := 0
	for _, k := range known {
		m := model.Presets()[0].New()
		m.Name, m.BaseURL, m.Model, m.Context, m.MaxOutput, m.Price = k.Name, k.BaseURL, k.ID, k.Context, k.MaxOutput, k.Price
		if p := model.Check(m); p != nil {
			t.Errorf("%s %s: %+v", k.Provider, k.ID, p)
		}
		if got, ok := c.Lookup(k.BaseURL, k.ID); !ok || got.Provider != k.Provider {
			t.Errorf("%s %s is not found at its own address", k.Provider, k.ID)
		}
		if k.Price.State == model.Unknown {
			unknown++
		}
	}
	if unknown < 50 || unknown > 200 {
		t.Errorf("%d models of unknown price", unknown)
	}
}

func ids(known []model.Known) []string {
	var out []string
	for _, k := range known {
		out = append(out, k.ID)
	}
	return out
}

func TestSearch(t *testing.T) {
	var c llm.Catalogue
	got := c.Search("OPUS anthropic 5", 2)
	if len(got) != 2 || got[0].Provider > got[1].Provider {
		t.Errorf("%v", got)
	}
	if all := ids(c.Search("claude opus", 0)); !slices.Contains(all, "claude-opus-5") || slices.Contains(all, "gpt-5.5") {
		t.Errorf("%v", all)
	}
	if none := c.Search("claude no-such-thing", 0); none != nil {
		t.Errorf("%v", none)
	}
	first := c.Search("", 1)
	first[0].ID = "changed"
	if c.Search("", 1)[0].ID == "changed" {
		t.Error("a caller can change the catalogue")
	}
}

func TestNearest(t *testing.T) {
	var c llm.Catalogue
	if got := ids(c.Nearest("https://api.openai.com/v1", "GPT-5.5x")); len(got) != 3 || got[0] != "gpt-5.5" {
		t.Errorf("%v", got)
	}
	if got := ids(c.Nearest("https://models.example/v1", "claude-opus-5.")); len(got) != 3 || got[0] != "claude-opus-5" {
		t.Errorf("elsewhere %v", got)
	}
	if got := c.Nearest("https://api.openai.com/v1", "qwertzuiop-asdfghjkl-yxcvbnm"); got != nil {
		t.Errorf("nothing like it %v", ids(got))
	}
}

// TestTheDateIsOfTheData: whoever moves the module to another version must look
// up the day that version is of.
func TestTheDateIsOfTheData(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "charm.land/catwalk v0.52.1\n") || llm.CatalogueDate != "2026-08-19" {
		t.Error("the catalogue's version and CatalogueDate go together")
	}
}
