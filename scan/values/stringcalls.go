package values

import (
	"strings"

	"comus/cir"
)

// stringCalls are the functions of the library whose arguments are strings, and which of them.
var stringCalls = map[string][]int{
	"strlen": {0}, "strnlen": {0}, "strcpy": {0, 1}, "stpcpy": {0, 1}, "strncpy": {0, 1}, "stpncpy": {0, 1}, "strcat": {0, 1}, "strncat": {0, 1},
	"snprintf": {0}, "vsnprintf": {0},
}

// stringCall is a call in a copy of a function.
type stringCall struct {
	c    *code
	call *cir.Call
	name string
}

// stringCall returns which function of the library with strings a call gets to, "" for none.
func (a *analysis) stringCall(call *cir.Call) string {
	f, ok := call.Callee.(*cir.Func)
	if !ok || !f.Library || stringCalls[f.Name] == nil {
		return ""
	}
	return f.Name
}

// lengths returns how long a string may be that an operand points to the beginning of, as long as it is one. Nobody else may write it in the meantime.
func (r *run) lengths(v cir.Value) Value {
	var all Value
	ls, exact := r.aim(v), r.exact.exact(r.in.code, v)
	for _, l := range ls {
		n, ok := charArray(l.Obj.Shape(), l.Off)
		if !ok {
			return top
		}
		is := span(number{}, numberOf(n-1), 1)
		if c := r.mem.stringAt(l); exact && constantString(l.Obj) {
			is = is.meet(lengthIn(l.Obj.Global, l.Off, n))
		} else if exact && c != nil && r.followed(c) {
			is = is.meet(r.read(c))
		}
		all = all.join(is)
	}
	if len(ls) == 0 {
		return top
	}
	return all
}

// destination returns the cell for the length of the one string that an operand points to, nil if that is not known.
func (r *run) destination(v cir.Value) *cell {
	if !r.exact.exact(r.in.code, v) {
		return nil
	}
	ls := r.aim(v)
	if len(ls) != 1 {
		return nil
	}
	return r.mem.stringAt(ls[0])
}

// stringEffect is what a call does to strings: the length of one from then on, or its result. No other one changes, if alone.
type stringEffect struct {
	alone  bool
	ends   bool   // it is a string then
	s, h   *state // before
	of     *cell
	length Value
	result Value
	source *cell // of which the result is the length
}

// strings returns what a call does to strings, as far as that is known before; nil for nothing.
func (r *run) strings(in *cir.Call) *stringEffect {
	name := r.stringCall(in)
	if name == "" || r.exact == nil {
		return nil
	}
	arg := func(i int) Value {
		if i >= len(in.Args) {
			return top
		}
		return r.value(in.Args[i].X)
	}
	e := &stringEffect{alone: true, s: r.s, h: r.h, length: top, result: top}
	switch name {
	case "strlen":
		if e.result = r.lengths(in.Args[0].X); e.result.kind == some {
			e.source = r.destination(in.Args[0].X)
		}
		return e
	case "strnlen":
		e.result = lesser(r.lengths(in.Args[0].X), arg(1))
		return e
	}
	if e.of = r.destination(in.Args[0].X); e.of == nil {
		return nil
	}
	e.ends = name != "strncpy" && name != "stpncpy"
	e.alone = name != "snprintf" && name != "vsnprintf" // these have %n
	switch name {
	case "strcpy", "stpcpy":
		e.length = r.lengths(in.Args[1].X)
	case "strncpy", "stpncpy":
		if s, n := r.lengths(in.Args[1].X), arg(2); s.kind == some && n.kind == some {
			if e.length = s; s.hi.cmp(n.lo) >= 0 {
				e.length = span(least(s.lo, n.lo), numberOf(e.of.str.size), 1)
			}
		}
	case "strcat":
		e.length = r.appended(in, r.lengths(in.Args[1].X))
	case "strncat":
		e.length = r.appended(in, lesser(r.lengths(in.Args[1].X), arg(2)))
	case "snprintf", "vsnprintf":
		n := arg(1)
		if e.ends = n.kind == some && n.lo.cmp(numberOf(1)) >= 0 && plainFormat(r.literal(in.Args[2].X)); e.ends {
			e.length = span(number{}, n.hi.sub(numberOf(1)), 1)
		}
	}
	return e
}

// appended returns the length of a string to which some characters are appended.
func (r *run) appended(in *cir.Call, more Value) Value {
	d := r.lengths(in.Args[0].X)
	if d.kind != some || more.kind != some {
		return top
	}
	return sum(d, more)
}

// lesser returns what the lesser one of two numbers may be that are not negative.
func lesser(x, y Value) Value {
	switch {
	case x.kind == empty || y.kind == empty:
		return Value{}
	case x.kind == anything && y.kind == anything:
		return top
	case x.kind == anything:
		return span(number{}, y.hi, 1)
	case y.kind == anything:
		return span(number{}, x.hi, 1)
	}
	return span(least(x.lo, y.lo), least(x.hi, y.hi), 1)
}

// literal returns the text of a string that is in the program, ok if it is one.
func (r *run) literal(v cir.Value) (s string, ok bool) {
	g, ok := v.(*cir.Global)
	if !ok || !g.Literal || len(g.Relocs) > 0 {
		return "", false
	}
	s, _, _ = strings.Cut(string(g.Data), "\x00")
	return s, true
}

// plainFormat reports whether a format has no wide characters: only those can fail, and what is written then is open.
func plainFormat(s string, ok bool) bool {
	return ok && !strings.Contains(s, "l") && !strings.Contains(s, "S") && !strings.Contains(s, "C")
}

// after is what a call has done to strings, where it returns.
func (e *stringEffect) after(r *run, in *cir.Call) {
	if e == nil || r.dead {
		return
	}
	if e.alone {
		r.s, r.h = e.kept(r, r.s, e.s), e.kept(r, r.h, e.h)
	}
	if e.of != nil && r.followed(e.of) {
		v := r.read(e.of)
		if e.ends {
			v = v.upTo(numberOf(e.of.str.size - 1))
		}
		if v = v.meet(e.length); v.None() {
			r.dead = true
			return
		}
		r.learn(e.of, v)
	}
	if in.Dst == nil || e.result.kind != some || !isNumber(in.Dst.Type) {
		return
	}
	v := r.value(in.Dst).meet(e.result)
	r.set(in.Dst, v)
	if c := e.source; c != nil && !r.dead && sameNumbers(c.typ, in.Dst.Type) && r.followed(c) {
		r.from[in.Dst] = c
	}
}

// kept is a state with what was known before the call of strings that it does not change.
func (e *stringEffect) kept(r *run, now, before *state) *state {
	if now == before {
		return now
	}
	for _, c := range r.mem.strings {
		if v, ok := before.get(c.key); ok && !v.met && c != e.of && r.followed(c) {
			now = now.set(c.key, v)
		}
	}
	return now
}
