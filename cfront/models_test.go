package cfront

import (
	"maps"
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
