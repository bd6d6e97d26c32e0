package cfront

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// A pointer whose target is known where it is used is a place ([vPtr]). All other
// pointers are integers, the addresses of bytes, and what they may point to is
// computed by an inclusion-based points-to analysis that lowering itself makes: a
// cell that would have to hold a place that is not known becomes dynamic, which is
// a fact that lowering starts anew with. What a dynamic cell may point to is a set
// for the whole program that stores add to; if one has grown after it was used,
// lowering starts anew as well.

// targetKind is the kind of a target.
type targetKind uint8

const (
	toObject  targetKind = iota // some byte of an object, or the one behind it
	toFunc                      // a function
	toInteger                   // whatever an integer that no address went into may be
	toResult                    // the address that a thread returned
	toString                    // a string literal
)

// target is something that an integer may be the address of.
type target struct {
	kind targetKind
	name string // the id of the object, the name of the function
}

// targets is a set of targets: an integer with these is the address of a byte of one
// of them, or no valid address. Sets are not changed once they belong to a value.
type targets map[target]bool

// facts are what lowering has found out about a program and knows when it starts
// anew. They only grow.
type facts struct {
	types    map[cc.Type]*ctype
	escaped  map[string]bool       // keys of locals that other threads use
	dynamic  map[string]bool       // keys of pointer cells that hold addresses
	points   map[string]targets    // what cells may hold the addresses of, by key
	objects  map[string]*blueprint // what addresses were taken of, by id
	shapes   map[string]*ctype     // of what heap objects consist, by id
	results  bool                  // threads hand over the addresses they return
	late     map[cc.Node]bool      // labels that gotos lead to that are lowered after them
	vague    map[vagueAt]bool
	stale    bool // this attempt has added to vague: it goes on, for more of them, but in vain
	restarts int

	places map[*cc.Declarator]string // of variables
	placed map[string]int            // variables by line and column
}

// maxRestarts bounds how often lowering starts anew.
const maxRestarts = 3000

func newFacts() *facts {
	return &facts{types: map[cc.Type]*ctype{}, escaped: map[string]bool{}, dynamic: map[string]bool{},
		points: map[string]targets{}, objects: map[string]*blueprint{}, shapes: map[string]*ctype{},
		late: map[cc.Node]bool{}, vague: map[vagueAt]bool{}, places: map[*cc.Declarator]string{}, placed: map[string]int{}}
}

// at tells where a variable is declared. Variables that a macro declares may be at
// the same place, as may those of different files: they are numbered.
func (f *facts) at(d *cc.Declarator) string {
	s, ok := f.places[d]
	if !ok {
		p := d.Position()
		s = fmt.Sprintf("%d:%d", p.Line, p.Column)
		f.placed[s]++
		if n := f.placed[s]; n > 1 {
			s = fmt.Sprintf("%s'%d", s, n)
		}
		f.places[d] = s
	}
	return s
}

// keyOf identifies a cell across restarts. The elements of an array are one.
func (b *lowerer) keyOf(c *cell) string {
	if c.key == "" {
		part, depth := []byte{}, 0
		for _, r := range []byte(c.name[min(len(c.obj.name), len(c.name)):]) {
			switch {
			case r == '[':
				depth++
				part = append(part, '*')
			case r == ']':
				depth--
			case depth == 0:
				part = append(part, r)
			}
		}
		c.key = b.idOf(c.obj) + " " + string(part)
	}
	return c.key
}

// idOf identifies an object across restarts.
func (b *lowerer) idOf(o *object) string {
	switch {
	case o.id != "":
	case o.decl != nil:
		o.id = fmt.Sprintf("%s@%s", o.name, b.facts.at(o.decl))
	case o.key != "":
		o.id = o.key
	default: // a temporary
		o.id = fmt.Sprintf("%s %d", o.name, len(o.cells))
	}
	return o.id
}

// again starts lowering anew.
func (b *lowerer) again(n cc.Node) {
	b.facts.restarts++
	if b.facts.restarts > maxRestarts {
		b.fail(n, "unsupported: more pointers depend on one another than comus can follow")
	}
	panic(restart{})
}

// makeDynamic lets cells hold addresses, and lowering start anew.
func (b *lowerer) makeDynamic(n cc.Node, cs ...*cell) {
	for _, c := range cs {
		if c.dyn {
			b.fail(n, "unsupported: pointer whose target is not known here")
		}
		b.facts.dynamic[b.keyOf(c)] = true
	}
	b.again(n)
}

