package check

import (
	"maps"

	"comus/ir"
	"comus/logic"
)

// constants are variables with a known value.
type constants map[*ir.Var]logic.Value

// agree reports whether a state can satisfy both.
func (a constants) agree(b constants) bool {
	if len(b) < len(a) {
		a, b = b, a
	}
	for v, c := range a {
		if d, ok := b[v]; ok && d != c {
			return false
		}
	}
	return true
}

// edgeInfo is an edge with its effect.
type edgeInfo struct {
	*ir.Edge
	thread        int
	effect        *effect
	reads, writes map[*ir.Var]bool
	control       []*ir.Var // the control variables in the effect's condition
	sets          constants // the constants it leaves in control variables
	feasible      bool      // as far as the analysis can tell
	before, after constants // what holds whenever it is taken, before and after
	nofold        map[*ir.Var]map[logic.Value]bool
}

// analysis computes, for each location of each thread, control variables that
// have a known value whenever the thread is there: that another thread has not
// been created yet or has ended, that a mutex is held.
//
// Nothing is known about what variables are for. A control variable is a shared
// one that every edge that writes it sets to a constant. What is found is an
// invariant of the program in which atomic sections are ignored, by induction:
// it holds at first; a thread's own step leads from what is known at the edge's
// source (and from what the edge's assumptions say) to what is known at its
// target; and a fact v = c of a thread at a location survives a step of another
// thread that writes v because that step sets v to c as well, or is not possible
// when v is c, or because what is known of the two threads contradicts.
type analysis struct {
	pr      *program
	edges   []*edgeInfo
	out     [][][]*edgeInfo // by thread and location
	writers map[*ir.Var][]*edgeInfo
	values  map[*ir.Var][]logic.Value // all the values it can have
	at      [][]constants             // by thread and location; nil: not reached
	banned  [][]map[*ir.Var]bool
}

// analyze runs the analysis.
func (pr *program) analyze() *analysis {
	a := &analysis{pr: pr, writers: map[*ir.Var][]*edgeInfo{}, values: map[*ir.Var][]logic.Value{}}
	for _, t := range pr.threads {
		outs := make([][]*edgeInfo, len(t.Locs))
		for _, l := range t.Locs {
			for _, e := range l.Out {
				x := pr.edgeInfo(t.Index, e)
				outs[l.Index] = append(outs[l.Index], x)
				a.edges = append(a.edges, x)
			}
		}
		a.out = append(a.out, outs)
		a.at = append(a.at, nil)
		banned := make([]map[*ir.Var]bool, len(t.Locs))
		for i := range banned {
			banned[i] = map[*ir.Var]bool{}
		}
		a.banned = append(a.banned, banned)
	}
	a.findControl()
	for again := true; again; {
		for i := range pr.threads {
			a.propagate(i)
		}
		a.relate()
		again = a.ban()
	}
	return a
}

func (pr *program) edgeInfo(thread int, e *ir.Edge) *edgeInfo {
	x := &edgeInfo{Edge: e, thread: thread, effect: pr.exec(nil, e.Cmds, nil), reads: map[*ir.Var]bool{}, writes: map[*ir.Var]bool{}}
	for _, c := range e.Cmds {
		for _, t := range c.Reads() {
			for _, s := range logic.FreeVars(t) {
				x.reads[pr.varOf[s]] = true
			}
		}
		if c.Kind != ir.Assume {
			x.writes[c.Var] = true
		}
	}
	return x
}

// findControl finds the control variables and the values they can have.
func (a *analysis) findControl() {
	control := map[*ir.Var]bool{}
	for _, v := range a.pr.Vars {
		if v.Thread == ir.Shared && v.Init != nil {
			control[v] = true
			a.values[v] = []logic.Value{*v.Init}
		}
	}
	for _, x := range a.edges {
		for v := range x.writes {
			if c, ok := x.effect.env[v.Sym].Const(); ok && control[v] {
				a.values[v] = append(a.values[v], c)
			} else {
				delete(control, v)
				delete(a.values, v)
			}
		}
	}
	for _, x := range a.edges {
		x.sets = constants{}
		for v := range x.writes {
			if control[v] {
				x.sets[v], _ = x.effect.env[v.Sym].Const()
				a.writers[v] = append(a.writers[v], x)
			}
		}
		for _, s := range logic.FreeVars(x.effect.cond) {
			if v := a.pr.varOf[s]; v != nil && control[v] {
				x.control = append(x.control, v)
			}
		}
	}
}

