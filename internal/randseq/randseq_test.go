package randseq

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"comus/internal/csource"
	"comus/ir/explore"
	"comus/logic"
	"comus/specialise"
)

const includes = "#include <string.h>\n#include <stdlib.h>\n"

// compiled returns what the expressions of the programs evaluate to.
func compiled(t *testing.T, ps []Program) []string {
	t.Helper()
	var c strings.Builder
	c.WriteString(includes + "#include <stdio.h>\n")
	for _, p := range ps {
		c.WriteString(p.Decls)
	}
	c.WriteString("int main(void) {\n")
	for _, p := range ps {
		for _, e := range p.Exprs {
			fmt.Fprintf(&c, "printf(\"%%lld\\n\", (long long)(%s));\n", e)
		}
	}
	c.WriteString("}\n")
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "r.c"), filepath.Join(dir, "r")
	if err := os.WriteFile(src, []byte(c.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-w", "-O0", "-fwrapv"}, strings.Fields(os.Getenv("RANDSEQ_CFLAGS"))...)
	if out, err := exec.Command("cc", append(args, "-o", exe, src)...).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out) // cgo has one, so it is there
	}
	out, err := exec.Command(exe).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Fields(string(out))
}

// source returns a program that fails in its last line if the expressions have these
// values, else before.
func source(p Program, want []string) string {
	var c strings.Builder
	c.WriteString(includes + "extern void reach_error(void);\n" + p.Decls + "int main(void) {\n")
	for i, e := range p.Exprs {
		fmt.Fprintf(&c, "if ((long long)(%s) != %s) reach_error();\n", e, want[i])
	}
	return c.String() + "reach_error(); }"
}

// env returns a number from the environment, to test more than usual.
func env(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// TestAgainstCompiler compares random programs with what the C compiler makes of
// them, with loops unrolled far, a bit and not at all.
func TestAgainstCompiler(t *testing.T) {
	n, first := env("RANDSEQ_N", 25), env("RANDSEQ_FIRST", 0)
	if testing.Short() {
		n = min(n, 8)
	}
	var ps []Program
	for i := range n {
		ps = append(ps, Generate(uint64(first+i), fmt.Sprintf("p%d_", i)))
	}
	values := compiled(t, ps)
	decided, refused := 0, map[string]int{}
	for i, p := range ps {
		src := source(p, values[:len(p.Exprs)])
		values = values[len(p.Exprs):]
		limit := []int{8, 3, 1}[i%3]
		res, err := csource.Parse("r.c", []byte(src), csource.Options{Overflow: specialise.OverflowWrap, UnrollLimit: limit, Unwind: 4})
		if err != nil {
			_, why, _ := strings.Cut(err.Error(), " ")
			refused[why]++
			if strings.Contains(why, "internal") || strings.Contains(why, "cannot read") {
				t.Errorf("seed %d: %v\n%s", first+i, err, src)
			}
			continue
		}
		r, err := explore.Explore(context.Background(), res.Program, explore.Options{MaxStates: 200_000,
			InputDomain: []logic.Value{logic.IntValue(-1), logic.IntValue(0), logic.IntValue(1)}})
		last := 1 + strings.Count(src, "\n")
		switch {
		case err != nil:
			t.Errorf("seed %d: %v\n%s", first+i, err, src)
		case r.Verdict == explore.Unsafe:
			decided++
			if line := r.Error.Pos.Line; line != last {
				t.Errorf("seed %d, unrolled up to %d: line %d has another value\n%s", first+i, limit, line, src)
			}
		case r.Verdict == explore.Safe, strings.HasPrefix(r.Reason, "safe"):
			if len(res.Program.Bounded) == 0 {
				t.Errorf("seed %d, unrolled up to %d: the end is not reached\n%s", first+i, limit, src)
			}
		default:
			refused[r.Reason]++
		}
	}
	if decided*10 < n*6 {
		t.Errorf("%d of %d programs decided: %v", decided, n, refused)
	}
	t.Logf("%d of %d programs decided: %v", decided, n, refused)
}
