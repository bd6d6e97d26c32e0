package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// nesting is what a function shares with the functions nested in it: its frame, an object of
// pointers to those of its variables that they use. A nested function gets the frame's address as a
// hidden first argument. The first pointer of the frame of a function that is nested itself leads to
// the frame around it.
//
// A pointer to a nested function has no room for that address. A global object, one
// for each thread and nested function, keeps that of the activation which took the function's
// address last, and a function of the same name without the hidden parameter passes it on.
type nesting struct {
	funcs   []*tree.Func
	slots   map[*tree.Var]*slot
	counts  map[*types.VLA]*slot
	vlas    []*types.VLA        // those of counts, in order
	labels  map[*tree.Label]int // that nested functions jump to: 1, 2, ...
	targets []*tree.Label
	size    int64
	frame   *cir.Local
	jumpBuf int64 // the offset of the buffer for jumps out of nested functions, 0 if there are none
}

// slot is a pointer in a frame.
type slot struct{ offset int64 }

// jmpBufSize is more than any jmp_buf needs.
const jmpBufSize = 256

// nesting finds the functions nested in a function, and what they use of it. Nil if there are none.
func (u *unit) nesting(t *tree.Func) *nesting {
	if n, ok := u.nested[t]; ok {
		return n
	}
	var n *nesting
	w := &walker{stmt: func(s tree.Stmt) {
		if d, ok := s.(*tree.NestedFunc); ok && d.Func.Body != nil {
			if n == nil {
				ptr := int64(u.model.PointerBits / 8)
				n = &nesting{slots: map[*tree.Var]*slot{}, counts: map[*types.VLA]*slot{}, labels: map[*tree.Label]int{}, size: ptr}
			}
			n.funcs = append(n.funcs, d.Func)
		}
	}}
	w.walk(t.Body)
	u.nested[t] = n
	if n == nil {
		return nil
	}
	own := declared(t)
	for _, g := range n.funcs {
		u.uses(n, t, g, own)
	}
	return n
}

// declared returns the automatic variables and array sizes of a function itself.
func declared(t *tree.Func) map[any]bool {
	own := map[any]bool{}
	for _, p := range t.Params {
		own[p] = true
	}
	w := &walker{}
	w.stmt = func(s tree.Stmt) {
		switch s := s.(type) {
		case *tree.Block:
			for _, v := range s.Vars {
				own[v] = true
			}
		case *tree.Loop:
			for _, v := range s.Scope {
				own[v] = true
			}
		case *tree.Decl:
			own[s.Var] = true
		case *tree.EvalVLA:
			own[s.VLA] = true
		}
	}
	w.expr = func(e tree.Expr) {
		if c, ok := e.(*tree.CompoundLit); ok {
			own[c.Var] = true
		}
	}
	w.walk(t.Body)
	return own
}

// uses notes what of t's a function nested in it, at any depth, uses.
func (u *unit) uses(n *nesting, t, g *tree.Func, own map[any]bool) {
	w := &walker{}
	vlaOf := func(ty *types.Type) {
		for ; ty != nil && ty.Kind != types.Func; ty = ty.Elem {
			if ty.VLA != nil && own[ty.VLA] && n.counts[ty.VLA] == nil {
				n.counts[ty.VLA] = n.newSlot(u)
				n.vlas = append(n.vlas, ty.VLA)
			}
		}
	}
	w.expr = func(e tree.Expr) {
		if v, ok := e.(*tree.VarRef); ok && own[v.Var] {
			if n.slots[v.Var] == nil {
				n.slots[v.Var] = n.newSlot(u)
			}
			vlaOf(v.Var.Type)
		}
		if s, ok := e.(*tree.SizeofVLA); ok {
			vlaOf(s.Of)
		}
		vlaOf(e.Type())
	}
	w.stmt = func(s tree.Stmt) {
		switch s := s.(type) {
		case *tree.Goto:
			if s.Label.Func == t {
				n.nonlocal(s.Label)
			}
		case *tree.NestedFunc:
			if s.Func.Body != nil {
				u.uses(n, t, s.Func, own)
			}
		}
	}
	w.walk(g.Body)
}