// isDynamicCell reports whether a pointer cell holds addresses; then it has a
// variable.
func (b *lowerer) isDynamicCell(c *cell) bool {
	if c.dyn || c.typ.kind != tPtr {
		return c.dyn
	}
	if len(b.facts.dynamic) == 0 || !b.facts.dynamic[b.keyOf(c)] {
		return false
	}
	old := c.v
	b.record(func() { c.dyn, c.v = false, old })
	c.dyn = true
	if c.v == nil {
		c.v = b.newVar(c.name, c.source(), b.ptrInt, c.obj.thread)
		c.v.Init = c.obj.init
		b.cellOf[c.v] = c
		if c.obj.decl != nil {
			c.v.Pos = position(c.obj.decl)
		}
	}
	return true
}

// source returns the name of a cell in the program's text.
func (c *cell) source() string {
	return c.obj.source + c.name[min(len(c.obj.name), len(c.name)):]
}

// isDynamic reports whether a pointer place holds addresses. All cells that a place
// may be do, unless it is known which one it is.
func (b *lowerer) isDynamic(p place) bool {
	if k, ok := p.fixed(); ok {
		return b.isDynamicCell(p.obj.cells[k])
	}
	var static []*cell
	for _, c := range b.choices(p) {
		if !b.isDynamicCell(c.cell) && c.cell.typ.kind == tPtr {
			static = append(static, c.cell)
		}
	}
	if len(static) > 0 {
		b.makeDynamic(b.stmt, static...)
	}
	return true
}

// tracked reports whether a type is wide enough to hold addresses.
func (b *lowerer) tracked(t *ctype) bool {
	return t.kind == tPtr || t.kind == tInt && t.it.Bits >= b.ptrInt.Bits
}

// pointsTo returns what a cell may hold the address of, and notes that somebody
// counts on it.
func (b *lowerer) pointsTo(key string) targets {
	ts := b.facts.points[key]
	if n, ok := b.used[key]; !ok || len(ts) < n {
		b.used[key] = len(ts)
	}
	return ts
}

// integerPointsTo is pointsTo for a cell of integer type. That it holds plain
// integers is not worth to start anew for; nil if it does.
func (b *lowerer) integerPointsTo(key string) targets {
	ts := b.facts.points[key]
	if len(ts) > 1 || len(ts) == 1 && !ts[target{kind: toInteger}] {
		return b.pointsTo(key)
	}
	b.plain[key] = true
	return nil
}

// factsStable reports whether no set has grown after it was used.
func (b *lowerer) factsStable() bool {
	for key, n := range b.used {
		if len(b.facts.points[key]) > n {
			return false
		}
	}
	for key := range b.plain {
		if ts := b.facts.points[key]; len(ts) > 1 || len(ts) == 1 && !ts[target{kind: toInteger}] {
			return false
		}
	}
	return true
}

// contentTargets returns what the content of cells may point to.
func (b *lowerer) contentTargets(t *ctype, cs []choice) targets {
	if !b.tracked(t) {
		return nil
	}
	var out targets
	for _, c := range cs {
		if t.kind == tPtr {
			out = union(out, b.pointsTo(b.keyOf(c.cell)))
		} else {
			out = union(out, b.integerPointsTo(b.keyOf(c.cell)))
		}
	}
	if t.kind == tPtr && out == nil {
		out = targets{}
	}
	return out
}

// union joins two sets; nil is the empty one.
func union(x, y targets) targets {
	if len(x) < len(y) {
		x, y = y, x
	}
	for t := range y {
		if !x[t] {
			z := maps.Clone(x)
			maps.Copy(z, y)
			return z
		}
	}
	if x == nil {
		return y
	}
	return x
}

// eitherOf returns the targets of what is one of these integers.
func eitherOf(vs ...*value) targets {
	var out targets
	plain := false
	for _, v := range vs {
		if v.to != nil {
			out = union(out, v.to)
			if out == nil {
				out = targets{}
			}
		} else if _, ok := v.constant(); !ok {
			plain = true
		}
	}
	if out != nil && plain {
		out = union(out, targets{target{kind: toInteger}: true})
	}
	return out
}

// addPoints notes what is stored in a cell.
func (b *lowerer) addPoints(key string, ts targets) {
	have := b.facts.points[key]
	if have == nil {
		have = targets{}
	}
	b.facts.points[key] = union(have, ts)
}

