package sema

import (
	"os"
	"testing"

	"comus/cfront/command"
	"comus/cfront/syntax"
)

// BenchmarkCheck checks a preprocessed file.
func BenchmarkCheck(b *testing.B) {
	name := os.Getenv("COMUS_BENCH")
	if name == "" {
		b.Skip("COMUS_BENCH is not set")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Check(syntax.Lex(name, text), command.Flags{}); err != nil {
			b.Fatal(err)
		}
	}
}
