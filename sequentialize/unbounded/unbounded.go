// Package unbounded translates a multi-threaded program into a sequential one that
// simulates all its executions, whatever the number of rounds and of iterations: the
// sequentialization of Nguyen, Fischer, La Torre and Parlato, "Lazy Sequentialization
// for the Safety Verification of Unbounded Concurrent Programs" (ATVA 2016), UL-CSeq.
//
// Loops stay. A thread's function runs in one of three modes (section 3): RESUME steps
// over the code, without doing anything, to the location at which the thread was
// interrupted; EXECUTE runs it; SUSPEND steps over the rest. The macros are those of
// Fig. 3: CONTR before each location at which the thread may be interrupted, EXEC around
// what it does there. As the IR has jumps instead of if and while, rule 3, EXEC(goto l),
// is the one for control flow: in mode RESUME control falls through from location to
// location, in the order of their numbers, until it meets the one to resume at. The
// driver (Fig. 4) calls the threads' functions in turn, forever.
package unbounded

import (
	"fmt"
	"strings"

	"comus/ir"
	"comus/ir/cgen"
)

// Options say how the C is written.
type Options struct{ Target cgen.Target }

// Translate returns the sequential program. The error is for programs that C cannot
// express.
func Translate(p *ir.Program, o Options) (string, error) {
	w := &writer{p: p, o: o, names: cgen.NewNames(p.Vars, "RESUME", "EXECUTE", "SUSPEND", "CONTR", "EXEC", "T", "s", "pc", "created", "ended", "seq_mutex_lock", "seq_mutex_unlock")}
	w.names.For(o.Target)
	w.names.DropUnread(p)
	w.names.Flags(p, "created", "ended")
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
	funcs []string
	body  strings.Builder
}

// program puts the parts together.
func (w *writer) program() string {
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s: lazy sequentialization without bounds. */\n", cgen.InComment(w.p.File))
	for _, s := range w.p.Assumptions {
		fmt.Fprintf(&b, "/* Assumed: %s. */\n", cgen.InComment(s))
	}
	b.WriteString(cgen.Approximations(w.p))
	b.WriteString(w.o.Target.Header())
	main := w.driver()
	b.WriteString(w.names.Prelude(w.o.Target))
	fmt.Fprintf(&b, `
/* As in Fig. 3 of "Lazy Sequentialization for the Safety Verification of Unbounded
   Concurrent Programs" (Nguyen et al., ATVA 2016). pthread_join waits for ended. */
#define T %d
enum { RESUME, EXECUTE, SUSPEND } s;
_Bool created[T] = {1};
_Bool ended[T];
int pc[T];
#define CONTR(I, L) \
  if (s == RESUME && pc[I] == L) s = EXECUTE; \
  if (s == EXECUTE && nondet_bool()) { pc[I] = L; s = SUSPEND; }
#define EXEC(X) if (s == EXECUTE) { X; }
`, len(w.p.Threads))
	b.WriteString(cgen.Stubs + "\n" + w.names.Globals(w.p))
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
	fmt.Fprintf(&w.body, "\n/* Thread %d: %s. */\nvoid %s(void) {\n%s", t.Index, cgen.InComment(t.Name), name, decls)
	for _, l := range y.Order {
		if err := w.location(y, l, start); err != nil {
			return err
		}
		start = nil
	}
	fmt.Fprintf(&w.body, "L%d: if (s == EXECUTE || (s == RESUME && pc[%d] == %d)) { pc[%d] = %d; s = SUSPEND; }\n}\n", y.Last, t.Index, y.Last, t.Index, y.Last)
	return nil
}

// location writes the code at a location, after the statements in start.
func (w *writer) location(y *cgen.Layout, l *ir.Loc, start []string) error {
	if k, ok := y.Number[l]; ok {
		fmt.Fprintf(&w.body, "L%d: CONTR(%d, %d)\n", k, y.Thread.Index, k)
	} else if y.Target(l) {
		fmt.Fprintf(&w.body, "M%d:;\n", l.Index)
	}
	exec := func(code, comment string) {
		if code = strings.TrimSuffix(strings.TrimSpace(code), ";"); code != "" {
			fmt.Fprintf(&w.body, "  %s\n", strings.TrimSpace("EXEC("+code+") "+comment))
		}
	}
	for _, s := range start {
		exec(s, "")
	}
	switch {
	case l.Error:
		exec("error(); assume(0)", fmt.Sprintf("/* %d: %s */", l.Pos.Line, cgen.InComment(l.Text)))
		return nil
	case len(l.Out) == 0 && l.Atomic: // aborted: nobody takes a step any more
		exec("assume(0)", "")
		return nil
	case len(l.Out) == 0:
		exec(fmt.Sprintf("goto L%d", y.Last), "")
		return nil
	}
	code, err := w.names.Lines(l, func(to *ir.Loc, last bool) string { return y.Jump(l, to, last) })
	for _, x := range code {
		exec(x.Code, x.Comment)
	}
	return err
}

// driver writes the new main (Fig. 4).
func (w *writer) driver() string {
	var b strings.Builder
	b.WriteString("\n/* The driver, Fig. 4. */\nint main(void) {\n")
	for _, s := range w.names.AnyGlobals(w.p) {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	b.WriteString("  while (1) {\n")
	for i, f := range w.funcs {
		created := ""
		if i > 0 {
			created = fmt.Sprintf("if (created[%d]) ", i)
		}
		fmt.Fprintf(&b, "    s = RESUME;\n    %s%s();\n", created, f)
	}
	b.WriteString("  }\n}\n")
	return b.String()
}
