package cfront

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// languageRow is a row of the tables of docs/language.md.
type languageRow struct{ status, how, file string }

var rowPattern = regexp.MustCompile(`(?m)^\| .* \| (\w+) \| (.*) \| \[(\w+\.c)\]\(\.\./cfront/testdata/language/(\w+\.c)\) \|$`)

// languageRows reads the tables and checks that each program has one row.
func languageRows(t *testing.T) []languageRow {
	t.Helper()
	text, err := os.ReadFile("../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []languageRow
	seen := map[string]bool{}
	for _, m := range rowPattern.FindAllStringSubmatch(string(text), -1) {
		if m[3] != m[4] || seen[m[3]] {
			t.Errorf("%s: the row names %s, or another row has it", m[3], m[4])
		}
		seen[m[3]] = true
		rows = append(rows, languageRow{m[1], m[2], m[3]})
	}
	if n := strings.Count(string(text), "\n| ") - strings.Count(string(text), "\n| construct |"); n != len(rows) {
		t.Errorf("%d rows of %d can be read", len(rows), n)
	}
	files, err := filepath.Glob("testdata/language/*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[filepath.Base(f)] {
			t.Errorf("%s has no row", f)
		}
	}
	return rows
}

// expectation returns what the first line of a program says has to come out.
func expectation(t *testing.T, file string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(src), "\n")
	want, ok := strings.CutPrefix(first, "// expect: ")
	if !ok {
		t.Fatalf("%s does not say what to expect", file)
	}
	return want
}

// TestLanguage decides the program of each row of docs/language.md. The first line
// of a program is
//
//	// expect: error LINE:COL: MESSAGE   for what is refused; the row has the message
//	// expect: PARSES                    if the explorer cannot decide it
//	// expect: VERDICT [LINE:COL: warning: MESSAGE]
func TestLanguage(t *testing.T) {
	for _, r := range languageRows(t) {
		t.Run(strings.TrimSuffix(r.file, ".c"), func(t *testing.T) {
			file := "testdata/language/" + r.file
			want := expectation(t, file)
			msg, refused := strings.CutPrefix(want, "error ")
			if refused != (r.status == "refused") || !refused && r.status != "supported" && r.status != "approximated" {
				t.Errorf("%s, but %s is expected", r.status, want)
			}
			if refused {
				_, err := ParseFile(file, Options{})
				checkError(t, err, file+":"+msg)
				if _, text, _ := strings.Cut(msg, ": "); r.how != "`"+text+"`" {
					t.Errorf("the row says %s", r.how)
				}
				return
			}
			res, err := ParseFile(file, Options{Overflow: OverflowWrap})
			if err != nil {
				t.Fatal(err)
			}
			if err := res.Program.Check(); err != nil {
				t.Fatal(err)
			}
			verdict, warning, _ := strings.Cut(want, " ")
			if warning != "" && !strings.Contains(strings.Join(res.Warnings, "\n"), file+":"+warning) {
				t.Errorf("warnings %q", res.Warnings)
			}
			if verdict == "PARSES" {
				return
			}
			if got := decide(t, file, Options{Overflow: OverflowWrap}); got != verdict {
				t.Errorf("%s instead of %s", got, verdict)
			}
		})
	}
}

// verifierStubs define what the host's libraries do not have.
const verifierStubs = `
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void) { return 250; }
int __VERIFIER_nondet_int(void) { return 3; }
_Bool __VERIFIER_nondet_bool(void) { return 1; }
void __VERIFIER_assume(int c) { if (!c) exit(0); }
static _Atomic int section;
void __VERIFIER_atomic_begin(void) { while (__atomic_exchange_n(&section, 1, __ATOMIC_SEQ_CST)) ; }
void __VERIFIER_atomic_end(void) { __atomic_store_n(&section, 0, __ATOMIC_SEQ_CST); }
`

// TestLanguageAgainstCC compiles and runs the programs that are SAFE, those with
// two versions in testdata/run among them, so that no assertion may fail. Programs
// whose atomicity no compiler knows may race and are left out.
func TestLanguageAgainstCC(t *testing.T) {
	var files []string
	for _, pattern := range []string{
		"language/*", "run/sem_*_safe", "run/rwlock*_safe", "run/once*_safe", "run/barrier*_safe", "run/timedlock_safe",
		"run/c11_threads_safe", "run/thread_local*_safe", "run/compound*_safe", "run/bit_field*_safe", "run/union_*_safe", "run/mem*_safe",
		"run/elvis_safe", "run/offsetof_safe", "run/pointer_*_safe", "run/list_*_safe", "run/queue_*_safe", "run/treiber_safe",
		"run/function_*_safe", "run/result_*_safe", "run/argument_*_safe", "run/realloc*_safe", "run/calloc*_safe", "run/lock_in*_safe",
	} {
		fs, err := filepath.Glob("testdata/" + pattern + ".c")
		if err != nil || len(fs) == 0 {
			t.Error("no programs", pattern, err)
		}
		files = append(files, fs...)
	}
	dir := t.TempDir()
	stubs := filepath.Join(dir, "stubs.c")
	if err := os.WriteFile(stubs, []byte(verifierStubs), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(src), "// expect: SAFE") || strings.Contains(string(src), "__VERIFIER_atomic_inc") {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(f), ".c"), func(t *testing.T) {
			t.Parallel()
			exe := filepath.Join(t.TempDir(), "a.out")
			if out, err := exec.Command("cc", "-w", "-fwrapv", "-pthread", "-o", exe, f, stubs).CombinedOutput(); err != nil {
				t.Fatalf("cc: %v\n%s", err, out) // cgo has one, so it is there
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if out, err := exec.CommandContext(ctx, exe).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
