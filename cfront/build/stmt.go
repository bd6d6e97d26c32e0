package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// target is where break or continue leads.
type target struct {
	block *cir.Block
	scope *scope
}

// switched is a switch statement that is being built.
type switched struct {
	term  *cir.Switch
	t     cir.Type
	scope *scope
}

// stmt builds a statement.
func (f *fn) stmt(s tree.Stmt) {
	if s == nil {
		return
	}
	if at := s.StmtAt(); at != nil {
		f.begin(at)
		f.site = f.full
	}
	switch s := s.(type) {
	case *tree.Block:
		f.blockStmt(s)
	case *tree.Decl:
		f.decl(s)
	case *tree.EvalVLA:
		f.evalVLA(s)
	case *tree.ExprStmt:
		f.fullExpr(s.X)
		f.discard(s.X)
		f.endTemps(f.takeTemps())
	case *tree.If:
		f.ifStmt(s)
	case *tree.Loop:
		f.loop(s)
	case *tree.Switch:
		f.switchStmt(s)
	case *tree.Case:
		f.caseStmt(s)
	case *tree.Default:
		f.defaultStmt(s)
	case *tree.Labeled:
		f.labeled(s)
	default:
		f.jumpStmt(s)
	}
}

// jumpStmt builds the statements that are none of stmt's.
func (f *fn) jumpStmt(s tree.Stmt) {
	switch s := s.(type) {
	case *tree.Goto:
		if s.Label.Func != nil && s.Label.Func != f.tree {
			f.nonlocalGoto(s)
			return
		}
		f.jumpTo(s.Label)
	case *tree.GotoPtr:
		f.gotoPtr(s)
	case *tree.Break:
		f.leaveFor(f.brk, s.Site)
	case *tree.Continue:
		f.leaveFor(f.cont, s.Site)
	case *tree.Return:
		f.ret(s)
	case *tree.Asm:
		f.asm(s)
	case *tree.NestedFunc, *tree.Empty:
	default:
		refuse(s.StmtAt(), "a statement (%T) that cannot be built", s)
	}
}

// fullExpr begins a full expression.
func (f *fn) fullExpr(e tree.Expr) {
	if e != nil && e.At() != nil {
		f.begin(e.At())
		f.site = f.full
	}
}

// blockStmt builds { … }.
func (f *fn) blockStmt(s *tree.Block) {
	if s == nil {
		return
	}
	outer := f.scope
	f.openVars(s.Vars)
	for _, x := range s.Stmts {
		f.stmt(x)
	}
	f.closeTo(outer)
}

// decl builds the declaration of an automatic variable.
func (f *fn) decl(s *tree.Decl) {
	v := s.Var
	if v.Storage != tree.Auto {
		return
	}
	if v.Type.Size < 0 {
		f.declareVLA(v)
	}
	if f.vars[v] == nil {
		f.declare(v)
	}
	if s.Init != nil {
		f.initialise(f.varLval(v, s.Site), s.Init, !shared(v))
		f.endTemps(f.takeTemps())
	}
	if v.Cleanup != nil {
		f.push(&scope{cleanup: v})
	}
}

// declareVLA makes an object of variable size, which lives until the scope around ends or a
// jump leads back before its declaration.
func (f *fn) declareVLA(v *tree.Var) {
	ptr := f.u.model.Pointer()
	mark := f.reg(ptr)
	f.emit(&cir.StackSave{Dst: mark})
	size := f.size(v.Type)
	p := f.reg(ptr)
	alloca := &cir.Alloca{Dst: p, Size: size, Align: max(v.Align, v.Type.Align, 1), Name: v.Name}
	elem := v.Type.Elem
	for elem != nil && elem.Kind == types.Array && elem.Size < 0 { // of a size that is not known, either
		elem = elem.Elem
	}
	if elem != nil { // a struct of variable size has none
		alloca.Elem = f.u.shape(elem)
	}
	f.emit(alloca)
	f.bind(v, p)
	f.push(&scope{mark: mark})
}

