package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/memory"
)

// The proof that a program whose loops end is safe under a weak memory model is its encoding as a whole, too, made here: nothing of the certificate is needed but how often
// loops are gone around. It knows nothing of the engine that found the program safe (package partialorder/axiomatic): it goes around the loops by itself (unroll.go), runs the threads by
// itself, edge by edge (events.go), and has the axioms as package memory has them, relation by relation (relations.go): release sequences, synchronises-with, happens-before, extended coherence order, psc.
// What remains is decided as for [Orders].
//
// The program was taken apart with its memory orders (specialise.Options.Orders): each access to shared memory is to one variable, and commands name the instructions that they come from, which
// say the orders. What is not recognised there is taken for a plain access, which is never part of a read-modify-write. That allows more executions, as all axioms forbid more where there are more relations. Atomic sections
// allow interruptions here, for the same reason.
//
// An execution is a graph of the events on the edges that are taken. Threads may stop anywhere: what comes before an event in program order and reads-from is itself a graph that the model allows.
//
// An iteration of a loop that leaves everything as it was need not be looked at. Let an execution be allowed in which a thread comes back to a loop's head with the values that its variables had there
// before, and in between it has not written to shared memory, other than by read-modify-writes that write what they read. Leave out these events. Who has read such a write reads what the read-modify-write has
// read. Then no relation has more pairs of the events that are left than before. For mo, rb and eco that is so as nothing comes between the halves of a read-modify-write. For sw, as it is in the release sequences of what it has
// read. For reads-from, program order led from there to the reader already. So the smaller execution is allowed, too.

// axioms encodes the executions of a program without loops.
type axioms struct {
	*orders
	model   memory.Model
	instr   map[int]cir.Located
	flags   map[*ir.Var]bool
	threads []*axiomThread
	events  []*happening
	reads   map[[2]int]*logic.Term // whether an event reads from another one
}

// maxHappenings bounds the events. The encoding is cubic in them.
const maxHappenings = 220

// Axioms proves that no execution of a program that a memory model allows violates an assertion, if loops are gone around as often as the certificate says at most, and that they are. instr has
// the instructions of cir by their numbers. solver says what decided.
func Axioms(ctx context.Context, p *ir.Program, c *Certificate, model memory.Model, instr map[int]cir.Located) (solver string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the encoding failed: %v", r)
		}
	}()
	if err := p.Single(); err != nil {
		return "", err
	}
	if _, err := newProgram(p); err != nil {
		return "", err
	}
	switch {
	case c.Bound < 0:
		return "", fmt.Errorf("the certificate has the bound %d", c.Bound)
	case len(p.Bounded) > 0:
		return "", fmt.Errorf("the program is bounded: %s", p.Bounded[0])
	}
	u, err := unroll(p, c.Bound)
	if err != nil {
		return "", err
	}
	a := &axioms{orders: &orders{p: u, l: p.L, tab: p.Symbols(), initial: map[*ir.Var]*logic.Term{}}, model: model, instr: instr, flags: map[*ir.Var]bool{}, reads: map[[2]int]*logic.Term{}}
	if err := a.encode(ctx); err != nil {
		return "", err
	}
	return a.decide(ctx)
}

