package accesses

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// obligation checks an instruction, and says why it may be an invalid access; "" if it is none. asked tells that it accesses memory at all.
func (p *program) obligation(at place) (why string, asked bool) {
	f := p.function(p.copies[at.copy].Func)
	switch in := at.in.(type) {
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && f.plain[l] && f.living[in][l] {
			if p.mayBeUnset(at, in) {
				return notInitialised, true
			}
			return "", true
		}
		if _, ok := p.argument(at, in); ok {
			return "", true
		}
		if why := p.access(at, in.Addr, sizeOf(in.Type), false, false); why != "" {
			return why, true
		}
		return p.initialised(at, in.Addr, in.Access), true
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && f.plain[l] && f.living[in][l] {
			return "", true
		}
		return p.access(at, in.Addr, sizeOf(in.Type), false, true), true
	case *cir.RMW:
		return p.updates(at, in.Addr, in.Access), true
	case *cir.CmpXchg:
		return p.updates(at, in.Addr, in.Access), true
	case *cir.Fill:
		return p.sized(at, in.Dst, in.Size, true), true
	case *cir.Copy:
		if why := p.sized(at, in.Dst, in.Size, true); why != "" {
			return why, true
		}
		if why := p.sized(at, in.Src, in.Size, false); why != "" || in.Overlap {
			return why, true
		}
		return p.disjoint(at, in.Dst, in.Src, constant(in.Size)), true
	case *cir.Call:
		return p.obligationOfCall(at, in), true
	case *cir.Distance:
		return p.distance(at, in), true
	case *cir.Intrinsic:
		return p.obligationOfIntrinsic(at, in)
	case *cir.VaStart, *cir.VaArg, *cir.VaCopy, *cir.VaEnd, *cir.Alloca, *cir.StackSave, *cir.StackRestore:
		return "variable arguments, and arrays of variable length, are not looked at", true
	case *cir.IndirectJump:
		return "a jump to a computed label is not looked at", true
	}
	return "", false
}

// updates checks an atomic read and write.
func (p *program) updates(at place, addr cir.Value, a cir.Access) string {
	if why := p.access(at, addr, sizeOf(a.Type), false, true); why != "" {
		return why
	}
	return p.initialised(at, addr, a)
}

// obligationOfCall checks a call.
func (p *program) obligationOfCall(at place, in *cir.Call) string {
	if f := library(in); f != nil {
		return p.callee(at, in, f)
	}
	if in.To != nil {
		return "a struct that is returned is not looked at"
	}
	if _, direct := in.Callee.(*cir.Func); !direct {
		a := p.value(at, in.Callee)
		if !a.set || a.wild || a.null || a.before < 0 || a.after < 0 {
			return "the function that is called is not known"
		}
	}
	for _, l := range p.places(at.copy, in.Callee) {
		if !l.Obj.IsFunc() || len(l.Obj.Func.Blocks) == 0 || l.Obj.Func.Library {
			return "what is called may be no function of the program's own"
		}
		if !slices.ContainsFunc(p.calls[at], func(g int) bool { return p.copies[g].Func == l.Obj.Func }) || in.Dst != nil && l.Obj.Func.Result.Type != in.Result.Type {
			return "what is called may be a function of another type"
		}
	}
	if len(p.calls[at]) == 0 {
		return "the function that is called is not known"
	}
	for _, g := range p.calls[at] {
		fn := p.copies[g].Func
		if fn.Variadic || fn.Library || len(fn.Params) != len(in.Args) {
			return "the function that is called takes other arguments, or any number of them"
		}
		for i, x := range fn.Params {
			if x.ByVal != nil || in.Args[i].ByVal != nil || p.prog.Model.TypeOf(in.Args[i].X) != x.Reg.Type {
				return "a struct that is passed, or an argument of another type, is not looked at"
			}
		}
	}
	return ""
}

// obligationOfIntrinsic checks an intrinsic in the program's own code.
func (p *program) obligationOfIntrinsic(at place, in *cir.Intrinsic) (string, bool) {
	switch in.Op {
	case cir.Assert, cir.Assume, cir.AtomicBegin, cir.AtomicEnd, cir.Nondet, cir.Assumed, cir.Trap, cir.Stop, cir.Approximation:
		return "", false
	case cir.Undefined:
		if n := p.fact(at, in.Args[0]); in.Check == "memory" && !(n.known && (n.lo > 0 || n.hi < 0)) {
			return in.Name, true
		}
		return "", in.Check == "memory"
	}
	return "what this does is not looked at", true
}

// sized checks an access of a number of bytes.
func (p *program) sized(at place, x, size cir.Value, writes bool) string {
	n := p.numberOf(at, size)
	if !n.set || n.lo < 0 {
		return "the number of bytes is not known"
	}
	return p.accessUpTo(at, x, size, n, false, writes)
}

