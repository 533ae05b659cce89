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
	a.ID, a.Enabled, a.Source, a.Roster = "", false, nil, agent.Reach{}
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

// agentsTable is the name that the store's damage report has for agents.
const agentsTable = "agents"

// tables are the roster's rows and the intentions on them. Every agent has one
// summary, written with it.
type tables struct {
	agents    storage.Table[row]
	summaries storage.Table[summary]
	drafts    storage.Table[draft]
	deleted   storage.Table[deleted]
	history   storage.Log[version]
}

func newTables() tables {
	return tables{
		agents:    storage.NewTable[row](agentsTable),
		summaries: storage.NewTable[summary]("agent_summaries"),
		drafts:    storage.NewTable[draft]("agent_drafts"),
		deleted:   storage.NewTable[deleted]("agents_deleted"),
		history:   storage.NewLog[version]("agent_history"),
	}
}

// put stores r over the agent of revision rev, 0 for a new one.
func (t tables) put(tx *storage.Tx, rev uint64, r row) (uint64, error) {
	next, err := t.agents.Put(tx, r.Agent.ID, rev, r)
	if err != nil {
		return 0, err
	}
	if _, err := t.summaries.Set(tx, r.Agent.ID, summarise(r)); err != nil {
		return 0, err
	}
	return next, tx.Emit(event.Change{Kind: event.Agent, ID: r.Agent.ID})
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
	return t.put(tx, rev, r)
}

func (t tables) trim(tx *storage.Tx, id string) error {
	first, next, err := t.history.Bounds(tx, id)
	if err != nil || next-first < keepVersions+cutVersions {
		return err
	}
	return t.history.Trim(tx, id, keepVersions)
}

// take takes an agent out of the roster; its history and draft stay.
func (t tables) take(tx *storage.Tx, id string, rev uint64) error {
	if err := t.agents.Delete(tx, id, rev); err != nil {
		return err
	}
	if err := t.summaries.Drop(tx, id); err != nil {
		return err
	}
	return tx.Emit(event.Change{Kind: event.Agent, ID: id})
}

// forget drops what an agent that is no longer in the roster left behind.
func (t tables) forget(tx *storage.Tx, id string) error {
	return errors.Join(t.history.Trim(tx, id, 0), t.drafts.Drop(tx, id))
}

// get is one agent, ErrNotFound when there is none.
func (t tables) get(tx *storage.Tx, id string) (row, uint64, error) {
	r, rev, err := t.agents.Get(tx, id)
	if errors.Is(err, storage.ErrNoRow) {
		return row{}, 0, ErrNotFound
	}
	return r, rev, err
}
