package pointsto

import (
	"slices"

	"comus/cir"
)

// unknown states what a function without a body may do: what its arguments point to is known outside, and
// what is outside comes in.
func (a *analysis) unknown(x *instance, in *cir.Call) {
	a.calledBy(x, in)
	a.keep(x, in)
	if in.Unknown == cir.Open {
		a.opened(x, in)
	} else if t := a.table(); t != nil { // a function that may not be there, through a pointer
		a.flow(a.addressOf(a.symbol(t)), a.cell(a.external, 0))
	}
}

// table returns the table of all that has external linkage, nil if nobody needs it.
func (a *analysis) table() *cir.Global {
	i := slices.IndexFunc(a.prog.Globals, func(g *cir.Global) bool { return g.Name == cir.OpenTable })
	if i < 0 {
		return nil
	}
	return a.prog.Globals[i]
}

// opened states what code of another unit may do besides: it finds all that is known outside, and may put pointers to that anywhere there.
func (a *analysis) opened(x *instance, in *cir.Call) {
	out := a.cell(a.external, 0)
	a.flow(out, a.wild)
	for _, arg := range in.Args {
		if g, ok := arg.X.(*cir.Global); ok && g.Name == cir.OpenTable {
			a.flow(out, a.cell(a.symbol(g), 0))
		}
	}
	if in.Dst != nil && a.carries(in.Dst.Type) {
		a.flow(out, a.reg(x, in.Dst))
	}
	if in.To != nil {
		a.each(a.value(x, in.To), func(l Location) { a.flood(out, l.Obj) })
	}
}

// keep states that what a call gives is known outside from then on.
func (a *analysis) keep(x *instance, in *cir.Call) {
	out := a.cell(a.external, 0)
	for _, arg := range in.Args {
		a.flow(a.value(x, arg.X), out)
	}
	if in.To != nil {
		a.flow(a.value(x, in.To), out)
	}
}

// borrows states what a function without a body may do but keep what it is given: it writes pointers from outside wherever that leads, and calls the functions
// that are found there, with whatever it has.
func (a *analysis) borrows(x *instance, in *cir.Call) {
	all := a.newNode()
	a.flow(a.cell(a.external, 0), all)
	a.each(all, func(l Location) {
		if l.Obj.IsFunc() {
			a.calledBack(l.Obj.Func, func(int) *node { return all })
		}
	})
	fill := func(l Location) { a.flood(a.foreign, l.Obj) }
	for _, arg := range in.Args {
		if n := a.value(x, arg.X); n != nil {
			a.flow(n, a.given)
			a.each(n, fill)
			a.flow(n, all)
			below := a.below(n)
			a.each(below, fill)
			a.flow(below, all)
		}
	}
	if in.To != nil {
		a.flow(a.value(x, in.To), a.given)
		a.each(a.value(x, in.To), fill)
	}
	a.calledBy(x, in)
}

// calledBy states what a function without a body may return, and that it may call whatever functions it finds.
func (a *analysis) calledBy(x *instance, in *cir.Call) {
	out := a.cell(a.external, 0)
	if !a.loose {
		a.loose = true
		a.each(out, a.calledByAnyone)
	}
	for _, arg := range in.Args {
		if n := a.value(x, arg.X); n != nil && in.Dst != nil && a.carries(in.Dst.Type) { // it may return what it got
			a.flow(n, a.reg(x, in.Dst))
		}
	}
	if in.Dst != nil && a.carries(in.Dst.Type) {
		a.flow(a.foreign, a.reg(x, in.Dst))
	}
}

// outside states that everything whose address is known outside may be read there, and that pointers from outside may be
// written to it. These are taken to point outside: which of the program's own objects they might point
// to is not followed (it is an assumption of whoever follows such a pointer).
func (a *analysis) outside() {
	out := a.cell(a.external, 0)
	a.flow(a.foreign, out)
	known := map[*Object]bool{}
	a.each(out, func(l Location) {
		if !l.Obj.IsFunc() && !l.Obj.External && !known[l.Obj] {
			known[l.Obj] = true
			l.Obj.outside = true
			a.reading(Location{l.Obj, Any}, &buffer{size: -1, all: out})
			a.flood(a.foreign, l.Obj)
			a.flood(a.wild, l.Obj)
		}
	})
	given := map[*Object]bool{}
	a.each(a.given, func(l Location) {
		if !l.Obj.IsFunc() && !l.Obj.External && !given[l.Obj] {
			given[l.Obj] = true
			l.Obj.outside = true
			a.reading(Location{l.Obj, Any}, &buffer{size: -1, all: a.given})
		}
	})
}

// hook states that code outside may call the functions that can be reached from a variable of the library.
func (a *analysis) hook(o *Object) {
	found := &buffer{size: -1, all: a.newNode()}
	a.reading(Location{o, Any}, found)
	a.flow(found.all, a.cell(a.external, 0))
	a.each(found.all, a.calledByAnyone)
	a.each(a.below(found.all), a.calledByAnyone)
}

// calledByAnyone states that a function may be called by who may give it whatever is known outside.
func (a *analysis) calledByAnyone(l Location) {
	if l.Obj.IsFunc() {
		a.calledBack(l.Obj.Func, func(int) *node { return a.cell(a.external, 0) })
	}
}

// calledBack states what a function may be given that code outside calls. What it returns is known outside.
func (a *analysis) calledBack(f *cir.Func, given func(param int) *node) {
	if !a.open || len(f.Blocks) == 0 {
		return
	}
	x := a.instanceOf(f, Context{})
	a.backs[x] = true
	for i, prm := range f.Params {
		to := a.reg(x, prm.Reg)
		if prm.ByVal != nil {
			o := a.object(prm.Reg, x.ctx, Object{Func: f, Local: a.byVal(f, i)})
			a.flow(a.addressOf(o), to)
			a.flood(given(i), o)
			continue
		}
		a.flow(given(i), to)
	}
	a.flow(x.ret, a.cell(a.external, 0))
}
