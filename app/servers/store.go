package servers

import (
	"errors"
	"strings"
	"time"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/storage"
)

// The rules of keeping servers.
var (
	ErrNotFound = fault.New(fault.NotFound, "server_not_found", "this tool server is not there any more")
	ErrConflict = fault.New(fault.Conflict, "server_conflict", "not saved: the tool server was changed elsewhere since you opened it").
			Then("Copy what you want to keep, discard, and edit the newer version.")
	ErrName = fault.New(fault.Conflict, "server_name_taken", "not saved: another tool server has this name").
		Then("Choose another name.")
)

// row is one stored server.
type row struct {
	Server  Server    `json:"server"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}

// values are one server's secrets by name. Their row is apart so that nothing
// that reads a server has them in its hands.
type values struct {
	Env     map[string][]byte `json:"env,omitempty"`
	Headers map[string][]byte `json:"headers,omitempty"`
}

// agreed is the plan a person consented to.
type agreed struct {
	Digest string    `json:"digest"`
	At     time.Time `json:"at"`
}

// tables are the servers' rows, each under the server's id.
type tables struct {
	servers  storage.Table[row]
	values   storage.Table[values]
	consents storage.Table[agreed]
	known    storage.Table[Known]
}

func newTables() tables {
	return tables{
		servers:  storage.NewTable[row]("servers"),
		values:   storage.NewTable[values]("server_values"),
		consents: storage.NewTable[agreed]("server_consents"),
		known:    storage.NewTable[Known]("server_tools"),
	}
}

// optional is a row that need not be there: its zero value and revision 0 then.
func optional[T any](tx *storage.Tx, t storage.Table[T], id string) (v T, rev uint64, err error) {
	v, rev, err = t.Get(tx, id)
	if errors.Is(err, storage.ErrNoRow) {
		err = nil
	}
	return v, rev, err
}

// put stores v over whatever the row holds, readable or not.
func put[T any](tx *storage.Tx, t storage.Table[T], id string, v T) (uint64, error) {
	_, rev, err := optional(tx, t, id)
	if rev, err = replaceable(rev, err); err != nil {
		return 0, err
	}
	return t.Put(tx, id, rev, v)
}

// drop removes a row if it is there.
func drop[T any](tx *storage.Tx, t storage.Table[T], id string) error {
	_, rev, err := optional(tx, t, id)
	if rev, err = replaceable(rev, err); err != nil || rev == 0 {
		return err
	}
	return t.Delete(tx, id, rev)
}

// replaceable is the revision under which a damaged row can be replaced.
func replaceable(rev uint64, err error) (uint64, error) {
	if bad, ok := errors.AsType[*storage.RowError](err); ok {
		return bad.Rev, nil
	}
	return rev, err
}

// get is one server, ErrNotFound when there is none.
func (t tables) get(tx *storage.Tx, id string) (row, uint64, error) {
	r, rev, err := t.servers.Get(tx, id)
	if errors.Is(err, storage.ErrNoRow) || errors.Is(err, storage.ErrBadID) {
		return row{}, 0, ErrNotFound
	}
	return r, rev, err
}

// save stores r as the next state of revision rev, a new row when that is 0.
func (t tables) save(tx *storage.Tx, rev uint64, r row) error {
	for other, err := range t.servers.All(tx) {
		if err != nil {
			if _, bad := errors.AsType[*storage.RowError](err); bad {
				continue
			}
			return err
		}
		if other.ID != r.Server.ID && strings.EqualFold(other.V.Server.Name, r.Server.Name) {
			return ErrName
		}
	}
	if _, err := t.servers.Put(tx, r.Server.ID, rev, r); err != nil {
		return err
	}
	return changed(tx, r.Server.ID)
}

// changed tells the feed that something about a server is new.
func changed(tx *storage.Tx, id string) error {
	return tx.Emit(event.Change{Kind: event.Server, ID: id})
}
