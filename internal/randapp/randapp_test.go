package randapp_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"comus/internal/randapp"
)

var (
	dump  = flag.String("randapp.dump", "", "write the programs to this folder")
	count = flag.Int("randapp.count", 10, "number of programs")
	first = flag.Uint64("randapp.seed", 2_800_000, "first seed")
)

func TestDump(t *testing.T) {
	if *dump == "" {
		t.Skip("no folder")
	}
	for i := range *count {
		p := randapp.New(*first+uint64(i), randapp.Options{})
		text := fmt.Sprintf("/* seed %d: %v; bug: %s %s */\n%s", p.Seed, p.Idioms, p.Violates, p.Bug, p.Text)
		if err := os.WriteFile(filepath.Join(*dump, fmt.Sprintf("%d.c", p.Seed)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
