// Package eager translates a multi-threaded program into a sequential one that
// simulates all its round-robin executions with K rounds: the reduction of Lal and Reps,
// "Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis" (CAV
// 2008), section 3.
//
// There are K copies of the shared variables, one for each round. Copy 0 starts with
// their initial values, the others with values that are guessed: what the shared memory
// will be when the first thread begins that round. The threads then run one after
// another, each from its beginning to its end, and each on copy k in its round k; before
// any step that touches shared memory it may go on to a later round. At the end the
// Checker keeps those guesses only that were right: copy k as the last thread left it is
// what copy k+1 began with. An assertion that fails is noted, and counts after the
// Checker only.
//
// Loops stay, unless they are unwound first.
package eager

import (
	"fmt"
	"strings"

	"comus/ir"
	"comus/ir/cgen"
	"comus/sequentialize/unwind"
)

// Options bound the executions and say how the C is written.
type Options struct {
	Rounds int // copies of the shared variables, at least 1
	Unwind int // iterations of each loop; 0 leaves loops as they are
	Target cgen.Target
}

// Translate returns the sequential program. The error is for programs that C cannot
// express, or that become too large.
func Translate(p *ir.Program, o Options) (string, error) {
	if o.Unwind > 0 {
		var err error
		if p, _, err = unwind.Program(p, o.Unwind); err != nil {
			return "", err
		}
	}
	w := &writer{p: p, o: o, names: cgen.NewNames(p.Vars, "K", "k", "failed", "SWITCH", "seq_mutex_lock", "seq_mutex_unlock"), plain: map[*ir.Var]string{}}
	w.names.For(o.Target)
	w.names.DropUnread(p)
	for _, v := range w.names.Shared(p) {
		w.plain[v] = w.names.Of(v)
		w.names.Rename(v, w.plain[v]+"[k]")
	}
	w.names.Locally(p)
	for _, t := range p.Threads {
		if err := w.thread(t); err != nil {
			return "", err
		}
	}
	return w.program(), nil
}

type writer struct {
	p     *ir.Program
	o     Options
	names *cgen.Names
	plain map[*ir.Var]string // the array of a shared variable's copies
	funcs []string
	body  strings.Builder
}

// program puts the parts together.
func (w *writer) program() string {
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s: eager sequentialization, %d rounds", cgen.InComment(w.p.File), w.o.Rounds)
	if w.o.Unwind > 0 {
		fmt.Fprintf(&b, ", loops unwound %d times", w.o.Unwind)
	}
	b.WriteString(". */\n")
	for _, s := range w.p.Assumptions {
		fmt.Fprintf(&b, "/* Assumed: %s. */\n", cgen.InComment(s))
	}
	b.WriteString(cgen.Approximations(w.p))
	b.WriteString(w.o.Target.Header())
	main := w.driver()
	b.WriteString(w.names.Prelude(w.o.Target))
	fmt.Fprintf(&b, `
/* After section 3 of "Reducing Concurrent Analysis Under a Context Bound to Sequential
   Analysis" (Lal and Reps, CAV 2008): x[k] is x in round k, x_begin[k] the guess of what
   it is when that round begins. */
#define K %d
int k;
_Bool failed;
/* Go on to a later round, or stop for good. */
#define SWITCH(END) if (nondet_bool()) { int n = nondet_int(); assume(n > k && n <= K); k = n; if (k == K) goto END; }
`, w.o.Rounds)
	b.WriteString(cgen.Stubs + "\n")
	for _, v := range w.names.Shared(w.p) {
		fmt.Fprintf(&b, "%s %s[K], %s_begin[K];\n", cgen.Type(v.Type), w.plain[v], w.plain[v])
	}
	return b.String() + w.body.String() + main
}

// thread writes the function of a thread.
func (w *writer) thread(t *ir.Thread) error {
	y, err := cgen.NewLayout(w.p, t)
	if err != nil {
		return err
	}
	name := w.names.Function(w.p, t)
	w.funcs = append(w.funcs, name)
	decls, start := w.names.Locals(w.p, t, "static ")
	fmt.Fprintf(&w.body, "\n/* Thread %d: %s. */\nvoid %s(void) {\n%s  k = 0;\n", t.Index, cgen.InComment(t.Name), name, decls)
	for _, l := range y.Order {
		if err := w.location(y, l, start); err != nil {
			return err
		}
		start = nil
	}
	fmt.Fprintf(&w.body, "L%d: return;\n}\n", y.Last)
	return nil
}

// location writes the code at a location, after the statements in start.
func (w *writer) location(y *cgen.Layout, l *ir.Loc, start []string) error {
	line := func(code, comment string) {
		if code = strings.TrimSpace(code); code != "" {
			fmt.Fprintf(&w.body, "  %s\n", strings.TrimSpace(code+" "+comment))
		}
	}
	for _, s := range start {
		line(s, "")
	}
	if k, ok := y.Number[l]; ok {
		fmt.Fprintf(&w.body, "L%d: SWITCH(L%d)\n", k, y.Last)
	} else if y.Target(l) {
		fmt.Fprintf(&w.body, "M%d:;\n", l.Index)
	}
	switch {
	case l.Error:
		line(fmt.Sprintf("failed = 1; goto L%d;", y.Last), fmt.Sprintf("/* %d: %s */", l.Pos.Line, cgen.InComment(l.Text)))
		return nil
	case len(l.Out) == 0 && l.Atomic: // aborted: nobody takes a step any more
		line("assume(0);", "")
		return nil
	case len(l.Out) == 0:
		line(fmt.Sprintf("goto L%d;", y.Last), "")
		return nil
	}
	code, err := w.names.Lines(l, func(to *ir.Loc, last bool) string { return y.Jump(l, to, last) })
	for _, x := range code {
		line(x.Code, x.Comment)
	}
	return err
}

// driver writes the new main: guesses, the threads, and the Checker.
func (w *writer) driver() string {
	var b strings.Builder
	b.WriteString("\nint main(void) {\n  for (k = 0; k < K; k++) {\n")
	shared := w.names.Shared(w.p)
	w.names.Nondet(ir.Type{Bits: 32, Signed: true}) // of SWITCH
	for _, v := range shared {
		for _, s := range w.names.Any(v) {
			fmt.Fprintf(&b, "    %s\n", s)
		}
		if v.Init != nil {
			fmt.Fprintf(&b, "    if (k == 0) %s = %s;\n", w.names.Of(v), cgen.Value(*v.Init))
		}
		fmt.Fprintf(&b, "    %s_begin[k] = %s;\n", w.plain[v], w.names.Of(v))
	}
	b.WriteString("  }\n")
	for _, f := range w.funcs {
		fmt.Fprintf(&b, "  %s();\n", f)
	}
	b.WriteString("  /* The Checker. */\n  for (k = 0; k + 1 < K; k++) {\n")
	for _, v := range shared {
		fmt.Fprintf(&b, "    assume(%s == %s_begin[k + 1]);\n", w.names.Of(v), w.plain[v])
	}
	b.WriteString("  }\n  if (failed) { error(); }\n  return 0;\n}\n")
	return b.String()
}
