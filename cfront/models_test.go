package cfront

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/cfront/command"
	"comus/cfront/libc"
	"comus/cir"
)

// TestModelsOrder has no model whose meaning depends on the order in which its operands are evaluated: users would have to
// believe an assumption about a file that they cannot see.
func TestModelsOrder(t *testing.T) {
	sources, count := libc.Sources(), 0
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		if !strings.HasSuffix(name, ".c") {
			continue
		}
		u := &unit{inv: command.Invocation{File: name}, headers: sources, library: true}
		if err := u.read(t.Context(), Options{}); err != nil {
			t.Fatal(err)
		}
		if err := u.build(Options{}); err != nil {
			t.Fatal(err)
		}
		for _, s := range u.built.Symbols {
			f, ok := s.Value.(*cir.Func)
			if !ok {
				continue
			}
			count++
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if a, ok := in.(*cir.Assumption); ok && strings.Contains(a.Sentence, "gcc's order") {
						t.Errorf("%s: %s", f.Name, a.Sentence)
					}
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d functions", count)
	}
}

// TestReplaced has a model of the user's making in place of a function that comus knows: nothing is known of it by its name. Of others it is that they are the
// library's.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	model, prog := filepath.Join(dir, "m.c"), filepath.Join(dir, "p.c")
	for file, text := range map[string]string{
		model: "#include <stddef.h>\nsize_t strlen(const char *s) { return 4; }\nint twice(int n) { return 2 * n; }\n",
		prog:  "#include <string.h>\nint twice(int);\nint main(void) { char a[4]; strcpy(a, \"\"); return twice(strlen(\"abc\")); }\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(t.Context(), []command.Invocation{{File: prog}}, Options{NoHost: true, Models: []string{model}})
	if err != nil {
		t.Fatal(err)
	}
	for name, library := range map[string]bool{"strlen": false, "twice": true, "strcpy": true} {
		if f := p.Program.FuncNamed(name); f == nil || f.Library != library {
			t.Errorf("%s: %v", name, f)
		}
	}
}
