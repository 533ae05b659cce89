package storage

import (
	"errors"

	"callboard/app/fault"
	"callboard/crypto"
)

// The rules of this package. Damage of a single row comes as a *RowError that
// wraps one of crypto.ErrRowMoved, crypto.ErrRowCorrupt, ErrRowMissing,
// ErrRowUnknown and ErrRowFormat.
var (
	// ErrLocked is the answer of a store that is not open.
	ErrLocked = crypto.ErrLocked

	ErrHeld = fault.New(fault.Unavailable, "store_held", "Callboard's home is open in another program").
		Then("Close it there, then try again.")
	ErrOpen     = fault.New(fault.Conflict, "store_open", "the store is already open")
	ErrWrongKey = fault.New(fault.Unavailable, "wrong_key", "this key does not belong to the stored data").
			Then("Use the key of this home, or restore a backup.")
	ErrDamaged = fault.New(fault.Unavailable, "store_damaged", "the store's files are damaged").
			Then("Restore a backup.")
	ErrDiskFull = fault.New(fault.Unavailable, "disk_full", "not saved: the disk is nearly full").
			Then("Free some space, then save again.")
	ErrCommitUnknown = fault.New(fault.Unavailable, "commit_unknown",
		"the disk did not confirm the save; whether it was kept is unknown").
		Then("Restart Callboard, then look before you save again.")
	ErrReadOnly = fault.New(fault.Unavailable, "store_read_only", "not saved: the disk did not confirm an earlier save").
			Then("Restart Callboard.")

	ErrNoRow      = fault.New(fault.NotFound, "not_found", "there is no such entry")
	ErrConflict   = fault.New(fault.Conflict, "revision_conflict", "the entry was changed in the meantime")
	ErrBadID      = fault.New(fault.Invalid, "id_invalid", "an id has 1 to 128 printable ASCII characters")
	ErrRowMissing = fault.New(fault.Unavailable, "row_missing", "a stored row has vanished")
	ErrRowUnknown = fault.New(fault.Unavailable, "row_unknown", "a row was put into the store behind Callboard's back")
	ErrRowFormat  = fault.New(fault.Unavailable, "row_format", "a stored row has a form this version does not read")
)

var (
	errEnded  = errors.New("storage: the transaction has ended")
	errInView = errors.New("storage: a view cannot write")

	errDiscarded = errors.New("storage: the row was discarded")
)

// RowError says which row is damaged; errors.Is finds the rule. A damaged row
// can be replaced or deleted with Rev, the revision the index knows.
type RowError struct {
	Table, ID string
	Rev       uint64
	Err       error
}

// Error names the table and the id, which are not private.
func (e *RowError) Error() string { return e.Err.Error() + " (" + e.Table + " " + e.ID + ")" }

// Unwrap is the rule.
func (e *RowError) Unwrap() error { return e.Err }
