package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/pflag"

	"comus/comus"
)

// profileFlags are the files to write profiles to, for go tool pprof.
type profileFlags struct{ cpu, memory fileFlag }

// define defines the flags.
func (p *profileFlags) define(f *pflag.FlagSet) {
	f.Var(&p.cpu, "cpuprofile", "write a profile of the time to this `file`, for go tool pprof")
	f.Var(&p.memory, "memprofile", "write a profile of Go's memory to this `file`, for go tool pprof")
}

// outputs returns the files as what is to be written.
func (p *profileFlags) outputs() []output {
	return []output{{flag: "--cpuprofile", file: string(p.cpu), kind: aProfile}, {flag: "--memprofile", file: string(p.memory), kind: aProfile}}
}

// profiled is supervise with the profiles that were asked for.
func (c *command) profiled(work func(ctx context.Context) (*comus.Result, error)) (res *comus.Result, err error) {
	end, err := c.profile.start()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	return c.supervise(work)
}

// start begins what was asked for. Its end completes the files, whatever the
// verdict and also after a limit or a signal. The time inside libz3 is shown at the
// Go function that calls it.
func (p *profileFlags) start() (end func() error, err error) {
	var cpu, memory *os.File
	var cpuOut, memoryOut notingWriter
	if p.cpu != "" {
		if cpu, err = os.Create(string(p.cpu)); err != nil {
			return nil, fmt.Errorf("comus: --cpuprofile: %w", fileError(string(p.cpu), err))
		}
	}
	if p.memory != "" { // made now, so that a wrong name is known at once
		if memory, err = os.Create(string(p.memory)); err != nil {
			return nil, errors.Join(fmt.Errorf("comus: --memprofile: %w", fileError(string(p.memory), err)), closeFile(cpu))
		}
	}
	cpuOut.to, memoryOut.to = cpu, memory
	if cpu != nil {
		if err := pprof.StartCPUProfile(&cpuOut); err != nil {
			return nil, errors.Join(fmt.Errorf("comus: --cpuprofile: %w", err), closeFile(cpu), closeFile(memory))
		}
	}
	return func() error {
		var errs []error
		if cpu != nil {
			pprof.StopCPUProfile()
			errs = append(errs, cpuOut.err, closeFile(cpu))
		}
		if memory != nil {
			runtime.GC() // for numbers of what is in use now
			errs = append(errs, pprof.Lookup("allocs").WriteTo(&memoryOut, 0), memoryOut.err, closeFile(memory))
		}
		if err := errors.Join(errs...); err != nil {
			return fmt.Errorf("comus: writing a profile: %w", err)
		}
		return nil
	}, nil
}

// notingWriter keeps the first error, which package pprof does not tell.
type notingWriter struct {
	to  io.Writer
	err error
}

// Write writes, unless that has failed before.
func (w *notingWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.to.Write(p)
	w.err = err
	return n, err
}

// closeFile closes a file; nil is none.
func closeFile(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}
