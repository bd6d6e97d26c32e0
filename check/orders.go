package check

import (
	"context"
	"errors"
	"fmt"

	"comus/ir"
	"comus/logic"
)

// The proof of a program whose loops end is its encoding as a whole, made here and decided
// anew: nothing of the certificate is needed but its method, how often loops are gone
// around, and where threads are interrupted. It knows nothing of the engine that found the
// program safe (package partialorder): it goes around the loops by itself (unroll.go), runs
// the threads by itself (sites.go), and finds out by itself which write a read can see
// (reads.go). What remains is decided by another solver, or with other settings
// (decide.go).
//
// A thread's points are its locations outside atomic sections. If the order of some of them
// is not known beforehand, or loops may be gone around too often, and the certificate names
// cut-points, these are the points; they are then proved to be enough as for every other
// proof (see the package comment). A move is a path of edges from a point to the next point, or
// to an error. An execution takes at most one move from each point, as there are no loops
// left. Each point has a clock: the order of the clocks, and of the threads' indexes where
// they are equal, is the execution. What a move reads of a shared variable is a symbol,
// which has the value of the last write before it: that of a point whose move taken writes
// the variable, and no such point is in between; or the initial value, and no such point is
// before. A thread may stop at any point. The program is safe if no such execution takes a
// move to an error. To go around a loop once more than the bound allows is an error, too:
// so SAFE does not rest on the bound.
//
// An iteration of a loop that leaves everything as it was need not be looked at. Take a
// shortest execution that fails. If a thread comes back to a loop's head with the values
// that its variables had there before, and none of its moves in between has changed a
// shared variable, then the execution without these moves is one too, and it is shorter.
// So all iterations of a shortest execution have an effect, as far as it is encoded, and
// loops that wait end.

// orders encodes the executions of a program without loops.
type orders struct {
	p       *unrolling
	l       *logic.Store
	tab     ir.SymTable
	cuts    [][]bool // the cut-points of each thread of the program; nil: all locations outside atomic sections
	owner   map[*ir.Var]int
	readers map[*ir.Var]map[int]bool
	points  []*point // of each thread in an order in which control comes to them
	writes  map[*ir.Var][]*write
	initial map[*ir.Var]*logic.Term
	out     []*logic.Term // the constraints
	loops   []*logic.Term // executions that go around a loop too often
	errors  []*logic.Term // executions that fail otherwise
	open    bool          // the order of some points is not known beforehand
}

// ErrBound is the error for a program in which control may go around a loop more often
// than the certificate says.
var ErrBound = errors.New("loops may be gone around more often than the certificate says")

// Orders proves a program safe by encoding all its executions, in which loops are gone
// around as often as the certificate says at most. Of the certificate it looks at Bound
// and Threads. solver says what decided. The error is for programs that are not safe, for
// those whose loops are gone around more often, and for those that were not decided.
func Orders(ctx context.Context, p *ir.Program, c *Certificate) (solver string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the encoding failed: %v", r)
		}
	}()
	if err := p.Single(); err != nil {
		return "", err
	}
	pr, err := newProgram(p)
	if err != nil {
		return "", err
	}
	if c.Bound < 0 {
		return "", fmt.Errorf("the certificate has the bound %d", c.Bound)
	}
	u, err := unroll(p, c.Bound)
	if err != nil {
		return "", err
	}
	if len(c.Threads) > 0 { // also if they are not used
		if err := pr.readNodes(c); err != nil {
			return "", err
		}
	}
	o := &orders{p: u, l: p.L, tab: p.Symbols()}
	if err := o.encode(ctx); err != nil {
		return "", err
	}
	if len(c.Threads) > 0 && (o.open || len(o.loops) > 0) {
		o = &orders{p: u, l: p.L, tab: p.Symbols()}
		if o.cuts, err = ordersCuts(ctx, pr); err != nil {
			return "", err
		}
		if err := o.encode(ctx); err != nil {
			return "", err
		}
	}
	return o.decide(ctx)
}

// ordersCuts returns the cut-points that were read of a certificate, proved to be enough.
func ordersCuts(ctx context.Context, pr *program) ([][]bool, error) {
	pr.noValues = true
	if err := pr.findAllBlocks(); err != nil {
		return nil, err
	}
	prover, err := newProver(ctx, pr.l)
	if err != nil {
		return nil, err
	}
	defer prover.s.Close()
	ck := &checker{pr: pr, prover: prover}
	if err := ck.checkCuts(); err != nil {
		return nil, err
	}
	var cuts [][]bool
	for _, t := range pr.threads {
		cuts = append(cuts, t.cut)
	}
	return cuts, nil
}

// encode makes the constraints.
func (o *orders) encode(ctx context.Context) error {
	o.access()
	o.writes, o.initial = map[*ir.Var][]*write{}, map[*ir.Var]*logic.Term{}
	for _, v := range o.p.Vars {
		if v.Init != nil {
			o.initial[v] = o.l.Value(*v.Init)
		} else {
			o.initial[v] = o.any(v)
		}
	}
	for _, t := range o.p.Threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := o.addThread(t); err != nil {
			return err
		}
	}
	if len(o.errors)+len(o.loops) == 0 {
		return nil
	}
	g := newOrdering(o)
	err := g.all(ctx)
	o.open = g.open
	return err
}

// access finds out who reads and writes the variables, beyond the bound, too: what has an
// effect must not depend on the bound. The owner of a variable is the one thread that writes
// it: it knows the value it wrote last.
func (o *orders) access() {
	o.owner, o.readers = map[*ir.Var]int{}, map[*ir.Var]map[int]bool{}
	const several = -2
	for _, t := range o.p.whole.Threads {
		t.Edges(func(e *ir.Edge) {
			a := o.tab.CmdAccess(e.Cmds)
			for v := range a.Reads {
				if o.readers[v] == nil {
					o.readers[v] = map[int]bool{}
				}
				o.readers[v][t.Index] = true
			}
			for v := range a.Writes {
				if w, ok := o.owner[v]; ok && w != t.Index {
					o.owner[v] = several
				} else {
					o.owner[v] = t.Index
				}
			}
		})
	}
}

// owns reports whether a thread alone writes v, or nobody does.
func (o *orders) owns(thread int, v *ir.Var) bool {
	w, written := o.owner[v]
	return w == thread || !written
}

// visible reports whether somebody has to look for a thread's writes of v.
func (o *orders) visible(thread int, v *ir.Var) bool {
	readers := len(o.readers[v])
	if o.owns(thread, v) && o.readers[v][thread] {
		readers--
	}
	return readers > 0
}

// any returns a symbol for any value of a variable's type.
func (o *orders) any(v *ir.Var) *logic.Term {
	s := o.l.FreshVar(v.Name, logic.Int)
	o.out = append(o.out, o.p.TermInRange(s, v.Type))
	return s
}

// imply adds the constraint that some formulas imply one of those after them.
func (o *orders) imply(hyp []*logic.Term, concl ...*logic.Term) {
	for _, h := range hyp {
		concl = append(concl, o.l.Not(h))
	}
	if f := o.l.Or(concl...); !f.IsTrue() {
		o.out = append(o.out, f)
	}
}

// bitset is a set of numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// addAll adds the elements of c and reports whether there were new ones.
func (b bitset) addAll(c bitset) bool {
	grown := false
	for i, w := range c {
		if w&^b[i] != 0 {
			b[i], grown = b[i]|w, true
		}
	}
	return grown
}

// keep removes what is not in c.
func (b bitset) keep(c bitset) {
	for i, w := range c {
		b[i] &= w
	}
}
