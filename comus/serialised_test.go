package comus

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"comus/cfront"
	"comus/internal/long"
	"comus/specialise"
)

// TestOpenSerialised gives readings to sources of other processes: the programs are the same, and what is asked in another
// way is read from the files.
func TestOpenSerialised(t *testing.T) {
	long.Only(t)
	files, err := filepath.Glob("../cfront/testdata/run/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	ctx := context.Background()
	for i := 0; i < len(files); i += 17 {
		file := files[i]
		s, err := Open(ctx, File(file), cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		how := specialise.Options{MaxThreads: 2}
		r, err := s.read(ctx, how, nil)
		if err != nil {
			continue // too large
		}
		s.keep(how, r)
		text, err := s.written()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "reading")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := OpenSerialised(File(file), cfront.Options{}, name)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		u, err := h.read(ctx, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := u.Program.String(), r.Program.String(); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
		if h.prog != nil {
			t.Errorf("%s: it was read again", file)
		}
		if u.ID.SHA256 != r.ID.SHA256 || u.MoreThreads != r.MoreThreads || len(u.Warnings) != len(r.Warnings) {
			t.Errorf("%s: got %+v, want %+v", file, u, r)
		}
		how.MaxThreads = 3
		if _, err := h.read(ctx, how, nil); err != nil || h.prog == nil {
			t.Errorf("%s, more threads: %v", file, err)
		}
	}
}

func TestOpenSerialisedNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reading")
	if _, err := OpenSerialised(File("a.c"), cfront.Options{}, file); err == nil {
		t.Error("no error for a file that is not there")
	}
	if err := os.WriteFile(file, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSerialised(File("a.c"), cfront.Options{}, file); err == nil {
		t.Error("no error for nonsense")
	}
}
