package child

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// marker is the name of a variable in the environment of a child and of all that it
// starts, by which they are found wherever they are.
const marker = "COMUS_CHILD"

// script is what the watcher runs: it reads the group and then waits for the end of its
// input, which comes when comus has gone without killing the child itself. The group may
// not be known yet, and processes may have left it, or be starting others right now. A line
// of input instead of its end says that comus is there and will clear up itself.
const script = `read group
read end
test -n "$group" && kill -9 "-$group"
for try in 1 2 3 4 5 6 7 8 9 10; do
  found=$(grep -ls "` + marker + `=$1" /proc/[0-9]*/environ)
  test -n "$found" || break
  for file in $found; do
    pid=${file#/proc/}
    kill -9 "${pid%/environ}"
  done
done`

// watcher is a shell that kills a child, and what the child has started, if comus is
// killed: the system kills the child then, but nothing below it.
type watcher struct {
	cmd   *exec.Cmd
	input io.WriteCloser
	mark  string // NAME=value, for the environment of the child
}

// watch starts a watcher. Without a shell there is none: nil.
func watch() *watcher {
	read, write, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer read.Close()
	value := rand.Text()
	w := &watcher{cmd: exec.Command("/bin/sh", "-c", script, "sh", value), input: write, mark: marker + "=" + value}
	// In a group of its own: whoever kills comus's whole group must not get it.
	w.cmd.Stdin, w.cmd.Env, w.cmd.SysProcAttr = read, unmarked(), &syscall.SysProcAttr{Setpgid: true}
	if w.cmd.Start() != nil {
		write.Close()
		return nil
	}
	return w
}

// unmarked returns the environment without the mark of a child, if comus is one itself:
// the watcher of that one must leave the watchers of this one alone.
func unmarked() []string {
	return slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, marker+"=") })
}

// child tells the group of the child.
func (w *watcher) child(group int) {
	if w != nil {
		fmt.Fprintln(w.input, group)
	}
}

// end ends the watcher. If the child was stopped, it first kills what has left the
// child's group.
func (w *watcher) end(stopped bool) {
	if w == nil {
		return
	}
	if stopped {
		fmt.Fprintln(w.input, "stopped")
	} else {
		_ = w.cmd.Process.Kill()
	}
	w.input.Close()
	_ = w.cmd.Wait()
}
