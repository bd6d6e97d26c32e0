// Command comus verifies a multi-threaded C program: it decides whether an
// assertion can fail, in any interleaving and for any input, or whether another
// property holds.
//
//	comus [flags] prog.c ...
//	comus scan FOLDER
//	comus check prog.c CERTIFICATE
//	comus replay prog.c ... --witness FILE -o DIR
//	comus explore [flags] prog.c
//	comus translate [flags] prog.c
//	comus bool [flags] prog.bp
//	comus gen [KIND] [flags]
//	comus bench SUITE [flags]
//	comus version
//
// The last line of standard output is exactly SAFE, UNSAFE, or UNKNOWN: reason.
// The exit code is 0, 10 or 20 in that order, 2 if the program cannot be read or
// the command line is wrong, and 70 after a failure inside comus; 1 from bench
// after a wrong verdict. Scan has no verdict: its codes are 0 if it found nothing, 10 for suspects, and 20 if it did not
// come to its end.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"comus/cfront"
	"comus/comus"
	"comus/seqmc"
)

// The exit codes.
const (
	exitSafe     = 0
	exitUnsafe   = 10
	exitUnknown  = 20
	exitUsage    = 2
	exitInternal = 70
)

// garbageAllowed is how much garbage there may be before it is collected, in percent of what is in use. Most programs are decided before there is much of either: with Go's
// own 100, a sixth of the time for a small one goes to the collector. The limit of --memory counts all the same.
const garbageAllowed = 200

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbageAllowed)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit code.
func run(args []string, stdout, stderr io.Writer) (code int) {
	con := newConsole(stdout, stderr)
	defer func() {
		if r := recover(); r != nil {
			code = con.internal(fmt.Sprint(r))
		}
	}()
	cmd := &command{con: con}
	root := cmd.root()
	root.SetArgs(cmd.split(root, args))
	root.SetOut(con)
	root.SetErr(stderr)
	err := root.Execute()
	var crash *crashError
	var broken *cfront.InternalError
	switch {
	case errors.As(err, &crash):
		return con.internal(crash.what)
	case errors.As(err, &broken):
		return con.internal(broken.File + ": " + broken.Msg)
	case err != nil:
		return con.fail(err)
	case con.writeError() != nil:
		return con.fail(fmt.Errorf("writing the result: %w", con.writeError()))
	}
	return cmd.code
}

// crashError is a panic inside a verification.
type crashError struct{ what string }

// Error returns what the panic said.
func (e *crashError) Error() string { return e.what }

// internal reports a failure inside comus.
func (c *console) internal(what string) int {
	c.errorf("comus: internal error: %s (this is a bug: please report it, with the program)", oneLine(what))
	return exitInternal
}

// maxErrors bounds how many errors of a program are told.
const maxErrors = 20

// fail reports an error of the user's input.
func (c *console) fail(err error) int {
	var input *cfront.Error
	if !errors.As(err, &input) {
		c.errorf("%s", oneLine(err.Error()))
		return exitUsage
	}
	lines := strings.Split(input.Error(), "\n")
	for _, line := range lines[:min(len(lines), maxErrors)] {
		c.errorf("%s", oneLine(line))
	}
	if n := len(lines) - maxErrors; n > 0 {
		c.errorf("%s", count(n, "more error"))
	}
	return exitUsage
}

// oneLine keeps a message on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// exitCode returns a verdict's exit code.
func exitCode(v seqmc.Verdict) int {
	switch v {
	case seqmc.Safe:
		return exitSafe
	case seqmc.Unsafe:
		return exitUnsafe
	}
	return exitUnknown
}

// resultCode returns the exit code of a result: a failure of comus's own is told apart, if there is no verdict.
func resultCode(res *comus.Result) int {
	if res.Verdict == seqmc.Unknown && (res.Internal != nil || slices.ContainsFunc(res.Properties, func(p comus.PropertyResult) bool { return p.Result != nil && p.Result.Internal != nil })) {
		return exitInternal
	}
	return exitCode(res.Verdict)
}

// verdictLine returns the last line of standard output.
func verdictLine(v seqmc.Verdict, reason string) string {
	if v != seqmc.Unknown {
		return v.String()
	}
	if reason == "" {
		reason = "no reason given"
	}
	return "UNKNOWN: " + oneLine(reason)
}