// evalVLA computes the number of elements of an array type.
func (f *fn) evalVLA(s *tree.EvalVLA) {
	f.fullExpr(s.N)
	n := f.scalarOf(s.N)
	f.endTemps(f.takeTemps())
	st := f.u.model.Size()
	n = f.convert(n, st)
	f.emit(&cir.Store{Addr: f.countAddr(s.VLA), X: n, Access: cir.Access{Type: st, Align: int64(st.Bits / 8)}})
}

// countAddr is where the number of elements of an array type is kept.
func (f *fn) countAddr(v *types.VLA) cir.Value {
	if l := f.counts[v]; l != nil {
		return l
	}
	if addr := f.outerCount(v); addr != nil {
		return addr
	}
	st := f.u.model.Size()
	n := int64(st.Bits / 8)
	l := &cir.Local{Index: len(f.out.Locals), Size: n, Align: n, Shape: &cir.Shape{Size: n, Scalar: st}}
	f.out.Locals = append(f.out.Locals, l)
	f.counts[v] = l
	return l
}

// substatement builds a statement that is a part of another one. It is a block of its own, also without braces (C11 6.8.4p3, 6.8.5p5): a compound literal in it ends with it.
func (f *fn) substatement(s tree.Stmt) {
	outer := f.scope
	f.openVars(nil)
	f.stmt(s)
	f.closeTo(outer)
}

// ifStmt builds if. The whole statement is a block, too: what is in its condition ends with it.
func (f *fn) ifStmt(s *tree.If) {
	outer := f.scope
	f.openVars(nil)
	then, end := f.newBlock(), f.newBlock()
	els := end
	if s.Else != nil {
		els = f.newBlock()
	}
	f.fullExpr(s.C)
	f.cond(s.C, then, els)
	temps := f.takeTemps()
	f.block = then
	f.endTemps(temps)
	f.substatement(s.Then)
	f.jump(end)
	f.block = els
	f.endTemps(temps)
	if s.Else != nil {
		f.substatement(s.Else)
		f.jump(end)
	}
	f.block = end
	f.closeTo(outer)
}

// loop builds while, do and for.
func (f *fn) loop(s *tree.Loop) {
	outer := f.scope
	vars := s.Scope
	f.openVars(vars)
	f.loopInit(s.Init)
	head, body, post, exit := f.newBlock(), f.newBlock(), f.newBlock(), f.newBlock()
	first := head
	if s.Do {
		first = body
	}
	f.brk = append(f.brk, target{exit, f.scope})
	f.cont = append(f.cont, target{post, f.scope})
	f.jump(first)

	f.block = head
	if s.C != nil {
		f.fullExpr(s.C)
		f.cond(s.C, body, exit)
	} else {
		f.terminate(&cir.Jump{To: body})
	}
	temps := f.takeTemps()
	f.block = body
	f.endTemps(temps)
	f.substatement(s.Body)
	f.jump(post)
	if s.Post != nil {
		f.fullExpr(s.Post)
		f.discard(s.Post)
		f.endTemps(f.takeTemps())
	}
	f.terminate(&cir.Jump{To: head})
	f.block = exit
	f.endTemps(temps)
	f.brk, f.cont = f.brk[:len(f.brk)-1], f.cont[:len(f.cont)-1]
	f.closeTo(outer)
}

// loopInit builds a for statement's declarations in its own scope.
func (f *fn) loopInit(s tree.Stmt) {
	b, ok := s.(*tree.Block)
	if !ok {
		f.stmt(s)
		return
	}
	for _, v := range b.Vars {
		f.declare(v)
	}
	for _, x := range b.Stmts {
		f.stmt(x)
	}
}

// leaveFor builds break and continue.
func (f *fn) leaveFor(ts []target, site *tree.Site) {
	if len(ts) == 0 {
		refuse(site, "break or continue outside of a loop")
	}
	t := ts[len(ts)-1]
	f.leave(t.scope)
	f.end(&cir.Jump{To: t.block})
}

