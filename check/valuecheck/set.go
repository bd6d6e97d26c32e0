package valuecheck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"comus/cir"
)

// set is a set of numbers that a scalar may be: a few, which are listed, or those from lo to hi that are a multiple of step away from lo. Any is all values
// there are, also of scalars that are no numbers. The zero set is empty.
type set struct {
	any    bool
	list   []num // ascending; nil: none, or lo to hi
	long   bool  // lo to hi
	lo, hi num
	step   uint64 // at least 1
}

// maxListed bounds what is listed.
const maxListed = 16

var anything = set{any: true}

func just(n num) set { return set{list: []num{n}} }

var (
	nought = just(num{})
	unit   = just(small(1))
	truth  = set{list: []num{{}, small(1)}}
)

// between returns the numbers from lo to hi in steps.
func between(lo, hi num, step uint64) set {
	if hi.less(lo) {
		return set{}
	}
	d := hi.minus(lo)
	if d.hi != 0 || step == 0 {
		if d.sign() == 0 {
			return just(lo)
		}
		return set{long: true, lo: lo, hi: hi, step: 1}
	}
	n := d.lo / step
	if n < maxListed {
		s := set{}
		for k := uint64(0); k <= n; k++ {
			s.list = append(s.list, lo.plus(large(k*step)))
		}
		return s
	}
	return set{long: true, lo: lo, hi: lo.plus(large(n * step)), step: step}
}

// these returns the set of some numbers.
func these(list []num) set {
	if len(list) == 0 {
		return set{}
	}
	slices.SortFunc(list, compareNums)
	list = slices.Compact(list)
	if len(list) <= maxListed {
		return set{list: list}
	}
	step := uint64(0)
	for _, n := range list[1:] {
		step = common(step, apart(list[0], n))
	}
	return set{long: true, lo: list[0], hi: list[len(list)-1], step: step}
}

func compareNums(a, b num) int {
	switch {
	case a.less(b):
		return -1
	case b.less(a):
		return 1
	}
	return 0
}

// apart is the distance of two numbers, 1 if it has more than 64 bits: all steps divide by that.
func apart(a, b num) uint64 {
	d := b.minus(a)
	if d.sign() < 0 {
		d = d.neg()
	}
	if d.hi != 0 {
		return 1
	}
	return d.lo
}

