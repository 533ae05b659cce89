package storage

import (
	"encoding/binary"
	"hash/fnv"
	"strconv"
	"strings"
)

// Keys of the store hold names and ids only, nothing private:
//
//	t/<table> NUL <id>                     a row of a table
//	l/<log> NUL <stream> NUL <seq, 8 bytes> a row of a log
//	i/ NUL page <n>   r/ NUL root           the index
//	c/ NUL canary   m/ NUL <name>          the canary; plain meta values
//
// Everything before the first NUL is the table a row is sealed for, the rest
// is the key within it.
const (
	nul         = "\x00"
	tablePrefix = "t/"
	logPrefix   = "l/"
	metaPrefix  = "m/" + nul
	pagePrefix  = "i/" + nul + "page "
	filesKey    = "i/" + nul + "files" // never stored: stands for damage of the files
	rootKey     = "r/" + nul + "root"
	canaryKey   = "c/" + nul + "canary"
	keyIDKey    = metaPrefix + "key id" // no name of ours has a blank
	maxID       = 128
	seqLen      = 8
)

func rowKey(table, id string) string      { return tablePrefix + table + nul + id }
func streamKey(log, stream string) string { return logPrefix + log + nul + stream }
func pageKey(n int) string                { return pagePrefix + strconv.Itoa(n) }

// logRowKey is the key of row seq of the stream with key stream.
func logRowKey(stream string, seq uint64) string {
	b := make([]byte, 0, len(stream)+1+seqLen)
	b = append(b, stream...)
	b = append(b, 0)
	return string(binary.BigEndian.AppendUint64(b, seq))
}

// splitLogKey takes apart what logRowKey made.
func splitLogKey(key string) (stream string, seq uint64, ok bool) {
	cut := len(key) - seqLen - 1
	if cut <= len(logPrefix) || !strings.HasPrefix(key, logPrefix) || key[cut] != 0 || strings.Count(key[:cut], nul) != 1 {
		return "", 0, false
	}
	return key[:cut], binary.BigEndian.Uint64([]byte(key[cut+1:])), true
}

// place is what the row at key is sealed for.
func place(key string) (table, rest string) {
	table, rest, _ = strings.Cut(key, nul)
	return table, rest
}

// names is what a person is told about the row at key: table and id.
func names(key string) (table, id string) {
	table, id = place(key)
	switch {
	case strings.HasPrefix(table, tablePrefix):
		return table[len(tablePrefix):], id
	case strings.HasPrefix(table, logPrefix):
		if stream, seq, ok := splitLogKey(key); ok {
			_, id = place(stream)
			id += "/" + strconv.FormatUint(seq, 10)
		}
		return table[len(logPrefix):], id
	}
	return "index", id
}

// pageOf is the index page of the row or stream at key. A row and the streams
// that carry its id share a page, so a save that touches both seals one.
func pageOf(key string) int {
	if key == eventStream {
		return inlinePage
	}
	_, id := place(key)
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return int(h.Sum32() % pageCount)
}

func checkID(id string) error {
	if id == "" || len(id) > maxID {
		return ErrBadID
	}
	for i := range len(id) {
		if id[i] < ' ' || id[i] > '~' {
			return ErrBadID
		}
	}
	return nil
}

// checkName panics on a table name that is not a-z, 0-9 and underscores: names
// are constants of the program.
func checkName(name string) string {
	if name == "" || len(name) > 32 || name[0] < 'a' || name[0] > 'z' {
		panic("storage: bad table name " + strconv.Quote(name))
	}
	for _, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			panic("storage: bad table name " + strconv.Quote(name))
		}
	}
	return name
}
