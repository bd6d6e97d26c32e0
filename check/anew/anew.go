// Package anew finds the functions of a program that return a new object: each call of one returns null, or the address of the beginning of an object that was allocated
// in the course of the call. So no two calls return the same object. If, besides, the function has kept the address to itself, nobody else knows the object when it returns.
//
// It judges the code of functions by itself, whoever calls them, and does not follow the order of instructions: all that is ever stored in a local of which only the
// value is used has to be new. The scan asks it as well as the checker does: it is trusted, and the only place of the rule.
package anew

import (
	"comus/cfront/contract"
	"comus/cir"
)

// Funcs is what is known of functions. It begins with nothing.
type Funcs struct {
	of map[*cir.Func]*body
}

// body is what is known of a function.
type body struct {
	f         *cir.Func
	done      bool // else it is being looked at: who calls itself is nothing
	new, kept bool
	defs      map[*cir.Reg]cir.Instr
	into      map[*cir.Reg][]cir.Value // what jumps give the parameter of a block
	preds     map[*cir.Block][]*cir.Block
	home      map[cir.Instr]*cir.Block
	locals    map[*cir.Local][]*cir.Store // the locals of which only the value is used, and what is stored there
	lets      map[int]bool                // parameters that were asked about
}

// allocators are the functions of the library that return a new object.
var allocators = map[string]bool{"malloc": true, "calloc": true, "aligned_alloc": true, "memalign": true}

// New reports whether a call returns a new object, or null: it calls such a function by its name.
func (x *Funcs) New(in *cir.Call) bool {
	f, direct := in.Callee.(*cir.Func)
	return direct && in.Dst != nil && in.Dst.Type.IsPointer() && x.returns(f, func(b *body) bool { return b.new })
}

// Alone reports whether a call returns a new object that nobody else knows, or null.
func (x *Funcs) Alone(in *cir.Call) bool {
	f, direct := in.Callee.(*cir.Func)
	return direct && in.Dst != nil && in.Dst.Type.IsPointer() && x.returns(f, func(b *body) bool { return b.kept })
}

func (x *Funcs) returns(f *cir.Func, is func(*body) bool) bool {
	if f.Library {
		return allocators[f.Source]
	}
	b := x.body(f)
	return b != nil && is(b)
}

// body returns what is known of a function, nil if it is not looked at.
func (x *Funcs) body(f *cir.Func) *body {
	if b, known := x.of[f]; known {
		if b == nil || !b.done {
			return nil
		}
		return b
	}
	if x.of == nil {
		x.of = map[*cir.Func]*body{}
	}
	b := read(f)
	if x.of[f] = b; b == nil {
		return nil
	}
	x.judge(b)
	b.done = true
	return b
}

// judge finds out what a function returns.
func (x *Funcs) judge(b *body) {
	if !b.f.Result.Type.IsPointer() {
		return
	}
	from := &origins{x: x, b: b, seen: map[cir.Value]bool{}}
	for _, at := range b.f.Blocks {
		if t, ok := at.Term.(*cir.Return); ok && (t.X == nil || !from.new(t.X)) {
			return
		}
	}
	b.new = len(from.calls) > 0
	b.kept = b.new
	for _, call := range from.calls {
		b.kept = b.kept && x.Alone(call) && !x.leaks(b, call.Dst, true)
	}
}

// read reads a function; nil: it has no code here, or control may come back to its middle.
func read(f *cir.Func) *body {
	if f.Library || len(f.Blocks) == 0 {
		return nil
	}
	b := &body{f: f, defs: map[*cir.Reg]cir.Instr{}, into: map[*cir.Reg][]cir.Value{}, preds: map[*cir.Block][]*cir.Block{}, home: map[cir.Instr]*cir.Block{},
		locals: map[*cir.Local][]*cir.Store{}, lets: map[int]bool{}}
	for _, l := range f.Locals {
		b.locals[l] = nil
	}
	gone := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			delete(b.locals, l)
		}
	}
	for _, at := range f.Blocks {
		for _, in := range at.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return nil
			}
			for _, d := range cir.Results(in) {
				b.defs[d] = in
			}
			b.home[in] = at
			b.use(in, gone)
		}
		cir.TermOperands(at.Term, gone)
		cir.Succs(at.Term, func(to *cir.Block, args []cir.Value) {
			b.preds[to] = append(b.preds[to], at)
			for i, v := range args {
				b.into[to.Params[i]] = append(b.into[to.Params[i]], v)
			}
		})
	}
	for _, at := range f.Blocks {
		for _, in := range at.Instrs {
			if s, ok := in.(*cir.Store); ok {
				if l, ok := s.Addr.(*cir.Local); ok {
					if _, whole := b.locals[l]; whole {
						b.locals[l] = append(b.locals[l], s)
					}
				}
			}
		}
	}
	return b
}

