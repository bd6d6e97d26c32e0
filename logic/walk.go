package logic

// Rebuild returns the term with t's operator over new operands, simplified.
func (s *Store) Rebuild(t *Term, args []*Term) *Term {
	switch t.op {
	case OpNot:
		return s.Not(args[0])
	case OpAnd:
		return s.And(args...)
	case OpOr:
		return s.Or(args...)
	case OpIte:
		return s.Ite(args[0], args[1], args[2])
	case OpEq:
		return s.Eq(args[0], args[1])
	case OpLe:
		return s.Le(args[0], args[1])
	case OpAdd:
		return s.Add(args...)
	case OpMul:
		p := args[0]
		for _, a := range args[1:] {
			p = s.Mul(p, a)
		}
		return p
	case OpDiv:
		return s.Div(args[0], args[1])
	case OpMod:
		return s.Mod(args[0], args[1])
	case OpBitAnd, OpBitOr, OpBitXor:
		return s.Bits(t.op, args[0], args[1])
	case OpShl, OpShr:
		return s.Shift(t.op, args[0], args[1])
	}
	return t
}

// Map rebuilds t bottom-up: f is given each distinct subterm after its operands
// were mapped, and returns what replaces it.
func (s *Store) Map(t *Term, f func(*Term) *Term) *Term {
	memo := map[*Term]*Term{}
	var walk func(t *Term) *Term
	walk = func(t *Term) *Term {
		if r, ok := memo[t]; ok {
			return r
		}
		r := t
		if len(t.args) > 0 {
			args, changed := make([]*Term, len(t.args)), false
			for i, a := range t.args {
				args[i] = walk(a)
				changed = changed || args[i] != a
			}
			if changed {
				r = s.Rebuild(t, args)
			}
		}
		r = f(r)
		memo[t] = r
		return r
	}
	return walk(t)
}

// Subst replaces the variables that are keys of sub, all at once.
func (s *Store) Subst(t *Term, sub map[*Term]*Term) *Term {
	if len(sub) == 0 {
		return t
	}
	memo := map[*Term]*Term{}
	var walk func(t *Term) *Term
	walk = func(t *Term) *Term {
		if t.op == OpVar {
			if r, ok := sub[t]; ok {
				return r
			}
			return t
		}
		if len(t.args) == 0 {
			return t
		}
		if r, ok := memo[t]; ok {
			return r
		}
		args, changed := make([]*Term, len(t.args)), false
		for i, a := range t.args {
			args[i] = walk(a)
			changed = changed || args[i] != a
		}
		r := t
		if changed {
			r = s.Rebuild(t, args)
		}
		memo[t] = r
		return r
	}
	return walk(t)
}

// Visit calls f once for each distinct subterm of ts, operands first.
func Visit(f func(*Term), ts ...*Term) {
	seen := map[*Term]bool{}
	var walk func(t *Term)
	walk = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.args {
			walk(a)
		}
		f(t)
	}
	for _, t := range ts {
		walk(t)
	}
}

// FreeVars returns the variables of ts, each once, in the order met.
func FreeVars(ts ...*Term) []*Term {
	var out []*Term
	Visit(func(t *Term) {
		if t.op == OpVar {
			out = append(out, t)
		}
	}, ts...)
	return out
}

// Size returns the number of distinct subterms of ts.
func Size(ts ...*Term) int {
	n := 0
	Visit(func(*Term) { n++ }, ts...)
	return n
}

// Conjuncts returns the operands of a conjunction, t alone if it is none, and
// nothing for true.
func Conjuncts(t *Term) []*Term { return operands(t, OpAnd, OpTrue) }

// Disjuncts returns the operands of a disjunction, t alone if it is none, and
// nothing for false.
func Disjuncts(t *Term) []*Term { return operands(t, OpOr, OpFalse) }

func operands(t *Term, op, unit Op) []*Term {
	switch t.op {
	case op:
		return t.args
	case unit:
		return nil
	}
	return []*Term{t}
}

// Atoms returns the distinct atomic formulas of ts: comparisons, Boolean
// variables and equalities, without negation; those inside conditions of
// integer terms too.
func Atoms(ts ...*Term) []*Term {
	var out []*Term
	Visit(func(t *Term) {
		if t.sort != Bool {
			return
		}
		switch t.op {
		case OpEq:
			if t.args[0].sort == Int {
				out = append(out, t)
			}
		case OpLe, OpVar:
			out = append(out, t)
		}
	}, ts...)
	return out
}

// Eval computes t where env gives the value of each variable (0 or 1 for a
// Boolean one). The result of a formula is 0 or 1.
func Eval(t *Term, env func(v *Term) Value) Value {
	return (&evaluation{env: env}).of(t)
}

// evaluation computes terms. Most are small, and a table would take longer than to compute a shared part twice;
// so there is one only from the visit of many operations on, which bounds the time to that of the distinct ones.
type evaluation struct {
	env    func(v *Term) Value
	visits int
	memo   map[*Term]Value // nil at first
}

// visitsWithoutMemo is the number of operations that are computed without a table.
const visitsWithoutMemo = 64

// of returns the value of a term.
func (e *evaluation) of(t *Term) Value {
	switch t.op {
	case OpTrue:
		return IntValue(1)
	case OpFalse:
		return IntValue(0)
	case OpInt:
		return t.val
	case OpVar:
		return e.env(t)
	}
	if e.memo != nil {
		if v, ok := e.memo[t]; ok {
			return v
		}
	} else if e.visits++; e.visits > visitsWithoutMemo {
		e.memo = map[*Term]Value{}
	}
	v := e.op(t)
	if e.memo != nil {
		e.memo[t] = v
	}
	return v
}

// op returns the value of a term that is an operation.
func (e *evaluation) op(t *Term) Value {
	switch t.op {
	case OpNot:
		return BoolValue(!e.of(t.args[0]).Bool())
	case OpAnd, OpOr:
		stop := t.op == OpOr
		for _, a := range t.args {
			if e.of(a).Bool() == stop {
				return BoolValue(stop)
			}
		}
		return BoolValue(!stop)
	case OpIte:
		if e.of(t.args[0]).Bool() {
			return e.of(t.args[1])
		}
		return e.of(t.args[2])
	case OpAdd:
		sum := Value{}
		for _, a := range t.args {
			sum = sum.Add(e.of(a))
		}
		return sum
	case OpMul:
		p := IntValue(1)
		for _, a := range t.args {
			p = p.Mul(e.of(a))
		}
		return p
	}
	a, b := e.of(t.args[0]), e.of(t.args[1])
	switch t.op {
	case OpEq:
		return BoolValue(a == b)
	case OpLe:
		return BoolValue(a.Cmp(b) <= 0)
	case OpDiv, OpMod:
		if b.Sign() == 0 {
			return Value{}
		}
		q, r := a.DivMod(b)
		if t.op == OpDiv {
			return q
		}
		return r
	case OpShl, OpShr:
		return shift(t.op, a, b)
	}
	return bitwise(t.op, a, b)
}