// common is the greatest common divisor.
func common(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// full returns all values of a type.
func full(t cir.Type) set {
	if !countable(t) {
		return anything
	}
	lo, hi := ends(t)
	return between(lo, hi, 1)
}

// ofType returns the set as one of values of a type.
func (s set) ofType(t cir.Type) set {
	if s.any || !countable(t) && !s.empty() {
		return full(t)
	}
	return s
}

func (s set) empty() bool { return !s.any && !s.long && len(s.list) == 0 }

// bounds returns the least and the greatest number; ok is false if there is none.
func (s set) bounds() (lo, hi num, ok bool) {
	switch {
	case s.long:
		return s.lo, s.hi, true
	case len(s.list) > 0:
		return s.list[0], s.list[len(s.list)-1], true
	}
	return lo, hi, false
}

// only returns the number that is the only one.
func (s set) only() (num, bool) {
	if len(s.list) == 1 {
		return s.list[0], true
	}
	return num{}, false
}

func (s set) has(n num) bool {
	switch {
	case s.any:
		return true
	case s.long:
		return !n.less(s.lo) && !s.hi.less(n) && (s.step == 1 || multiple(n.minus(s.lo), s.step))
	}
	return slices.Contains(s.list, n)
}

// multiple reports whether a number that is not negative is a multiple of a step; not if it has more than 64 bits.
func multiple(n num, step uint64) bool { return n.hi == 0 && n.lo%step == 0 }

// within reports whether all of a set is in another one.
func (s set) within(t set) bool {
	switch {
	case s.empty() || t.any:
		return true
	case s.any:
		return false
	case s.long:
		return t.long && !s.lo.less(t.lo) && !t.hi.less(s.hi) && (t.step == 1 || s.step%t.step == 0 && t.has(s.lo))
	}
	return !slices.ContainsFunc(s.list, func(n num) bool { return !t.has(n) })
}

// or returns what is in one of two sets.
func (s set) or(t set) set {
	switch {
	case s.any || t.any:
		return anything
	case s.empty():
		return t
	case t.empty():
		return s
	case !s.long && !t.long:
		return these(append(slices.Clone(s.list), t.list...))
	}
	sl, sh, _ := s.bounds()
	tl, th, _ := t.bounds()
	step := common(common(s.stepOf(), t.stepOf()), apart(sl, tl))
	return between(smaller(sl, tl), greater(sh, th), step)
}

// stepOf returns a number that divides all distances; 0 for a single one.
func (s set) stepOf() uint64 {
	if s.long {
		return s.step
	}
	step := uint64(0)
	for _, n := range s.list {
		step = common(step, apart(s.list[0], n))
	}
	return step
}

// such returns the numbers for which f holds, which is asked of listed ones only.
func (s set) such(f func(num) bool) set {
	if s.any || s.long {
		return s
	}
	var list []num
	for _, n := range s.list {
		if f(n) {
			list = append(list, n)
		}
	}
	return set{list: list}
}

// from returns what is not less than n, to what is not more.
func (s set) from(n num) set {
	switch {
	case !s.long:
		return s.such(func(x num) bool { return !x.less(n) })
	case !s.lo.less(n):
		return s
	case s.hi.less(n):
		return set{}
	}
	if d := n.minus(s.lo); d.hi == 0 && d.lo%s.step != 0 {
		n = n.plus(large(s.step - d.lo%s.step))
	} else if d.hi != 0 {
		return between(n, s.hi, 1)
	}
	return between(n, s.hi, s.step)
}

func (s set) to(n num) set {
	switch {
	case !s.long:
		return s.such(func(x num) bool { return !n.less(x) })
	case !n.less(s.hi):
		return s
	}
	return between(s.lo, n, s.step)
}

// but returns what is not n, or more.
func (s set) but(n num) set {
	switch {
	case !s.long:
		return s.such(func(x num) bool { return x != n })
	case n == s.lo:
		return between(s.lo.plus(large(s.step)), s.hi, s.step)
	case n == s.hi:
		return between(s.lo, s.hi.minus(large(s.step)), s.step)
	}
	return s
}

// and returns what is in both, or more.
func (s set) and(t set) set {
	switch {
	case s.any:
		return t
	case t.any:
		return s
	case !s.long:
		return s.such(t.has)
	case !t.long:
		return t.such(s.has)
	}
	if t.step > s.step {
		s, t = t, s
	}
	return s.from(t.lo).to(t.hi)
}

// read reads a set as certificates have it: "any", "none", numbers with commas, "LO..HI", "LO..HI/STEP".
func read(text string) (set, error) {
	if text == "any" {
		return anything, nil
	}
	if text == "none" {
		return set{}, nil
	}
	if lo, hi, long := strings.Cut(text, ".."); long {
		hi, by, _ := strings.Cut(hi, "/")
		a, err1 := readNum(lo)
		b, err2 := readNum(hi)
		step := uint64(1)
		var err3 error
		if by != "" {
			step, err3 = strconv.ParseUint(by, 10, 64)
		}
		if err1 != nil || err2 != nil || err3 != nil || step == 0 {
			return set{}, fmt.Errorf("%q is no set of numbers", text)
		}
		return between(a, b, step), nil
	}
	var list []num
	for part := range strings.SplitSeq(text, ",") {
		n, err := readNum(part)
		if err != nil {
			return set{}, fmt.Errorf("%q is no set of numbers", text)
		}
		list = append(list, n)
	}
	return these(list), nil
}

// String is for people.
func (s set) String() string {
	switch {
	case s.any:
		return "any"
	case s.empty():
		return "none"
	case s.long && s.step > 1:
		return fmt.Sprintf("%s..%s/%d", s.lo, s.hi, s.step)
	case s.long:
		return fmt.Sprintf("%s..%s", s.lo, s.hi)
	}
	var parts []string
	for _, n := range s.list {
		parts = append(parts, n.String())
	}
	return strings.Join(parts, ",")
}