// accessUpTo checks an access of a number of bytes, which is so large: as many as it is at most, or as there are in terms of what the program gets.
func (p *program) accessUpTo(at place, x, size cir.Value, n num, null, writes bool) string {
	a := p.value(at, x)
	if _, constant := size.(cir.Int); !constant {
		for _, l := range p.places(at.copy, x) {
			if !endsWithin(l, n.hi) {
				return "it may go beyond the array that it begins in"
			}
		}
	}
	if a.short != nil {
		for _, l := range p.sums(a.short.all, p.uppers(n)) {
			if p.most(l) <= 0 {
				return p.accessWithin(at, x, -1, null, writes)
			}
		}
	}
	if n.hi >= unlimited {
		return "the number of bytes is not known"
	}
	return p.access(at, x, n.hi, null, writes)
}

// distance checks a difference of two pointers: of the same object.
func (p *program) distance(at place, in *cir.Distance) string {
	var of *pointsto.Object
	for _, v := range []cir.Value{in.X, in.Y} {
		a, ls := p.value(at, v), p.places(at.copy, v)
		if !a.set || a.wild || a.null || len(ls) != 1 || of != nil && ls[0].Obj != of || !p.pts.Once(ls[0].Obj) {
			return "the pointers may lead to different objects"
		}
		of = ls[0].Obj
	}
	return ""
}

// access checks an access of so many bytes: where it goes, and that it is within. Whether the object lives is asked of all accesses later.
func (p *program) access(at place, x cir.Value, n int64, null, writes bool) string {
	if n < 0 {
		return "the number of bytes is not known"
	}
	return p.accessWithin(at, x, n, null, writes)
}

// accessWithin is access; -1 stands for a number of bytes that there are.
func (p *program) accessWithin(at place, x cir.Value, n int64, null, writes bool) string {
	a, ls := p.value(at, x), p.places(at.copy, x)
	switch {
	case !a.set:
		return "no pointer is known that gets here"
	case a.wild:
		return "nothing is known of the pointer, or it may be indeterminate"
	case a.null && !null:
		return "the pointer may be null"
	case a.before < 0:
		return "it may be before the beginning of the object"
	case a.after < n:
		return fmt.Sprintf("%d bytes where there may be no more than %d", n, max(a.after, 0))
	case a.after == unlimited && a.null:
		return ""
	case len(ls) == 0:
		return "the pointer leads nowhere"
	case n < 0 && !allOf(ls), n >= 0 && !fits(a, ls, n):
		return "it may be outside of an array that is a member"
	}
	for _, l := range ls {
		g := l.Obj.Global
		switch {
		case l.Obj.IsFunc():
			return "it may be a function"
		case writes && g != nil && (g.Const || g.Literal):
			return g.Source + " is constant"
		case g != nil && g.ThreadLocal && x != cir.Value(g):
			return "a variable that each thread has its own of may be accessed after the end of its thread"
		}
		p.touch(l.Obj, at)
	}
	return ""
}

// touch notes that an object is accessed.
func (p *program) touch(o *pointsto.Object, at place) {
	if list := p.touched[o]; len(list) == 0 || list[len(list)-1] != at {
		p.touched[o] = append(list, at)
	}
}

// disjoint checks that the bytes of a copy do not overlap, or are the same.
func (p *program) disjoint(at place, x, y cir.Value, n int64) string {
	for _, l := range p.places(at.copy, x) {
		for _, m := range p.places(at.copy, y) {
			if l.Obj == m.Obj && (l != m || n < 0 || l.Off == pointsto.Any || !within(l, n)) {
				if n >= 0 && l.Exact() && m.Exact() && p.pts.Once(l.Obj) && (l.Off+n <= m.Off || m.Off+n <= l.Off) {
					continue
				}
				return "what is copied may overlap where it is copied to"
			}
		}
	}
	return ""
}

// frees checks what free is given: null, or the beginning of an object that was allocated.
func (p *program) frees(at place, x cir.Value) string {
	a, ls := p.value(at, x), p.places(at.copy, x)
	switch {
	case !a.set:
		return "no pointer is known that gets here"
	case a.wild:
		return "nothing is known of the pointer, or it may be indeterminate"
	case a.after == unlimited && a.null:
		return ""
	case a.inner || a.before < 0 || len(ls) == 0:
		return "it may not be the beginning of an object"
	}
	for _, l := range ls {
		if _, heap := l.Obj.Site.(*cir.Intrinsic); !heap || l.Off != 0 {
			return l.Obj.String() + " may be given to free"
		}
		p.touch(l.Obj, at)
		p.deaths[l.Obj] = append(p.deaths[l.Obj], at)
	}
	return ""
}
