// Package lazy translates a multi-threaded program into a sequential one that
// simulates all its round-robin executions with a bounded number of rounds: the lazy
// sequentialization of Inverso, Tomasco, Fischer, La Torre and Parlato, "Bounded Model
// Checking of Multi-Threaded C Programs via Lazy Sequentialization" (CAV 2014).
//
// The program is unwound first (package unwind), so that control moves forward only. Each
// thread becomes a function whose local variables are static. The driver calls these
// functions round by round; before each call it guesses cs, the number of the location
// at which the thread is to be interrupted next. The function jumps, in hops from one
// numbered location to the next (macro J), over what the thread did in earlier rounds,
// runs to the location cs and hops over the rest. The guess is the only choice added.
// Where control jumps over numbered locations it is pruned if cs is one of them (macro
// G): the thread could not be interrupted there.
//
// After the last round main is called once more. The driver of the paper's Fig. 4 does not
// do that, but the rounds in its Table 1 are counted so: an error that main finds after it
// has joined a thread is there within one round ("stateful01", "sigma"), and main, which
// creates that thread in its only turn, cannot join it in the same one.
//
// Unlike the paper's tool, which takes statements for atomic, the translation
// interrupts threads between the steps of the IR: x++ on a shared x is a read and a
// write.
package lazy

import (
	"fmt"
	"strings"

	"comus/ir"
	"comus/ir/cgen"
	"comus/sequentialize/unwind"
)

// Options bound the executions and say how the C is written.
type Options struct {
	Unwind int // iterations of each loop, at least 1
	Rounds int // of the round-robin schedule, at least 1
	Target cgen.Target
}

