package words_test

import (
	"testing"

	"callboard/ui/words"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		words.Count(0, "agent"):      "0 agents",
		words.Count(1, "agent"):      "1 agent",
		words.Count(1200, "agent"):   "1,200 agents",
		words.Number(1234567):        "1,234,567",
		words.Number(999):            "999",
		words.Path("/u/a/b", "/u/a"): "~/b",
		words.Path("/u/ab", "/u/a"):  "/u/ab",
		words.Path("/u/a/b", ""):     "/u/a/b",
		words.Whole("~/b", "/u/a"):   "/u/a/b",
		words.Whole("~", "/u/a"):     "/u/a",
		words.Whole("~/b", ""):       "~/b",
		words.Whole("~b", "/u/a"):    "~b",
		words.Whole("/x/~", "/u/a"):  "/x/~",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
