package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Filter is a program that does nothing but write what it makes of its input, and ends soon. It
// needs no watcher, and no files: once comus has gone, nobody reads what it writes, and it ends.
type Filter struct {
	Argv  []string
	Dir   string
	Env   []string // in addition to that of comus
	Stdin []byte
	// The limits: of its time, of the memory of each of its processes, and of what it prints.
	Timeout time.Duration
	Memory  int64
	Output  int64
}

// Run runs the program. The error is for one that cannot be started, with the reason unwrapped,
// for one that meets a limit, and for the end of ctx.
func (f *Filter) Run(ctx context.Context) (stdout, stderr []byte, exit int, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, f.Timeout, fmt.Errorf("timeout after %s", f.Timeout))
	defer cancel()
	argv := f.Argv
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return nil, nil, 0, err
	}
	if _, err := os.Stat("/bin/sh"); err == nil {
		argv = append([]string{"/bin/sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, f.Memory>>10), "sh", path}, argv[1:]...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = f.Dir, append(os.Environ(), f.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, errs := &limited{left: f.Output, full: cancel}, &limited{left: 1 << 20, full: func() {}}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(f.Stdin), out, errs
	if f.Stdin == nil {
		cmd.Stdin = nil
	}
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case out.over:
		return nil, nil, 0, errors.New("too much output")
	case ctx.Err() != nil:
		return nil, nil, 0, context.Cause(ctx)
	case errors.As(err, &ended):
		return out.buf.Bytes(), errs.buf.Bytes(), ended.ExitCode(), nil
	case err != nil:
		return nil, nil, 0, err
	}
	return out.buf.Bytes(), errs.buf.Bytes(), 0, nil
}

// limited is a buffer of limited size, which then calls full.
type limited struct {
	buf  bytes.Buffer // not embedded: its ReadFrom knows no limit
	left int64
	over bool
	full func()
}

// Write writes what there is room for.
func (l *limited) Write(p []byte) (int, error) {
	if int64(len(p)) > l.left {
		l.over = true
		l.full()
		return 0, io.ErrShortWrite
	}
	l.left -= int64(len(p))
	return l.buf.Write(p)
}
