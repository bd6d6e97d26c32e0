package cba

import (
	"comus/boolprog"
	"comus/boolprog/bdd"
)

// step is an edge in a context, as BDD operations.
type step struct {
	relation bdd.Node      // of the state before, and the targets after; of a call: the parameters
	old      bdd.Node      // the set of the targets before
	before   []int         // the targets before
	after    []int         // the targets after
	shift    *bdd.Renaming // after to before
}

// target returns the BDD variable of a variable before a step in a context.
func (s *space) target(v boolprog.Var, context int) int {
	if v.Global {
		return s.global(now, context, v.Index)
	}
	return s.local(local, v.Index)
}

// plain encodes an edge that is no call.
func (s *space) plain(e *boolprog.Edge, context int) *step {
	st := &step{}
	sc := &scope{s, context, map[boolprog.Var]int{}}
	for _, v := range e.Targets {
		after := s.local(nextLocal, v.Index)
		if v.Global {
			after = s.global(next, context, v.Index)
		}
		sc.after[v] = after
		st.before = append(st.before, s.target(v, context))
		st.after = append(st.after, after)
	}
	st.relation = sc.holds(e.Guard)
	for i, value := range e.Values {
		st.relation = s.And(st.relation, sc.has(st.after[i], value))
	}
	st.relation = s.And(st.relation, sc.holds(e.Constrain))
	st.old = s.Set(st.before...)
	st.shift = s.renaming(st.after, st.before)
	return st
}

// image returns the states after a plain step.
func (s *space) image(st *step, states bdd.Node) bdd.Node {
	return s.Replace(s.AndExists(states, st.relation, st.old), st.shift)
}

// call is a call in the context it begins in.
type call struct {
	arguments bdd.Node // relates the state before and the parameters as nextLocal
}

// call encodes the arguments of a call.
func (s *space) call(e *boolprog.Edge, context int) *call {
	sc := &scope{s, context, nil}
	r := bdd.True
	for i, value := range e.Values {
		r = s.And(r, sc.has(s.local(nextLocal, i), value))
	}
	return &call{r}
}

// entering returns the states at the entry of the callee (rule R7): it remembers
// the start of the contexts, but not the caller's local variables.
func (s *space) entering(e *boolprog.Edge, c *call, context int, states bdd.Node) bdd.Node {
	f := e.Callee
	away := append(s.tuple(atEntry, 1, context), s.frame(entered, s.locals)...)
	away = append(away, s.frame(local, s.locals)...)
	n := s.AndExists(states, c.arguments, s.Set(away...))
	n = s.rename(n, s.frame(nextLocal, f.Params), s.frame(entered, f.Params))
	return s.And(n, s.entry(f, context))
}

// entry returns what holds at the entry of a procedure in any case.
func (s *space) entry(f *boolprog.Proc, context int) bdd.Node {
	return s.And(s.same(s.tuple(atEntry, 1, context), s.tuple(now, 1, context)),
		s.same(s.frame(entered, f.Params), s.frame(local, f.Params)))
}

// summary makes a summary (rule R3) from the states at the exit of a procedure, with
// the variables that a caller gives them: the tuple at the entry is now, that at the
// exit is next.
func (s *space) summary(f *boolprog.Proc, context int, states bdd.Node) bdd.Node {
	var away []int
	for v := range len(f.Vars) - f.Results {
		away = append(away, s.local(local, v))
	}
	n := s.Exists(states, s.Set(away...))
	from := append(s.tuple(now, 1, context), s.tuple(atEntry, 1, context)...)
	to := append(s.tuple(next, 1, context), s.tuple(now, 1, context)...)
	from = append(from, s.frame(entered, f.Params)...)
	to = append(to, s.frame(nextLocal, f.Params)...)
	for i := range f.Results {
		from = append(from, s.local(local, f.Result(i).Index))
		to = append(to, s.local(returned, i))
	}
	return s.rename(n, from, to)
}

// extended returns callers whose call begins in one context and ends in a later one
// (rule R'2): the contexts in between are as they started.
func (s *space) extended(states bdd.Node, from, to int) bdd.Node {
	for c := from + 1; c <= to; c++ {
		states = s.And(states, s.idle(c))
	}
	return states
}

// idle tells that nothing has happened in a context yet.
func (s *space) idle(context int) bdd.Node {
	start := s.tuple(atStart, context, context)
	return s.And(s.same(start, s.tuple(now, context, context)), s.same(start, s.tuple(atEntry, context, context)))
}

// returning returns the states after a call that ends in a context: the callers,
// extended to it, with a summary.
func (s *space) returning(e *boolprog.Edge, c *call, context int, callers, summary bdd.Node) bdd.Node {
	away := append(s.tuple(now, 1, context), s.frame(nextLocal, e.Callee.Params)...)
	n := s.AndExists(s.And(callers, c.arguments), summary, s.Set(away...))
	var drop, from, to []int
	skip := map[int]bool{}
	for i, v := range e.Targets {
		from = append(from, s.local(returned, i))
		to = append(to, s.target(v, context))
		if v.Global {
			drop = append(drop, s.global(next, context, v.Index))
			skip[s.global(next, context, v.Index)] = true
		} else {
			drop = append(drop, s.local(local, v.Index))
		}
	}
	for i := len(e.Targets); i < e.Callee.Results; i++ {
		drop = append(drop, s.local(returned, i))
	}
	for v := range s.globals {
		for k := 1; k <= context; k++ {
			if x := s.global(next, k, v); !skip[x] {
				from, to = append(from, x), append(to, s.global(now, k, v))
			}
		}
	}
	return s.rename(s.Exists(n, s.Set(drop...)), from, to)
}
