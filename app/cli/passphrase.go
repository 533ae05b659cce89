package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"callboard/app/fault"
	"callboard/crypto/secret"
)

// maxPassphrase bounds a passphrase file, in bytes.
const maxPassphrase = 4096

var (
	errNoPassphrase = fault.New(fault.Invalid, "passphrase_needed", "a passphrase is needed").
			Then("Give it with --passphrase-file FILE, or - to read standard input.")
	errPassphraseFile = fault.New(fault.Invalid, "passphrase_file", "the passphrase file cannot be read").
				Then("Check that it exists, that you may read it and that it is a text file.")
)

// passphraseFlag is shared by every command that opens the store. The
// passphrase never stands on the command line, where others could read it.
type passphraseFlag struct {
	PassphraseFile string `help:"File whose first line is the passphrase; - reads standard input." placeholder:"FILE"`
}

// read is the first line of the file, empty when the flag was not given.
func (f passphraseFlag) read(stdin io.Reader) (secret.Bytes, error) {
	if f.PassphraseFile == "" {
		return secret.Bytes{}, nil
	}
	in := stdin
	if f.PassphraseFile != "-" {
		file, err := os.Open(f.PassphraseFile)
		if err != nil {
			return secret.Bytes{}, unread(err)
		}
		defer file.Close() //nolint:errcheck // read only
		in = file
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPassphrase+1))
	if err != nil {
		return secret.Bytes{}, unread(err)
	}
	if len(data) > maxPassphrase {
		return secret.Bytes{}, fmt.Errorf("%w: it is longer than %d bytes", errPassphraseFile, maxPassphrase)
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return secret.New(bytes.TrimSuffix(line, []byte("\r"))), nil
}

// unread keeps the name the person gave out of the words: it may be the
// passphrase itself, typed in the wrong place.
func unread(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return fmt.Errorf("%w: %w", errPassphraseFile, err)
}