// keepTargets notes that v is stored in a place that may be one of these cells.
func (b *lowerer) keepTargets(n cc.Node, p place, cs []choice, v *value) {
	if !b.tracked(p.typ) {
		return
	}
	ts := v.to
	if ts == nil {
		if _, ok := v.constant(); ok {
			return
		}
		ts = targets{target{kind: toInteger}: true}
	}
	for _, c := range cs {
		b.addPoints(b.keyOf(c.cell), ts)
		if c.cell.obj.shared {
			b.escapeTargets(n, ts)
		}
	}
}

// escapeTargets makes sure that objects are shared.
func (b *lowerer) escapeTargets(n cc.Node, ts targets) {
	for _, t := range ts.sorted() {
		if t.kind != toObject {
			continue
		}
		for _, o := range b.objectsOf(n, t.name) {
			if !o.shared {
				b.escape(n, o)
			}
		}
	}
}

// blueprint is what an object is made by before the code of its declaration is
// lowered, or if it never is.
type blueprint struct {
	id, name, source, key string
	decl                  *cc.Declarator
	typ                   *ctype
	thread                int
	init                  *logic.Value
	heap                  *heapSite
	text                  *cc.PrimaryExpression // of a string literal
}

// target notes that the address of an object is taken.
func (b *lowerer) target(n cc.Node, o *object) target {
	id := b.idOf(o)
	if o.decl == nil && o.key == "" {
		b.fail(n, "unsupported: pointer to a part of a temporary struct")
	}
	if b.facts.objects[id] == nil {
		bp := &blueprint{id: id, name: o.name, source: o.source, key: o.key, decl: o.decl, typ: o.typ, thread: o.thread, init: o.init, text: o.text}
		if o.heap != nil {
			bp.heap = o.heap.site
		}
		b.facts.objects[id] = bp
	}
	if b.several[id] {
		b.fail(n, "unsupported: pointer to a variable length array of several lengths")
	}
	return target{toObject, id}
}

// known notes which object has an id.
func (b *lowerer) known(o *object) {
	id := b.idOf(o)
	old, had := b.byID[id], b.several[id]
	if old == o {
		return
	}
	b.byID[id] = o
	b.several[id] = had || old != nil
	b.record(func() { b.byID[id], b.several[id] = old, had })
}

// objectsOf returns the objects of an id: those of a heap site are several.
func (b *lowerer) objectsOf(n cc.Node, id string) []*object {
	bp := b.facts.objects[id]
	if bp.heap != nil {
		return b.heapObjects(bp.heap)
	}
	if b.several[id] {
		b.fail(n, "unsupported: pointer to a variable length array of several lengths")
	}
	if o := b.byID[id]; o != nil {
		return []*object{o}
	}
	var o *object
	switch d := bp.decl; {
	case bp.text != nil:
		o = b.stringLiteral(bp.text).pl.obj
	case d != nil && d.IsThreadLocal():
		b.fail(n, "unsupported: pointer to the variable '%s' of a thread that is not known here", d.Name())
	case d != nil && isGlobal(d):
		o = b.global(n, d.Name())
	case d != nil && d.IsStatic():
		o = b.static(d)
	default:
		o = b.early(bp)
		b.known(o)
	}
	return []*object{o}
}

// early makes a local object ahead of its declaration.
func (b *lowerer) early(bp *blueprint) *object {
	thread, init := bp.thread, (*logic.Value)(nil)
	if b.escaped[bp.key] {
		thread = ir.Shared
	}
	if thread == ir.Shared {
		init = &logic.Value{}
	}
	o := b.newObject(bp.name, bp.source, bp.decl, bp.typ, thread, init)
	o.key, o.id = bp.key, bp.id
	return o
}

// earlyObject returns a local object that was made ahead of its declaration.
func (b *lowerer) earlyObject(key string) *object {
	if o := b.byID[key]; o != nil && o.key == key {
		return o
	}
	return nil
}

// has reports whether a set has targets of a kind.
func (ts targets) has(k targetKind) bool {
	for t := range ts {
		if t.kind == k {
			return true
		}
	}
	return false
}

// sorted returns the targets in an order that is always the same.
func (ts targets) sorted() []target {
	return slices.SortedFunc(maps.Keys(ts), func(x, y target) int {
		return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.name, y.name))
	})
}
