package sema

import (
	"os"
	"path/filepath"
	"testing"

	"comus/cfront/command"
	"comus/cfront/syntax"
)

// TestFolder checks the preprocessed files of a folder.
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
		if _, err := Check(syntax.Lex(filepath.Base(f), text), command.Flags{ILP32: os.Getenv("COMUS_M32") != ""}); err != nil {
			bad++
			t.Error(err)
		}
	}
	t.Logf("%d files, %d refused", len(files), bad)
}
