package app_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/app/vault"
)

// TestOneDamagedAgent changes stored rows behind the program's back: verify
// names them by table, id and rule, and the other agents are still there.
func TestOneDamagedAgent(t *testing.T) {
	for name, tc := range map[string]struct {
		harm  func(rows map[string][]byte, keys []string)
		rules []string // of the agents by id, "" for an agent that is well
	}{
		"a bit is flipped": {func(rows map[string][]byte, k []string) {
			rows[k[1]][len(rows[k[1]])/2] ^= 1
		}, []string{"", "row_corrupt", ""}},
		"the end is cut off": {func(rows map[string][]byte, k []string) {
			rows[k[2]] = rows[k[2]][:len(rows[k[2]])-1]
		}, []string{"", "", "row_corrupt"}},
		"two are swapped": {func(rows map[string][]byte, k []string) {
			rows[k[0]], rows[k[1]] = rows[k[1]], rows[k[0]]
		}, []string{"row_moved", "row_moved", ""}},
		"it has vanished": {func(rows map[string][]byte, k []string) {
			rows[k[0]] = nil
		}, []string{"row_missing", "", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			h := made(t, filepath.Join(t.TempDir(), "home"), vault.File)
			a, err := open(h.Dir)
			ok(t, err)
			ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{}))
			_, err = a.Roster.Import(t.Context(), roster.Newcomers(state(2), state(3)))
			ok(t, err)
			ok(t, a.Close(t.Context()))

			ids := poke(t, h.Store(), tc.harm)
			got := unlocking(h.Dir, "")
			want := strings.Builder{}
			fmt.Fprintf(&want, "%s can be read.\n", map[int]string{1: "1 agent", 2: "2 agents"}[count(tc.rules, "")])
			for i, rule := range tc.rules {
				if rule != "" {
					fmt.Fprintf(&want, "agents %s: %s (%s)\n", ids[i], inWords[rule], rule)
				}
			}
			if got.Code != 1 || got.Stdout != want.String() || got.Stderr != "" || got.State != vault.Open {
				t.Errorf("got %+v, want %q", got, &want)
			}
			othersAreListed(t, h.Dir, ids, tc.rules)
		})
	}
}

// inWords is what verify says beside each rule.
var inWords = map[string]string{
	"row_corrupt": "damaged on disk", "row_moved": "not the row that belongs there", "row_missing": "gone",
}

// othersAreListed reads each agent, after which the list holds those that are
// well and counts the others.
func othersAreListed(t *testing.T, dir string, ids, rules []string) {
	t.Helper()
	a, err := open(dir)
	ok(t, err)
	ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{}))
	defer func() { ok(t, a.Close(t.Context())) }()
	errs := make([]error, len(ids))
	for i, id := range ids {
		_, errs[i] = a.Roster.Get(t.Context(), id)
	}
	l, err := a.Roster.List(t.Context())
	ok(t, err)
	if l.Unreadable != len(rules)-count(rules, "") {
		t.Errorf("%d cannot be read", l.Unreadable)
	}
	for i, id := range ids {
		listed := slices.ContainsFunc(l.Agents, func(s roster.Summary) bool { return s.ID == id })
		if rules[i] == "" && (!listed || errs[i] != nil) {
			t.Errorf("agent %d is listed: %v, %v", i, listed, errs[i])
		}
		if rules[i] != "" && (listed || fault.RuleOf(errs[i]) != rules[i]) {
			t.Errorf("damaged agent %d is listed: %v, %v", i, listed, errs[i])
		}
	}
}

func count(all []string, one string) (n int) {
	for _, s := range all {
		if s == one {
			n++
		}
	}
	return n
}

// poke changes the stored rows of the agents, which it hands over with their
// keys in order, and returns the agents' ids. A nil row is deleted.
func poke(t *testing.T, store string, harm func(map[string][]byte, []string)) (ids []string) {
	t.Helper()
	db, err := pebble.Open(store, &pebble.Options{FormatMajorVersion: pebble.FormatValueSeparation, Logger: silent{}})
	ok(t, err)
	const prefix = "t/agents\x00"
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: []byte(prefix), UpperBound: []byte("t/agents\x01")})
	ok(t, err)
	rows, keys := map[string][]byte{}, []string{}
	for found := it.First(); found; found = it.Next() {
		keys = append(keys, string(it.Key()))
		rows[string(it.Key())] = bytes.Clone(it.Value())
		ids = append(ids, strings.TrimPrefix(string(it.Key()), prefix))
	}
	ok(t, it.Close())
	harm(rows, keys)
	for key, row := range rows {
		if row == nil {
			ok(t, db.Delete([]byte(key), pebble.Sync))
			continue
		}
		ok(t, db.Set([]byte(key), row, pebble.Sync))
	}
	ok(t, db.Close())
	return ids
}

type silent struct{}

func (silent) Infof(string, ...any)      {}
func (silent) Errorf(string, ...any)     {}
func (silent) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }

// TestAStoreWithoutOneOfItsFilesIsDamaged, not "a folder that cannot be used".
func TestAStoreWithoutOneOfItsFilesIsDamaged(t *testing.T) {
	for _, pattern := range []string{"MANIFEST-*", "marker.manifest.*"} {
		t.Run(pattern, func(t *testing.T) {
			h := made(t, filepath.Join(t.TempDir(), "home"), vault.File)
			files, err := filepath.Glob(filepath.Join(h.Store(), pattern))
			ok(t, err)
			if len(files) == 0 {
				t.Fatal("no such file in the store")
			}
			for _, f := range files {
				ok(t, os.Remove(f))
			}
			before := contents(t, h.Dir)
			refused(t, h.Dir, unlocking(h.Dir, ""), "store_damaged", "The store's files are damaged. Restore a backup.")
			unchanged(t, h.Dir, before)
		})
	}
}
