package contract

import "fmt"

// judge compares what was seen with the contract.
func (x trial) judge(o *observation) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	if !o.returned {
		switch {
		case x.f.NoReturn || x.f.MayEnd:
		default:
			complain("did not return, status %d", o.status)
		}
		return complaints
	}
	if x.f.NoReturn {
		complain("returned")
	}
	if o.errno != 0 && !x.f.Errno {
		complain("set errno to %d", o.errno)
	}
	if x.f.Purity != Impure {
		for i, m := range o.memory {
			if m.last >= 0 {
				complain("is pure, but wrote to argument %d", i)
			}
		}
	}
	for i, m := range o.memory {
		p := x.param(i)
		x.judgeMemory(o, p, i, m, complain)
		if n, ok := o.below[i]; ok && n.last >= 0 && !writesBelow(p) {
			complain("wrote below %s", p.Name)
		}
	}
	if o.result != nil {
		x.judgeResult(o, complain)
	}
	return complaints
}

// param gives the traits of an argument.
func (x trial) param(i int) *Param {
	if i < len(x.f.Params) {
		return &x.f.Params[i]
	}
	return x.f.Variadic
}

// arguments are what the contract's extents may ask for.
func (x trial) arguments(o *observation) Arguments {
	return Arguments{
		Value: func(i int) (uint64, bool) { v, ok := o.values[i]; return v, ok },
		String: func(i int, wide bool) (uint64, bool) {
			m, ok := o.memory[i]
			return m.size, ok // the trials' strings fill their memory
		},
	}
}

// formatted tells whether an argument belongs to a format that may write.
func (x trial) formatted(i int) bool {
	for _, p := range x.f.Params {
		if p.Format != NoFormat && i >= len(x.f.Params) {
			return true
		}
	}
	return false
}

func (x trial) judgeMemory(o *observation, p *Param, i int, m memory, complain func(string, ...any)) {
	if m.last < 0 || x.formatted(i) {
		return
	}
	if m.first < 0 {
		complain("wrote before %s", p.Name)
		return
	}
	allowed := int64(-1)
	for _, a := range p.Accesses {
		if !a.Writes || a.Extent[0].Kind == Below {
			continue
		}
		n := int64(m.size)
		if least, ok := Default().AtMost(a.Extent, x.arguments(o)); ok && int64(least) < n && least < 1<<62 {
			n = int64(least)
		}
		allowed = max(allowed, n)
		if m.size == 8 && len(a.Stores) > 0 && !x.fits(o, a.Stores, observed{pointerClass, true, m.word}) {
			complain("stored %#x through %s", m.word, p.Name)
		}
	}
	if m.last >= allowed {
		complain("wrote byte %d of %s, allowed are %d", m.last, p.Name, max(allowed, 0))
	}
}

func writesBelow(p *Param) bool {
	for _, a := range p.Accesses {
		if a.Writes && (a.Extent[0].Kind == Below || a.Extent[0].Kind == Deep) {
			return true
		}
	}
	return false
}

func (x trial) judgeResult(o *observation, complain func(string, ...any)) {
	if !x.fits(o, x.f.Results, *o.result) {
		complain("returned %d (%#x)", int64(o.result.value), o.result.value)
	}
}

// fits tells whether a value is one of these.
func (x trial) fits(o *observation, values []Value, seen observed) bool {
	for _, v := range values {
		if x.fitsOne(o, v, seen) {
			return true
		}
	}
	return false
}

func (x trial) fitsOne(o *observation, v Value, seen observed) bool {
	pointer := seen.class == pointerClass
	within := func(m memory, ok bool) bool { return ok && seen.value >= m.at && seen.value <= m.at+m.size }
	inTrial := false
	for i := range o.memory {
		inTrial = inTrial || within(o.memory[i], true)
		below, ok := o.below[i]
		inTrial = inTrial || within(below, ok)
	}
	switch v.Kind {
	case Any, Anywhere, PlainBytes:
		return true
	case Within:
		return x.inRange(o, v.Range, seen)
	case Error:
		return seen.value > 0 && seen.value < 4096
	case Null:
		return pointer && seen.value == 0
	case Same:
		m, ok := o.memory[v.Param]
		value, given := o.values[v.Param]
		return ok && seen.value == m.at || given && seen.value == value
	case Into:
		m, ok := o.memory[v.Param]
		return within(m, ok) || seen.value != 0 && !inTrial && o.values[v.Param] != 0
	case BelowParam:
		m, ok := o.below[v.Param]
		return within(m, ok) || seen.value != 0 && !inTrial
	case Kept:
		for i, p := range x.f.Params {
			m, ok := o.memory[i]
			for _, k := range p.Retains {
				if k.State == v.State && within(m, ok) {
					return true
				}
			}
		}
		return seen.value != 0 && !inTrial
	default: // library memory
		return seen.value != 0 && !inTrial
	}
}

func (x trial) inRange(o *observation, r Range, seen observed) bool {
	bound := func(b *Bound) (float64, bool) {
		if b == nil {
			return 0, false
		}
		n, ok := Default().Eval(b.Product, x.arguments(o))
		if b.Negative {
			return -float64(n), ok
		}
		return float64(n), ok
	}
	value := float64(int64(seen.value))
	if seen.unsigned {
		value = float64(seen.value)
		if low, ok := bound(r.Low); ok && low < 0 && int64(seen.value) == int64(low) {
			return true
		}
	}
	if low, ok := bound(r.Low); ok && value < low {
		return false
	}
	if high, ok := bound(r.High); ok && value > high {
		return false
	}
	return true
}
