package cgen

import (
	"fmt"
	"regexp"
	"strings"

	"comus/ir"
	"comus/logic"
)

// Names gives variables their names in C. The zero value is not usable.
type Names struct {
	vars   map[*logic.Term]*ir.Var
	names  map[*ir.Var]string
	used   map[string]bool
	helped map[string]bool // functions for quotients and remainders that are needed
	types  map[string]bool // types that nondet_T is needed for
	ranges map[*logic.Term]bounds
	unread map[*ir.Var]bool
	flags  map[*ir.Var]bool
	ranged bool
}

// NewNames names variables; the words in avoid are taken.
func NewNames(vars []*ir.Var, avoid ...string) *Names {
	n := &Names{vars: map[*logic.Term]*ir.Var{}, names: map[*ir.Var]string{}, used: map[string]bool{}, helped: map[string]bool{},
		types: map[string]bool{}, ranges: map[*logic.Term]bounds{}, unread: map[*ir.Var]bool{}}
	for _, w := range append(avoid, keywords...) {
		n.used[w] = true
	}
	for _, v := range vars {
		n.vars[v.Sym] = v
		n.names[v] = n.Fresh(v.Name)
	}
	return n
}

// For fits what is written to a target. SeaHorn's integers are mathematical: values that
// are chosen get their bounds by assumptions that the compiler cannot drop as true, and
// bits are not used for what arithmetic can say.
func (n *Names) For(target Target) { n.ranged = target == SeaHorn }

// DropUnread leaves out the assignments to local variables of a program that nothing
// depends on.
func (n *Names) DropUnread(p *ir.Program) {
	var locals []*ir.Var
	for _, v := range p.Vars {
		if v.Thread != ir.Shared {
			locals = append(locals, v)
		}
	}
	var cmds []ir.Cmd
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) { cmds = append(cmds, e.Cmds...) })
	}
	n.Drop(locals, cmds)
}

// Drop leaves out, of these variables, those that nothing depends on if these are the
// commands that are run, and the assignments to them.
func (n *Names) Drop(vars []*ir.Var, cmds []ir.Cmd) {
	for _, v := range vars {
		n.unread[v] = true
	}
	for changed := true; changed; {
		changed = false
		for _, c := range cmds {
			if c.Kind != ir.Assume && (c.Kind == ir.Havoc || c.Var == nil || n.unread[c.Var]) {
				continue
			}
			for _, x := range []*logic.Term{c.Cond, c.Expr} {
				if x == nil {
					continue
				}
				for _, v := range n.read(x) {
					if n.unread[v] {
						n.unread[v], changed = false, true
					}
				}
			}
		}
	}
}

// read returns the variables in a term as it is written: without the comparisons that are
// decided.
func (n *Names) read(t *logic.Term) []*ir.Var {
	_, err := n.bounds(t)
	var out []*ir.Var
	seen := map[*logic.Term]bool{}
	var walk func(t *logic.Term)
	walk = func(t *logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if v := n.vars[t]; v != nil {
			out = append(out, v)
		}
		if _, known := n.decided(t); known && err == nil {
			return
		}
		for _, a := range t.Args() {
			walk(a)
		}
	}
	walk(t)
	return out
}

// Unread reports whether nothing depends on a variable, so that it is not needed.
func (n *Names) Unread(v *ir.Var) bool { return n.unread[v] }

// Rename makes all expressions use this C expression, a name or an element of an
// array, for a variable.
func (n *Names) Rename(v *ir.Var, expr string) { n.names[v] = expr }

// Of returns the C expression of a variable.
func (n *Names) Of(v *ir.Var) string { return n.names[v] }

// Fresh returns an identifier like this name that is not used yet.
func (n *Names) Fresh(name string) string {
	id := strings.TrimRight(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, name), "_")
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "v" + id
	}
	unique := id
	for i := 2; n.used[unique]; i++ {
		unique = fmt.Sprintf("%s_%d", id, i)
	}
	n.used[unique] = true
	return unique
}

// Function returns the name of a thread's function: that of the function it runs, with the
// thread's index.
func (n *Names) Function(p *ir.Program, t *ir.Thread) string {
	base := t.Name
	if i := strings.LastIndexByte(base, '_'); i > 0 {
		for _, other := range p.Threads[:t.Index] {
			if other.Name == base[:i] { // it runs the same one, and has a number already
				base = other.Name
				break
			}
		}
	}
	return n.Fresh(fmt.Sprintf("%s_%d", base, t.Index))
}

