package cfront

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"comus/cfront/command"
	"comus/cir/digest"
	"comus/internal/long"
	"comus/internal/randedit"
	"comus/internal/randrace"
	"comus/scan/slice"
)

// shelf is a store in memory, which may damage what it gives.
type shelf struct {
	mu     sync.Mutex
	kept   map[string][]byte
	found  int
	damage *rand.Rand
}

func (s *shelf) Get(key string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	data := slices.Clone(s.kept[key])
	if data != nil {
		s.found++
		if s.damage != nil {
			data = data[:s.damage.IntN(len(data))]
		}
	}
	return data
}

func (s *shelf) Put(key string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[key] = data
}

// same compares programs in every field, places and warnings as well, and what is left of them for a scan: making that changes them in place.
func same(t *testing.T, about string, got, want *Program) {
	t.Helper()
	sameProgram(t, about, got, want)
	slice.Of(got.Program)
	slice.Of(want.Program)
	sameProgram(t, about+", its slice", got, want)
}

func sameProgram(t *testing.T, about string, got, want *Program) {
	t.Helper()
	s, at, err := digest.Of(got.Program)
	if err != nil {
		t.Fatal(err)
	}
	u, as, err := digest.Of(want.Program)
	if err != nil {
		t.Fatal(err)
	}
	if s != u || !slices.Equal(at, as) {
		t.Fatalf("%s: another program:\n%s\n%s", about, got, want)
	}
	if !slices.Equal(got.Warnings, want.Warnings) || !slices.Equal(got.Notes, want.Notes) || !slices.Equal(got.Unknown, want.Unknown) || !slices.Equal(got.Files, want.Files) {
		t.Errorf("%s: %q %q %q, want %q %q %q", about, got.Warnings, got.Notes, got.Unknown, want.Warnings, want.Notes, want.Unknown)
	}
	if err := got.Check(); err != nil {
		t.Errorf("%s: %v", about, err)
	}
}

// TestStore edits the files of a program at random, a header and one that gives functions among them, and compares what is read with and without
// a store, at each edit, with a store that damages things, too.
func TestStore(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no compiler to preprocess with")
	}
	random := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	texts := map[string]string{
		"a.c": "#include \"h.h\"\n" + randrace.Program(3),
		"b.c": "#include <string.h>\n#include \"h.h\"\nint counted;\nstatic int twice(int n) {\n  int k;\n  k = STEP * n;\n  return k;\n}\nint count(const char *s) {\n  counted = twice(strlen(s));\n  return counted;\n}\n",
		"m.c": "#include \"h.h\"\nlong fetch(int n) {\n  static int last = 4;\n  last = n;\n  return last * STEP;\n}\n",
		"h.h": "#define STEP 2\nstatic inline int step(int n) {\n  int s;\n  s = n + STEP;\n  return s;\n}\nint count(const char *);\nlong fetch(int);\n__attribute__((constructor)) static void begin_(void) {\n  count(\"x\");\n  fetch(step(1));\n}\n",
	}
	names := []string{"a.c", "b.c", "h.h", "m.c"}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range names {
		write(n, texts[n])
	}
	good, bad := &shelf{kept: map[string][]byte{}}, &shelf{kept: map[string][]byte{}, damage: random}
	load := func(s *Kept) (*Program, error) {
		invs := []command.Invocation{{File: "a.c", Dir: dir}, {File: filepath.Join(dir, "b.c")}}
		return Load(context.Background(), invs, Options{Models: []string{filepath.Join(dir, "m.c")}, Store: s})
	}
	was, edits := 0, 0
	for i := range long.N(14, 4) {
		name := names[random.IntN(len(names))]
		text, ok := randedit.Edit(random, randedit.Kinds[random.IntN(len(randedit.Kinds))], texts[name])
		if i == 0 || !ok {
			text = texts[name]
		}
		if i == 1 { // the preprocessor prints the same
			name, text = "h.h", strings.Replace(texts["h.h"], "s = n", "s = /* why */ n", 1)
		}
		write(name, text)
		want, err := load(nil)
		got, failed := load(Keep(good))
		if err != nil {
			if failed == nil || failed.Error() != err.Error() {
				t.Fatalf("error %v, want %v", failed, err)
			}
			write(name, texts[name])
			continue
		}
		if failed != nil {
			t.Fatal(failed)
		}
		if got.SHA256 != "" {
			t.Error("it has a hash of what was not read")
		}
		same(t, name, got, want)
		if want, err = load(nil); err != nil { // the first one was taken apart
			t.Fatal(err)
		}
		got, err = load(Keep(bad))
		if err != nil {
			t.Fatal(err)
		}
		same(t, name+", damaged", got, want)
		texts[name] = text
		edits++
		if i > 0 && good.found == was {
			t.Error("nothing was found in the store")
		}
		was = good.found
	}
	if edits < 4 {
		t.Errorf("only %d edits can be read", edits)
	}
	before := good.found
	if _, err := load(Keep(good)); err != nil {
		t.Fatal(err)
	}
	if n := good.found - before; n != len(good.kept) && n < 4 {
		t.Errorf("%d units were found where nothing has changed", n)
	}
}

// TestStoreKeys has what a unit depends on beside its file: flags, the data model, and where it is read from.
func TestStoreKeys(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no compiler to preprocess with")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"p.c": "#include \"n.h\"\nint main(void) { long n = N; return (char)n; }\n", "x/n.h": "enum { N = 1 };\n", "y/n.h": "enum { N = 2 };\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	store := &shelf{kept: map[string][]byte{}}
	for range 2 {
		for _, flags := range []string{"-Ix", "-Iy", "-Ix -m32", "-Ix -funsigned-char", "-Ix -fno-builtin", "-Ix -DQ=1"} {
			args := append([]string{"p.c"}, strings.Fields(flags)...)
			invs, _, err := command.Parse(args, dir)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Load(context.Background(), invs, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Load(context.Background(), invs, Options{Store: Keep(store)})
			if err != nil {
				t.Fatal(err)
			}
			same(t, flags, got, want)
		}
	}
	if store.found == 0 {
		t.Error("nothing was found in the store")
	}
}