// Translate returns the sequential program. The error is for programs that C cannot
// express, or that become too large.
func Translate(p *ir.Program, o Options) (string, error) {
	bounded, _, err := unwind.Program(p, o.Unwind)
	if err != nil {
		return "", err
	}
	w := &writer{p: bounded, o: o, names: cgen.NewNames(bounded.Vars, "J", "G", "K", "T", "active", "ended", "pc", "cs", "ct", "size", "seq_mutex_lock", "seq_mutex_unlock")}
	w.names.For(o.Target)
	w.names.DropUnread(bounded)
	w.names.Flags(bounded, "active", "ended")
	w.names.Locally(bounded)
	for _, t := range bounded.Threads {
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
	funcs []string // the names of the threads' functions
	sizes []string // the numbers of their ends
	body  strings.Builder
}

// program puts the parts together.
func (w *writer) program() string {
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s: lazy sequentialization, loops unwound %d times, %d rounds. */\n", cgen.InComment(w.p.File), w.o.Unwind, w.o.Rounds)
	for _, s := range w.p.Assumptions {
		fmt.Fprintf(&b, "/* Assumed: %s. */\n", cgen.InComment(s))
	}
	b.WriteString(cgen.Approximations(w.p))
	b.WriteString(w.o.Target.Header())
	main := w.driver() // first, so that the prelude knows its needs
	b.WriteString(w.names.Prelude(w.o.Target))
	n := len(w.p.Threads)
	fmt.Fprintf(&b, header, n, w.o.Rounds, strings.Join(w.sizes, ", "))
	b.WriteString(cgen.Stubs + "\n")
	b.WriteString(w.names.Globals(w.p))
	return b.String() + w.body.String() + main
}

// header declares what the threads' functions and the driver share.
const header = `
/* As in Fig. 3 of "Bounded Model Checking of Multi-Threaded C Programs via Lazy
   Sequentialization" (Inverso et al., CAV 2014), and stubs as in Fig. 5; active stays set
   when a thread ends, pthread_join waits for ended. */
#define T %d
#define K %d
_Bool active[T] = {1};
_Bool ended[T];
int cs, ct, pc[T], size[T] = {%s};
#define G(L) assume(cs >= L);
#define J(A, B) if (pc[ct] > A || A >= cs) goto B;
`

// thread writes the function of a thread.
func (w *writer) thread(t *ir.Thread) error {
	y, err := cgen.NewLayout(w.p, t)
	if err != nil {
		return err
	}
	name := w.names.Function(w.p, t)
	w.funcs = append(w.funcs, name)
	w.sizes = append(w.sizes, fmt.Sprint(y.Last))
	fmt.Fprintf(&w.body, "\n/* Thread %d: %s. */\nvoid %s(void) {\n", t.Index, cgen.InComment(t.Name), name)
	decls, start := w.names.Locals(w.p, t, "static ")
	w.body.WriteString(decls)
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
	k, numbered := y.Number[l]
	if numbered {
		fmt.Fprintf(&w.body, "L%d: J(%d, L%d)\n", k, k, k+1)
	} else if y.Target(l) {
		fmt.Fprintf(&w.body, "M%d:;\n", l.Index)
	}
	line := func(format string, args ...any) { fmt.Fprintf(&w.body, "  "+format+"\n", args...) }
	for _, s := range start {
		line("%s", s)
	}
	switch {
	case l.Error:
		line("error(); /* %d: %s */", l.Pos.Line, cgen.InComment(l.Text))
		line("assume(0);")
		return nil
	case len(l.Out) == 0 && l.Atomic: // aborted: nobody takes a step any more
		line("assume(0);")
		return nil
	case len(l.Out) == 0:
		line("%sgoto L%d;", guard(y, l, y.Last), y.Last)
		return nil
	}
	code, err := w.names.Lines(l, func(to *ir.Loc, last bool) string { return guarded(y, l, to, last) })
	for _, x := range code {
		line("%s", strings.TrimSpace(x.Code+" "+x.Comment))
	}
	return err
}

// guarded writes the way from the code at one location to another one, pruned if the
// thread is to be interrupted at a location in between (G).
func guarded(y *cgen.Layout, from, to *ir.Loc, last bool) string {
	jump := y.Jump(from, to, last)
	if jump == "" {
		return ""
	}
	return guard(y, from, y.Ahead(to)) + jump
}

// guard writes the macro G before a jump to a numbered location, or to one before it:
// nothing if no other numbered location is in between, because cs is behind the location
// that control is at.
func guard(y *cgen.Layout, from *ir.Loc, to int) string {
	if next := y.Next(from); to == y.Last && next == nil || next != nil && to == y.Ahead(next) {
		return ""
	}
	return fmt.Sprintf("G(%d) ", to)
}

// driver writes the new main (Fig. 4).
func (w *writer) driver() string {
	var b strings.Builder
	b.WriteString("\n/* The driver, Fig. 4. */\nint main(void) {\n")
	for _, s := range w.names.AnyGlobals(w.p) {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	if w.o.Target == cgen.SeaHorn {
		w.initialise(&b)
	}
	b.WriteString("  for (int r = 1; r <= K; r++) {\n")
	for i := range w.funcs {
		w.turn(&b, "    ", i)
	}
	b.WriteString("  }\n")
	if len(w.funcs) > 1 {
		b.WriteString("  /* main once more: it joins and checks. */\n")
		w.turn(&b, "  ", 0)
	}
	b.WriteString("  return 0;\n}\n")
	return b.String()
}

// initialise writes assignments of what arrays have at the beginning: SeaHorn does not
// model initialisers, nor the zeros of global arrays, if an index is not a constant.
func (w *writer) initialise(b *strings.Builder) {
	for i, size := range w.sizes {
		active := 0
		if i == 0 {
			active = 1
		}
		fmt.Fprintf(b, "  active[%d] = %d; ended[%d] = 0; pc[%d] = 0; size[%d] = %s;\n", i, active, i, i, i, size)
	}
}

// turn writes the call of a thread's function. The paper adds a number to pc[ct], which
// could wrap around and take the thread back.
func (w *writer) turn(b *strings.Builder, indent string, i int) {
	for _, s := range []string{
		fmt.Sprintf("ct = %d;", i),
		"if (active[ct]) {",
		"  cs = " + w.names.Nondet(ir.Type{Bits: 32, Signed: true}) + "; /* next context switch */",
		"  assume(pc[ct] <= cs && cs <= size[ct]); /* appropriate value? */",
		"  " + w.funcs[i] + "(); /* thread simulation */",
		"  pc[ct] = cs; /* store context switch */",
		"}",
	} {
		fmt.Fprintf(b, "%s%s\n", indent, s)
	}
}