// Locally gives the threads' own variables the names that they have in the source, where
// nothing else in the thread's function is called so. It is for variables that are
// declared in the function.
func (n *Names) Locally(p *ir.Program) {
	type name struct {
		thread int
		id     string
	}
	count := map[name]int{}
	for _, v := range p.Vars {
		if v.Thread != ir.Shared && !n.unread[v] {
			count[name{v.Thread, v.Source}]++
		}
	}
	for _, v := range p.Vars {
		if v.Thread != ir.Shared && identifier.MatchString(v.Source) && !n.used[v.Source] && count[name{v.Thread, v.Source}] == 1 {
			n.names[v] = v.Source
		}
	}
}

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// keywords are C's, and names that the translations' headers use.
var keywords = strings.Fields(`auto break case char const continue default do double else enum extern float for goto if
inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile
while _Bool _Complex _Imaginary _Atomic asm typeof unix linux i386 main abort error assume reach_error
seq_any nondet_bool nondet_char nondet_uchar nondet_short nondet_ushort nondet_int nondet_uint nondet_longlong nondet_ulonglong
nondet_int128 nondet_uint128 quotient remainder_of shift_left shift_right quotient_128 remainder_of_128`)

// cTypes are C's integer types: the name in C, and that in nondet_T.
var cTypes = []struct {
	bits   int
	signed bool
	c, id  string
}{
	{1, false, "_Bool", "bool"},
	{8, true, "signed char", "char"}, {8, false, "unsigned char", "uchar"},
	{16, true, "short", "short"}, {16, false, "unsigned short", "ushort"},
	{32, true, "int", "int"}, {32, false, "unsigned int", "uint"},
	{64, true, "long long", "longlong"}, {64, false, "unsigned long long", "ulonglong"},
	{128, true, "__int128", "int128"}, {128, false, "unsigned __int128", "uint128"},
}

// fit returns the index in cTypes of the smallest type that has all values of t, and in
// which no operand of an expression becomes unsigned unless its values need that: int for
// 31 bits, because unsigned int would make -1 a large number in a comparison with it.
func fit(t ir.Type) int {
	if !t.Signed && t.Bits > 16 && t.Bits < 32 {
		t = ir.Type{Bits: 32, Signed: true}
	}
	for i, c := range cTypes {
		if c.signed == t.Signed && c.bits >= t.Bits {
			return i
		}
	}
	return len(cTypes) - 1
}

// Type returns the C type of variables of type t.
func Type(t ir.Type) string { return cTypes[fit(t)].c }

// Nondet returns the C expression for any value of the type's C type.
func (n *Names) Nondet(t ir.Type) string {
	c := cTypes[fit(t)]
	n.types[c.id] = true
	return "nondet_" + c.id + "()"
}

// Prelude returns the declarations that the expressions made so far need. It comes
// after the target's header.
func (n *Names) Prelude(target Target) string {
	var b strings.Builder
	for _, c := range cTypes {
		if n.types[c.id] || c.id == "bool" {
			if target == Generic {
				fmt.Fprintf(&b, "#define nondet_%s __VERIFIER_nondet_%s\n", c.id, c.id)
			}
			fmt.Fprintf(&b, "extern %s nondet_%s(void);\n", c.c, c.id)
		}
	}
	for _, w := range []string{"long long", "__int128"} {
		s := suffix[w]
		if n.helped["remainder_of"+s] {
			fmt.Fprintf(&b, remainder, w, s, w, w)
		}
		if n.helped["quotient"+s] {
			fmt.Fprintf(&b, quotient, w, s, w, w)
		}
	}
	if n.helped["shift_left"] {
		b.WriteString(shiftLeft)
	}
	if n.helped["shift_right"] {
		b.WriteString(shiftRight)
	}
	return b.String()
}

// shiftLeft is exact for up to 64 bits. What is larger is replaced by a number that is
// too large for any type as well, and a multiple of 2^64.
const shiftLeft = `static inline __int128 shift_left(__int128 a, __int128 b) {
  return b < 0 || b > 128 || a == 0 ? 0 : b < 63 ? a * ((__int128)1 << b) : a > 0 ? (__int128)1 << 126 : -((__int128)1 << 126);
}
`

const shiftRight = `static inline __int128 shift_right(__int128 a, __int128 b) {
  return b < 0 || b > 128 ? 0 : b < 127 ? a >> b : a < 0 ? -1 : 0;
}
`

var suffix = map[string]string{"long long": "", "__int128": "_128"}

// remainder and quotient are Euclidean division, as in the IR: the remainder is not
// negative.
const (
	remainder = `static inline %s remainder_of%s(%s a, %s b) {
  return b == 0 ? 0 : a %% b >= 0 ? a %% b : b > 0 ? a %% b + b : a %% b - b;
}
`
	quotient = `static inline %s quotient%s(%s a, %s b) {
  return b == 0 ? 0 : a %% b >= 0 ? a / b : b > 0 ? a / b - 1 : a / b + 1;
}
`
)