// encode makes the constraints.
func (a *axioms) encode(ctx context.Context) error {
	for _, v := range a.p.Vars {
		if v.Init != nil {
			a.initial[v] = a.l.Value(*v.Init)
		} else {
			a.initial[v] = a.any(v)
		}
	}
	for _, t := range a.p.Threads {
		for _, v := range []*ir.Var{t.Created, t.Ended} {
			if v != nil {
				a.flags[v] = true
			}
		}
	}
	for _, t := range a.p.Threads {
		r, err := a.runThread(t)
		if err != nil {
			return err
		}
		a.threads = append(a.threads, r)
	}
	a.firstWrites()
	if len(a.events) > maxHappenings {
		return fmt.Errorf("there are %d events, more than %d", len(a.events), maxHappenings)
	}
	for i, e := range a.events {
		e.number = i
	}
	if len(a.errors)+len(a.loops) == 0 {
		return nil
	}
	m := &modelOf{axioms: a, ctx: ctx, n: len(a.events)}
	if err := m.basic(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m.atomicity()
	switch a.model {
	case memory.SC:
		m.acyclic(m.union(m.all, m.rf, m.mo, m.rb))
	case memory.TSO, memory.PSO:
		m.acyclic(m.union(m.where(m.all, same), m.rf, m.mo, m.rb))
		m.acyclic(m.union(m.preserved(), m.where(m.rf, func(x, y *happening) bool { return x.thread != y.thread }), m.mo, m.rb))
	case memory.RC11:
		m.rc11()
	default:
		return errors.New("no such memory model")
	}
	return ctx.Err()
}

// firstWrites adds the initial writes of the variables that there are events of.
func (a *axioms) firstWrites() {
	of := map[*ir.Var]bool{}
	for _, e := range a.events {
		if e.v != nil {
			of[e.v] = true
		}
	}
	for _, v := range a.p.Vars {
		if of[v] {
			a.events = append(a.events, &happening{kind: memory.Write, thread: -1, v: v, value: a.initial[v], when: a.l.True()})
		}
	}
}

// modelOf has the relations of the events.
type modelOf struct {
	*axioms
	ctx                       context.Context
	n                         int
	po, all, rf, mo, rb, sync relation
	rmw                       [][2]int
	needed                    []bitset // what happens if an event does, by numbers
}

// basic makes the relations that the others are made of, with what they have to be.
func (m *modelOf) basic() error {
	m.po, m.sync, m.rf, m.mo = m.none(), m.none(), m.none(), m.none()
	for i, x := range m.events {
		for j, y := range m.events {
			switch {
			case i == j:
			case x.thread < 0:
				m.po[i][j] = m.l.Bool(y.thread >= 0)
			case x.thread == y.thread:
				m.po[i][j] = m.l.Bool(m.threads[x.thread].before(x, y))
			}
			if x.half == y && x.half != nil && x.kind == memory.Read {
				m.rmw = append(m.rmw, [2]int{i, j})
			}
		}
	}
	if err := m.synchronise(); err != nil {
		return err
	}
	m.findNeeded()
	m.all = m.po
	if slices.ContainsFunc(m.events, func(e *happening) bool { return e.role == ir.Start || e.role == ir.Join }) {
		m.all = m.plus(m.union(m.po, m.sync))
	}
	m.readsFrom()
	m.writeOrder()
	m.rb = m.seq(inverse(m.rf), m.mo)
	return nil
}

// synchronise has the beginning of a thread come behind its creation, and the wait for its end behind that.
func (m *modelOf) synchronise() error {
	for j, y := range m.events {
		if y.role != ir.Start && y.role != ir.Join {
			continue
		}
		var from []*logic.Term
		var sources []*happening
		for i, x := range m.events {
			if y.role == ir.Start && x.role == ir.Create && x.other == y.thread || y.role == ir.Join && x.role == ir.End && x.thread == y.other {
				for _, z := range sources {
					if x.thread != z.thread || m.threads[x.thread].before(x, z) || m.threads[x.thread].before(z, x) {
						return fmt.Errorf("a thread may be created twice, or end twice")
					}
				}
				sources = append(sources, x)
				m.sync[i][j] = m.l.True()
				from = append(from, x.when)
			}
		}
		m.imply([]*logic.Term{y.when}, from...)
	}
	return nil
}

// findNeeded finds what surely happens if an event does: what is on all ways to it in its thread, and the creation of the thread, or the end of one that was joined.
func (m *modelOf) findNeeded() {
	m.needed = make([]bitset, m.n)
	for i := range m.events {
		m.needed[i] = newBitset(m.n)
	}
	for _, t := range m.threads {
		on := map[*ir.Edge]bitset{}
		for _, e := range t.events {
			if on[e.on] == nil {
				on[e.on] = newBitset(m.n)
			}
			on[e.on].add(e.number)
		}
		at := map[*ir.Loc]bitset{}
		for _, l := range t.order {
			for _, e := range l.In {
				if t.taken[e] == nil {
					continue
				}
				way := newBitset(m.n)
				way.addAll(at[e.From])
				way.addAll(on[e])
				if at[l] == nil {
					at[l] = way
				} else {
					at[l].keep(way)
				}
			}
			if at[l] == nil {
				at[l] = newBitset(m.n)
			}
		}
		for _, e := range t.events {
			m.needed[e.number].addAll(at[e.on.From])
			for _, x := range t.events {
				if x.on == e.on {
					m.needed[e.number].add(x.number)
				}
			}
		}
	}
	for j := range m.events { // the only one that an event waits for
		from := -1
		for i := range m.events {
			switch {
			case m.sync[i][j].IsFalse():
			case from >= 0:
				from = m.n
			default:
				from = i
			}
		}
		if from >= 0 && from < m.n {
			m.needed[j].add(from)
		}
	}
	for again := true; again; {
		again = false
		for j := range m.events {
			for i := range m.events {
				if i != j && m.needed[j].has(i) && m.needed[j].addAll(m.needed[i]) {
					again = true
				}
			}
		}
	}
}

// sure reports whether an event happens if two others do.
func (m *modelOf) sure(k, i, j int) bool {
	return k == i || k == j || m.events[k].thread < 0 || m.needed[i].has(k) || m.needed[j].has(k)
}

// readsFrom has each read read a write of its variable.
func (m *modelOf) readsFrom() {
	for j, r := range m.events {
		if r.kind != memory.Read {
			continue
		}
		var any []*logic.Term
		for i, w := range m.events {
			if w.kind != memory.Write || w.v != r.v || w.thread == r.thread && !m.po[i][j].IsTrue() {
				continue // a later write of the thread's own would be a cycle of po and rf
			}
			is := m.l.FreshVar("from", logic.Bool)
			m.rf[i][j] = is
			m.imply([]*logic.Term{is}, w.when)
			m.imply([]*logic.Term{is}, r.when)
			m.imply([]*logic.Term{is}, m.l.Eq(r.value, w.value))
			any = append(any, is)
		}
		m.imply([]*logic.Term{r.when}, any...)
	}
}

// writeOrder has the writes to each variable in an order.
func (m *modelOf) writeOrder() {
	var writes []int
	for i, w := range m.events {
		if w.kind == memory.Write {
			writes = append(writes, i)
		}
	}
	for _, i := range writes {
		for _, j := range writes {
			x, y := m.events[i], m.events[j]
			switch {
			case x.v != y.v || i == j || y.thread < 0:
			case x.thread < 0 || m.po[i][j].IsTrue(): // all models have that
				m.mo[i][j] = m.l.True()
			case m.po[j][i].IsTrue():
			case i < j:
				m.mo[i][j] = m.l.FreshVar("mo", logic.Bool)
				m.mo[j][i] = m.l.Not(m.mo[i][j])
			}
		}
	}
	for _, i := range writes {
		for _, j := range writes {
			for _, k := range writes {
				if i != j && j != k && i != k && !m.mo[i][j].IsFalse() && !m.mo[j][k].IsFalse() && !m.mo[i][k].IsTrue() && m.together(i, j) && m.together(j, k) && m.together(i, k) {
					m.imply([]*logic.Term{m.events[i].when, m.events[j].when, m.events[k].when, m.mo[i][j], m.mo[j][k]}, m.mo[i][k])
				}
			}
		}
	}
}

// together reports whether two events may be in one execution.
func (m *modelOf) together(i, j int) bool {
	x, y := m.events[i], m.events[j]
	return x.thread != y.thread || x.thread < 0 || i == j || m.threads[x.thread].before(x, y) || m.threads[x.thread].before(y, x)
}

// atomicity: no write comes between the halves of a read-modify-write.
func (m *modelOf) atomicity() {
	for _, p := range m.rmw {
		for x := range m.events {
			m.never(p[0], x, m.rb[p[0]][x], m.mo[x][p[1]])
		}
	}
}

// never asserts that some conditions do not hold at once, of events that are executed.
func (m *modelOf) never(i, j int, conditions ...*logic.Term) {
	if !m.together(i, j) {
		return
	}
	m.imply(append([]*logic.Term{m.events[i].when, m.events[j].when}, conditions...), m.l.False())
}
