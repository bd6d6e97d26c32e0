package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestWrite compares what is in a folder after a file was written, and after that failed
// half-way.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(file, []byte("first")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	err := Write(file, func(w io.Writer) error {
		_, err := io.WriteString(w, "sec")
		return errors.Join(err, full)
	})
	if !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	contents(t, dir, "first")
	if err := WriteFile(link, []byte("second")); err != nil {
		t.Fatal(err)
	}
	contents(t, dir, "second")
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is none any more (%v)", err)
	}
}

// contents fails unless dir has the file with this text, the link, and nothing else.
func contents(t *testing.T, dir, want string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 2 {
		t.Errorf("%d files, want 2 (%v)", len(list), err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "file")); err != nil || string(got) != want {
		t.Errorf("the file is %q, want %q (%v)", got, want, err)
	}
}
