package check

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// The proof of a program with few states is that all of them are visited here, by package
// interp, which also replays violations: nothing of the certificate is needed but its
// method. There is no reduction but that locals that nobody reads any more are 0, and no memory but a table of the states; the
// engine that found the program safe (package ir/explore) has another representation of
// states, other steps and leaves interleavings out.
//
// A value that could be one of too many is left open, as long as nothing depends on it: it
// may be copied and overwritten, but a step that computes with it, or asks for it, ends the
// proof. One state with open values then stands for all those with any values in their place.

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
	todo   []*state
	inputs map[*ir.Edge][]domain // what each havoc command can choose from
	key    []byte

	dead    map[*ir.Loc][]int             // locals that nobody reads any more are 0
	touched map[*ir.Edge][]*ir.Var        // the variables of its commands
	free    map[*logic.Term][]*logic.Term // those of terms
}

// state is a state of which some values are open: they have a value in it, too, but that
// could be another one.
type state struct {
	*interp.State
	open map[*ir.Var]bool
}

// domain are the values of an input; one of many if it is open.
type domain struct {
	values []logic.Value
	open   bool
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
	tab := p.Symbols()
	s := &states{p: p, tab: tab, dead: deadLocals(p, tab), run: interp.NewRunner(p), met: map[string]bool{}, inputs: map[*ir.Edge][]domain{},
		touched: map[*ir.Edge][]*ir.Var{}, free: map[*logic.Term][]*logic.Term{}}
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
	var unset []*ir.Var
	var domains []domain
	open := map[*ir.Var]bool{}
	for _, v := range s.p.Vars {
		if v.Init != nil {
			continue
		}
		d := s.values(v, s.live(v, nil, entryOf(s.p, v)))
		unset, domains = append(unset, v), append(domains, d)
		if d.open {
			open[v] = true
		}
	}
	return choose(domains, nil, func(vals []logic.Value) error {
		init := map[int]logic.Value{}
		for i, v := range unset {
			init[v.Index] = vals[i]
		}
		at, err := interp.Initial(s.p, init)
		if err != nil {
			return err
		}
		return s.add(&state{at, open})
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
func (s *states) add(at *state) error {
	if l := at.AtError(); l != nil {
		return fmt.Errorf("thread %s gets to the error at %s", l.Thread.Name, l.Pos)
	}
	s.forget(at)
	s.writeKey(at)
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

// forget makes locals 0 that nobody reads any more. States share what steps do not change, so it is done in a copy.
func (s *states) forget(at *state) {
	copied := false
	for _, l := range at.Locs {
		for _, i := range s.dead[l] {
			v, isOpen := s.p.Vars[i], len(at.open) > 0 && at.open[s.p.Vars[i]]
			if at.Vals[i] == (logic.Value{}) && !isOpen {
				continue
			}
			if !copied {
				at.State, copied = &interp.State{Locs: at.Locs, Vals: slices.Clone(at.Vals)}, true
			}
			if at.Vals[i] = (logic.Value{}); isOpen {
				at.open = maps.Clone(at.open)
				delete(at.open, v)
			}
		}
	}
}

// writeKey sets the key, which differs from those of all other states: the numbers of the locations, the values of the
// variables, and then of those that are large or open what they are.
func (s *states) writeKey(at *state) {
	key := s.key[:0]
	for _, l := range at.Locs {
		key = binary.AppendUvarint(key, uint64(l.Index))
	}
	for _, v := range at.Vals {
		small, _ := v.Int64() // 0 for a large one
		key = binary.AppendVarint(key, small)
	}
	for i, v := range at.Vals {
		if _, ok := v.Int64(); !ok {
			text := v.String()
			key = binary.AppendUvarint(append(key, 'l'), uint64(i))
			key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
		}
		if len(at.open) > 0 && at.open[s.p.Vars[i]] {
			key = binary.AppendUvarint(append(key, 'o'), uint64(i))
		}
	}
	s.key = key
}

// leave adds the states that steps lead to from one.
func (s *states) leave(at *state) error {
	for t, l := range at.Locs {
		if !at.MayRun(t) {
			continue
		}
		for _, e := range l.Out {
			domains := s.choices(e)
			open, err := s.openAfter(at, e, domains)
			if errors.Is(err, interp.ErrBlocked) {
				continue
			}
			if err != nil {
				return err
			}
			err = choose(domains, nil, func(inputs []logic.Value) error {
				next, err := s.run.Step(at.State, e, inputs)
				if errors.Is(err, interp.ErrBlocked) {
					return nil
				}
				if err != nil {
					return err
				}
				return s.add(&state{next, open})
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// openAfter returns the variables whose values are open after an edge. The error is for
// an edge that does more with an open value than copy it, or interp.ErrBlocked for one that
// cannot be taken.
func (s *states) openAfter(at *state, e *ir.Edge, domains []domain) (map[*ir.Var]bool, error) {
	if !s.touchesOpen(at, e) && !slices.ContainsFunc(domains, func(d domain) bool { return d.open }) {
		return at.open, nil
	}
	after := map[*ir.Var]bool{}
	maps.Copy(after, at.open)
	written := map[*ir.Var]bool{} // variables whose values are not known any more
	given := map[*ir.Var]logic.Value{}
	known := func(t *logic.Term) (logic.Value, bool) {
		if s.depends(t, written) {
			return logic.Value{}, false
		}
		return logic.Eval(t, func(v *logic.Term) logic.Value {
			if x, ok := given[s.tab[v]]; ok {
				return x
			}
			return at.Value(s.tab[v])
		}), true
	}
	havocs := 0
	for _, c := range e.Cmds {
		var err error
		isOpen, isKnown := false, false
		var value logic.Value
		switch c.Kind {
		case ir.Havoc:
			isOpen = domains[havocs].open
			havocs++
		case ir.Assign:
			if isOpen, err = s.copied(c.Expr, c.Var.Type, after, known); err == nil && !isOpen {
				value, isKnown = known(c.Expr)
				isKnown = isKnown && c.Var.Type.Contains(value)
			}
		default:
			if s.needs(c.Cond, after, known) {
				err = fmt.Errorf("a step depends on a value that is one of more than %d", maxInputs)
			} else if holds, ok := known(c.Cond); ok && !holds.Bool() {
				return nil, interp.ErrBlocked // whatever comes after it
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.From.Pos, err)
		}
		if c.Kind != ir.Assume {
			set(after, c.Var, isOpen)
			set(written, c.Var, !isKnown)
			given[c.Var] = value
		}
	}
	return after, nil
}

// touchesOpen reports whether commands of an edge read or write a variable whose value is open.
func (s *states) touchesOpen(at *state, e *ir.Edge) bool {
	if len(at.open) == 0 {
		return false
	}
	vars, ok := s.touched[e]
	if !ok {
		a := s.tab.CmdAccess(e.Cmds)
		for _, v := range s.p.Vars {
			if a.Reads[v] || a.Writes[v] {
				vars = append(vars, v)
			}
		}
		s.touched[e] = vars
	}
	return slices.ContainsFunc(vars, func(v *ir.Var) bool { return at.open[v] })
}

// set adds a variable to a set, or removes it.
func set(m map[*ir.Var]bool, v *ir.Var, in bool) {
	if in {
		m[v] = true
	} else {
		delete(m, v)
	}
}

// copied reports whether the value of a command's term may be open. The error is for a
// term that is more than a copy of a variable, chosen by what is not open, or of one whose
// values the command's variable cannot all have. known tells the values of variables, where
// they are known at this place.
func (s *states) copied(t *logic.Term, to ir.Type, open map[*ir.Var]bool, known func(*logic.Term) (logic.Value, bool)) (bool, error) {
	switch {
	case !s.needs(t, open, known):
		return false, nil
	case t.Op() == logic.OpIte && !s.needs(t.Args()[0], open, known):
		if c, ok := known(t.Args()[0]); ok {
			if c.Bool() {
				return s.copied(t.Args()[1], to, open, known)
			}
			return s.copied(t.Args()[2], to, open, known)
		}
		yes, err := s.copied(t.Args()[1], to, open, known)
		no, err2 := s.copied(t.Args()[2], to, open, known)
		return yes || no, errors.Join(err, err2)
	case t.IsVar():
		lo, hi := to.Range()
		low, high := s.tab[t].Type.Range()
		if lo.Cmp(low) <= 0 && high.Cmp(hi) <= 0 {
			return true, nil
		}
	}
	return false, fmt.Errorf("a step depends on a value that is one of more than %d", maxInputs)
}

// depends reports whether an open variable is in a term.
func (s *states) depends(t *logic.Term, open map[*ir.Var]bool) bool {
	if len(open) == 0 {
		return false
	}
	free, ok := s.free[t]
	if !ok {
		free = logic.FreeVars(t)
		s.free[t] = free
	}
	return slices.ContainsFunc(free, func(v *logic.Term) bool { return open[s.tab[v]] })
}

// needs reports whether the value of a term may depend on values that are open: not by a branch that is not taken, and not beside a part that
// decides an "and" or an "or" alone. known tells the values of terms, where they are known.
func (s *states) needs(t *logic.Term, open map[*ir.Var]bool, known func(*logic.Term) (logic.Value, bool)) bool {
	if !s.depends(t, open) {
		return false
	}
	needs := func(arg *logic.Term) bool { return s.needs(arg, open, known) }
	decides := func(arg *logic.Term, as bool) bool {
		if needs(arg) {
			return false
		}
		v, ok := known(arg)
		return ok && v.Bool() == as
	}
	switch args := t.Args(); t.Op() {
	case logic.OpIte:
		switch {
		case needs(args[0]):
			return true
		case decides(args[0], true):
			return needs(args[1])
		case decides(args[0], false):
			return needs(args[2])
		}
		return needs(args[1]) || needs(args[2])
	case logic.OpAnd, logic.OpOr:
		as := t.Op() == logic.OpOr
		return slices.ContainsFunc(args, needs) && !slices.ContainsFunc(args, func(arg *logic.Term) bool { return decides(arg, as) })
	case logic.OpVar:
		return true
	default:
		return slices.ContainsFunc(args, needs)
	}
}

// choose calls f with every choice of one value from each domain.
func choose(domains []domain, chosen []logic.Value, f func([]logic.Value) error) error {
	if len(chosen) == len(domains) {
		return f(chosen)
	}
	for _, v := range domains[len(chosen)].values {
		if err := choose(domains, append(chosen[:len(chosen):len(chosen)], v), f); err != nil {
			return err
		}
	}
	return nil
}

// choices returns what each havoc command of an edge can choose from.
func (s *states) choices(e *ir.Edge) []domain {
	if d, ok := s.inputs[e]; ok {
		return d
	}
	domains := []domain{}
	for i, c := range e.Cmds {
		if c.Kind == ir.Havoc {
			domains = append(domains, s.values(c.Var, s.live(c.Var, e.Cmds[i+1:], e.To)))
		}
	}
	s.inputs[e] = domains
	return domains
}

// values returns the values of a variable's type; one of them, if nobody reads it, or if
// they are too many.
func (s *states) values(v *ir.Var, read bool) domain {
	lo, hi := v.Type.Range()
	n, ok := hi.Add(lo.Neg()).Int64()
	many := !ok || n >= maxInputs
	if !read || many {
		if lo.Sign() <= 0 && hi.Sign() >= 0 {
			lo = logic.IntValue(0)
		}
		return domain{[]logic.Value{lo}, read}
	}
	var out []logic.Value
	for x := lo; x.Cmp(hi) <= 0; x = x.Add(logic.IntValue(1)) {
		out = append(out, x)
	}
	return domain{values: out}
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
	return readAfter(s.tab, s.dead, v, cmds, to)
}