// switchStmt builds switch.
func (f *fn) switchStmt(s *tree.Switch) {
	outer := f.scope
	f.openVars(nil)
	f.fullExpr(s.X)
	x := f.scalarOf(s.X)
	f.endTemps(f.takeTemps())
	exit := f.newBlock()
	term := &cir.Switch{X: x, Default: exit}
	f.switches = append(f.switches, &switched{term: term, t: f.typeOf(x), scope: f.scope})
	f.brk = append(f.brk, target{exit, f.scope})
	f.end(term)
	f.substatement(s.Body)
	f.jump(exit)
	f.switches = f.switches[:len(f.switches)-1]
	f.brk = f.brk[:len(f.brk)-1]
	f.closeTo(outer)
}

// caseBlock begins the block of a case and returns where the switch leads to.
func (f *fn) caseBlock(site *tree.Site) (*switched, *cir.Block) {
	if len(f.switches) == 0 {
		refuse(site, "a case outside of a switch statement")
	}
	sw := f.switches[len(f.switches)-1]
	b := f.newBlock()
	f.jump(b)
	if sw.scope == f.scope {
		return sw, b
	}
	entry := f.newBlock()
	f.block = entry
	f.reenter(common(sw.scope, f.scope), f.scope)
	f.jump(b)
	return sw, entry
}

// caseStmt builds case Lo ... Hi:.
func (f *fn) caseStmt(s *tree.Case) {
	sw, b := f.caseBlock(s.Site)
	hi := s.Hi
	if hi == nil {
		hi = s.Lo
	}
	lo := intConst(sw.t, s.Lo)
	if s.Lo.Cmp(hi) <= 0 {
		sw.term.Cases = append(sw.term.Cases, cir.Case{Lo: lo, Hi: intConst(sw.t, hi), To: b})
	}
	f.stmt(s.Body)
}

// defaultStmt builds default:.
func (f *fn) defaultStmt(s *tree.Default) {
	sw, b := f.caseBlock(s.Site)
	sw.term.Default = b
	f.stmt(s.Body)
}

// labeled builds a label and its statement.
func (f *fn) labeled(s *tree.Labeled) {
	l := f.label(s.Label)
	l.scope, l.seen = f.scope, true
	if s.Label.AddrTaken {
		f.targets = append(f.targets, s.Label)
	}
	f.jump(l.block)
	if s.Label.Name == "ERROR" {
		f.emit(&cir.Intrinsic{Op: cir.Assert, Args: []cir.Value{cir.IntOf(cir.I32, 0)}, Name: "ERROR"})
	}
	f.stmt(s.Body)
}

// ret builds return.
func (f *fn) ret(s *tree.Return) {
	if s.X == nil {
		f.leave(nil)
		f.end(f.bareReturn())
		return
	}
	f.fullExpr(s.X)
	t := s.X.Type()
	if t.Kind == types.Void {
		f.discard(s.X)
		f.endTemps(f.takeTemps())
		f.leave(nil)
		f.end(f.bareReturn())
		return
	}
	v := f.expr(s.X)
	if !inMemory(t) {
		f.endTemps(f.takeTemps())
		f.leave(nil)
		f.end(&cir.Return{X: v.v})
		return
	}
	addr, align := f.spill(v, t)
	if !f.outlives(addr) {
		tmp := f.temp(unqual(t))
		f.transfer(tmp, addr, align, tmp)
		addr = f.address(tmp)
	}
	f.endTemps(f.takeTemps())
	f.leave(nil)
	f.end(&cir.Return{X: addr})
}

// outlives tells whether an address is that of something that lives when the scopes are left.
func (f *fn) outlives(v cir.Value) bool {
	switch v := v.(type) {
	case *cir.Local:
		return !v.Scoped
	case *cir.Global:
		return true
	}
	return f.scope == nil
}

// bareReturn returns without a value.
func (f *fn) bareReturn() *cir.Return {
	r := f.out.Result
	switch {
	case r.Shape != nil:
		return &cir.Return{X: f.address(f.temp(f.tree.Type.Elem))}
	case r.Type.Kind != cir.None:
		return &cir.Return{X: cir.Undef{Type: r.Type}}
	}
	return &cir.Return{}
}
