package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"comus/internal/child"
)

// MissingError says that the command of a tool is not there.
type MissingError struct {
	Command string
	Hint    string // how to get it
}

// Error is one line.
func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no command %q on the PATH (%s)", e.Command, e.Hint)
}

// Output is what a command printed, and its exit code.
type Output struct {
	Stdout, Stderr []byte
	Exit           int
}

// maxOutput bounds what is read of a command's output.
const maxOutput = 256 << 20

// Command runs a command in a folder to its end, in a process group of its own, which is
// killed whole when ctx ends. The error is a [MissingError], or the end of ctx.
func Command(ctx context.Context, dir, hint string, argv ...string) (*Output, error) {
	if _, err := exec.LookPath(argv[0]); errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%s is not executable", argv[0])
	} else if err != nil {
		return nil, &MissingError{argv[0], hint}
	}
	c := &child.Command{Argv: argv, Dir: dir, Logs: filepath.Join(dir, "tool")}
	end, err := c.Run(ctx)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if end.Stopped != "" {
		return nil, errors.New(argv[0] + ": stopped: " + end.Stopped)
	}
	out := &Output{Exit: end.Exit}
	if out.Stdout, err = readFile(end.Stdout); err != nil {
		return nil, err
	}
	out.Stderr, err = readFile(end.Stderr)
	return out, err
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxOutput))
}
