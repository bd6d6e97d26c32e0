package sema

import (
	"math/big"
	"sort"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// switchInfo is a switch whose body is being checked.
type switchInfo struct {
	s      *tree.Switch
	t      *types.Type
	ranges []caseRange // sorted
	ctx    *jumpContext
}

type caseRange struct{ lo, hi *big.Int }

func (c *checker) s(n syntax.Node) tree.S { return tree.S{Site: c.site(n)} }

// item checks what stands in a block and adds it to the statements.
func (c *checker) item(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Declaration:
		c.declaration(n)
	case *syntax.FuncDef:
		c.nested(n)
	case *syntax.StaticAssert:
		c.staticAssert(n)
	case *syntax.LabelDecl:
		for _, l := range n.Names {
			c.localLabel(l)
		}
	default:
		st := c.stmt(n)
		*c.stmts = append(*c.stmts, st)
	}
}

// block checks { … }.
func (c *checker) block(n *syntax.Block) *tree.Block {
	b := &tree.Block{S: c.s(n)}
	c.inBlock(b, func() {
		for _, it := range n.Items {
			c.attempt(it, func() { c.item(it) })
		}
	})
	return b
}

// inBlock checks what belongs to a block, in a scope of its own.
func (c *checker) inBlock(b *tree.Block, f func()) {
	blk, stmts, ctx := c.blk, c.stmts, c.fn.ctx
	c.push()
	c.blk, c.stmts = b, &b.Stmts
	f()
	c.endScope()
	c.pop()
	c.blk, c.stmts, c.fn.ctx = blk, stmts, ctx
}

// stmt checks a statement.
func (c *checker) stmt(n syntax.Node) tree.Stmt {
	switch n := n.(type) {
	case *syntax.Block:
		return c.block(n)
	case *syntax.ExprStmt:
		if n.X == nil {
			return &tree.Empty{S: c.s(n)}
		}
		x := c.discard(n.X)
		return &tree.ExprStmt{S: c.s(n), X: x}
	case *syntax.If:
		return c.ifStmt(n)
	case *syntax.Switch:
		return c.switchStmt(n)
	case *syntax.While:
		l := &tree.Loop{S: c.s(n), Do: n.Do}
		if !n.Do {
			l.C = c.truth(c.value(n.C))
		}
		l.Body = c.loopBody(n.Body)
		if n.Do {
			l.C = c.truth(c.value(n.C))
		}
		return l
	case *syntax.For:
		return c.forStmt(n)
	case *syntax.Case:
		return c.caseStmt(n)
	case *syntax.Default:
		return c.defaultStmt(n)
	case *syntax.Labeled:
		return c.labeled(n)
	case *syntax.Goto:
		return c.gotoStmt(n)
	case *syntax.Jump:
		return c.jump(n)
	case *syntax.Return:
		return c.returnStmt(n)
	case *syntax.Asm:
		return c.asm(n)
	}
	c.fail(n, "bug in comus: statement %T", n)
	return nil
}

// sub checks a statement in a scope of its own.
func (c *checker) sub(n syntax.Node) tree.Stmt {
	if b, ok := n.(*syntax.Block); ok {
		return c.block(b)
	}
	ctx := c.fn.ctx
	c.push()
	st := c.stmt(n)
	c.endScope()
	c.pop()
	c.fn.ctx = ctx
	return st
}

func (c *checker) ifStmt(n *syntax.If) tree.Stmt {
	s := &tree.If{S: c.s(n), C: c.truth(c.value(n.C))}
	s.Then = c.sub(n.Then)
	if n.Else != nil {
		s.Else = c.sub(n.Else)
	}
	return s
}

// loopBody checks the body of a loop.
func (c *checker) loopBody(n syntax.Node) tree.Stmt {
	c.fn.loops++
	c.fn.breaks++
	b := c.sub(n)
	c.fn.loops--
	c.fn.breaks--
	return b
}

