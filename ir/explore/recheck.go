package explore

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"sync"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// A rechecker confirms that no error is reachable from the states that were met: the
// initial states are among them, none has a thread at an error location, and what
// each step of theirs leads to is among them. Steps are taken by package interp,
// on logic's values; what a value that nobody reads is, and which steps may be left
// out with Reduce, is found here once more in another way. Only the memory of
// states is shared with the search. See the package comment for why these conditions
// are enough with Reduce.
type rechecker struct {
	x      *explorer
	runner interp.Runner
	inputs map[*ir.Edge][]domain
	later  map[*ir.Loc]map[*ir.Var]touch // with Reduce
	now    map[*ir.Loc]map[*ir.Var]touch
}

// domain are the values of an input; err is why they cannot be listed.
type domain struct {
	values []logic.Value
	err    error
}

// touch says what happens to a shared variable.
type touch uint8

const (
	readIt touch = 1 << iota
	writeIt
)

func (x *explorer) recheck(ctx context.Context) error {
	c := &rechecker{x: x, runner: interp.NewRunner(x.p), inputs: map[*ir.Edge][]domain{}}
	for _, t := range x.p.Threads {
		t.Edges(func(e *ir.Edge) {
			for i, cmd := range e.Cmds {
				if cmd.Kind == ir.Havoc {
					c.inputs[e] = append(c.inputs[e], c.domain(cmd.Var, c.observed(e, i)))
				}
			}
		})
	}
	if x.opts.Reduce {
		c.accesses()
	}
	if err := c.dead(); err != nil {
		return err
	}
	w := c.worker()
	if err := w.initial(); err != nil {
		return err
	}
	return c.all(ctx)
}

// dead checks that nobody reads a local that was taken for 0: not the next step before it is written, and nothing behind that.
func (c *rechecker) dead() error {
	for t, th := range c.x.p.Threads {
		for k, i := range c.x.layout.vars[t+1] {
			v := c.x.p.Vars[i]
			for _, from := range th.Locs {
				if c.x.layout.live[t][from.Index][k] {
					continue
				}
				for _, e := range from.Out {
					if read, written := c.scan(e.Cmds, v); read || !written && c.x.layout.live[t][e.To.Index][k] {
						return refused("thread %d may read %s at location %d", t, v.Name, from.Index)
					}
				}
			}
		}
	}
	return nil
}

