package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// initList goes through a list in braces.
type initList struct {
	in      *initer
	base    frame
	frames  []frame // the object in braces and, without braces, the parts of it that are being filled
	top     bool
	inArray bool  // within an array
	longest int64 // elements of the array in braces
}

// frame is an aggregate with the number of its next member or element.
type frame struct {
	t    *types.Type
	off  int64
	next int64
	flex bool // a flexible array member
}

// slot is a part of an aggregate.
type slot struct {
	t    *types.Type
	off  int64
	bits *tree.BitRange
	flex bool
	// union is set if it is a member of one, which begins at start.
	union  *types.Type
	member *types.Field
	start  int64
}

// done reports whether a frame has no further parts.
func (f *frame) done() bool {
	switch f.t.Kind {
	case types.Array, types.Vector:
		return f.t.Len >= 0 && f.next >= f.t.Len
	}
	f.skip()
	return f.next >= int64(len(f.t.Rec.Fields))
}

// skip goes over unnamed bit-fields.
func (f *frame) skip() {
	for f.next < int64(len(f.t.Rec.Fields)) {
		fd := &f.t.Rec.Fields[f.next]
		if fd.Name != "" || fd.Type.IsRecord() {
			return
		}
		f.next++
	}
}

// slot is the next part.
func (f *frame) slot() slot {
	if f.t.Kind == types.Array || f.t.Kind == types.Vector {
		return slot{t: f.t.Elem, off: f.off + f.next*f.t.Elem.Size}
	}
	fd := &f.t.Rec.Fields[f.next]
	s := slot{t: fd.Type, off: f.off + fd.Offset, flex: fd.Flexible}
	if f.t.Kind == types.Union {
		s.union, s.member, s.start = f.t, fd, f.off
	}
	if fd.BitField {
		s.bits = &tree.BitRange{Offset: fd.BitOffset, Width: fd.Width}
	}
	return s
}

// cur is the frame that is being filled.
func (l *initList) cur() *frame { return &l.frames[len(l.frames)-1] }

// advance goes on behind the next part of the current frame.
func (l *initList) advance() {
	f := l.cur()
	if f.t.Kind == types.Union {
		f.next = int64(len(f.t.Rec.Fields))
	} else {
		f.next++
	}
	if len(l.frames) == 1 {
		l.longest = max(l.longest, f.next)
	}
	if f.flex {
		l.in.grown = max(l.in.grown, f.next*f.t.Elem.Size)
	}
}

// item handles an element of the list.
func (l *initList) item(it *syntax.InitItem) {
	c := l.in.c
	if it.Desig != nil {
		l.frames = l.frames[:1]
		l.frames[0] = frame{t: l.base.t, off: l.base.off}
		if l.designate(it, 0) {
			return
		}
	}
	for len(l.frames) > 1 && l.cur().done() {
		l.frames = l.frames[:len(l.frames)-1]
	}
	if l.cur().done() {
		if it.Init.X == nil {
			c.fail(it.Init, "extra brace group at end of initializer")
		}
		c.value(it.Init.X) // excess elements: gcc only warns
		return
	}
	if it.Init.X == nil {
		l.bracedPart(l.enter(), it)
		return
	}
	l.expr(it.Init.X)
}

// bracedPart initialises a part by a list of its own.
func (l *initList) bracedPart(s slot, it *syntax.InitItem) {
	done := l.in.braced(s.t, s.off, s.bits, it.Init, false)
	if s.flex {
		l.flexible(it, done.Size)
	}
	l.advance()
}

// flexible notes the bytes of a flexible array member.
func (l *initList) flexible(n syntax.Node, size int64) {
	if size == 0 {
		return
	}
	_, list := n.(*syntax.InitItem)
	inArray := l.base.t.Kind == types.Array
	for i := range l.frames[1:] {
		inArray = inArray || l.frames[i+1].t.Kind == types.Array
	}
	if (!l.top || len(l.frames) > 1) && (list || inArray || l.inArray) {
		l.in.c.fail(n, "initialization of flexible array member in a nested context")
	}
	l.in.grown = max(l.in.grown, size)
}

