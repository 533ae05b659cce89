package storage

import (
	"iter"

	"callboard/app/event"
)

// The event rows: one log with one stream, whose head travels in the root.
const (
	eventLogName  = "_events" // no other log may begin with an underscore
	eventStreamID = "all"
	eventStream   = logPrefix + eventLogName + nul + eventStreamID

	// KeepEvents is how many event rows can be read back.
	KeepEvents = 10_000
	trimEvery  = 256
)

var eventLog = Log[event.Change]{name: eventLogName}

// Emit writes change as an event row of this Update and announces it on the
// feed once the commit is on the disk. Names and ids only.
func (tx *Tx) Emit(change event.Change) error {
	seq, err := eventLog.Append(tx, eventStreamID, change)
	if err != nil {
		return err
	}
	tx.changes = append(tx.changes, change)
	if seq%trimEvery == 0 {
		return eventLog.Trim(tx, eventStreamID, KeepEvents)
	}
	return nil
}

// EventBounds are the number of the oldest event that can be read and the one
// after the newest. A reader that has seen less than first-1 has a gap.
func (tx *Tx) EventBounds() (first, next uint64, err error) {
	first, next, err = eventLog.Bounds(tx, eventStreamID)
	if next > KeepEvents {
		first = max(first, next-KeepEvents)
	}
	return first, next, err
}

// Events is at most limit events with numbers above after, oldest first; as
// Log.Read.
func (tx *Tx) Events(after uint64, limit int) iter.Seq2[Entry[event.Change], error] {
	first, _, err := tx.EventBounds()
	if err != nil {
		return func(yield func(Entry[event.Change], error) bool) { yield(Entry[event.Change]{}, err) }
	}
	if first > 0 {
		after = max(after, first-1)
	}
	return eventLog.Read(tx, eventStreamID, after, limit)
}
