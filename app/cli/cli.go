// Package cli is the command line. Commands write their answer to standard
// output and one plain sentence to standard error when they refuse; nothing
// ever prompts. Exit codes are stated beside their constants.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/roster"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

// Exit codes.
const (
	OK        = 0
	Failed    = 1 // refused, or check found problems
	Usage     = 2 // the command line is wrong, or a file could not be read
	NoDisplay = 3 // there is no screen for the window
)

var errOutput = fault.New(fault.Unavailable, "output_failed", "the answer could not be written").
	Then("Free some space, then try again.")

var errUsage = fault.New(fault.Invalid, "usage", "this command line is not understood").
	Then("See callboard --help.")

// Passphrase is a passphrase on its way; it prints as redacted.
type Passphrase = secret.Bytes

// Services is what commands work with. Close is called once, after the
// command.
type Services struct {
	Vault  *vault.Service
	Roster *roster.Service
	Close  func(context.Context) error
}

// Program is what the command line stands on; main fills it.
type Program struct {
	Version string
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Now     func() time.Time
	Open    func(context.Context, home.Home) (Services, error)
	Window  func(context.Context, home.Home, Passphrase) error
}

// grammar is the whole command line.
type grammar struct {
	Home string `help:"Callboard's folder. Default: CALLBOARD_HOME, else the platform's data folder." placeholder:"DIR" type:"path"`

	Window  windowCmd  `cmd:"" default:"withargs" help:"Open the window (the default)."`
	Init    initCmd    `cmd:"" help:"Make a home without a window."`
	Verify  verifyCmd  `cmd:"" help:"Open the home and read every row."`
	Serve   serveCmd   `cmd:"" help:"Keep the home open without a window, until it is stopped or a window takes over."`
	Backup  backupCmd  `cmd:"" help:"Copy the home into a folder, under a passphrase of its own."`
	Restore restoreCmd `cmd:"" help:"Put a backup in the place of the home, which is kept beside it."`
	Check   checkCmd   `cmd:"" help:"Check agent files. Exit code 0: clean, 1: problems, 2: a file could not be read."`
	Convert convertCmd `cmd:"" help:"Write an agent in another tool's format. Exit code 0: written, 1: refused, 2: the file could not be read."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// run is what every command gets.
type run struct {
	ctx  context.Context //nolint:containedctx // lives for one command
	p    Program
	home home.Home
}

// exit ends a command with a code and nothing more to say.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// Run parses and runs one command line and returns the exit code.
func Run(ctx context.Context, p Program) int {
	var g grammar
	code := -1
	out := &output{Writer: p.Stdout}
	p.Stdout = out
	parser, err := kong.New(&g,
		kong.Name("callboard"),
		kong.Description("Edit the AI agents you work with. Nothing leaves this machine."),
		kong.Writers(p.Stdout, p.Stderr),
		kong.Exit(func(c int) { code = c }),
		kong.UsageOnError(),
	)
	if err != nil {
		return p.fail(err)
	}
	parsed, err := parser.Parse(p.Args)
	if code >= 0 {
		return code // --help has printed
	}
	if err != nil {
		p.refuse(usage(err))
		return Usage
	}
	h, err := home.Locate(g.Home, p.Getenv)
	if err != nil {
		return p.fail(err)
	}
	err = parsed.Run(&run{ctx: ctx, p: p, home: h})
	switch {
	case err != nil && ctx.Err() != nil:
		say(p.Stderr, "callboard: stopped.")
		return Failed
	case out.err != nil:
		p.refuse(fmt.Errorf("%w: %w", errOutput, out.err))
		return Failed
	}
	return p.fail(err)
}

// output remembers that something could not be written. A reader that went away
// is no such thing.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if err != nil && o.err == nil && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, io.ErrClosedPipe) {
		o.err = err
	}
	return n, err
}

func (p Program) fail(err error) int {
	var code exit
	switch {
	case err == nil:
		return OK
	case errors.As(err, &code):
		return int(code)
	}
	p.refuse(err)
	if fault.RuleOf(err) == "no_display" {
		return NoDisplay
	}
	return Failed
}

// refuse says why not, on one line whatever the error holds.
func (p Program) refuse(err error) {
	say(p.Stderr, "callboard: "+strings.ReplaceAll(fault.Sentence(err), "\n", "; "))
}

// usage is a parser's complaint in words for a person.
func usage(err error) error {
	return fmt.Errorf("%w: %s", errUsage, strings.ReplaceAll(err.Error(), `expected string value but got "EOL" (<EOL>)`, "its value is missing"))
}

// say writes one line. A reader that went away is no reason to fail.
func say(w io.Writer, line string) { _, _ = io.WriteString(w, line+"\n") }

// open composes the services for a command and closes them after it.
func (r *run) open(work func(Services) error) error {
	s, err := r.p.Open(r.ctx, r.home)
	if err != nil {
		return err
	}
	return errors.Join(work(s), s.Close(r.ctx))
}