// propagate computes what is known at a thread's locations, apart from the facts
// that are banned.
func (a *analysis) propagate(thread int) {
	t := a.pr.threads[thread]
	at := make([]constants, len(t.Locs))
	a.at[thread] = at
	entry := constants{}
	for v := range a.values {
		if !a.banned[thread][t.Entry.Index][v] {
			entry[v] = *v.Init
		}
	}
	at[t.Entry.Index] = entry
	work := []int{t.Entry.Index}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, x := range a.out[thread][l] {
			pre, ok := a.taking(at[l], x)
			if !ok {
				continue
			}
			to := x.To.Index
			post := pre.step(x)
			if at[to] == nil {
				at[to] = post
				for v := range a.banned[thread][to] {
					delete(post, v)
				}
				work = append(work, to)
				continue
			}
			n := len(at[to])
			maps.DeleteFunc(at[to], func(v *ir.Var, c logic.Value) bool { d, ok := post[v]; return !ok || d != c })
			if len(at[to]) != n {
				work = append(work, to)
			}
		}
	}
}

// taking adds to what is known what the edge's assumptions imply, and reports
// whether the edge can be taken at all. If they imply nothing, it returns known itself.
func (a *analysis) taking(known constants, x *edgeInfo) (constants, bool) {
	out, own := known, false
	for _, v := range x.control {
		if c, ok := known[v]; ok {
			if a.excludes(x, v, c) {
				return nil, false
			}
			continue
		}
		var possible []logic.Value
		for _, c := range a.values[v] {
			if !a.excludes(x, v, c) && (len(possible) == 0 || possible[0] != c) {
				possible = append(possible, c)
			}
		}
		switch len(possible) {
		case 0:
			return nil, false
		case 1:
			if !own {
				out, own = maps.Clone(known), true
			}
			out[v] = possible[0]
		}
	}
	return out, true
}

// excludes reports whether the edge surely cannot be taken when v is c.
func (a *analysis) excludes(x *edgeInfo, v *ir.Var, c logic.Value) bool {
	if r, ok := x.nofold[v][c]; ok {
		return r
	}
	l := a.pr.l
	r := l.Subst(x.effect.cond, map[*logic.Term]*logic.Term{v.Sym: l.Value(c)}).IsFalse()
	if x.nofold == nil {
		x.nofold = map[*ir.Var]map[logic.Value]bool{}
	}
	if x.nofold[v] == nil {
		x.nofold[v] = map[logic.Value]bool{}
	}
	x.nofold[v][c] = r
	return r
}

// step returns what is known after an edge.
func (a constants) step(x *edgeInfo) constants {
	out := maps.Clone(a)
	for v := range x.writes {
		delete(out, v)
	}
	maps.Copy(out, x.sets)
	return out
}

// relate computes what is known when each edge is taken.
func (a *analysis) relate() {
	for _, x := range a.edges {
		x.feasible = false
		if known := a.at[x.thread][x.From.Index]; known != nil {
			x.before, x.feasible = a.taking(known, x)
		}
		if x.after = x.before; x.feasible && len(x.writes) > 0 {
			x.after = x.before.step(x)
		}
	}
}

// ban bans the facts that other threads may invalidate and reports whether there
// were any.
func (a *analysis) ban() bool {
	found := false
	for i := range a.at {
		for l, known := range a.at[i] {
			for v, c := range known {
				for _, x := range a.writers[v] {
					if x.thread != i && x.feasible && x.sets[v] != c && !a.excludes(x, v, c) && x.before.agree(known) {
						a.banned[i][l][v] = true
						found = true
						break
					}
				}
			}
		}
	}
	return found
}
