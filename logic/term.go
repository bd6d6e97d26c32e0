package logic

import (
	"encoding/binary"
	"sync"
)

// Sort is the sort of a term.
type Sort uint8

// The sorts.
const (
	Bool Sort = iota
	Int
)

// String returns the SMT-LIB name of the sort.
func (s Sort) String() string {
	if s == Bool {
		return "Bool"
	}
	return "Int"
}

// Op is the operator at the root of a term.
type Op uint8

// The operators. Shifts and bitwise operators work on the two's complement
// representation of unbounded width, so they need no width: the front end adds
// the truncation.
const (
	OpTrue   Op = iota // true
	OpFalse            // false
	OpInt              // an integer constant
	OpVar              // a variable of either sort
	OpNot              // ¬a
	OpAnd              // a ∧ b ∧ …, at least two
	OpOr               // a ∨ b ∨ …, at least two
	OpIte              // if a then b else c, of either sort
	OpEq               // a = b, of either sort
	OpLe               // a ≤ b on Int
	OpAdd              // a + b + …, at least two
	OpMul              // a · b · …; a constant factor comes first
	OpDiv              // Euclidean quotient; 0 when the divisor is 0
	OpMod              // Euclidean remainder, not negative; 0 when the divisor is 0
	OpBitAnd           // a & b
	OpBitOr            // a | b
	OpBitXor           // a ^ b
	OpShl              // a · 2^b; 0 when b < 0 or b > 128
	OpShr              // ⌊a / 2^b⌋; 0 when b < 0 or b > 128
)

var opNames = [...]string{"true", "false", "int", "var", "not", "and", "or", "ite", "=", "<=",
	"+", "*", "div", "mod", "bitand", "bitor", "bitxor", "shl", "shr"}

// String returns the operator's name: SMT-LIB's, where SMT-LIB has it.
func (o Op) String() string { return opNames[o] }

// Term is an immutable formula (sort Bool) or integer term (sort Int), made by
// a [Store]. Terms of one store are equal exactly when their pointers are.
type Term struct {
	op   Op
	sort Sort
	id   uint32
	name string
	val  Value
	args []*Term
}

// Op returns the root operator.
func (t *Term) Op() Op { return t.op }

// Sort returns the term's sort.
func (t *Term) Sort() Sort { return t.sort }

// ID returns a number unique in the store; older terms have smaller ones.
func (t *Term) ID() uint32 { return t.id }

// Name returns the name of a variable, "" for other terms.
func (t *Term) Name() string { return t.name }

// Args returns the operands; the caller must not change them.
func (t *Term) Args() []*Term { return t.args }

// IsTrue reports whether t is the constant true.
func (t *Term) IsTrue() bool { return t.op == OpTrue }

// IsFalse reports whether t is the constant false.
func (t *Term) IsFalse() bool { return t.op == OpFalse }

// IsVar reports whether t is a variable.
func (t *Term) IsVar() bool { return t.op == OpVar }

// Const returns the value of an integer constant and whether t is one.
func (t *Term) Const() (Value, bool) { return t.val, t.op == OpInt }

// Store makes terms and owns them.
type Store struct {
	mu    sync.Mutex
	terms map[string]*Term
	next  uint32
	fresh int
	t, f  *Term
	vars  map[string]*Term
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{terms: map[string]*Term{}, vars: map[string]*Term{}}
	s.t = s.intern(OpTrue, Bool, "", Value{}, nil)
	s.f = s.intern(OpFalse, Bool, "", Value{}, nil)
	return s
}

// intern returns the one term with this structure.
func (s *Store) intern(op Op, sort Sort, name string, val Value, args []*Term) *Term {
	key := make([]byte, 0, 2+4*len(args)+8)
	key = append(key, byte(op), byte(sort))
	switch op {
	case OpVar:
		key = append(key, name...)
	case OpInt:
		if val.isSmall() {
			key = binary.LittleEndian.AppendUint64(key, uint64(val.small))
		} else {
			key = append(append(key, '#'), val.big.Value()...)
		}
	default:
		for _, a := range args {
			key = binary.LittleEndian.AppendUint32(key, a.id)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.terms[string(key)]; ok {
		return t
	}
	t := &Term{op: op, sort: sort, id: s.next, name: name, val: val, args: args}
	s.next++
	s.terms[string(key)] = t
	return t
}

// True returns the formula true.
func (s *Store) True() *Term { return s.t }

// False returns the formula false.
func (s *Store) False() *Term { return s.f }

// Bool returns true or false.
func (s *Store) Bool(b bool) *Term {
	if b {
		return s.t
	}
	return s.f
}

// Var returns the variable of that name and sort. A name has one sort in a
// store: asking for it with another one panics.
func (s *Store) Var(name string, sort Sort) *Term {
	s.mu.Lock()
	v, ok := s.vars[name]
	s.mu.Unlock()
	if ok {
		if v.sort != sort {
			panic("logic: variable " + name + " has two sorts")
		}
		return v
	}
	v = s.intern(OpVar, sort, name, Value{}, nil)
	s.mu.Lock()
	s.vars[name] = v
	s.mu.Unlock()
	return v
}

// FreshVar returns a variable that no call has returned before, its name
// beginning with prefix and containing '!'.
func (s *Store) FreshVar(prefix string, sort Sort) *Term {
	for {
		s.mu.Lock()
		s.fresh++
		name := prefix + "!" + IntValue(int64(s.fresh)).String()
		_, taken := s.vars[name]
		s.mu.Unlock()
		if !taken {
			return s.Var(name, sort)
		}
	}
}

// Int returns the integer constant v.
func (s *Store) Int(v int64) *Term { return s.Value(IntValue(v)) }

// Value returns the integer constant v.
func (s *Store) Value(v Value) *Term { return s.intern(OpInt, Int, "", v, nil) }
