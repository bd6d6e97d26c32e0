// Package csource makes programs in ir of C for tests and tools: the whole way through the
// front end, without the host's compiler.
package csource

import (
	"context"
	"os"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/ir"
	"comus/scan/pointsto"
	"comus/specialise"
)

// Options say which question is asked of a program.
type Options = specialise.Options

// Program returns the program of a source, with the locations numbered.
func Program(tb testing.TB, name, src string, opts Options) *ir.Program {
	tb.Helper()
	r, err := Parse(name, []byte(src), opts)
	if err != nil {
		tb.Fatal(err)
	}
	r.Program.Renumber()
	return r.Program
}

// Parse reads a source of one unit.
func Parse(name string, src []byte, opts Options) (*specialise.Result, error) {
	return ParseAs(name, src, command.Flags{}, opts)
}

// ParseAs is [Parse] with flags of the compiler.
func ParseAs(name string, src []byte, flags command.Flags, opts Options) (*specialise.Result, error) {
	p, err := cfront.LoadText(context.Background(), command.Invocation{File: name, Flags: flags}, src, cfront.Options{NoHost: true})
	if err != nil {
		return nil, err
	}
	pts, err := pointsto.Analyse(context.Background(), p.Program)
	if err != nil {
		return nil, err
	}
	return specialise.Specialise(context.Background(), p.Program, pts, opts)
}

// ParseFile reads a file.
func ParseFile(file string, opts Options) (*specialise.Result, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, src, opts)
}
