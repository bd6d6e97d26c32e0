package values

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"comus/cir"
)

// Value is a set of values that a scalar may have: nothing, or anything at all (floating-point numbers, integers of more than 64
// bits), or numbers from Lo to Hi in steps, of which, if they are few, all are listed. A pointer is the number of its address.
// The zero Value is the empty set.
type Value struct {
	kind   kind
	lo, hi number
	step   uint64   // between two neighbours, 0 for a single number
	list   []number // ascending, all of them; nil: not known. Never changed.
	// met is for what a state knows of a cell that others access, too: it may as well hold what is found there otherwise.
	met bool
}

type kind uint8

const (
	empty kind = iota
	some
	anything
)

// maxList bounds the numbers that are listed.
const maxList = 8

var (
	top     = Value{kind: anything}
	zero    = single(number{})
	one     = single(numberOf(1))
	boolean = listed([]number{{}, numberOf(1)})
)

func single(n number) Value { return Value{kind: some, lo: n, hi: n, list: []number{n}} }

// span returns the numbers from lo to hi in steps from lo on.
func span(lo, hi number, step uint64) Value {
	switch c := lo.cmp(hi); {
	case c > 0:
		return Value{}
	case c == 0:
		return single(lo)
	}
	step = max(step, 1)
	width := hi.sub(lo) // below 2^65 for all that is in a type; sums are put back into one before they get here
	if width.hi == 0 {
		hi = hi.sub(unsigned(width.lo % step))
		if n := (width.lo / step); n < maxList {
			list := make([]number, 0, n+1)
			for k := uint64(0); k <= n; k++ {
				list = append(list, lo.add(unsigned(k*step)))
			}
			return Value{kind: some, lo: lo, hi: list[n], step: stepOf(list), list: list}
		}
	} else if step&(step-1) == 0 {
		hi = hi.sub(unsigned(width.lo % step))
	} else {
		step = 1
	}
	return Value{kind: some, lo: lo, hi: hi, step: step}
}

// listed returns the set of some numbers.
func listed(list []number) Value {
	if len(list) == 0 {
		return Value{}
	}
	slices.SortFunc(list, number.cmp)
	list = slices.Compact(list)
	v := Value{kind: some, lo: list[0], hi: list[len(list)-1], step: stepOf(list), list: list}
	if len(list) > maxList {
		v.list = nil
	}
	return v
}

// stepOf returns the greatest common divisor of the distances of numbers; 1 where they are far apart.
func stepOf(list []number) uint64 {
	step := uint64(0)
	for _, n := range list[1:] {
		step = gcd(step, distance(list[0], n))
	}
	return step
}

