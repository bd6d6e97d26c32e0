package comus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/seqmc"
)

// variation is a way to write the sums of a matrix with a thread for each row, which adds
// up its own inputs, from column to column, and to that the row that it waits for.
type variation struct {
	name    string
	up      bool   // row 0 is the first one, not the last
	columns bool   // from the first column on, not from the last
	running bool   // what was read becomes part of the row's own sum
	publish string // how the next row is told: by the value itself, a flag, a counter
	asserts string // who asserts: the last row, main after the joins, a thread of its own
	chain   bool   // each thread creates the one that it waits for, not main all of them
	reverse bool   // declared, and created by main, in the other order
	bounds  bool   // the sums are not negative, instead of larger than those of the row before
	broken  bool   // the last row does not wait for the cell that it reads first
}

var variations = []variation{
	{name: "as comus gen mat"},
	{name: "up", up: true},
	{name: "from the first column", columns: true},
	{name: "running", running: true},
	{name: "flags", publish: "flag"},
	{name: "counters", publish: "counter"},
	{name: "main asserts", asserts: "main"},
	{name: "a judge asserts", asserts: "judge"},
	{name: "a chain of creations", chain: true},
	{name: "reverse", reverse: true},
	{name: "bounds", bounds: true},
	{name: "up, running, bounds", up: true, running: true, bounds: true},
	{name: "running, counters, a judge", running: true, publish: "counter", asserts: "judge"},
	{name: "chain, flags, reverse", chain: true, publish: "flag", reverse: true},
}

// source returns the program with n rows and columns.
func (v variation) source(n int) string {
	row := func(i int) int { // i from the end
		if v.up {
			return n - 1 - i
		}
		return i
	}
	first := map[string]string{"": "-1", "flag": "0", "counter": "0"}[v.publish]
	cells := "{" + strings.Join(slices.Repeat([]string{first}, n), ", ") + "}"
	var b strings.Builder
	out := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	out("#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);")
	out("int S[%d][%d] = {%s};\n_Bool done[%d][%d];\nint count[%d];\npthread_t ids[%d];", n, n, strings.Join(slices.Repeat([]string{cells}, n), ", "), n, n, n, n+1)
	out("static int in(void) { int a = __VERIFIER_nondet_int(); __VERIFIER_assume(a >= 0); return a; }")
	functions := make([]string, n)
	for i := range n {
		functions[i] = v.row(n, i, row)
	}
	if v.chain || v.reverse {
		slices.Reverse(functions)
	}
	b.WriteString(strings.Join(functions, ""))
	if v.asserts == "judge" {
		out("void *judge(void *arg) {\n    for (int j = 0; j < %d; j++) %s\n%s    return 0;\n}", n, v.wait(n, row(0)), v.assertions(n, row))
	}
	out("int main(void) {")
	create := func(i int) { out("    pthread_create(&ids[%d], 0, row%d, 0);", i, i) }
	switch {
	case v.chain:
		create(row(0))
	default:
		for i := range n {
			if v.reverse {
				i = n - 1 - i
			}
			create(i)
		}
	}
	if v.asserts == "judge" {
		out("    pthread_create(&ids[%d], 0, judge, 0);", n)
	}
	if v.asserts == "main" {
		out("    for (int i = 0; i < %d; i++) pthread_join(ids[i], 0);\n%s", n, v.assertions(n, row))
	}
	out("    return 0;\n}")
	return b.String()
}

// row returns the function of row i from the end; the one before it is i+1.
func (v variation) row(n, i int, row func(int) int) string {
	var b strings.Builder
	out := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	me := row(i)
	out("void *row%d(void *arg) {", me)
	if v.chain && i < n-1 {
		out("    pthread_create(&ids[%[1]d], 0, row%[1]d, 0);", row(i+1))
	}
	loop := fmt.Sprintf("for (int j = %d; j >= 0; j--)", n-1)
	if v.columns {
		loop = fmt.Sprintf("for (int j = 0; j < %d; j++)", n)
	}
	out("    int sum = 0;\n    %s {\n        sum += in();", loop)
	switch {
	case i == n-1:
		out("        S[%d][j] = sum;", me)
	default:
		if i > 0 || !v.broken {
			out("        %s", v.wait(n, row(i+1)))
		}
		if v.running {
			out("        sum += S[%d][j];\n        S[%d][j] = sum;", row(i+1), me)
		} else {
			out("        S[%d][j] = sum + S[%d][j];", me, row(i+1))
		}
	}
	out("        done[%d][j] = 1;\n        count[%d]++;\n    }", me, me)
	if i == 0 && v.asserts == "" {
		b.WriteString(v.assertions(n, row))
	}
	out("    return 0;\n}")
	return b.String()
}

// wait returns the loop that waits for cell j of a row.
func (v variation) wait(n, row int) string {
	switch {
	case v.publish == "flag":
		return fmt.Sprintf("while (!done[%d][j]) { }", row)
	case v.publish == "counter" && v.columns:
		return fmt.Sprintf("while (count[%d] < j + 1) { }", row)
	case v.publish == "counter":
		return fmt.Sprintf("while (count[%d] < %d - j) { }", row, n)
	}
	return fmt.Sprintf("while (S[%d][j] < 0) { }", row)
}

func (v variation) assertions(n int, row func(int) int) string {
	limit := "0"
	if !v.bounds {
		limit = fmt.Sprintf("S[%d][j]", row(1))
	}
	return fmt.Sprintf("    for (int j = 0; j < %d; j++) assert(S[%d][j] >= %s);\n", n, row(0), limit)
}

// TestVariations: how a program is written makes no difference to how many sequential
// checks the modular algorithm takes, and what is broken is found.
func TestVariations(t *testing.T) {
	for i, v := range variations {
		if !long.Turn(i, 3) {
			continue
		}
		for _, broken := range []bool{false, true} {
			v.broken = broken
			src := v.source(4)
			res, err := csource.Parse("sums.c", []byte(src), csource.Options{})
			if err != nil {
				t.Fatalf("%s: %v\n%s", v.name, err, src)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			r, err := comus.VerifyProgram(ctx, res.Program, comus.Options{Strategy: "modular", NoSimulate: broken})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-30s %v, %d sequential checks, %d solver calls", v.name, r.Verdict, r.Stats.Checks, r.Stats.SolverCalls)
			if !broken && (r.Verdict != seqmc.Safe || r.Stats.Checks != 1) || broken && r.Verdict != seqmc.Unsafe {
				t.Errorf("%s, broken %v: %v (%s) with %d sequential checks\n%s", v.name, broken, r.Verdict, r.Reason, r.Stats.Checks, src)
			}
		}
	}
}