// expr initialises the next part by an expression, going down into aggregates as far as needed.
func (l *initList) expr(e syntax.Expr) {
	c := l.in.c
	var x tree.Expr
	str := stringOf(e)
	for {
		for len(l.frames) > 1 && l.cur().done() {
			l.frames = l.frames[:len(l.frames)-1]
		}
		if l.cur().done() {
			return
		}
		s := l.enter()
		if str != nil && s.t.Kind == types.Array {
			if lit := c.stringFor(str, s.t); lit != nil {
				done := l.in.str(s.t, s.off, lit)
				if s.flex {
					l.flexible(e, done.Size)
				}
				l.advance()
				return
			}
		}
		if x == nil {
			x = c.expr(e)
		}
		switch s.t.Kind {
		case types.Struct, types.Union:
			if xt := x.Type(); xt.IsRecord() && xt.Rec == s.t.Rec {
				l.set(s, x)
				return
			}
		case types.Vector:
			if x.Type().Kind == types.Vector && x.Type().Size == s.t.Size {
				l.set(s, x)
				return
			}
		case types.Array:
			if lit, ok := x.(*tree.CompoundLit); ok && l.in.static && types.CompatibleUnqualified(lit.Typ.Unqualified(), s.t.Unqualified()) {
				for _, it := range lit.Init.Items {
					it.Offset += s.off
					l.in.add(it, it.Type.Size)
				}
				l.advance()
				return
			}
			if s.flex && !l.top {
				c.fail(e, "initialization of flexible array member in a nested context")
			}
		default:
			l.set(s, x)
			return
		}
		l.advance()
		l.frames = append(l.frames, frame{t: s.t, off: s.off, flex: s.flex})
	}
}

// set gives a part a value.
func (l *initList) set(s slot, x tree.Expr) {
	l.in.item(s.t, s.off, s.bits, l.in.c.rvalue(x))
	l.advance()
}

// enter is the next part, which gets a value: in a union, it is the member that has one then.
func (l *initList) enter() slot {
	s := l.cur().slot()
	if s.union != nil {
		l.in.do(op{from: s.start, union: s.union, member: s.member})
	}
	return s
}

// designate goes to the part that the designators from the i-th on name, in the current frame. If there
// is a range it handles the item as well and returns true.
func (l *initList) designate(it *syntax.InitItem, i int) bool {
	c := l.in.c
	first := len(l.frames) - 1
	for k, d := range it.Desig[i:] {
		if k > 0 {
			s := l.enter()
			l.frames = append(l.frames, frame{t: s.t, off: s.off, flex: s.flex})
		}
		f := l.cur()
		if d.Field != "" {
			l.field(d)
			continue
		}
		if f.t.Kind != types.Array {
			c.fail(d, "array index in non-array initializer")
		}
		f.next = c.index1(d.Lo, f.t)
		if d.Hi == nil {
			continue
		}
		hi := c.index1(d.Hi, f.t)
		if hi < f.next {
			c.fail(d, "empty index range in initializer")
		}
		l.outer(first)
		l.spread(it, i+k, hi)
		return true
	}
	l.outer(first)
	return false
}

// outer makes the frames above the last one go on behind the part that is being filled.
func (l *initList) outer(first int) {
	for i := first; i < len(l.frames)-1; i++ {
		f := &l.frames[i]
		if f.t.Kind == types.Union {
			f.next = int64(len(f.t.Rec.Fields))
		} else {
			f.next++
		}
		if i == 0 {
			l.longest = max(l.longest, f.next)
		}
		if f.flex {
			l.in.grown = max(l.in.grown, f.next*f.t.Elem.Size)
		}
	}
}

