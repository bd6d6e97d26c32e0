package logic

import "slices"

// Not returns ¬a. Negations are pushed through ∧, ∨ and ≤, so they end up on
// equalities, Boolean variables and Boolean ite only.
func (s *Store) Not(a *Term) *Term {
	switch a.op {
	case OpTrue:
		return s.f
	case OpFalse:
		return s.t
	case OpNot:
		return a.args[0]
	case OpAnd:
		return s.Or(s.notAll(a.args)...)
	case OpOr:
		return s.And(s.notAll(a.args)...)
	case OpLe: // ¬(x ≤ y)  ⟺  y + 1 ≤ x
		return s.Le(s.Add(a.args[1], s.Int(1)), a.args[0])
	case OpIte:
		return s.Ite(a.args[0], s.Not(a.args[1]), s.Not(a.args[2]))
	}
	return s.intern(OpNot, Bool, "", Value{}, []*Term{a})
}

func (s *Store) notAll(ts []*Term) []*Term {
	out := make([]*Term, len(ts))
	for i, t := range ts {
		out[i] = s.Not(t)
	}
	return out
}

// And returns the conjunction; true for no operand.
func (s *Store) And(ts ...*Term) *Term { return s.junction(OpAnd, ts) }

// Or returns the disjunction; false for no operand.
func (s *Store) Or(ts ...*Term) *Term { return s.junction(OpOr, ts) }

// Implies returns a → b.
func (s *Store) Implies(a, b *Term) *Term { return s.Or(s.Not(a), b) }

// Iff returns a ↔ b.
func (s *Store) Iff(a, b *Term) *Term { return s.Eq(a, b) }

// junction flattens, sorts and deduplicates the operands of ∧ or ∨ and folds
// constants and complements.
func (s *Store) junction(op Op, ts []*Term) *Term {
	unit, zero := s.t, s.f
	if op == OpOr {
		unit, zero = s.f, s.t
	}
	flat := make([]*Term, 0, len(ts))
	for _, t := range ts {
		switch {
		case t == unit:
		case t == zero:
			return zero
		case t.op == op:
			flat = append(flat, t.args...)
		default:
			flat = append(flat, t)
		}
	}
	slices.SortFunc(flat, func(a, b *Term) int { return int(a.id) - int(b.id) })
	flat = slices.Compact(flat)
	switch len(flat) {
	case 0:
		return unit
	case 1:
		return flat[0]
	}
	if s.hasComplement(flat) {
		return zero
	}
	return s.intern(op, Bool, "", Value{}, flat)
}

// hasComplement reports whether a literal and its negation are both there.
func (s *Store) hasComplement(ts []*Term) bool {
	for _, t := range ts {
		switch t.op {
		case OpNot, OpLe:
			n := s.Not(t)
			if _, found := slices.BinarySearchFunc(ts, n, func(a, b *Term) int { return int(a.id) - int(b.id) }); found {
				return true
			}
		}
	}
	return false
}

// Ite returns "if c then a else b"; a and b have the same sort.
func (s *Store) Ite(c, a, b *Term) *Term {
	switch {
	case c.op == OpTrue || a == b:
		return a
	case c.op == OpFalse:
		return b
	case c.op == OpNot:
		return s.Ite(c.args[0], b, a)
	}
	if a.sort == Bool {
		switch {
		case a.op == OpTrue:
			return s.Or(c, b)
		case a.op == OpFalse:
			return s.And(s.Not(c), b)
		case b.op == OpTrue:
			return s.Or(s.Not(c), a)
		case b.op == OpFalse:
			return s.And(c, a)
		}
		return s.And(s.Or(s.Not(c), a), s.Or(c, b))
	}
	if a.op == OpIte && a.args[0] == c {
		a = a.args[1]
	}
	if b.op == OpIte && b.args[0] == c {
		b = b.args[2]
	}
	if a == b {
		return a
	}
	return s.intern(OpIte, Int, "", Value{}, []*Term{c, a, b})
}

// BoolToInt returns 1 if c holds and 0 otherwise, C's value of a comparison.
func (s *Store) BoolToInt(c *Term) *Term { return s.Ite(c, s.Int(1), s.Int(0)) }

// IntToBool returns t ≠ 0, C's truth of a value.
func (s *Store) IntToBool(t *Term) *Term { return s.Not(s.Eq(t, s.Int(0))) }