func (n *nesting) newSlot(u *unit) *slot {
	s := &slot{n.size}
	n.size += int64(u.model.PointerBits / 8)
	return s
}

// nonlocal notes a label that nested functions jump to.
func (n *nesting) nonlocal(l *tree.Label) {
	if n.labels[l] != 0 {
		return
	}
	n.targets = append(n.targets, l)
	n.labels[l] = len(n.targets)
	if n.jumpBuf == 0 {
		n.size = (n.size + 15) &^ 15
		n.jumpBuf = n.size
		n.size += jmpBufSize
	}
}

// enterNested takes the hidden parameter of a nested function, makes the frame of one that has nested
// functions, and builds those.
func (f *fn) enterNested() {
	ptr := f.u.model.Pointer()
	if f.outer != nil {
		p := cir.Param{Reg: f.reg(ptr), Name: "chain"}
		f.out.Params = append(f.out.Params, p)
		f.chain = p.Reg
	}
	n := f.nest
	if n == nil {
		return
	}
	n.frame = &cir.Local{Index: len(f.out.Locals), Size: n.size, Align: 16, Shape: n.shape(ptr)}
	f.out.Locals = append(f.out.Locals, n.frame)
	if f.chain != nil {
		f.storePtr(n.frame, 0, f.chain)
	}
	for _, vla := range n.vlas {
		f.storePtr(n.frame, n.counts[vla].offset, f.countAddr(vla))
	}
	for _, g := range n.funcs {
		inner := f.u.newFn(g, f)
		inner.build()
	}
	f.landing(n)
}

// shape returns what a frame is: pointers, as long as there is no buffer in it.
func (n *nesting) shape(ptr cir.Type) *cir.Shape {
	s := &cir.Shape{Size: n.size, Name: "frame"}
	if step := int64(ptr.Bits / 8); n.jumpBuf == 0 {
		for at := int64(0); at < n.size; at += step {
			s.Fields = append(s.Fields, cir.Field{Offset: at, Shape: &cir.Shape{Size: step, Scalar: ptr}})
		}
	}
	return s
}

// landing lets nested functions jump to labels of this one: by a longjmp to the function's beginning.
func (f *fn) landing(n *nesting) {
	if n.jumpBuf == 0 {
		return
	}
	d := f.reg(cir.I32)
	f.emit(&cir.Intrinsic{Op: cir.Setjmp, Dst: d, Args: []cir.Value{f.displace(n.frame, n.jumpBuf)}})
	begin := f.newBlock()
	sw := &cir.Switch{X: d, Default: begin}
	for i, l := range n.targets {
		c := cir.IntOf(cir.I32, int64(i+1))
		sw.Cases = append(sw.Cases, cir.Case{Lo: c, Hi: c, To: f.edge(l)})
	}
	f.terminate(sw)
	f.block = begin
}

// storePtr stores a pointer at an offset of an object.
func (f *fn) storePtr(base cir.Value, offset int64, v cir.Value) {
	ptr := f.u.model.Pointer()
	f.emit(&cir.Store{Addr: f.displace(base, offset), X: v, Access: cir.Access{Type: ptr, Align: int64(ptr.Bits / 8)}})
}

// loadPtr loads a pointer at an offset of an object.
func (f *fn) loadPtr(base cir.Value, offset int64) cir.Value {
	ptr := f.u.model.Pointer()
	d := f.reg(ptr)
	f.emit(&cir.Load{Dst: d, Addr: f.displace(base, offset), Access: cir.Access{Type: ptr, Align: int64(ptr.Bits / 8)}})
	return d
}

