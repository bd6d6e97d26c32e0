package child

import (
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Folder is a temporary folder that is removed even if comus is killed.
type Folder struct {
	Path  string    // absolute
	guard *exec.Cmd // nil if there is none
	input io.Closer
}

// sweep is what a folder's guard runs: it waits for the end of its input, which comes when
// comus has gone, and removes the folder. Programs that are being killed may still be
// writing into it.
const sweep = `read end
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  rm -rf -- "$1" 2>/dev/null
  test -e "$1" || break
  sleep 0.1
done`

// TempDir makes a folder for temporary files, whose name begins with prefix. Its guard, a
// shell that removes it when comus has been killed, is there before the folder is, so that
// there is no moment at which it would be left. Without a shell there is no guard.
func TempDir(prefix string) (*Folder, error) {
	path, err := filepath.Abs(filepath.Join(os.TempDir(), prefix+rand.Text()))
	if err != nil {
		return nil, err
	}
	f := &Folder{Path: path}
	if read, write, err := os.Pipe(); err == nil {
		cmd := exec.Command("/bin/sh", "-c", sweep, "sh", path)
		cmd.Stdin, cmd.Env, cmd.SysProcAttr = read, unmarked(), &syscall.SysProcAttr{Setpgid: true}
		if cmd.Start() == nil {
			f.guard, f.input = cmd, write
		} else {
			write.Close()
		}
		read.Close()
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		f.Remove()
		return nil, err
	}
	return f, nil
}

// Remove removes the folder with all that is in it.
func (f *Folder) Remove() {
	_ = os.RemoveAll(f.Path)
	if f.guard != nil {
		_ = f.guard.Process.Kill()
		f.input.Close()
		_ = f.guard.Wait()
	}
}
