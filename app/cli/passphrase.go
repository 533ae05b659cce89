package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"callboard/app/fault"
	"callboard/crypto/secret"
)

// maxPassphrase bounds a passphrase file, in bytes.
const maxPassphrase = 4096

var (
	errNoPassphrase = fault.New(fault.Invalid, "passphrase_needed", "this home has a passphrase").
			Then("Give it with --passphrase-file FILE, or - to read standard input.")
	errPassphraseFile = fault.New(fault.Invalid, "passphrase_file", "the passphrase file cannot be read")
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
			return secret.Bytes{}, fmt.Errorf("%w: %w", errPassphraseFile, err)
		}
		defer file.Close() //nolint:errcheck // read only
		in = file
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPassphrase+1))
	if err != nil {
		return secret.Bytes{}, fmt.Errorf("%w: %w", errPassphraseFile, err)
	}
	if len(data) > maxPassphrase {
		return secret.Bytes{}, fmt.Errorf("%w: it is longer than %d bytes", errPassphraseFile, maxPassphrase)
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return secret.New(bytes.TrimSuffix(line, []byte("\r"))), nil
}