// use calls gone for what an instruction uses otherwise than for its value: pointers are loaded and stored as a whole.
func (b *body) use(in cir.Instr, gone func(cir.Value)) {
	switch in := in.(type) {
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && (in.Bits != nil || in.Volatile || !in.Type.IsPointer() || int64(in.Type.Bits+7)/8 != l.Size) {
			gone(l)
		}
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && (in.Bits != nil || in.Volatile || !in.Type.IsPointer() || int64(in.Type.Bits+7)/8 != l.Size) {
			gone(l)
		}
		gone(in.X)
	case *cir.LifeStart, *cir.LifeEnd:
	default:
		cir.Operands(in, gone)
	}
}

// origins goes back from what a function returns to where that comes from.
type origins struct {
	x     *Funcs
	b     *body
	seen  map[cir.Value]bool // a value that is asked about again comes from what it comes from the first time
	calls []*cir.Call
}

// new reports whether a value is null, or the address of the beginning of an object that the function has allocated.
func (o *origins) new(v cir.Value) bool {
	if null, ok := v.(cir.Null); ok {
		return null.Addr == 0
	}
	r, ok := v.(*cir.Reg)
	if !ok || !r.Type.IsPointer() {
		return false
	}
	if o.seen[v] {
		return true
	}
	o.seen[v] = true
	switch in := o.b.defs[r].(type) {
	case nil:
		return o.all(o.b.into[r])
	case *cir.Convert:
		return o.new(in.X)
	case *cir.Select:
		return o.new(in.X) && o.new(in.Y)
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		if !ok {
			return false
		}
		stores, whole := o.b.locals[l]
		if !whole || len(stores) == 0 || !o.b.isSet(in, l) {
			return false
		}
		for _, s := range stores {
			if !o.new(s.X) {
				return false
			}
		}
		return true
	case *cir.Call:
		if !o.x.New(in) {
			return false
		}
		o.calls = append(o.calls, in)
		return true
	}
	return false
}

func (o *origins) all(vs []cir.Value) bool {
	for _, v := range vs {
		if !o.new(v) {
			return false
		}
	}
	return len(vs) > 0
}

// isSet reports whether control gets to a load of a local only behind a store to it, since its life began.
func (b *body) isSet(load *cir.Load, l *cir.Local) bool {
	seen := map[*cir.Block]bool{}
	var back func(at *cir.Block, before []cir.Instr) bool
	back = func(at *cir.Block, before []cir.Instr) bool {
		for i := len(before) - 1; i >= 0; i-- {
			switch in := before[i].(type) {
			case *cir.Store:
				if in.Addr == cir.Value(l) {
					return true
				}
			case *cir.LifeStart:
				if in.Local == l {
					return false
				}
			case *cir.LifeEnd: // what is there then is any value
				if in.Local == l {
					return false
				}
			}
		}
		if at == b.f.Blocks[0] || len(b.preds[at]) == 0 {
			return false
		}
		for _, p := range b.preds[at] {
			if !seen[p] {
				seen[p] = true
				if !back(p, p.Instrs) {
					return false
				}
			}
		}
		return true
	}
	at := b.home[load]
	for i, in := range at.Instrs {
		if in == cir.Instr(load) {
			return back(at, at.Instrs[:i])
		}
	}
	return false
}

// forgets reports whether a function keeps and hands on nothing of an argument of a call: not even by what it returns, unless it is one of the library.
func (x *Funcs) forgets(call *cir.Call, i int) bool {
	f, direct := call.Callee.(*cir.Func)
	if !direct || call.Args[i].ByVal != nil {
		return false
	}
	if f.Library {
		k, ok := contract.Lookup(f.Source)
		return ok && (k.Borrows(i) || f.Source == "free") // nobody finds what is freed
	}
	b, known := x.of[f]
	if !known {
		x.body(f)
		b = x.of[f]
	}
	if b == nil || i >= len(f.Params) || f.Params[i].ByVal != nil {
		return false
	}
	lets, known := b.lets[i]
	if !known {
		b.lets[i] = true // as long as it is not known
		lets = x.leaks(b, f.Params[i].Reg, false)
		b.lets[i] = lets
	}
	return !lets
}