// captured stores the address of a variable that nested functions use.
func (f *fn) captured(v *tree.Var, addr cir.Value) {
	if f.nest == nil {
		return
	}
	if s := f.nest.slots[v]; s != nil {
		f.storePtr(f.nest.frame, s.offset, addr)
	}
}

// frames returns the address of the frame of the function around that visit picks, nil if it picks none.
func (f *fn) frames(visit func(n *nesting, t *tree.Func) bool) cir.Value {
	frame := f.chain
	for o := f.outer; o != nil; o = o.outer {
		if visit(o.nest, o.tree) {
			return frame
		}
		if o.outer != nil {
			frame = f.loadPtr(frame, 0)
		}
	}
	return nil
}

// outerVar returns the address of a variable of a function around, nil if there is none.
func (f *fn) outerVar(v *tree.Var) cir.Value {
	if f.outer == nil || !f.isOuter(func(n *nesting) bool { return n.slots[v] != nil }) {
		return nil
	}
	var s *slot
	frame := f.frames(func(n *nesting, _ *tree.Func) bool { s = n.slots[v]; return s != nil })
	return f.loadPtr(frame, s.offset)
}

// isOuter tells whether one of the functions around has something.
func (f *fn) isOuter(has func(*nesting) bool) bool {
	for o := f.outer; o != nil; o = o.outer {
		if has(o.nest) {
			return true
		}
	}
	return false
}

// outerCount is outerVar for the length of an array.
func (f *fn) outerCount(v *types.VLA) cir.Value {
	if f.outer == nil || !f.isOuter(func(n *nesting) bool { return n.counts[v] != nil }) {
		return nil
	}
	var s *slot
	frame := f.frames(func(n *nesting, _ *tree.Func) bool { s = n.counts[v]; return s != nil })
	return f.loadPtr(frame, s.offset)
}

// nonlocalGoto jumps to a label of a function around.
func (f *fn) nonlocalGoto(s *tree.Goto) {
	var at int64
	var k int
	frame := f.frames(func(n *nesting, t *tree.Func) bool {
		if t != s.Label.Func {
			return false
		}
		at, k = n.jumpBuf, n.labels[s.Label]
		return true
	})
	if frame == nil {
		refuse(s.Site, "a jump to a label of another function")
	}
	f.leave(nil)
	f.emit(&cir.Intrinsic{Op: cir.Longjmp, Args: []cir.Value{f.displace(frame, at), cir.IntOf(cir.I32, int64(k))}})
	f.end(&cir.Unreachable{Why: "longjmp returns"})
}

// nestedCallee returns the nested function that is called by its name, nil for others.
func (f *fn) nestedCallee(e tree.Expr) *cir.Func {
	g, ok := f.directCallee(e).(*cir.Func)
	if !ok || f.nestedTree(g) == nil {
		return nil
	}
	return g
}

// nestedTree returns the nested function that g is.
func (f *fn) nestedTree(g *cir.Func) *tree.Func { return f.u.nestedFuncs[g] }

// chainFor returns the hidden argument of a nested function: the address of the frame of the function around it.
func (f *fn) chainFor(g *cir.Func) cir.Value {
	outer := f.nestedTree(g).Outer
	if outer == f.tree {
		return f.nest.frame
	}
	frame := f.frames(func(_ *nesting, t *tree.Func) bool { return t == outer })
	if frame == nil {
		refuse(&f.tree.Site, "a call of the nested function '%s' from outside of '%s'", g.Source, outer.Name)
	}
	return frame
}

// funcAddr is the address of a function. That of a nested one is a function that finds the frame.
func (f *fn) funcAddr(t *tree.Func) cir.Value {
	g := f.u.fun(t)
	if f.u.nestedFuncs[g] == nil {
		return g
	}
	c := f.u.closure(t, g)
	frame, access := f.chainFor(g), cir.Access{Type: f.u.model.Pointer(), Align: int64(f.u.model.PointerBits / 8)}
	f.emit(&cir.Store{Addr: c.chain, X: frame, Access: access})
	access.Order = cir.Relaxed
	f.emit(&cir.Store{Addr: c.last, X: frame, Access: access})
	f.emit(&cir.Assumption{Sentence: "the nested function '" + t.Name + "' is called through a pointer for the activation of '" + t.Outer.Name + "' that took its address last"})
	return c.entry
}

