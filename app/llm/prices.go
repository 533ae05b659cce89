package llm

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"

	"callboard/app/agent"
	"callboard/app/model"
)

// CatalogueDate is the day the catalogue's figures are of. It changes with the
// version of the module that brings them.
const CatalogueDate = "2026-08-19"

// maxFigure bounds what the data can say of tokens.
const maxFigure = model.MaxContext

// Catalogue is what models cost and take, as known on CatalogueDate. It is part
// of the program: nothing is fetched. It is read at its first use and shared;
// its methods may be called from any goroutine. The zero value is ready.
//
// A model that the data lists at no cost is of unknown price: such rows stand
// for subscriptions and trial offers, not for calls that cost nothing.
type Catalogue struct{}

// listed is a known model with what finding it needs.
type listed struct {
	known model.Known
	site  string // of its base URL
	path  string // of its base URL
	fold  string // what Search looks through
}

// addresses are the endpoints of providers whose address the data leaves to
// the environment.
var addresses = map[catwalk.InferenceProvider]string{
	catwalk.InferenceProviderOpenAI:    "https://api.openai.com/v1",
	catwalk.InferenceProviderAnthropic: "https://api.anthropic.com/v1",
	catwalk.InferenceProviderGemini:    "https://generativelanguage.googleapis.com/v1beta/openai",
}

// all is every model this program can reach, in the order of provider and id.
// Providers that speak another protocol, or stand at no fixed address, are out.
var all = sync.OnceValue(func() []listed {
	var out []listed
	for _, p := range embedded.GetAll() {
		base, ok := address(p)
		if !ok {
			continue
		}
		site := model.Site(base)
		for _, m := range p.Models {
			k := model.Known{
				Provider: p.Name, BaseURL: base, ID: m.ID, Name: m.Name,
				Context: tokens(m.ContextWindow), MaxOutput: min(tokens(m.DefaultMaxTokens), tokens(m.ContextWindow)), Price: price(m),
			}
			out = append(out, listed{k, site, path(base), agent.Fold(k.Provider + "\n" + k.ID + "\n" + k.Name)})
		}
	}
	slices.SortStableFunc(out, func(a, b listed) int {
		return cmp.Or(strings.Compare(a.known.Provider, b.known.Provider), strings.Compare(a.known.ID, b.known.ID))
	})
	return out
})

func address(p catwalk.Provider) (string, bool) {
	if a, ok := addresses[p.ID]; ok {
		return a, true
	}
	speaks := []catwalk.Type{catwalk.TypeOpenAI, catwalk.TypeOpenAICompat, catwalk.TypeOpenRouter, catwalk.TypeVercel}
	return p.APIEndpoint, slices.Contains(speaks, p.Type) && model.Site(p.APIEndpoint) != ""
}

func tokens(n int64) int { return int(max(0, min(n, maxFigure))) }

// price is what the data says of m. Providers differ in which of the two cached
// figures is for reading the cache and which for filling it; reading is the
// cheaper one, and never dearer than input.
func price(m catwalk.Model) model.Price {
	in, out := micro(m.CostPer1MIn), micro(m.CostPer1MOut)
	if in < 1 || out < 1 || in > model.MaxPrice || out > model.MaxPrice {
		return model.Price{State: model.Unknown}
	}
	p := model.Price{State: model.Priced, Input: in, Output: out, Source: model.Catalogue, Date: CatalogueDate}
	for _, c := range []int64{micro(m.CostPer1MInCached), micro(m.CostPer1MOutCached)} {
		if c > 0 && c <= in && (p.CachedInput == 0 || c < p.CachedInput) {
			p.CachedInput = c
		}
	}
	return p
}

// micro turns dollars into micro-dollars, rounded up, so that nothing is ever
// counted below its price. The slack is for figures such as 0.1 that a float
// holds a little too large.
func micro(dollars float64) int64 {
	const most = 1 << 50
	v := math.Ceil(dollars*1e6 - 1e-6)
	if !(v > 0 && v < most) { // also no number
		return 0
	}
	return int64(v)
}

// Lookup is the model that id names at the endpoint baseURL. It compares
// exactly: a model of the same name elsewhere has another price. Nothing on
// this machine is known.
func (Catalogue) Lookup(baseURL, id string) (model.Known, bool) {
	for _, l := range at(baseURL) {
		if l.known.ID == id {
			return l.known, true
		}
	}
	return model.Known{}, false
}

// at is the models of the provider that answers at baseURL: same site, and
// the longest path that baseURL is or lies below.
func at(baseURL string) []listed {
	site := model.Site(baseURL)
	if site == "" {
		return nil
	}
	want := path(baseURL)
	var best []listed
	length := -1
	for _, l := range all() {
		switch {
		case l.site != site || want != l.path && !strings.HasPrefix(want, l.path+"/") || len(l.path) < length:
		case len(l.path) > length:
			best, length = []listed{l}, len(l.path)
		default:
			best = append(best, l)
		}
	}
	return best
}

// path is what follows scheme and host, without a slash at its end.
func path(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	_, p, _ := strings.Cut(rest, "/")
	return strings.TrimRight("/"+p, "/")
}

// Search is at most limit models that hold every word of query in their
// provider, id or name, regardless of case, in the order of provider and id.
// An empty query finds all. Limit 0 is no limit.
func (Catalogue) Search(query string, limit int) []model.Known {
	words := strings.Fields(agent.Fold(query))
	var out []model.Known
	for _, l := range all() {
		if limit > 0 && len(out) == limit {
			break
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(l.fold, w) }) {
			out = append(out, l.known)
		}
	}
	return out
}

// near is how many ids Nearest gives.
const near = 3

// Nearest is the up to three models whose ids are closest to id, the closest
// first: those at the endpoint where it is known, else those of every
// provider, each id once. An id that is nothing like any has none.
func (Catalogue) Nearest(baseURL, id string) []model.Known {
	from := at(baseURL)
	if from == nil {
		from = all()
	}
	type scored struct {
		known model.Known
		away  int
	}
	want := []rune(strings.ToLower(cut(id)))
	var found []scored
	seen := map[string]bool{}
	for _, l := range from {
		if seen[l.known.ID] {
			continue
		}
		seen[l.known.ID] = true
		if d := distance(want, []rune(strings.ToLower(l.known.ID))); d <= max(len(want), 4)/2 {
			found = append(found, scored{l.known, d})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(a.away, b.away) })
	var out []model.Known
	for _, s := range found[:min(near, len(found))] {
		out = append(out, s.known)
	}
	return out
}

// cut bounds the work of distance.
func cut(id string) string { return id[:min(len(id), model.MaxModelID)] }

// distance is how many letters must be added, taken out or replaced to make b
// of a.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			step := corner + 1
			if a[i] == b[j] {
				step = corner
			}
			corner = row[j+1]
			row[j+1] = min(step, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
