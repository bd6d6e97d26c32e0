package sema

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"comus/cfront/command"
	"comus/cfront/read"
	"comus/internal/long"
	"comus/internal/torture"
)

// checkFile reads and checks a file.
func checkFile(file string, flags command.Flags) error {
	in, _, err := read.Tokens(context.Background(), command.Invocation{File: file, Flags: flags}, read.Options{})
	if err != nil {
		return err
	}
	_, err = Check(in, flags)
	return err
}

// notOurs are files that another package refuses.
var notOurs = map[string]string{
	"line-directive.c":    "#line __LINE__",
	"limits-caselabels.c": "the limit of package read to nesting",
}

// checkAll checks files; gcc has to refuse those that are refused.
func checkAll(t *testing.T, files []string) {
	t.Helper()
	next := make(chan string)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for f := range next {
				err := checkFile(f, command.Flags{})
				if err == nil || notOurs[filepath.Base(f)] != "" {
					continue
				}
				text, err2 := os.ReadFile(f)
				if err2 != nil || gcc(t, string(text), "-I", filepath.Dir(f)) == "" {
					t.Error(err)
				}
			}
		}()
	}
	for _, f := range files {
		next <- f
	}
	close(next)
	wg.Wait()
	t.Logf("%d files", len(files))
}

// TestCorpus checks gcc's torture tests and those of other compilers: some of them, or with
// COMUS_TORTURE=all all.
func TestCorpus(t *testing.T) {
	long.Only(t)
	folder, err := torture.Folder()
	if err != nil {
		t.Skip(err)
	}
	programs, err := torture.Programs()
	if err != nil {
		t.Skip(err)
	}
	var files []string
	for i, p := range programs {
		if os.Getenv("COMUS_TORTURE") != "all" && i%25 != 0 {
			continue
		}
		for _, f := range p.Files {
			if !filepath.IsAbs(f) {
				f = filepath.Join(folder, f)
			}
			if strings.HasSuffix(f, ".c") {
				files = append(files, f)
			}
		}
	}
	compile, _ := filepath.Glob(filepath.Join(folder, "assets/gcc-9.1.0/gcc/testsuite/gcc.c-torture/compile/*.c"))
	for i, f := range compile {
		if os.Getenv("COMUS_TORTURE") == "all" || i%25 == 0 {
			files = append(files, f)
		}
	}
	checkAll(t, files)
}

// TestPrograms checks real programs and the programs of our own tests.
func TestPrograms(t *testing.T) {
	long.Only(t)
	real, _ := filepath.Glob("../../../shared/tasks/programs/*.c")
	own, _ := filepath.Glob("../testdata/run/*.c")
	for i, f := range own {
		if os.Getenv("COMUS_TORTURE") == "all" || i%10 == 0 {
			real = append(real, f)
		}
	}
	checkAll(t, real)
}