func (c *checker) forStmt(n *syntax.For) tree.Stmt {
	l := &tree.Loop{S: c.s(n)}
	init := &tree.Block{S: c.s(n)}
	c.inBlock(init, func() {
		if n.Decl != nil {
			c.forDecl(n.Decl)
			c.item(n.Decl)
		}
		if n.Init != nil {
			x := c.discard(n.Init)
			l.Init = &tree.ExprStmt{S: c.s(n.Init), X: x}
		}
		l.Scope = init.Vars
		init.Vars = nil
		if len(init.Stmts) > 0 {
			l.Init = init
		}
		// Condition and step must not add to the declarations.
		c.stmts = &[]tree.Stmt{}
		if n.C != nil {
			l.C = c.truth(c.value(n.C))
		}
		if n.Post != nil {
			l.Post = c.discard(n.Post)
		}
		l.Body = c.loopBody(n.Body)
	})
	return l
}

// forDecl refuses storage classes in the declaration of a for statement.
func (c *checker) forDecl(n syntax.Node) {
	d, ok := n.(*syntax.Declaration)
	if !ok || len(d.Decls) == 0 {
		return
	}
	switch name := d.Decls[0].Decl.Name; {
	case d.Specs.Storage&syntax.Static != 0:
		c.fail(d.Decls[0], "declaration of static variable ‘%s’ in ‘for’ loop initial declaration", name)
	case d.Specs.Storage&syntax.Extern != 0:
		c.fail(d.Decls[0], "declaration of ‘extern’ variable ‘%s’ in ‘for’ loop initial declaration", name)
	case d.Specs.Storage&syntax.Typedef != 0:
		c.fail(d.Decls[0], "declaration of non-variable ‘%s’ in ‘for’ loop initial declaration", name)
	}
}

func (c *checker) switchStmt(n *syntax.Switch) tree.Stmt {
	x := c.value(n.X)
	if !x.Type().IsInteger() {
		c.fail(n.X, "switch quantity not an integer")
	}
	x = c.promote(x)
	s := &tree.Switch{S: c.s(n), X: x}
	outer := c.fn.sw
	c.fn.sw = &switchInfo{s: s, t: x.Type(), ctx: c.fn.ctx}
	c.fn.breaks++
	s.Body = c.sub(n.Body)
	c.fn.breaks--
	c.fn.sw = outer
	return s
}

// caseValue is the value of a case label.
func (c *checker) caseValue(e syntax.Expr, t *types.Type) *big.Int {
	x := c.value(e)
	v, ok := c.evalInt(x)
	if !ok {
		c.fail(e, "case label does not reduce to an integer constant")
	}
	return wrap(v, t)
}

func (c *checker) caseStmt(n *syntax.Case) tree.Stmt {
	sw := c.fn.sw
	if sw == nil {
		c.fail(n, "case label not within a switch statement")
	}
	s := &tree.Case{S: c.s(n), Lo: c.caseValue(n.Lo, sw.t)}
	s.Hi = s.Lo
	if n.Hi != nil {
		s.Hi = c.caseValue(n.Hi, sw.t)
	}
	c.jumpsInto(n, sw)
	if s.Lo.Cmp(s.Hi) <= 0 { // gcc only warns of empty ranges
		c.addCase(n, sw, caseRange{s.Lo, s.Hi})
		sw.s.Cases = append(sw.s.Cases, s)
	}
	s.Body = c.labelBody(n.Body)
	return s
}

// jumpsInto refuses a case label in the scope of something of variably modified type, or in a
// statement expression, that the switch is not in.
func (c *checker) jumpsInto(n syntax.Node, sw *switchInfo) {
	if c.fn.ctx == sw.ctx {
		return
	}
	for x := c.fn.ctx; x != sw.ctx && x != nil; x = x.up {
		if x.stmtExpr {
			c.fail(n, "case label in statement expression not containing enclosing switch statement")
		}
	}
	c.fail(n, "switch jumps into scope of identifier with variably modified type")
}

