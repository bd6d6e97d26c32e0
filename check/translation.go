package check

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"comus/ir"
	"comus/logic"
)

// Counters that only count up (tickets, the two ends of a ring, generations, statistics) have too many values for a visit of all states. Often the program does not tell states apart in which all of
// them are larger by the same number: it compares them with one another, subtracts one from another one, and takes them modulo a small number. Then one of these states stands for all of them (symmetry
// reduction: Clarke, Enders, Filkorn, Jha, Exploiting symmetry in temporal logic model checking, FMSD 1996).
//
// A translation adds multiples of a number to variables, each times a weight, modulo the sizes of their types. A command allows it if it does the same before it and after it:
//
//   - an assumption holds of the translated state if and only if it holds of the state;
//   - an assignment to a variable gives the translated value;
//   - any value of a type, translated, is any value of the type.
//
// The solver proves that of each command for one step of the translation, for all values within the types, and so it is true of any number of steps. If an assumption does not allow a translation, it is left
// out, which only adds executions: those are the assumptions that numbers do not overflow, mostly. For the same reason what is assigned to a variable that is translated wraps around.
// If an assignment does not, states in which a thread may still come to it are not translated.
//
// So from a state and from its translation the same locations are reached, errors among them, and either may be visited in place of the other one. The proof is a visit of all states with few values. Locals that nobody reads
// any more are 0 in it.

// Translation is a translation of states that commands allow.
type Translation struct {
	// Weights say what is added to variables, by their numbers, for each step of the translation.
	Weights []Weight `json:"weights"`
	// Step is the number by which all of it is multiplied, at least 1: 4, if the program looks at numbers modulo 4.
	Step int64 `json:"step"`
	// Bits is how many of the lowest bits of each variable change: what is added is added modulo 2^Bits. No variable has fewer.
	Bits int `json:"bits"`
}

// Weight is what a translation adds to a variable.
type Weight struct {
	Var    int   `json:"var"`
	Weight int64 `json:"weight"`
}

// maxTranslated is the largest number of states that a visit with translations makes.
const maxTranslated = 200_000

// translated is a visit of states, one for many.
type translated struct {
	p      *ir.Program
	tab    ir.SymTable
	prover *prover
	trans  []*translation
	wraps  map[*ir.Var]bool          // what is assigned to it wraps around
	left   map[*ir.Edge][]bool       // assumptions that are left out, by commands
	dead   map[*ir.Loc][]int         // locals that nobody reads any more
	values map[*ir.Var][]logic.Value // of inputs and what is not set
	met    map[string]bool
	todo   []config
	key    []byte
}

// config is a state: where threads are, and what variables hold.
type config struct {
	locs []*ir.Loc
	vals []logic.Value
}

// translation is one of the program's.
type translation struct {
	weight map[*ir.Var]int64
	order  []*ir.Var // as in the certificate
	step   int64
	bits   int
	late   map[*ir.Loc]bool // where no assignment can be reached any more that does not allow it
}

