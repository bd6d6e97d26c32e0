package cfront

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/ir/explore"
)

// bitSample is a random struct of bit-fields, a member of a union beside them, with
// random statements that print what they compute if show is printf.
type bitSample struct{ decl, stmts string }

func newBitSample(r *rand.Rand) bitSample {
	var s bitSample
	var names []string
	for i := range 5 {
		typ := pick(r, "int", "unsigned", "signed char", "unsigned char", "short", "unsigned short", "_Bool", "long", "unsigned long")
		width := map[string]int{"int": 32, "unsigned": 32, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "_Bool": 1, "long": 31, "unsigned long": 31}[typ]
		s.decl += fmt.Sprintf("%s f%d : %d; ", typ, i, 1+r.IntN(width))
		names = append(names, fmt.Sprintf("x.f%d", i))
	}
	s.decl = "struct { " + s.decl + "union { int s; unsigned u; }; } x = {" + pick(r, "1, -1, 5", "-3, 7", "200, 3, -1, 1, 9") + "}; "
	names = append(names, "x.s", "x.u")
	for range 12 {
		to, from := pick(r, names...), pick(r, names...)
		value := pick(r, from, from+" + 1", "-"+from, "~"+from, from+" * "+pick(r, names...), fmt.Sprint(r.IntN(600)-300))
		s.stmts += "SHOW(" + pick(r, to+" = "+value, to+" += "+value, to+"++", "--"+to, to+" ^= "+value, from+" - 1 < 0", from+" >> 1") + ") SHOW(" + to + ")\n"
	}
	return s
}

// TestBitFieldsAgainstGCC compares bit-fields and unions with what gcc computes.
func TestBitFieldsAgainstGCC(t *testing.T) {
	var samples []bitSample
	var c strings.Builder
	c.WriteString("#include <stdio.h>\n#define SHOW(e) printf(\"%lld\\n\", (long long)(e));\nint main(void) {\n")
	for i := range 60 {
		s := newBitSample(rand.New(rand.NewPCG(uint64(i), 11)))
		samples = append(samples, s)
		c.WriteString("{ " + s.decl + s.stmts + "}\n")
	}
	c.WriteString("}\n")
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "b.c"), filepath.Join(dir, "b")
	if err := os.WriteFile(src, []byte(c.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-w", "-fwrapv", "-o", exe, src).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(out))
	for i, s := range samples {
		var body strings.Builder
		for _, part := range strings.Split(s.stmts, "SHOW")[1:] {
			fmt.Fprintf(&body, "assert((long long)%s == %sLL);\n", strings.TrimSpace(part), want[0])
			want = want[1:]
		}
		src := "#include <assert.h>\nint main(void) {\n" + s.decl + body.String() + "return 0; }\n"
		res, err := Parse("b.c", []byte(src), Options{Overflow: OverflowWrap})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		r, err := explore.Explore(context.Background(), res.Program, explore.Options{MaxStates: 100_000})
		if err != nil || r.Verdict != explore.Safe {
			t.Fatalf("sample %d: %v %v %s\n%s", i, err, r.Verdict, r.Reason, src)
		}
	}
}
