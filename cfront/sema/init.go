package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// initer flattens an initialiser.
type initer struct {
	c      *checker
	out    *tree.Init
	static bool  // constants only
	end    int64 // where the items so far end
	log    *[]op // if not nil, operations are noted, not done
	active map[unionAt]*types.Field
	arrays int   // arrays around the list that is being gone through
	grown  int64 // bytes that a flexible array member has
}

// initialize checks the initialiser of an object. It returns the type, whose length it may
// complete, and how many bytes a flexible array member adds to its size.
func (c *checker) initialize(t *types.Type, n *syntax.Init, static bool) (*tree.Init, *types.Type, int64) {
	in := &initer{c: c, out: &tree.Init{Site: *c.site(n)}, static: static}
	if t.IsVLA() {
		c.fail(n, "variable-sized object may not be initialized")
	}
	t = in.whole(t, n)
	return in.out, t, in.grown
}

// whole initialises an object by a whole initialiser.
func (in *initer) whole(t *types.Type, n *syntax.Init) *types.Type {
	c := in.c
	if n.X == nil {
		return in.braced(t, 0, nil, n, true)
	}
	if s := stringOf(n.X); s != nil && t.Kind == types.Array {
		if str := c.stringFor(s, t); str != nil {
			return in.str(t, 0, str)
		}
	}
	x := c.expr(n.X)
	switch t.Kind {
	case types.Array:
		if l, ok := x.(*tree.CompoundLit); ok && l.Typ.Kind == types.Array && types.CompatibleUnqualified(l.Typ.Elem.Unqualified(), t.Elem.Unqualified()) {
			in.out.Items = l.Init.Items
			if t.Len < 0 {
				return types.ArrayOf(t.Elem, l.Typ.Len)
			}
			return t
		}
		c.fail(n, "invalid initializer")
	case types.Struct, types.Union:
		if !t.IsComplete() {
			c.fail(n, "variable has initializer but incomplete type")
		}
		if xt := x.Type(); !xt.IsRecord() || xt.Rec != t.Rec {
			c.fail(n, "invalid initializer")
		}
	}
	in.item(t, 0, nil, c.rvalue(x))
	return t
}

// stringOf is the string literal that an expression is, in parentheses or not.
func stringOf(e syntax.Expr) *syntax.StringExpr {
	for {
		switch x := e.(type) {
		case *syntax.Paren:
			e = x.X
		case *syntax.StringExpr:
			return x
		default:
			return nil
		}
	}
}

// stringFor checks a string literal that initialises an array; nil if it cannot.
func (c *checker) stringFor(s *syntax.StringExpr, t *types.Type) *tree.String {
	e := t.Elem.Unqualified()
	if e.Kind != types.Int || e.Size > 4 {
		return nil
	}
	str, _ := c.stringLit(s).(*tree.String)
	se := str.Typ.Elem
	if e.IsChar() != se.IsChar() || !e.IsChar() && (e.Size != se.Size) {
		if e.IsChar() || se.IsChar() {
			c.fail(s, "array of type ‘%s’ initialized from incompatible string literal", e)
		}
		return nil
	}
	return str
}

// str initialises an array of characters by a string literal.
func (in *initer) str(t *types.Type, off int64, s *tree.String) *types.Type {
	if t.Len < 0 {
		t = types.ArrayOf(t.Elem, s.Typ.Len)
	}
	if s.Typ.Len > t.Len {
		s = &tree.String{X: tree.X{Typ: types.ArrayOf(s.Typ.Elem, t.Len), Site: s.Site}, Data: s.Data[:t.Size]}
	}
	if t.Size > 0 {
		in.add(tree.InitItem{Offset: off, Type: t, X: s}, t.Size)
	}
	return t
}

// item initialises a scalar, or a struct as a whole, by a value.
func (in *initer) item(t *types.Type, off int64, bits *tree.BitRange, x tree.Expr) {
	c := in.c
	if k, ok := x.(*tree.FloatConst); ok && bits != nil && t.Kind == types.Int { // gcc converts to the width at once
		narrow := *t.Unqualified()
		narrow.Bits = bits.Width
		if v, ok := numOf(k).toInt(&narrow); !ok {
			x = c.intConst(k.Site, t.Unqualified(), v)
		}
	}
	x = c.assignTo(x, t, reason{verb: "initializing"})
	if in.static && in.splice(t, off, x) {
		return
	}
	if in.static {
		c.constVars++
		c.loose++
		k, ok := c.eval(x)
		c.constVars--
		c.loose--
		switch {
		case ok:
			x = c.constant(k, x)
		case c.labelDifference(x):
		case t.Kind == types.Vector && constVector(x):
		default:
			failSite(x, "initializer element is not constant")
		}
	}
	in.add(tree.InitItem{Offset: off, Bits: bits, Type: t, X: x}, t.Size)
}

// constVector reports whether a vector is a constant compound literal's value.
func constVector(x tree.Expr) bool {
	l, ok := x.(*tree.Load)
	if !ok {
		return false
	}
	_, ok = l.L.(*tree.CompoundLit)
	return ok
}

// labelDifference reports whether a constant is the difference of two labels.
func (c *checker) labelDifference(x tree.Expr) bool {
	switch x := x.(type) {
	case *tree.Convert:
		return c.labelDifference(x.V)
	case *tree.PtrDiff:
		return isLabel(x.L) && isLabel(x.R)
	case *tree.Binary:
		return x.Op == tree.Sub && isLabel(x.L) && isLabel(x.R)
	}
	return false
}

func isLabel(x tree.Expr) bool {
	switch x := x.(type) {
	case *tree.LabelAddr:
		return true
	case *tree.Convert:
		return isLabel(x.V)
	}
	return false
}

