package syntax

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTorture parses what a folder of preprocessed files holds.
func TestFolder(t *testing.T) {
	dir := os.Getenv("COMUS_PREPROCESSED")
	if dir == "" {
		t.Skip("COMUS_PREPROCESSED is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.i"))
	bad := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(Lex(f, text)); err != nil {
			bad++
			t.Error(err)
		}
	}
	t.Logf("%d files, %d refused", len(files), bad)
}
