package randc

import (
	"fmt"
	"math/big"
	"strings"
)

// number is an arithmetic type.
type number struct {
	name    string
	bits    int
	signed  bool
	float   bool
	boolean bool
	rank    int    // among those with as many bits
	format  string // of printf, without the percent sign
}

var (
	boolType   = &number{name: "_Bool", bits: 1, boolean: true, format: "d"}
	charType   = &number{name: "char", bits: 8, signed: true, format: "d"}
	ucharType  = &number{name: "unsigned char", bits: 8, format: "u"}
	intType    = &number{name: "int", bits: 32, signed: true, format: "d"}
	uintType   = &number{name: "unsigned", bits: 32, format: "u"}
	longType   = &number{name: "long", bits: 64, signed: true, format: "ld"}
	ulongType  = &number{name: "unsigned long", bits: 64, format: "lu"}
	llongType  = &number{name: "long long", bits: 64, signed: true, rank: 1, format: "lld"}
	ullongType = &number{name: "unsigned long long", bits: 64, rank: 1, format: "llu"}
	int128     = &number{name: "__int128", bits: 128, signed: true}
	uint128    = &number{name: "unsigned __int128", bits: 128}
	floatType  = &number{name: "float", bits: 32, float: true, signed: true, format: "a"}
	doubleType = &number{name: "double", bits: 64, float: true, signed: true, format: "a"}

	integers = []*number{
		boolType, charType, {name: "signed char", bits: 8, signed: true, format: "d"}, ucharType,
		{name: "short", bits: 16, signed: true, format: "hd"}, {name: "unsigned short", bits: 16, format: "hu"},
		intType, uintType, longType, ulongType, llongType, ullongType,
	}
)

// span is the values an integer expression may have, both ends included.
type span struct{ lo, hi *big.Int }

func small(lo, hi int64) span { return span{big.NewInt(lo), big.NewInt(hi)} }

var one = big.NewInt(1)

// pow returns 2 to the n.
func pow(n int) *big.Int { return new(big.Int).Lsh(one, uint(n)) }

// full returns all values of an integer type.
func (n *number) full() span {
	if n.signed {
		return span{new(big.Int).Neg(pow(n.bits - 1)), new(big.Int).Sub(pow(n.bits-1), one)}
	}
	return span{new(big.Int), new(big.Int).Sub(pow(n.bits), one)}
}

// in reports whether all values of s are among those of t.
func (s span) in(t span) bool { return s.lo.Cmp(t.lo) >= 0 && s.hi.Cmp(t.hi) <= 0 }

// as returns the values after a conversion to an integer type.
func (s span) as(n *number) span {
	if f := n.full(); !s.in(f) {
		return f
	}
	return s
}

// corners returns the span of f over the ends of s and t.
func corners(s, t span, f func(a, b *big.Int) *big.Int) span {
	var out span
	for _, a := range []*big.Int{s.lo, s.hi} {
		for _, b := range []*big.Int{t.lo, t.hi} {
			v := f(a, b)
			if out.lo == nil || v.Cmp(out.lo) < 0 {
				out.lo = v
			}
			if out.hi == nil || v.Cmp(out.hi) > 0 {
				out.hi = v
			}
		}
	}
	return out
}

// join returns the values of s and t.
func (s span) join(t span) span {
	out := s
	if t.lo.Cmp(out.lo) < 0 {
		out.lo = t.lo
	}
	if t.hi.Cmp(out.hi) > 0 {
		out.hi = t.hi
	}
	return out
}

// promoted returns the type of an operand after the integer promotions.
func (n *number) promoted() *number {
	if !n.float && n.bits < 32 {
		return intType
	}
	return n
}

// common returns the type of an operation by the usual arithmetic conversions, as gcc
// does them also for bit-fields wider than int: the more bits win.
func common(a, b *number) *number {
	if a.float || b.float {
		switch {
		case !b.float || a.float && a.bits >= b.bits:
			return a
		default:
			return b
		}
	}
	a, b = a.promoted(), b.promoted()
	if a.bits != b.bits {
		if a.bits > b.bits {
			return a
		}
		return b
	}
	hi := a
	if b.rank > a.rank {
		hi = b
	}
	if !a.signed || !b.signed {
		return hi.unsigned()
	}
	return hi
}

// unsigned returns the unsigned type of the same width and rank.
func (n *number) unsigned() *number {
	if !n.signed {
		return n
	}
	for _, t := range append(integers[2:], uint128) {
		if !t.signed && t.bits == n.bits && t.rank == n.rank {
			return t
		}
	}
	return &number{name: ulongType.name, bits: n.bits}
}

// constant returns a spelling of the value v and its type.
func (g *gen) constant(v int64) (string, *number) {
	neg, u := v < 0, uint64(v)
	if neg {
		u = -u
	}
	suffix, t := "", intType
	switch {
	case u > 1<<63-1:
		suffix, t = g.pick("u", "ull", "UL"), ulongType
	case u > 1<<31-1 || g.IntN(12) == 0:
		t = longType
		if suffix = g.pick("l", "L", ""); suffix == "" && u <= 1<<31-1 {
			t = intType
		}
	case g.IntN(12) == 0:
		suffix, t = g.pick("u", "U"), uintType
	case g.IntN(20) == 0:
		suffix, t = g.pick("ull", "ULL"), ullongType
	}
	if suffix == "ull" {
		t = ullongType
	}
	text := fmt.Sprint(u)
	// Other bases take the unsigned types in between.
	if g.IntN(3) == 0 {
		text = fmt.Sprintf(g.pick("0x%x", "0x%X", "0%o"), u)
		if u == 0 {
			text = "0"
		}
		if suffix == "" && u > 1<<31-1 && u <= 1<<32-1 {
			t = uintType
		}
	}
	text += suffix
	if neg {
		text = "-" + text
	}
	return text, t
}

// unsignedNegated reports whether a constant that constant has spelt wraps around.
func wraps(text string, t *number) bool { return strings.HasPrefix(text, "-") && !t.signed }