// addCase adds a range of case labels; it must not meet another one.
func (c *checker) addCase(n syntax.Node, sw *switchInfo, r caseRange) {
	i := sort.Search(len(sw.ranges), func(i int) bool { return sw.ranges[i].hi.Cmp(r.lo) >= 0 })
	if i < len(sw.ranges) && sw.ranges[i].lo.Cmp(r.hi) <= 0 {
		if r.lo.Cmp(r.hi) == 0 && sw.ranges[i].lo.Cmp(sw.ranges[i].hi) == 0 {
			c.fail(n, "duplicate case value")
		}
		c.fail(n, "duplicate (or overlapping) case value")
	}
	sw.ranges = append(sw.ranges, caseRange{})
	copy(sw.ranges[i+1:], sw.ranges[i:])
	sw.ranges[i] = r
}

func (c *checker) defaultStmt(n *syntax.Default) tree.Stmt {
	sw := c.fn.sw
	if sw == nil {
		c.fail(n, "‘default’ label not within a switch statement")
	}
	if sw.s.Default != nil {
		c.fail(n, "multiple default labels in one switch")
	}
	s := &tree.Default{S: c.s(n)}
	sw.s.Default = s
	c.jumpsInto(n, sw)
	s.Body = c.labelBody(n.Body)
	return s
}

func (c *checker) labelBody(n syntax.Node) tree.Stmt { return c.stmt(n) }

func (c *checker) jump(n *syntax.Jump) tree.Stmt {
	if n.Continue {
		if c.fn.loops == 0 {
			c.fail(n, "continue statement not within a loop")
		}
		return &tree.Continue{S: c.s(n)}
	}
	if c.fn.breaks == 0 {
		c.fail(n, "break statement not within loop or switch")
	}
	return &tree.Break{S: c.s(n)}
}

func (c *checker) returnStmt(n *syntax.Return) tree.Stmt {
	t := c.fn.f.Type.Elem
	if n.X == nil {
		return &tree.Return{S: c.s(n)}
	}
	x := c.value(n.X)
	if t.Kind == types.Void {
		x := c.voided(x)
		b := &tree.Block{S: c.s(n)}
		b.Stmts = []tree.Stmt{&tree.ExprStmt{S: c.s(n), X: x}, &tree.Return{S: c.s(n)}}
		return b
	}
	if x.Type().Kind == types.Void {
		c.fail(n.X, "void value not ignored as it ought to be")
	}
	return &tree.Return{S: c.s(n), X: c.assignTo(x, t, reason{verb: "returning"})}
}

// stmtExpr checks ({ … }).
func (c *checker) stmtExpr(e *syntax.StmtExpr) tree.Expr {
	if c.fn == nil {
		c.fail(e, "braced-group within expression allowed only inside a function")
	}
	x := &tree.StmtExpr{X: c.x(e, c.t.Void), Body: &tree.Block{S: c.s(e)}}
	vlas, ctx := c.vlas, c.fn.ctx
	c.vlas = nil
	c.fn.ctx = &jumpContext{up: c.fn.ctx, stmtExpr: true}
	c.inBlock(x.Body, func() {
		items := e.Body.Items
		for i, it := range items {
			if i < len(items)-1 {
				c.item(it)
				continue
			}
			c.lastItem(x, it)
		}
	})
	c.vlas, c.fn.ctx = vlas, ctx
	if x.Last != nil {
		x.Typ = x.Last.Type()
	}
	return x
}

// lastItem checks the last item of a statement expression: its value is that of the whole.
func (c *checker) lastItem(x *tree.StmtExpr, it syntax.Node) {
	inner := it
	for {
		l, ok := inner.(*syntax.Labeled)
		if !ok {
			break
		}
		inner = l.Body
	}
	es, ok := inner.(*syntax.ExprStmt)
	if !ok || es.X == nil {
		c.item(it)
		return
	}
	for it != inner { // labels before the value
		l, _ := it.(*syntax.Labeled)
		*c.stmts = append(*c.stmts, c.labeledEmpty(l))
		it = l.Body
	}
	v := c.expr(es.X)
	if v.Type().Kind == types.Void {
		*c.stmts = append(*c.stmts, &tree.ExprStmt{S: c.s(es), X: v})
		return
	}
	x.Last = c.rvalue(v)
}
