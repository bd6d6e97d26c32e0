package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"comus/comus"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"4GB": 4e9, "4GiB": 4 << 30, "4G": 4 << 30, "1.5k": 1536, "512MiB": 512 << 20, "100": 100, "7B": 7} {
		var f sizeFlag
		if err := f.Set(text); err != nil || f.bytes != want {
			t.Errorf("%s: %d, %v, want %d", text, f.bytes, err, want)
		}
	}
	for _, text := range []string{"", "GB", "-1GB", "4XB", "4GGB", "0", "nan", "1e30", "4I", "4IB"} {
		var f sizeFlag
		if err := f.Set(text); err == nil {
			t.Errorf("%q is accepted as %d", text, f.bytes)
		}
	}
}

func TestTimeoutFlag(t *testing.T) {
	for text, want := range map[string]time.Duration{"60s": time.Minute, "90": 90 * time.Second, "0.5": time.Second / 2, "2m": 2 * time.Minute, "0": 0} {
		var f timeoutFlag
		if err := f.Set(text); err != nil || f.d != want {
			t.Errorf("%s: %v, %v, want %v", text, f.d, err, want)
		}
	}
	for _, text := range []string{"", "-1", "soon", "nan"} {
		var f timeoutFlag
		if err := f.Set(text); err == nil {
			t.Errorf("%q is accepted as %v", text, f.d)
		}
	}
}

// TestWatchdog runs work that ignores its context: the verdict comes anyway.
func TestWatchdog(t *testing.T) {
	var out, errs bytes.Buffer
	c := &command{con: newConsole(&out, &errs), timeout: timeoutFlag{50 * time.Millisecond, "50ms"}, annotated: annotations{format: choice("text")}}
	block := make(chan struct{})
	defer close(block)
	start := time.Now()
	res, err := c.supervise(func(context.Context) (*comus.Result, error) {
		<-block
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
	if err := c.finish(&report{file: "x.c", res: res}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(out.String(), "\nUNKNOWN: timeout after 50ms\n") || c.code != exitUnknown {
		t.Errorf("exit code %d, output %q", c.code, out.String())
	}
}

// TestWithin runs work without a verdict that ignores its context, and some that does not.
func TestWithin(t *testing.T) {
	var out, errs bytes.Buffer
	c := &command{con: newConsole(&out, &errs), timeout: timeoutFlag{50 * time.Millisecond, "50ms"}, annotated: annotations{format: choice("text")}}
	block := make(chan struct{})
	defer close(block)
	for _, work := range []func(context.Context) error{
		func(context.Context) error { <-block; return nil },
		func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	} {
		errs.Reset()
		c.code = 0
		if done, err := c.within(work); done || err != nil || c.code != exitUnknown || errs.String() != "comus: timeout after 50ms: nothing is written\n" {
			t.Errorf("done %v, error %v, exit code %d, message %q", done, err, c.code, errs.String())
		}
	}
	failed := errors.New("failed")
	if done, err := c.within(func(context.Context) error { return failed }); done || err != failed {
		t.Errorf("done %v, error %v", done, err)
	}
}

// TestCrash runs work that panics.
func TestCrash(t *testing.T) {
	c := &command{con: newConsole(new(bytes.Buffer), new(bytes.Buffer))}
	_, err := c.supervise(func(context.Context) (*comus.Result, error) { panic("broken") })
	if crash, ok := err.(*crashError); !ok || crash.what != "broken" {
		t.Errorf("error %v", err)
	}
	var errs bytes.Buffer
	if code := newConsole(new(bytes.Buffer), &errs).internal("a\nb"); code != exitInternal || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("exit code %d, message %q", code, errs.String())
	}
}

// TestMemory runs work that needs more memory than it may have.
func TestMemory(t *testing.T) {
	c := &command{con: newConsole(new(bytes.Buffer), new(bytes.Buffer)), memory: sizeFlag{1, "1B"}}
	if resident() == 0 {
		t.Skip("the system does not tell the size of a process")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	c.watchMemory(ctx, cancel)
	if got := context.Cause(ctx); got == nil || got.Error() != "more than 1B of memory needed" {
		t.Errorf("cause %v", got)
	}
}

// TestProgress writes to a terminal that is none.
func TestProgress(t *testing.T) {
	var out, errs bytes.Buffer
	con := newConsole(&out, &errs)
	con.terminal = true
	con.progress("working hard")
	con.progress("done")
	con.close()
	con.progress("late")
	if _, err := con.Write([]byte("SAFE\n")); err != nil {
		t.Fatal(err)
	}
	if got := screen(errs.String()); got != "" {
		t.Errorf("left on the terminal: %q", got)
	}
	if out.String() != "SAFE\n" {
		t.Errorf("output %q", out.String())
	}
}

// screen returns what a terminal shows of a line with carriage returns.
func screen(s string) string {
	var line []byte
	col := 0
	for _, b := range []byte(s) {
		switch {
		case b == '\r':
			col = 0
		case col < len(line):
			line[col] = b
			col++
		default:
			line = append(line, b)
			col++
		}
	}
	return strings.TrimRight(string(line), " ")
}