// index1 is the value of an index designator.
func (c *checker) index1(e syntax.Expr, t *types.Type) int64 {
	x := c.value(e)
	v, ok := c.evalInt(x)
	switch {
	case !x.Type().IsInteger():
		c.fail(e, "array index in initializer not of integer type")
	case !ok:
		c.fail(e, "nonconstant array index in initializer")
	case v.Sign() < 0 || !v.IsInt64() || t.Len >= 0 && v.Int64() >= t.Len:
		c.fail(e, "array index in initializer exceeds array bounds")
	}
	return v.Int64()
}

// field goes to the member that a designator names, through anonymous ones.
func (l *initList) field(d *syntax.Desig) {
	c := l.in.c
	for {
		f := l.cur()
		if !f.t.IsRecord() {
			c.fail(d, "field name not in record or union initializer")
		}
		path := f.t.Rec.Member(d.Field)
		if path == nil {
			c.fail(d, "‘%s’ has no member named ‘%s’", f.t, d.Field)
		}
		for i := range f.t.Rec.Fields {
			if &f.t.Rec.Fields[i] == path[0] {
				f.next = int64(i)
			}
		}
		if len(path) == 1 {
			return
		}
		s := l.enter()
		l.frames = append(l.frames, frame{t: s.t, off: s.off})
	}
}

// spread initialises the elements from the next of the current frame to hi by one item, whose
// designators behind the i-th apply to each. What follows goes on behind the last.
func (l *initList) spread(it *syntax.InitItem, i int, hi int64) {
	f := l.cur()
	lo, size := f.next, f.t.Elem.Size
	var log []op
	sub := &initList{in: &initer{c: l.in.c, out: &tree.Init{}, static: l.in.static, log: &log}, base: *f, inArray: true}
	sub.frames = []frame{*f}
	handled := false
	if i+1 < len(it.Desig) {
		s := sub.enter()
		sub.cur().next++
		sub.frames = append(sub.frames, frame{t: s.t, off: s.off})
		handled = sub.designate(it, i+1)
	}
	if !handled {
		if it.Init.X == nil {
			sub.bracedPart(sub.enter(), it)
		} else {
			sub.expr(it.Init.X)
		}
	}
	for k := lo; k <= hi; k++ {
		for _, o := range log {
			l.in.do(o.shifted((k - lo) * size))
		}
	}
	f.next = hi + 1
	if len(l.frames) == 1 {
		l.longest = max(l.longest, f.next)
	}
	if f.flex {
		l.in.grown = max(l.in.grown, f.next*size)
	}
	for _, g := range sub.frames[1:] {
		g.off += (hi - lo) * size
		l.frames = append(l.frames, g)
	}
}

// compoundLit checks (T){…}.
func (c *checker) compoundLit(e *syntax.CompoundLit) tree.Expr {
	t := c.typeName(e.Type)
	if t.Kind == types.Func || t.Kind == types.Void || !t.IsComplete() && !(t.Kind == types.Array && t.VLA == nil) {
		c.fail(e, "compound literal has %s type", map[bool]string{true: "function", false: "incomplete"}[t.Kind == types.Func])
	}
	if t.IsVLA() {
		c.fail(e, "compound literal has variable size")
	}
	static := c.stmts == nil || e.Type.Specs.Storage&syntax.Static != 0
	init, t, grown := c.initialize(t, e.Init, static)
	if grown > 0 && !static {
		c.fail(e, "non-static initialization of a flexible array member")
	}
	v := &tree.Var{Type: t, Align: max(t.Align, 1), Defined: true, Init: init, Site: *c.site(e)}
	if static {
		v.Storage = tree.Static
		if c.fn != nil {
			v.Func = c.fn.f
		}
		if c.unevaluated == 0 {
			c.unit.Vars = append(c.unit.Vars, v)
		}
	}
	return &tree.CompoundLit{X: c.x(e, t), Var: v, Init: init}
}
