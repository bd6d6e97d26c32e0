package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// The proof of a program with few states is that all of them are visited here, by package
// interp, which also replays violations: nothing of the certificate is needed but its
// method. There is no reduction of any kind, and no memory but a table of the states; the
// engine that found the program safe (package ir/explore) has another representation of
// states, other steps and leaves interleavings out.

// MaxStates is the largest number of states that [States] visits.
const MaxStates = 1_000_000

// maxInputs bounds the values of one input.
const maxInputs = 256

// states is a search for errors in all states.
type states struct {
	p      *ir.Program
	tab    ir.SymTable
	run    interp.Runner
	met    map[string]bool
	todo   []*interp.State
	inputs map[*ir.Edge][][]logic.Value // what each havoc command can choose from
	key    []byte
}

// States proves a program safe by visiting all its states. The error is for those that are
// not safe, and for those with too many states or inputs with too many values.
func States(ctx context.Context, p *ir.Program) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the states could not be visited: %v", r)
		}
	}()
	if err := p.Single(); err != nil {
		return err
	}
	if _, err := newProgram(p); err != nil {
		return err
	}
	s := &states{p: p, tab: p.Symbols(), run: interp.NewRunner(p), met: map[string]bool{}, inputs: map[*ir.Edge][][]logic.Value{}}
	if err := s.start(); err != nil {
		return err
	}
	for len(s.todo) > 0 {
		if len(s.met)%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if err := s.leave(at); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// start adds the initial states.
func (s *states) start() error {
	var open []*ir.Var
	var domains [][]logic.Value
	for _, v := range s.p.Vars {
		if v.Init != nil {
			continue
		}
		d, err := s.values(v, s.live(v, nil, entryOf(s.p, v)))
		if err != nil {
			return err
		}
		open, domains = append(open, v), append(domains, d)
	}
	return choose(domains, nil, func(vals []logic.Value) error {
		init := map[int]logic.Value{}
		for i, v := range open {
			init[v.Index] = vals[i]
		}
		at, err := interp.Initial(s.p, init)
		if err != nil {
			return err
		}
		return s.add(at)
	})
}

// entryOf returns where the thread that has a variable begins; nil for a shared one.
func entryOf(p *ir.Program, v *ir.Var) *ir.Loc {
	if v.Thread == ir.Shared {
		return nil
	}
	return p.Threads[v.Thread].Entry
}

// add adds a state, if it is a new one.
func (s *states) add(at *interp.State) error {
	if l := at.AtError(); l != nil {
		return fmt.Errorf("thread %s gets to the error at %s", l.Thread.Name, l.Pos)
	}
	s.key = s.key[:0]
	for _, l := range at.Locs {
		s.key = append(s.key, fmt.Sprintf("%d,", l.Index)...)
	}
	for _, v := range at.Vals {
		s.key = append(append(s.key, v.String()...), ',')
	}
	if s.met[string(s.key)] {
		return nil
	}
	if len(s.met) == MaxStates {
		return fmt.Errorf("the program has more than %d states", MaxStates)
	}
	s.met[string(s.key)] = true
	s.todo = append(s.todo, at)
	return nil
}

// leave adds the states that steps lead to from one.
func (s *states) leave(at *interp.State) error {
	for _, l := range at.Locs {
		for _, e := range l.Out {
			domains, err := s.choices(e)
			if err != nil {
				if !slices.Contains(interp.Enabled(s.p, at), e) {
					continue
				}
				return err
			}
			err = choose(domains, nil, func(inputs []logic.Value) error {
				next, err := s.run.Step(at, e, inputs)
				if errors.Is(err, interp.ErrBlocked) {
					return nil
				}
				if err != nil {
					return err
				}
				return s.add(next)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// choose calls f with every choice of one value from each domain.
func choose(domains [][]logic.Value, chosen []logic.Value, f func([]logic.Value) error) error {
	if len(chosen) == len(domains) {
		return f(chosen)
	}
	for _, v := range domains[len(chosen)] {
		if err := choose(domains, append(chosen[:len(chosen):len(chosen)], v), f); err != nil {
			return err
		}
	}
	return nil
}

// choices returns what each havoc command of an edge can choose from.
func (s *states) choices(e *ir.Edge) ([][]logic.Value, error) {
	if d, ok := s.inputs[e]; ok {
		return d, nil
	}
	domains := [][]logic.Value{}
	for i, c := range e.Cmds {
		if c.Kind != ir.Havoc {
			continue
		}
		d, err := s.values(c.Var, s.live(c.Var, e.Cmds[i+1:], e.To))
		if err != nil {
			return nil, err
		}
		domains = append(domains, d)
	}
	s.inputs[e] = domains
	return domains, nil
}

// values returns the values of a variable's type; one of them, if nobody reads it.
func (s *states) values(v *ir.Var, read bool) ([]logic.Value, error) {
	lo, hi := v.Type.Range()
	if !read {
		if lo.Sign() <= 0 && hi.Sign() >= 0 {
			lo = logic.IntValue(0)
		}
		return []logic.Value{lo}, nil
	}
	if n, ok := hi.Add(lo.Neg()).Int64(); !ok || n >= maxInputs {
		return nil, fmt.Errorf("%s can start as more than %d values", v.Name, maxInputs)
	}
	var out []logic.Value
	for x := lo; x.Cmp(hi) <= 0; x = x.Add(logic.IntValue(1)) {
		out = append(out, x)
	}
	return out, nil
}

// live reports whether the value that a variable has before some commands, which lead to
// a location, can be read: by anybody if it is shared, otherwise by what follows.
func (s *states) live(v *ir.Var, cmds []ir.Cmd, to *ir.Loc) bool {
	if v.Thread == ir.Shared {
		for _, t := range s.p.Threads {
			if s.tab.ThreadAccess(t).Reads[v] {
				return true
			}
		}
		return false
	}
	// over reports that v is written, and read that it is read before that.
	use := func(cmds []ir.Cmd) (read, over bool) {
		for i, c := range cmds {
			if s.tab.CmdAccess(cmds[i : i+1]).Reads[v] {
				return true, false
			}
			if (c.Kind == ir.Assign || c.Kind == ir.Havoc) && c.Var == v {
				return false, true
			}
		}
		return false, false
	}
	if read, over := use(cmds); read || over {
		return read
	}
	seen, todo := map[*ir.Loc]bool{to: true}, []*ir.Loc{to}
	for len(todo) > 0 {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range l.Out {
			read, over := use(e.Cmds)
			if read {
				return true
			}
			if !over && !seen[e.To] {
				seen[e.To] = true
				todo = append(todo, e.To)
			}
		}
	}
	return false
}
