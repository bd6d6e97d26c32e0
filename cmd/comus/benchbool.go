package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"comus/bench"
	"comus/internal/whole"
)

// benchBool measures comus bool, and writes what comes out: bool.csv and two plots.
func (c *command) benchBool(b benchFlags) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("comus: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	messages := io.Discard
	if !c.quiet {
		messages = c.con.during(true)
	}
	runs, err := bench.RunBool(ctx, bench.BoolOptions{Comus: bench.Program{Path: exe, Name: os.Args[0]}, Dir: b.dir,
		Timeout: c.timeout.d, Memory: c.memory.bytes, Repeat: b.repeat,
		Message: func(format string, args ...any) { fmt.Fprintf(messages, format+"\n", args...) }})
	if ctx.Err() != nil {
		c.con.errorf("interrupted: no tables are written")
		c.code = exitUnknown
		return nil
	}
	if err != nil {
		return fmt.Errorf("comus: %w", err)
	}
	for _, o := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"bool.csv", func(w io.Writer) error { return bench.BoolCSV(w, runs) }},
		{"bool-threads.svg", func(w io.Writer) error { return bench.BoolPlot(w, runs, true) }},
		{"bool-contexts.svg", func(w io.Writer) error { return bench.BoolPlot(w, runs, false) }},
	} {
		var text bytes.Buffer
		if err := o.write(&text); err != nil {
			return fmt.Errorf("comus: %w", err)
		}
		if err := whole.WriteFile(filepath.Join(b.dir, o.name), text.Bytes()); err != nil {
			return fmt.Errorf("comus: %w", err)
		}
	}
	if !c.quiet {
		bench.BoolMarkdown(c.con, runs)
	}
	return nil
}