// all checks the states, in several goroutines.
func (c *rechecker) all(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n, workers := c.x.states.n, runtime.GOMAXPROCS(0)
	const stretch = 1 << 10
	if n < 4*stretch {
		workers = 1
	}
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			w := c.worker()
			for from := k * stretch; from < n && ctx.Err() == nil; from += workers * stretch {
				for i := from; i < min(n, from+stretch); i++ {
					if err := w.state(i); err != nil {
						cancel(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() == nil {
		return nil
	}
	if stop := (giveUp{}); errors.As(context.Cause(ctx), &stop) {
		return stop
	}
	return stopped(ctx)
}

// refused is the giveUp for what the search did wrong.
func refused(format string, args ...any) error {
	return giveUp{reason: "the exploration was not confirmed: " + fmt.Sprintf(format, args...)}
}

// domain returns the values of an input or of an uninitialised variable.
func (c *rechecker) domain(v *ir.Var, observed bool) domain {
	if !observed {
		return domain{values: []logic.Value{{}}}
	}
	lo, hi := v.Type.Range()
	n := new(big.Int).Sub(hi.Big(), lo.Big())
	if n.Cmp(big.NewInt(int64(c.x.opts.MaxChoices))) >= 0 {
		return domain{err: refused("an input for %s has too many values", v.Name)}
	}
	var d domain
	for k := range n.Int64() + 1 {
		d.values = append(d.values, lo.Add(logic.IntValue(k)))
	}
	return d
}

// observed reports whether the value that command i of an edge gives its variable
// can be read at some time.
func (c *rechecker) observed(e *ir.Edge, i int) bool {
	v := e.Cmds[i].Var
	switch read, written := c.scan(e.Cmds[i+1:], v); {
	case read:
		return true
	case written:
		return false
	}
	return c.observedAt(e.To, v)
}

// observedAt reports whether the value that v has while its thread is at l, or any
// thread anywhere for a shared variable, can be read at some time.
func (c *rechecker) observedAt(l *ir.Loc, v *ir.Var) bool {
	if v.Thread == ir.Shared {
		return slices.ContainsFunc(c.x.p.Threads, func(t *ir.Thread) bool { return c.x.vars.ThreadAccess(t).Reads[v] })
	}
	seen := map[*ir.Loc]bool{l: true}
	for todo := []*ir.Loc{l}; len(todo) > 0; {
		l, todo = todo[len(todo)-1], todo[:len(todo)-1]
		for _, e := range l.Out {
			read, written := c.scan(e.Cmds, v)
			if read {
				return true
			}
			if !written && !seen[e.To] {
				seen[e.To] = true
				todo = append(todo, e.To)
			}
		}
	}
	return false
}

// scan tells whether commands read v before they write it, or write it.
func (c *rechecker) scan(cmds []ir.Cmd, v *ir.Var) (read, written bool) {
	for i, cmd := range cmds {
		if c.x.vars.CmdAccess(cmds[i : i+1]).Reads[v] {
			return true, false
		}
		if cmd.Kind != ir.Assume && cmd.Var == v {
			return false, true
		}
	}
	return false, false
}

// accesses fills now and later.
func (c *rechecker) accesses() {
	c.now, c.later = map[*ir.Loc]map[*ir.Var]touch{}, map[*ir.Loc]map[*ir.Var]touch{}
	for _, t := range c.x.p.Threads {
		for _, l := range t.Locs {
			c.now[l] = map[*ir.Var]touch{}
			for _, e := range l.Out {
				a := c.x.vars.CmdAccess(e.Cmds)
				for v := range a.Reads {
					c.now[l][v] |= readIt
				}
				for v := range a.Writes {
					c.now[l][v] |= writeIt
				}
			}
		}
		for _, l := range t.Locs {
			c.later[l] = map[*ir.Var]touch{}
			seen := map[*ir.Loc]bool{l: true}
			for todo := []*ir.Loc{l}; len(todo) > 0; {
				m := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				for v, how := range c.now[m] {
					c.later[l][v] |= how
				}
				for _, e := range m.Out {
					if !seen[e.To] {
						seen[e.To] = true
						todo = append(todo, e.To)
					}
				}
			}
		}
	}
}

// recheckWorker has the scratch space of one goroutine.
type recheckWorker struct {
	*rechecker
	locs             []int
	vals             []int64
	tuple            []uint32
	buf, key, record []byte
	// Of one state, by thread: the number of its steps, whether all of them lead
	// to states that were met, and whether all lead forward and not into an
	// atomic section.
	steps         []int
	inside, plain []bool
}

func (c *rechecker) worker() *recheckWorker {
	n := len(c.x.p.Threads)
	return &recheckWorker{rechecker: c, locs: make([]int, n), vals: make([]int64, len(c.x.p.Vars)), tuple: make([]uint32, n+1),
		buf: make([]byte, 0, 10*(len(c.x.p.Vars)+1)), key: make([]byte, 4*(n+1)), record: make([]byte, 0, 4*(n+1)), steps: make([]int, n), inside: make([]bool, n), plain: make([]bool, n)}
}

// has reports whether a state was met.
func (w *recheckWorker) has(s *interp.State) bool {
	for t, l := range s.Locs {
		w.locs[t] = l.Index
	}
	for i, v := range s.Vals {
		w.vals[i] = store(v)
	}
	if !w.x.layout.lookup(w.tuple, w.buf, w.locs, w.vals) {
		return false
	}
	i, _ := w.x.states.find(w.tuple, w.x.states.hash(w.tuple, w.key), w.record[:0])
	return i >= 0
}

// initial checks that every initial state was met.
func (w *recheckWorker) initial() error {
	var open []*ir.Var
	var domains []domain
	for _, v := range w.x.p.Vars {
		if v.Init != nil {
			continue
		}
		var at *ir.Loc
		if v.Thread != ir.Shared {
			at = w.x.p.Threads[v.Thread].Entry
		}
		open = append(open, v)
		domains = append(domains, w.domain(v, w.observedAt(at, v)))
	}
	return combine(domains, nil, func(vals []logic.Value) error {
		init := map[int]logic.Value{}
		for k, v := range open {
			init[v.Index] = vals[k]
		}
		s, err := interp.Initial(w.x.p, init)
		if err != nil {
			return refused("%v", err)
		}
		if s.AtError() != nil || !w.has(s) {
			return refused("an initial state was not met, or is an error")
		}
		return nil
	})
}

// combine calls f with each choice of values from the domains.
func combine(ds []domain, chosen []logic.Value, f func([]logic.Value) error) error {
	if len(chosen) == len(ds) {
		return f(chosen)
	}
	d := ds[len(chosen)]
	for _, v := range d.values {
		if err := combine(ds, append(chosen, v), f); err != nil {
			return err
		}
	}
	return d.err
}

// state checks state i.
func (w *recheckWorker) state(i int) error {
	s := &interp.State{Locs: make([]*ir.Loc, len(w.locs)), Vals: make([]logic.Value, len(w.vals))}
	w.x.states.tuple(i, w.tuple)
	for c, id := range w.tuple {
		w.x.layout.decode(c, id, w.locs, w.vals)
	}
	for t, l := range w.locs {
		s.Locs[t] = w.x.p.Threads[t].Locs[l]
	}
	for k, v := range w.x.p.Vars {
		s.Vals[k] = load(v.Type, w.vals[k])
	}
	if s.AtError() != nil {
		return refused("state %d is an error", i)
	}
	closed, atomic := true, false
	for t, l := range s.Locs {
		w.steps[t], w.inside[t], w.plain[t] = 0, true, true
		atomic = atomic || l.Atomic
		for _, e := range l.Out {
			if err := w.edge(s, t, e); err != nil {
				return err
			}
		}
		closed = closed && w.inside[t]
	}
	if closed || w.x.opts.Reduce && !atomic && w.enough(s) {
		return nil
	}
	return refused("a step of state %d leads elsewhere", i)
}

// edge takes an edge of thread t in every way.
func (w *recheckWorker) edge(s *interp.State, t int, e *ir.Edge) error {
	domains := w.inputs[e]
	tooLarge := func(d domain) bool { return d.err != nil }
	if slices.ContainsFunc(domains, tooLarge) && !slices.Contains(interp.Enabled(w.x.p, s), e) {
		return nil
	}
	return combine(domains, nil, func(inputs []logic.Value) error {
		next, err := w.runner.Step(s, e, inputs)
		switch {
		case errors.Is(err, interp.ErrBlocked):
			return nil
		case err != nil:
			return refused("%v", err)
		case e.To.Error:
			return refused("%s reaches an error", e)
		}
		w.steps[t]++
		w.inside[t] = w.inside[t] && w.has(next)
		w.plain[t] = w.plain[t] && e.To.Index > e.From.Index && !e.To.Atomic
		return nil
	})
}

// enough reports whether the steps of some persistent set of threads were taken
// that allow to leave the others out.
func (w *recheckWorker) enough(s *interp.State) bool {
	for first := range s.Locs {
		set := map[int]bool{first: true}
		for grown := true; grown; {
			grown = false
			for t := range set {
				for u := range s.Locs {
					if !set[u] && collide(w.now[s.Locs[t]], w.later[s.Locs[u]]) {
						set[u], grown = true, true
					}
				}
			}
		}
		steps, good := 0, true
		for t := range set {
			steps += w.steps[t]
			good = good && w.inside[t] && w.plain[t]
		}
		if good && steps > 0 {
			return true
		}
	}
	return false
}

// collide reports whether a variable is in both and written in one.
func collide(a, b map[*ir.Var]touch) bool {
	for v, how := range a {
		if other := b[v]; other != 0 && (how|other)&writeIt != 0 {
			return true
		}
	}
	return false
}
