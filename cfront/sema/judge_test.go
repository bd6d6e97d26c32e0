package sema

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"comus/cfront/command"
	"comus/cfront/syntax"
)

// gcc runs the judge on a program and returns its first error, "" for none.
func gcc(t testing.TB, src string, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.c")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=gnu17", "-w", "-S", "-o", "/dev/null"}, flags...)
	cmd := exec.Command("gcc", append(args, file)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	for _, l := range strings.Split(string(out), "\n") {
		if i := strings.Index(l, "rror: "); i >= 0 {
			return strings.TrimPrefix(l, file+":")
		}
	}
	return string(out)
}

// preprocessed returns a program after gcc -E; one without directives as it is.
func preprocessed(t testing.TB, src string, flags ...string) []byte {
	t.Helper()
	if !strings.Contains(src, "#") {
		return []byte(src)
	}
	cmd := exec.Command("gcc", append([]string{"-std=gnu17", "-E", "-w", "-"}, flags...)...)
	cmd.Stdin = strings.NewReader(src)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return []byte(src)
	}
	return out.Bytes()
}

// lines returns the lines of a file of testdata.
func lines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range strings.Split(string(text), "\n") {
		if l != "" && !strings.HasPrefix(l, "// ") {
			out = append(out, strings.ReplaceAll(l, `\n`, "\n"))
		}
	}
	return out
}

// TestVerdicts compares what is refused with what gcc refuses.
func TestVerdicts(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || testing.Short() {
		t.Skip("no gcc, or no time for it")
	}
	var wg sync.WaitGroup
	slots := make(chan bool, 4)
	for _, src := range lines(t, "programs.txt") {
		wg.Add(1)
		slots <- true
		go func() {
			defer func() { <-slots; wg.Done() }()
			_, err := Check(syntax.Lex("t.c", preprocessed(t, src)), command.Flags{})
			want := gcc(t, src)
			switch {
			case err != nil && strings.Contains(err.Error(), "bug in comus"):
				t.Errorf("%s\n\t%v", src, err)
			case err != nil && want == "":
				t.Errorf("gcc takes %s\n\t%v", src, err)
			case err == nil && want != "":
				t.Errorf("gcc refuses %s\n\t%s", src, want)
			}
		}()
	}
	wg.Wait()
}
