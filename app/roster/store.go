package roster

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"

	"callboard/app/agent"
	"callboard/app/event"
	"callboard/storage"
)

// row is one stored agent. InFile is the digest of what its source file says,
// empty without one.
type row struct {
	Agent   agent.Agent `json:"agent"`
	Created time.Time   `json:"created"`
	Updated time.Time   `json:"updated"`
	InFile  []byte      `json:"in_file,omitempty"`
}

// unwritten reports whether the agent differs from the file it came from.
func (r row) unwritten() bool {
	return r.Agent.Source != nil && !bytes.Equal(r.InFile, digest(r.Agent))
}

// digest covers what an agent file can say of a.
func digest(a agent.Agent) []byte {
	a.ID, a.Enabled, a.Source = "", false, nil
	plain, err := json.Marshal(a)
	if err != nil {
		panic("roster: an agent does not marshal: " + err.Error())
	}
	sum := sha256.Sum256(plain)
	return sum[:]
}

// version is one earlier state of an agent, kept when a save replaced it.
type version struct {
	Revision uint64    `json:"revision"`
	Replaced time.Time `json:"replaced"`
	Row      row       `json:"row"`
}

// keepVersions is how many earlier states of one agent are kept. Older ones
// are cut off many at a time, because each cut costs every later read a little.
const (
	keepVersions = 50
	cutVersions  = 25
)

// tables are the roster's rows and the intentions on them.
type tables struct {
	agents  storage.Table[row]
	history storage.Log[version]
}

func newTables() tables {
	return tables{agents: storage.NewTable[row]("agents"), history: storage.NewLog[version]("agent_history")}
}

// add stores a new agent.
func (t tables) add(tx *storage.Tx, r row) (uint64, error) {
	rev, err := t.agents.Put(tx, r.Agent.ID, 0, r)
	if err != nil {
		return 0, err
	}
	return rev, tx.Emit(event.Change{Kind: event.Agent, ID: r.Agent.ID})
}

// replace stores r over the row of revision rev and keeps that row as history,
// without its source: what a file held is the file's history.
func (t tables) replace(tx *storage.Tx, rev uint64, old, r row) (uint64, error) {
	old.Agent.Source, old.InFile = nil, nil
	if _, err := t.history.Append(tx, r.Agent.ID, version{Revision: rev, Replaced: r.Updated, Row: old}); err != nil {
		return 0, err
	}
	if err := t.trim(tx, r.Agent.ID); err != nil {
		return 0, err
	}
	next, err := t.agents.Put(tx, r.Agent.ID, rev, r)
	if err != nil {
		return 0, err
	}
	return next, tx.Emit(event.Change{Kind: event.Agent, ID: r.Agent.ID})
}

func (t tables) trim(tx *storage.Tx, id string) error {
	first, next, err := t.history.Bounds(tx, id)
	if err != nil || next-first < keepVersions+cutVersions {
		return err
	}
	return t.history.Trim(tx, id, keepVersions)
}

// get is one agent, ErrNotFound when there is none.
func (t tables) get(tx *storage.Tx, id string) (row, uint64, error) {
	r, rev, err := t.agents.Get(tx, id)
	if errors.Is(err, storage.ErrNoRow) {
		return row{}, 0, ErrNotFound
	}
	return r, rev, err
}