// distance returns the difference of two numbers, 1 if it is 2^64 or more.
func distance(a, b number) uint64 {
	d := b.sub(a)
	if d.negative() {
		d = d.neg()
	}
	if d.hi != 0 {
		return 1
	}
	return d.lo
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// all returns all values of a type.
func all(t cir.Type) Value {
	if !isNumber(t) {
		return top
	}
	lo, hi := limits(t)
	return span(lo, hi, 1)
}

// of returns v as values of a type: what is anything is all of the type's.
func (v Value) of(t cir.Type) Value {
	switch {
	case v.kind == anything:
		return all(t)
	case v.kind == some && !isNumber(t):
		return top
	}
	return v
}

// None reports whether there are no values: nothing ever gets there.
func (v Value) None() bool { return v.kind == empty }

// Bounds returns the least and the greatest number; ok is false if there are none, or they do not fit.
func (v Value) Bounds() (lo, hi int64, ok bool) {
	ok = v.kind == some && v.lo.hi == int64(v.lo.lo)>>63 && v.hi.hi == int64(v.hi.lo)>>63
	return int64(v.lo.lo), int64(v.hi.lo), ok
}

// Only returns the number that is the only one.
func (v Value) Only() (n int64, ok bool) {
	lo, hi, ok := v.Bounds()
	return lo, ok && lo == hi
}

// MayBe reports whether a number is among the values.
func (v Value) MayBe(n int64) bool { return v.has(numberOf(n)) }

func (v Value) has(n number) bool {
	switch {
	case v.kind != some:
		return v.kind == anything
	case v.list != nil:
		return slices.Contains(v.list, n)
	}
	return v.lo.cmp(n) <= 0 && n.cmp(v.hi) <= 0 && (v.step <= 1 || unsignedRem(n.sub(v.lo), v.step) == 0)
}

// unsignedRem returns the remainder of a number from 0 to below 2^66.
func unsignedRem(n number, step uint64) uint64 {
	_, r := bits.Div64(uint64(n.hi)%step, n.lo, step)
	return r
}

// equal reports whether two are the same.
func (v Value) equal(w Value) bool {
	return v.kind == w.kind && v.met == w.met && v.lo == w.lo && v.hi == w.hi && v.step == w.step && slices.Equal(v.list, w.list)
}

// within reports whether all of v is in w.
func (v Value) within(w Value) bool {
	switch {
	case v.kind == empty || w.kind == anything:
		return true
	case v.kind == anything || w.kind == empty:
		return false
	case v.list != nil:
		return !slices.ContainsFunc(v.list, func(n number) bool { return !w.has(n) })
	case w.list != nil:
		return false
	}
	return w.lo.cmp(v.lo) <= 0 && v.hi.cmp(w.hi) <= 0 && (w.step <= 1 || v.step%w.step == 0 && w.has(v.lo))
}

// either is join of what is known of a cell in two states; orMet is that of a cell of which the other state knows nothing more.
func (v Value) either(w Value) Value {
	u := v.join(w)
	u.met = v.met || w.met
	return u
}

func (v Value) orMet() Value {
	v.met = true
	return v
}

// join returns what is in either.
func (v Value) join(w Value) Value {
	switch {
	case v.kind == empty || w.kind == anything:
		return w
	case w.kind == empty || v.kind == anything:
		return v
	case v.list != nil && w.list != nil:
		return listed(append(slices.Clone(v.list), w.list...))
	}
	step := gcd(gcd(v.step, w.step), distance(v.lo, w.lo))
	return span(least(v.lo, w.lo), most(v.hi, w.hi), step)
}

// widen returns what covers v and w, its bounds among some numbers, which are ascending.
func (v Value) widen(w Value, at []number) Value {
	if w.within(v) {
		return v
	}
	u := v.join(w)
	if v.kind != some || u.kind != some {
		return u
	}
	lo, hi := u.lo, u.hi
	if lo.cmp(v.lo) < 0 {
		i, found := slices.BinarySearchFunc(at, lo, number.cmp)
		switch {
		case found:
		case i == 0:
			return top
		default:
			lo = aligned(at[i-1], u)
		}
	}
	if v.hi.cmp(hi) < 0 {
		i, _ := slices.BinarySearchFunc(at, hi, number.cmp)
		if i == len(at) {
			return top
		}
		hi = at[i]
	}
	return span(lo, hi, u.step)
}

// aligned returns the least number from n on that is in step with v.
func aligned(n number, v Value) number {
	if v.step <= 1 || v.lo.cmp(n) <= 0 {
		return n
	}
	return n.add(unsigned(unsignedRem(v.lo.sub(n), v.step)))
}

// from returns what is at least n; upTo what is at most n; without what is not n; meet what is in both, or more.
func (v Value) from(n number) Value {
	switch {
	case v.kind != some || n.cmp(v.lo) <= 0:
		return v
	case v.list != nil:
		return v.keep(func(x number) bool { return x.cmp(n) >= 0 })
	case n.cmp(v.hi) > 0:
		return Value{}
	}
	if r := unsignedRem(n.sub(v.lo), max(v.step, 1)); r != 0 {
		n = n.add(unsigned(v.step - r))
	}
	return span(n, v.hi, v.step)
}

func (v Value) upTo(n number) Value {
	switch {
	case v.kind != some || v.hi.cmp(n) <= 0:
		return v
	case v.list != nil:
		return v.keep(func(x number) bool { return x.cmp(n) <= 0 })
	}
	return span(v.lo, n, v.step)
}

func (v Value) without(n number) Value {
	switch {
	case v.kind != some:
		return v
	case v.list != nil:
		return v.keep(func(x number) bool { return x != n })
	case v.lo == n:
		return span(v.lo.add(unsigned(v.step)), v.hi, v.step)
	case v.hi == n:
		return span(v.lo, v.hi.sub(unsigned(v.step)), v.step)
	}
	return v
}

func (v Value) keep(f func(number) bool) Value {
	var list []number
	for _, n := range v.list {
		if f(n) {
			list = append(list, n)
		}
	}
	return listed(list)
}

func (v Value) meet(w Value) Value {
	switch {
	case v.kind == anything || w.kind == empty:
		return w
	case w.kind == anything || v.kind == empty:
		return v
	case v.list != nil:
		return v.keep(w.has)
	case w.list != nil:
		return w.keep(v.has)
	}
	return v.from(w.lo).upTo(w.hi)
}

// String is for people and tests: "{1, 5}", "[0, 96] in steps of 4", "any", "none".
func (v Value) String() string {
	switch {
	case v.kind == empty:
		return "none"
	case v.kind == anything:
		return "any"
	case v.list != nil:
		var s []string
		for _, n := range v.list {
			s = append(s, n.String())
		}
		return "{" + strings.Join(s, ", ") + "}"
	case v.step > 1:
		return fmt.Sprintf("[%s, %s] in steps of %d", v.lo, v.hi, v.step)
	}
	return fmt.Sprintf("[%s, %s]", v.lo, v.hi)
}

// String writes a number of a type of at most 64 bits.
func (a number) String() string {
	if a.negative() {
		return fmt.Sprintf("-%d", a.abs())
	}
	return fmt.Sprint(a.lo)
}
