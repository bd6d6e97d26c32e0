package verify

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/check"
	"comus/comus"
	"comus/seqmc"
)

// limit is what each example may take, on two cores.
const limit = 60 * time.Second

// TestExamples verifies each example, compares the verdict with the one its
// first line names, and confirms the evidence once more from its file.
func TestExamples(t *testing.T) {
	for _, file := range programs(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".c"), func(t *testing.T) {
			want := expected(t, file)
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			res, err := comus.Verify(ctx, file, comus.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v in %.2f s: %d iterations, %d sequential checks, %d queries, %d refinements, %d promises", res.Verdict,
				res.Elapsed.Seconds(), res.Stats.Iterations, res.Stats.Checks, res.Stats.Queries, res.Stats.Refinements, res.Stats.Promises)
			if res.Verdict.String() != want {
				t.Fatalf("verdict %v (%s), want %s", res.Verdict, res.Reason, want)
			}
			if res.Verdict == seqmc.Unsafe && res.Trace.Error == nil {
				t.Error("UNSAFE without an execution that fails")
			}
			confirm(t, file, res)
		})
	}
}

// confirm writes the certificate, reads it back and checks it.
func confirm(t *testing.T, file string, res *comus.Result) {
	t.Helper()
	var text strings.Builder
	if err := res.Certificate.Write(&text); err != nil {
		t.Fatal(err)
	}
	cert, err := check.Read(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	again, err := comus.Check(t.Context(), file, cert)
	if err != nil {
		t.Fatalf("the certificate is rejected: %v", err)
	}
	if again.Verdict != res.Verdict {
		t.Errorf("the certificate says %v, the verdict was %v", again.Verdict, res.Verdict)
	}
}

// TestCompile compiles each example with the system's C compiler (which cgo
// needs anyway) and all warnings.
func TestCompile(t *testing.T) {
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	for _, file := range programs(t) {
		out, err := exec.CommandContext(t.Context(), cc, "-fsyntax-only", "-std=gnu11", "-Wall", "-Werror", "-pthread", file).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

func programs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*.c")
	if err != nil || len(files) < 11 {
		t.Fatalf("%d examples found (%v)", len(files), err)
	}
	return files
}

// expected returns the verdict that the first line of a program names.
func expected(t *testing.T, file string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(src), "\n")
	want, ok := strings.CutPrefix(first, "// expect: ")
	if !ok || want != "SAFE" && want != "UNSAFE" {
		t.Fatalf("%s: the first line must be // expect: SAFE or UNSAFE", file)
	}
	return want
}
