package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/mattn/go-isatty"
)

// console is the only way to standard output and standard error, so that the
// progress line, reports and a verification that does not stop in time do not
// get into each other's way.
type console struct {
	mu       sync.Mutex
	out, err io.Writer
	terminal bool // standard error is one
	line     int  // length of the progress line on the terminal; 0: none
	closed   bool // the verification is over: what it still says is dropped
	failed   error
}

func newConsole(out, err io.Writer) *console {
	f, ok := err.(*os.File)
	return &console{out: out, err: err, terminal: ok && isatty.IsTerminal(f.Fd())}
}

// Write writes to standard output.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	n, err := c.out.Write(p)
	if err != nil && c.failed == nil {
		c.failed = err
	}
	return n, err
}

// writeError returns the first failure to write to standard output.
func (c *console) writeError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// errorf writes a line to standard error.
func (c *console) errorf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.err, format+"\n", args...)
}

// during returns a writer for use while a verification is running: to standard
// output, or to standard error.
func (c *console) during(toErr bool) io.Writer { return &duringWriter{c, toErr} }

type duringWriter struct {
	c     *console
	toErr bool
}

// Write drops what comes after the verification's end.
func (d *duringWriter) Write(p []byte) (int, error) {
	d.c.mu.Lock()
	defer d.c.mu.Unlock()
	if d.c.closed {
		return len(p), nil
	}
	d.c.clear()
	if d.toErr {
		return d.c.err.Write(p)
	}
	return d.c.out.Write(p)
}

// progress shows a line on the terminal instead of the one before.
func (c *console) progress(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || !c.terminal {
		return
	}
	pad := max(0, c.line-len(text))
	fmt.Fprintf(c.err, "\r%s%s", text, strings.Repeat(" ", pad))
	c.line = max(len(text), 1)
}

// clear removes the progress line. The caller holds mu.
func (c *console) clear() {
	if c.line > 0 {
		fmt.Fprintf(c.err, "\r%s\r", strings.Repeat(" ", c.line))
		c.line = 0
	}
}

// close ends the verification's output.
func (c *console) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.closed = true
}