// splice takes the items of a constant compound literal or variable in place of its value.
func (in *initer) splice(t *types.Type, off int64, x tree.Expr) bool {
	l, ok := x.(*tree.Load)
	if !ok || !t.IsRecord() && t.Kind != types.Vector {
		return false
	}
	var init *tree.Init
	switch l := l.L.(type) {
	case *tree.CompoundLit:
		init = l.Init
	case *tree.VarRef:
		if l.Var.Type.Quals&(types.Const|types.Volatile) != types.Const || l.Var.Storage != tree.Static || l.Var.Init == nil {
			return false
		}
		init = l.Var.Init
	default:
		return false
	}
	for _, it := range init.Items {
		if k, ok := in.c.eval(it.X); ok {
			it.X = in.c.constant(k, it.X)
		} else if _, ok := it.X.(*tree.String); !ok {
			return false
		}
		it.Offset += off
		in.add(it, it.Type.Size)
	}
	return true
}

// op is what an initer does: it drops what is in some bytes, makes a member of a union the one that has a
// value, or adds an item.
type op struct {
	from, to int64 // drop
	union    *types.Type
	member   *types.Field // of the union at from
	item     *tree.InitItem
	size     int64
}

// do does an operation or, for the elements of a range, notes it.
func (in *initer) do(o op) {
	if in.log != nil {
		*in.log = append(*in.log, o)
		return
	}
	switch {
	case o.item != nil:
		in.put(*o.item, o.size)
	case o.union != nil:
		in.activate(o.from, o.union, o.member)
	case o.from < in.end:
		in.drop(o.from, o.to)
	}
}

// shifted is an operation on the bytes further on.
func (o op) shifted(by int64) op {
	o.from, o.to = o.from+by, o.to+by
	if o.item != nil {
		it := *o.item
		it.Offset += by
		o.item = &it
	}
	return o
}

// unionAt is a union in the object.
type unionAt struct {
	off int64
	rec *types.Record
}

// activate makes a member of a union the one that has a value: what others have been given is dropped.
func (in *initer) activate(off int64, t *types.Type, f *types.Field) {
	if in.active == nil {
		in.active = map[unionAt]*types.Field{}
	}
	key := unionAt{off, t.Rec}
	if old := in.active[key]; old != nil && old != f {
		in.drop(off, off+t.Size)
	}
	in.active[key] = f
}

// add adds an item.
func (in *initer) add(it tree.InitItem, size int64) { in.do(op{item: &it, size: size}) }

// put adds an item; what it overrides is dropped.
func (in *initer) put(it tree.InitItem, size int64) {
	if it.Offset < in.end && it.Bits == nil {
		in.drop(it.Offset, it.Offset+size)
	} else if it.Bits != nil && it.Offset < in.end {
		in.dropBits(it)
	}
	in.out.Items = append(in.out.Items, it)
	in.end = max(in.end, it.Offset+size)
}

// drop drops the items within some bytes.
func (in *initer) drop(from, to int64) {
	kept := in.out.Items[:0:0]
	for _, it := range in.out.Items {
		size := it.Type.Size
		if it.Bits != nil {
			size = int64(it.Bits.Offset+it.Bits.Width+7) / 8
		}
		if it.Offset >= from && it.Offset+size <= to {
			continue
		}
		kept = append(kept, it)
	}
	in.out.Items = kept
}

// dropBits drops an item for the same bit-field.
func (in *initer) dropBits(n tree.InitItem) {
	for i, it := range in.out.Items {
		if it.Offset == n.Offset && it.Bits != nil && *it.Bits == *n.Bits {
			in.out.Items = append(in.out.Items[:i:i], in.out.Items[i+1:]...)
			return
		}
	}
}

// braced initialises an object by a list. top tells that it is a whole object.
func (in *initer) braced(t *types.Type, off int64, bits *tree.BitRange, n *syntax.Init, top bool) *types.Type {
	c := in.c
	switch t.Kind {
	case types.Array:
		if len(n.List) == 1 && n.List[0].Desig == nil && n.List[0].Init.X != nil {
			if s := stringOf(n.List[0].Init.X); s != nil {
				if str := c.stringFor(s, t); str != nil {
					return in.str(t, off, str)
				}
			}
		}
	case types.Struct, types.Union, types.Vector:
		if !t.IsComplete() {
			c.fail(n, "variable has initializer but incomplete type")
		}
	default:
		in.bracedScalar(t, off, bits, n)
		return t
	}
	if !top {
		in.do(op{from: off, to: off + max(t.Size, 0)})
	}
	l := &initList{in: in, base: frame{t: t, off: off}, top: top && off == 0, inArray: in.arrays > 0}
	if t.Kind == types.Array {
		in.arrays++
		defer func() { in.arrays-- }()
	}
	l.frames = []frame{l.base}
	for _, it := range n.List {
		l.item(it)
	}
	if t.Kind == types.Array && t.Len < 0 {
		return types.ArrayOf(t.Elem, max(l.longest, 0))
	}
	return t
}

// bracedScalar is int x = { 1 }.
func (in *initer) bracedScalar(t *types.Type, off int64, bits *tree.BitRange, n *syntax.Init) {
	c := in.c
	if len(n.List) == 0 {
		c.fail(n, "empty scalar initializer")
	}
	it := n.List[0]
	if it.Desig != nil {
		if it.Desig[0].Field != "" {
			c.fail(it, "field name not in record or union initializer")
		}
		c.fail(it, "array index in non-array initializer")
	}
	if it.Init.X == nil {
		in.bracedScalar(t, off, bits, it.Init)
		return
	}
	in.item(t, off, bits, c.value(it.Init.X))
}
