package read

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"comus/cfront/syntax"
	"comus/internal/long"
)

// inputs returns what a unit's file is read as with the host's headers, by us and by gcc; nil if gcc is asked anyway.
func inputs(t *testing.T, file string) (ours, gccs *syntax.Input) {
	t.Helper()
	inv := parseOne(t, file)
	text := readAll(t, file)
	s := ownWithHost(t.Context(), []string{"gcc"}, text, &inv, Options{MaxFileSize: 1 << 30})
	if s == nil {
		return nil, nil
	}
	u := &Preprocessed{inv: inv, opts: Options{MaxFileSize: 1 << 30}, done: s}
	ours, _, err := u.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	out, err := preprocess(t.Context(), []string{"gcc"}, &inv, text, Options{})
	if err != nil {
		t.Errorf("%s: gcc refuses it: %v", file, err)
		return nil, nil
	}
	u = &Preprocessed{inv: inv, opts: Options{MaxFileSize: 1 << 30}, out: out, users: text}
	if gccs, _, err = u.Tokens(); err != nil {
		t.Fatal(err)
	}
	return ours, gccs
}

// TestHostHeaders compares the tokens of units that we preprocess with the host's headers with those that gcc makes: their texts, their places, and what the
// user wrote for them.
func TestHostHeaders(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	units, count, left := 0, 0, 0
	n := 0
	for _, glob := range []string{"testdata/cpp/*.c", "testdata/places/*.c", "testdata/host/*.c", "../../examples/*.c", "../testdata/*/*.c", "../build/testdata/*.c", os.Getenv("COMUS_CPP")} {
		files, _ := filepath.Glob(glob)
		for _, f := range files {
			if n++; filepath.Base(filepath.Dir(f)) != "host" && !long.Turn(n, 100) {
				continue
			}
			ours, gccs := inputs(t, f)
			if ours == nil {
				left++
				continue
			}
			units, count = units+1, count+len(ours.Tokens)
			if !reflect.DeepEqual(ours.System, gccs.System) {
				t.Errorf("%s: headers of the system: %v, not %v", f, ours.System, gccs.System)
			}
			for i := range min(len(ours.Tokens), len(gccs.Tokens)) {
				a, b := ours.Tokens[i], gccs.Tokens[i]
				b.Space = a.Space // gcc writes blanks that keep what macros make apart
				if a != b {
					t.Errorf("%s: token %d is %+v; gcc has %+v", f, i, a, b)
					break
				}
				last := min(i+5, len(ours.Tokens)-1, len(gccs.Tokens)-1)
				if a, b := ours.Text(i, last), gccs.Text(i, last); a != b && ours.Tokens[i].Pos.Col > 0 && ours.Tokens[last].Pos.Col > 0 {
					t.Errorf("%s: token %d, %q, is written %q; by gcc %q", f, i, ours.Tokens[i].Text, a, b)
					break
				}
			}
			if len(ours.Tokens) != len(gccs.Tokens) {
				t.Errorf("%s: %d tokens, not %d", f, len(ours.Tokens), len(gccs.Tokens))
			}
		}
	}
	t.Logf("%d units, %d tokens; %d units are gcc's", units, count, left)
	if units == 0 {
		t.Error("we preprocess no unit")
	}
}