// closure is a nested function whose address is taken: where the frame is kept, of the thread that has taken it last and, for threads that have not
// taken any, of all; and the function without the hidden parameter.
type closure struct {
	chain, last *cir.Global
	entry       *cir.Func
}

// closure makes the closure of a nested function.
func (u *unit) closure(t *tree.Func, g *cir.Func) *closure {
	if c := u.closures[g]; c != nil {
		return c
	}
	ptr := u.model.Pointer()
	size := int64(ptr.Bits / 8)
	kept := func(name string, own bool) *cir.Global {
		v := &cir.Global{Name: g.Name + name, Size: size, Align: size, Shape: &cir.Shape{Size: size, Scalar: ptr}, ThreadLocal: own, Pos: g.Pos}
		u.out.Symbols = append(u.out.Symbols, &Symbol{Name: v.Name, Value: v, Internal: true, Defined: true, Pos: g.Pos})
		return v
	}
	c := &closure{chain: kept(".chain", true), last: kept(".last", false)}
	u.closures[g] = c
	e := &cir.Func{Name: g.Name + ".closure", Source: g.Source, Result: g.Result, Variadic: g.Variadic, Pos: g.Pos}
	c.entry = e
	site := &cir.Site{Pos: g.Pos, Text: g.Source}
	info := cir.Info{Site: site}
	frame := &cir.Reg{Type: ptr}
	call := &cir.Call{Info: info, Callee: g, Args: []cir.Arg{{X: frame}}, Result: g.Result, Returns: true}
	for _, pt := range t.Type.Params {
		p := u.param(e, pt)
		e.Params = append(e.Params, p)
		call.Args = append(call.Args, cir.Arg{X: p.Reg, ByVal: p.ByVal})
	}
	call.Fixed = len(call.Args)
	frame.Index = e.NumRegs
	e.NumRegs++
	b := &cir.Block{}
	e.Blocks = []*cir.Block{b}
	own, last := &cir.Reg{Index: e.NumRegs, Type: ptr}, &cir.Reg{Index: e.NumRegs + 1, Type: ptr}
	none := &cir.Reg{Index: e.NumRegs + 2, Type: cir.Bool}
	e.NumRegs += 3
	b.Instrs = append(b.Instrs, &cir.Load{Info: info, Dst: own, Addr: c.chain, Access: cir.Access{Type: ptr, Align: size}},
		&cir.Load{Info: info, Dst: last, Addr: c.last, Access: cir.Access{Type: ptr, Align: size, Order: cir.Relaxed}},
		&cir.Compare{Info: info, Dst: none, Pred: cir.Eq, X: own, Y: cir.Null{}},
		&cir.Select{Info: info, Dst: frame, Cond: none, X: last, Y: own}, call)
	ret := &cir.Return{Info: info}
	switch {
	case g.Result.Shape != nil:
		tmp := &cir.Local{Size: g.Result.Shape.Size, Align: 16, Shape: g.Result.Shape}
		e.Locals = []*cir.Local{tmp}
		call.To, ret.X = tmp, tmp
	case g.Result.Type.Kind != cir.None:
		call.Dst = &cir.Reg{Index: e.NumRegs, Type: g.Result.Type}
		e.NumRegs++
		ret.X = call.Dst
	}
	b.Term = ret
	u.out.Symbols = append(u.out.Symbols, &Symbol{Name: e.Name, Value: e, Type: t.Type, Internal: true, Defined: true, Pos: e.Pos})
	return c
}