// TranslatedStates proves a program safe by visiting states of which each stands for all its translations. The error is for a program that is not safe, or has too many states, and for
// translations that are none.
func TranslatedStates(ctx context.Context, p *ir.Program, list []Translation) (err error) {
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
	x := &translated{p: p, tab: p.Symbols(), wraps: map[*ir.Var]bool{}, left: map[*ir.Edge][]bool{}, values: map[*ir.Var][]logic.Value{}, met: map[string]bool{}}
	if x.prover, err = newProver(ctx, p.L); err != nil {
		return err
	}
	defer x.prover.s.Close()
	for _, v := range p.Vars {
		x.prover.s.Assert(p.InRange(v))
	}
	if err := x.read(list); err != nil {
		return err
	}
	for _, t := range x.trans {
		if err := x.verify(t); err != nil {
			return err
		}
	}
	x.dead = deadLocals(p, x.tab)
	if err := x.start(); err != nil {
		return err
	}
	for len(x.todo) > 0 {
		if len(x.met)%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		if err := x.leave(at); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// read reads translations.
func (x *translated) read(list []Translation) error {
	if len(list) == 0 || len(list) > len(x.p.Vars) {
		return errors.New("there are no translations, or more than variables")
	}
	for _, c := range list {
		t := &translation{weight: map[*ir.Var]int64{}, step: c.Step, bits: c.Bits, late: map[*ir.Loc]bool{}}
		if c.Step < 1 || c.Step > 1<<30 || c.Bits < 1 || len(c.Weights) == 0 {
			return errors.New("a translation has no step, no bits, or no variables")
		}
		for _, w := range c.Weights {
			if w.Var < 0 || w.Var >= len(x.p.Vars) || w.Weight == 0 || w.Weight > 1<<30 || w.Weight < -1<<30 {
				return errors.New("a translation has a weight of no variable, or none of a variable")
			}
			v := x.p.Vars[w.Var]
			if size := powerOf2(c.Bits); v.Type.Bits < c.Bits || logic.IntValue(w.Weight*c.Step).Cmp(size) >= 0 || logic.IntValue(-w.Weight*c.Step).Cmp(size) >= 0 {
				return fmt.Errorf("a translation adds more to %s than it has values", v.Name)
			}
			if t.weight[v] != 0 {
				return fmt.Errorf("a translation has two weights of %s", v.Name)
			}
			if v.Cell != ir.NoCell || v.Stale != nil {
				return fmt.Errorf("%s cannot be translated", v.Name)
			}
			t.weight[v], x.wraps[v] = w.Weight, true
			t.order = append(t.order, v)
		}
		x.trans = append(x.trans, t)
	}
	return nil
}

// wrap returns a value that is wrapped around into a type once, which is enough for one that is too large or too small by less than the size of the type.
func (x *translated) wrap(t *logic.Term, typ ir.Type) *logic.Term {
	l := x.p.L
	lo, hi := typ.Range()
	size := l.Value(sizeOf(typ))
	return l.Ite(l.Gt(t, l.Value(hi)), l.Sub(t, size), l.Ite(l.Lt(t, l.Value(lo)), l.Add(t, size), t))
}

// sizeOf returns how many values a type has.
func sizeOf(t ir.Type) logic.Value { return powerOf2(t.Bits) }

func powerOf2(bits int) logic.Value {
	return logic.BigValue(new(big.Int).Lsh(big.NewInt(1), uint(bits)))
}

// moved returns what a translation makes of a value of a variable in one step.
func (x *translated) moved(t *translation, v *ir.Var, value *logic.Term) *logic.Term {
	l := x.p.L
	by := t.weight[v] * t.step
	sum := l.Add(value, l.Int(by))
	if v.Type.Bits == t.bits {
		return x.wrap(sum, v.Type)
	}
	size := l.Value(powerOf2(t.bits))
	low := l.Add(l.Mod(value, size), l.Int(by))
	return l.Ite(l.Ge(low, size), l.Sub(sum, size), l.Ite(l.Lt(low, l.Int(0)), l.Add(sum, size), sum))
}

// verify finds out which commands allow a translation, and where it is late enough for it.
func (x *translated) verify(t *translation) error {
	l := x.p.L
	sub := map[*logic.Term]*logic.Term{}
	for _, v := range t.order {
		sub[v.Sym] = x.moved(t, v, v.Sym)
	}
	touches := func(f *logic.Term) bool {
		for _, sym := range logic.FreeVars(f) {
			if t.weight[x.tab[sym]] != 0 {
				return true
			}
		}
		return false
	}
	allows := func(c ir.Cmd) (bool, error) {
		switch c.Kind {
		case ir.Havoc:
			if c.Of != nil || c.At != nil {
				return false, errors.New("a cell of an array that stands for all is read")
			}
			return true, nil
		case ir.Assume:
			if !touches(c.Cond) {
				return true, nil
			}
			return x.holds(l.Iff(c.Cond, l.Subst(c.Cond, sub)))
		case ir.Assign:
			if t.weight[c.Var] == 0 && !touches(c.Expr) {
				return true, nil
			}
			before, after := c.Expr, l.Subst(c.Expr, sub)
			if x.wraps[c.Var] {
				before, after = x.wrap(before, c.Var.Type), x.wrap(after, c.Var.Type)
			}
			if t.weight[c.Var] != 0 {
				before = x.moved(t, c.Var, before)
			}
			return x.holds(l.Eq(before, after))
		}
		return false, errors.New("a command of no known kind")
	}
	for _, th := range x.p.Threads {
		early := map[*ir.Loc]bool{}
		for _, from := range th.Locs {
			for _, e := range from.Out {
				for i, c := range e.Cmds {
					ok, err := allows(c)
					switch {
					case err != nil:
						return fmt.Errorf("%s: %w", e.From.Pos, err)
					case ok:
					case c.Kind == ir.Assume:
						if x.left[e] == nil {
							x.left[e] = make([]bool, len(e.Cmds))
						}
						x.left[e][i] = true
					default:
						early[from] = true
					}
				}
			}
		}
		reaches(early)
		for _, at := range th.Locs {
			t.late[at] = !early[at]
		}
	}
	return nil
}

// reaches adds to locations those from which they can be reached.
func reaches(locs map[*ir.Loc]bool) {
	var todo []*ir.Loc
	for at := range locs { // order does not matter
		todo = append(todo, at)
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range at.In {
			if !locs[e.From] {
				locs[e.From] = true
				todo = append(todo, e.From)
			}
		}
	}
}

// holds reports whether a formula holds for all values within the types.
func (x *translated) holds(f *logic.Term) (bool, error) { return x.prover.valid(x.p.L.True(), f) }

// start adds the states in which the program begins.
func (x *translated) start() error {
	at := config{vals: make([]logic.Value, len(x.p.Vars))}
	for _, t := range x.p.Threads {
		at.locs = append(at.locs, t.Entry)
	}
	dead := map[int]bool{}
	for _, l := range at.locs {
		for _, i := range x.dead[l] {
			dead[i] = true
		}
	}
	var choose func(i int) error
	choose = func(i int) error {
		if i == len(x.p.Vars) {
			return x.add(config{at.locs, append([]logic.Value(nil), at.vals...)})
		}
		v := x.p.Vars[i]
		if v.Init != nil || dead[i] {
			if at.vals[i] = (logic.Value{}); v.Init != nil {
				at.vals[i] = *v.Init
			}
			return choose(i + 1)
		}
		values, err := x.all(v)
		if err != nil {
			return err
		}
		for _, val := range values {
			at.vals[i] = val
			if err := choose(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return choose(0)
}

// all returns the values of a variable's type.
func (x *translated) all(v *ir.Var) ([]logic.Value, error) {
	if list, known := x.values[v]; known {
		return list, nil
	}
	lo, hi := v.Type.Range()
	if n, ok := hi.Add(lo.Neg()).Int64(); !ok || n >= maxInputs {
		return nil, fmt.Errorf("%s has too many values", v.Name)
	}
	var list []logic.Value
	for k := lo; k.Cmp(hi) <= 0; k = k.Add(logic.IntValue(1)) {
		list = append(list, k)
	}
	x.values[v] = list
	return list, nil
}

// add adds a state, or the one that stands for it, if it is a new one.
func (x *translated) add(at config) error {
	for _, l := range at.locs {
		if l.Error {
			return fmt.Errorf("thread %s gets to the error at %s", l.Thread.Name, l.Pos)
		}
	}
	for _, l := range at.locs {
		for _, i := range x.dead[l] {
			at.vals[i] = logic.Value{}
		}
	}
	for _, t := range x.trans {
		t.apply(x, at)
	}
	key := x.key[:0]
	for _, l := range at.locs {
		key = binary.AppendUvarint(key, uint64(l.Index))
	}
	for _, v := range at.vals {
		text := v.String()
		key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
	}
	if x.key = key; x.met[string(key)] {
		return nil
	}
	if len(x.met) == maxTranslated {
		return fmt.Errorf("the program has more than %d states, of which each stands for its translations", maxTranslated)
	}
	x.met[string(key)] = true
	x.todo = append(x.todo, at)
	return nil
}

// apply translates a state to one with small values, if all threads have come far enough for it.
func (t *translation) apply(x *translated, at config) {
	dead := map[int]bool{}
	for _, l := range at.locs {
		if !t.late[l] {
			return
		}
		for _, i := range x.dead[l] {
			dead[i] = true
		}
	}
	for _, v := range t.order {
		w := t.weight[v]
		if dead[v.Index] || w != 1 && w != -1 {
			continue
		}
		low := at.vals[v.Index]
		if v.Type.Bits > t.bits {
			_, low = low.DivMod(powerOf2(t.bits))
		}
		steps := new(big.Int).Div(low.Big(), big.NewInt(t.step*w)) // how many steps it is away from a small value
		for _, u := range t.order {
			if dead[u.Index] {
				continue
			}
			by := logic.BigValue(new(big.Int).Mul(steps, big.NewInt(-t.weight[u]*t.step)))
			if val := at.vals[u.Index]; u.Type.Bits == t.bits {
				at.vals[u.Index] = wrapped(val.Add(by), u.Type)
			} else {
				_, low := val.DivMod(powerOf2(t.bits))
				_, changed := low.Add(by).DivMod(powerOf2(t.bits))
				at.vals[u.Index] = val.Sub(low).Add(changed)
			}
		}
		return
	}
}

// wrapped returns a value, wrapped around into a type.
func wrapped(v logic.Value, t ir.Type) logic.Value {
	if t.Contains(v) {
		return v
	}
	lo, _ := t.Range()
	r := new(big.Int).Sub(v.Big(), lo.Big())
	r.Mod(r, sizeOf(t).Big())
	return logic.BigValue(r.Add(r, lo.Big()))
}

// leave adds the states that steps lead to from one.
func (x *translated) leave(at config) error {
	for t, l := range at.locs {
		if !mayRun(at.locs, t) {
			continue
		}
		for _, e := range l.Out {
			if err := x.take(at, t, e, 0, append([]logic.Value(nil), at.vals...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayRun reports whether no other thread than t is in an atomic section.
func mayRun(locs []*ir.Loc, t int) bool {
	for u, l := range locs {
		if u != t && l.Atomic {
			return false
		}
	}
	return true
}

// take adds the states behind an edge of which i commands have been run.
func (x *translated) take(at config, t int, e *ir.Edge, i int, vals []logic.Value) error {
	env := func(sym *logic.Term) logic.Value { return vals[x.tab[sym].Index] }
	for ; i < len(e.Cmds); i++ {
		switch c := e.Cmds[i]; c.Kind {
		case ir.Assume:
			if left := x.left[e]; (left == nil || !left[i]) && !logic.Eval(c.Cond, env).Bool() {
				return nil
			}
		case ir.Assign:
			v := logic.Eval(c.Expr, env)
			if lo, hi := c.Var.Type.Range(); x.wraps[c.Var] && v.Cmp(hi) > 0 {
				v = v.Sub(sizeOf(c.Var.Type))
			} else if x.wraps[c.Var] && v.Cmp(lo) < 0 {
				v = v.Add(sizeOf(c.Var.Type))
			}
			if !c.Var.Type.Contains(v) {
				return fmt.Errorf("%s: %s gets a value that is not of its type", e.From.Pos, c.Var.Name)
			}
			vals[c.Var.Index] = v
		default:
			list := []logic.Value{{}}
			if c.Var.Thread == ir.Shared || readAfter(x.tab, x.dead, c.Var, e.Cmds[i+1:], e.To) {
				var err error
				if list, err = x.all(c.Var); err != nil {
					return fmt.Errorf("%s: %w", e.From.Pos, err)
				}
			}
			for _, v := range list {
				more := append([]logic.Value(nil), vals...)
				more[c.Var.Index] = v
				if err := x.take(at, t, e, i+1, more); err != nil {
					return err
				}
			}
			return nil
		}
	}
	locs := append([]*ir.Loc(nil), at.locs...)
	locs[t] = e.To
	return x.add(config{locs, vals})
}
