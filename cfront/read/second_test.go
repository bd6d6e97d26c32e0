package read

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/internal/long"
	"comus/internal/secondreader"
)

// preprocessors are ours, gcc's and cc's, with headers that all of them read.
type preprocessors struct {
	cc      *secondreader.Reader
	ours    []string // flags
	gcc     []string
	compare string // what is compared
}

// newPreprocessors returns those that read the embedded headers, or the host's. These ask what the compiler is, so ours is told.
func newPreprocessors(t *testing.T, host bool) *preprocessors {
	t.Helper()
	if !host {
		cc, err := secondreader.New("include")
		if err != nil {
			t.Skip("cc asks the compiler for its macros: ", err)
		}
		return &preprocessors{cc, nil, []string{"-nostdinc", "-isystem", "include"}, "with the embedded headers"}
	}
	cc, err := secondreader.New()
	if err != nil {
		t.Skip("cc asks the compiler for its macros: ", err)
	}
	macros, err := exec.Command("gcc", "-dM", "-E", "-x", "c", "/dev/null").Output()
	if err != nil {
		t.Skip("no gcc")
	}
	file := filepath.Join(t.TempDir(), "host.h")
	if err := os.WriteFile(file, macros, 0o644); err != nil {
		t.Fatal(err)
	}
	ours := []string{"-imacros", file, "-nostdinc"}
	for _, dir := range cc.SystemFolders() {
		ours = append(ours, "-isystem", dir)
	}
	return &preprocessors{cc, ours, nil, "with the host's headers"}
}

// texts splits preprocessed text into tokens; pragmas are left out.
func texts(text []byte) (out []string) {
	lex := newLexer(text)
	for {
		t, ok := lex.next()
		if !ok {
			return out
		}
		if t.bol && t.text == "#" && t.kind == punct {
			lex.directive()
			continue
		}
		out = append(out, t.text)
	}
}

// tokens are those of a unit by each of the preprocessors; theirs are nil if they refuse it.
func (p *preprocessors) tokens(t *testing.T, file string) (ours, gcc, cc []string) {
	t.Helper()
	inv := parseOne(t, file)
	inv.Preprocess = p.ours
	s, _, err := ownPreprocess(context.Background(), readAll(t, file), &inv, Options{MaxFileSize: 1 << 30})
	if err == nil {
		for i := range s.toks {
			ours = append(ours, s.toks[i].text)
		}
	}
	if out, gccErr := exec.Command("gcc", slices.Concat([]string{"-E", "-P", "-w"}, p.gcc, []string{file})...).Output(); gccErr == nil {
		gcc = texts(out)
		if err != nil {
			t.Errorf("%s: gcc takes it: %v", file, err)
		}
	}
	if out, err := p.cc.Preprocess(file); err == nil {
		cc = texts([]byte(out))
	}
	return ours, gcc, cc
}

// firstDifference returns where tokens differ, or "".
func firstDifference(a, b []string) string {
	around := func(s []string, i int) string { return strings.Join(s[max(0, min(i, len(s))-3):min(i+7, len(s))], " ") }
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("%d: %q, not %q", i, around(b, i), around(a, i))
		}
	}
	return ""
}

// notForCC are units that cc preprocesses otherwise, or refuses; gcc does as we do.
var notForCC = map[string]string{
	"digraphs.c": "no digraphs", "digraphs_safe.c": "no digraphs", "digraphs_unsafe.c": "no digraphs", "expanded_operators.c": "no digraphs",
	"va_opt.c": "no __VA_OPT__", "macros.c": "a single ' in a group that is left out", "variadic_macro.c": "a single ' in a group that is left out",
}

// TestSecondPreprocessor compares our preprocessor with gcc's and with cc's, token by token.
func TestSecondPreprocessor(t *testing.T) {
	for _, host := range []bool{false, true} {
		p := newPreprocessors(t, host)
		every, units, count := 10, 0, 0
		if host {
			every = 60
		}
		differ := map[string]bool{}
		n := 0
		for _, glob := range []string{"testdata/cpp/*.c", "testdata/places/*.c", "../../examples/*.c", "../testdata/*/*.c", "../build/testdata/*.c"} {
			files, _ := filepath.Glob(glob)
			for _, f := range files {
				base := filepath.Base(f)
				if n++; n%every != 0 && notForCC[base] == "" && !strings.Contains(f, "/cpp/") || !long.Turn(n, 10) {
					continue
				}
				ours, gcc, cc := p.tokens(t, f)
				if ours == nil || gcc == nil {
					continue
				}
				units, count = units+1, count+len(ours)
				if d := firstDifference(ours, gcc); d != "" {
					t.Errorf("%s %s: we have at token %s by gcc", f, p.compare, d)
				}
				switch d := firstDifference(ours, cc); {
				case d != "" && notForCC[base] == "":
					t.Errorf("%s %s: we have at token %s by cc", f, p.compare, d)
				case d != "":
					differ[base] = true
				}
			}
		}
		t.Logf("%s: %d units, %d tokens; %d units that cc preprocesses otherwise", p.compare, units, count, len(differ))
		for f, why := range notForCC {
			if !differ[f] && !testing.Short() {
				t.Errorf("%s is as with cc, %s: %s", f, p.compare, why)
			}
		}
	}
}
