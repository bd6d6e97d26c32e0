package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
)

// effect is what evaluating something may read and change, as far as the order of evaluation matters.
type effect struct {
	reads, writes       map[*tree.Var]bool // variables by their names
	readsMem, writesMem bool               // through pointers
	input, output       bool               // of the program
	special             bool               // volatile or atomic accesses, whose order other threads see
	any                 bool               // unknown functions: whatever they can reach
}

// maxVars is the number of variables beyond which an effect is taken for that of an unknown function.
const maxVars = 100

// add makes e the effect of both.
func (e *effect) add(o *effect) {
	for v := range o.reads {
		e.read(v)
	}
	for v := range o.writes {
		e.write(v)
	}
	e.readsMem = e.readsMem || o.readsMem
	e.writesMem = e.writesMem || o.writesMem
	e.input = e.input || o.input
	e.output = e.output || o.output
	e.special = e.special || o.special
	e.any = e.any || o.any
}

func (e *effect) read(v *tree.Var) {
	if e.reads == nil {
		e.reads = map[*tree.Var]bool{}
	}
	if e.reads[v] = true; len(e.reads) > maxVars {
		e.any = true
	}
}

func (e *effect) write(v *tree.Var) {
	if e.writes == nil {
		e.writes = map[*tree.Var]bool{}
	}
	if e.writes[v] = true; len(e.writes) > maxVars {
		e.any = true
	}
}

// exposed tells whether pointers may lead to a variable.
func exposed(v *tree.Var) bool {
	return v.AddrTaken || v.Linkage == tree.External && !v.Defined
}

// shared tells whether an unknown function may reach a variable.
func shared(v *tree.Var) bool {
	return v.AddrTaken || v.Storage != tree.Auto || v.Linkage != tree.NoLinkage
}

// conflict tells whether the order of a and b can matter.
func conflict(a, b *effect) bool {
	return disturbs(a, b) || disturbs(b, a)
}

// disturbs tells whether a may change what b reads or changes.
func disturbs(a, b *effect) bool {
	for v := range a.writes {
		if b.reads[v] || b.writes[v] || (b.readsMem || b.writesMem) && exposed(v) || b.any && shared(v) {
			return true
		}
	}
	if a.special && (b.special || b.any) || a.output && (b.output || b.any) || a.input && (b.input || b.any) {
		return true
	}
	if a.writesMem || a.any {
		if b.readsMem || b.writesMem || b.any {
			return true
		}
		for v := range b.reads {
			if exposed(v) || a.any && shared(v) {
				return true
			}
		}
	}
	return false
}

// effects are summaries of what the functions of a unit may read and change.
type effects struct {
	u        *unit
	done     map[*tree.Func]*effect
	calls    map[*tree.Func][]*tree.Func
	visiting int          // the depth of the search
	visited  []*tree.Func // by the search
	pure     map[tree.Expr]bool
}

func newEffects(u *unit) *effects {
	return &effects{u: u, done: map[*tree.Func]*effect{}, calls: map[*tree.Func][]*tree.Func{}, pure: map[tree.Expr]bool{}}
}

// quiet tells whether e changes nothing and calls nothing: two such operands need no order.
func (x *effects) quiet(e tree.Expr) bool {
	switch e := e.(type) {
	case *tree.IntConst, *tree.FloatConst, *tree.FuncRef, *tree.String, *tree.VarRef, *tree.LabelAddr, *tree.ComplexConst, *tree.SizeofVLA:
		return true
	case *tree.Assign, *tree.AssignOp, *tree.IncDec, *tree.Call, *tree.Builtin, *tree.VaArg, *tree.StmtExpr, *tree.CompoundLit:
		return false
	case *tree.Load:
		if e.L.Type().Quals&(types.Volatile|types.Atomic) != 0 {
			return false
		}
		return x.quiet(e.L)
	case *tree.Decay:
		return x.quiet(e.L)
	case *tree.Convert:
		return x.quiet(e.V)
	}
	if q, ok := x.pure[e]; ok {
		return q
	}
	q := true
	children(e, func(c tree.Expr) { q = q && x.quiet(c) }, func(tree.Stmt) { q = false })
	x.pure[e] = q
	return q
}

// of returns the effect of evaluating e, an lvalue for its address only.
func (x *effects) of(e tree.Expr) *effect {
	r := &effect{}
	x.expr(r, e)
	return r
}

// expr adds the effect of e to r.
func (x *effects) expr(r *effect, e tree.Expr) {
	switch e := e.(type) {
	case *tree.Load:
		x.access(r, e.L, false)
	case *tree.Assign:
		x.access(r, e.L, true)
		x.expr(r, e.R)
		return
	case *tree.AssignOp:
		x.access(r, e.L, true)
		x.access(r, e.L, false)
	case *tree.IncDec:
		x.access(r, e.L, true)
		x.access(r, e.L, false)
	case *tree.Call:
		x.call(r, e)
		return
	case *tree.Builtin:
		builtinEffect(r, e)
	case *tree.VaArg:
		r.readsMem, r.writesMem = true, true
	case *tree.CompoundLit:
		r.write(e.Var)
	}
	children(e, func(c tree.Expr) { x.expr(r, c) }, func(s tree.Stmt) { x.stmt(r, s) })
}

// access adds a read or write of an lvalue (not the evaluation of its address) to r.
func (x *effects) access(r *effect, l tree.Expr, write bool) {
	if l.Type().Quals&(types.Volatile|types.Atomic) != 0 {
		r.special = true
	}
	for {
		switch e := l.(type) {
		case *tree.Member:
			l = e.L
			continue
		case *tree.Part:
			l = e.L
			continue
		case *tree.Element:
			l = e.L
			continue
		case *tree.VarRef:
			if write {
				r.write(e.Var)
			} else {
				r.read(e.Var)
			}
			return
		case *tree.Deref:
			if v := arrayOf(e.P); v != nil {
				l = v
				continue
			}
		case *tree.String:
			return
		case *tree.CompoundLit:
			r.read(e.Var)
			return
		}
		if write {
			r.writesMem = true
		} else {
			r.readsMem = true
		}
		return
	}
}

// arrayOf returns the array that p points into, if it is one by its name.
func arrayOf(p tree.Expr) tree.Expr {
	for {
		switch e := p.(type) {
		case *tree.PtrAdd:
			if e.Array == nil {
				return nil
			}
			p = e.P
		case *tree.Decay:
			return e.L
		case *tree.AddrOf:
			return e.L
		default:
			return nil
		}
	}
}

// call adds the effect of a call to r.
func (x *effects) call(r *effect, e *tree.Call) {
	for _, a := range e.Args {
		x.expr(r, a)
	}
	f := calledFunc(e.F)
	if f == nil {
		x.expr(r, e.F)
		r.any = true
		return
	}
	r.add(x.function(f))
}

// calledFunc returns the function that is called by its name.
func calledFunc(e tree.Expr) *tree.Func {
	switch e := e.(type) {
	case *tree.Decay:
		return calledFunc(e.L)
	case *tree.AddrOf:
		return calledFunc(e.L)
	case *tree.FuncRef:
		return e.Func
	}
	return nil
}

// stmt adds the effect of a statement to r.
func (x *effects) stmt(r *effect, s tree.Stmt) {
	w := &walker{}
	w.expr = func(e tree.Expr) { x.one(r, e) }
	w.stmt = func(s tree.Stmt) {
		if _, ok := s.(*tree.Asm); ok {
			r.any = true
		}
	}
	w.walk(s)
}

// one adds the effect of an expression itself, without what is below it.
func (x *effects) one(r *effect, e tree.Expr) {
	switch e := e.(type) {
	case *tree.Load:
		x.access(r, e.L, false)
	case *tree.Assign:
		x.access(r, e.L, true)
	case *tree.AssignOp:
		x.access(r, e.L, true)
		x.access(r, e.L, false)
	case *tree.IncDec:
		x.access(r, e.L, true)
		x.access(r, e.L, false)
	case *tree.Call:
		if f := calledFunc(e.F); f != nil {
			r.add(x.function(f))
		} else {
			r.any = true
		}
	case *tree.Builtin:
		builtinEffect(r, e)
	case *tree.VaArg:
		r.readsMem, r.writesMem = true, true
	}
}

// function returns the effect of calling a function: that of its body and of all that it
// calls, without its own variables.
func (x *effects) function(f *tree.Func) *effect {
	if f.Body == nil {
		if d := x.u.named[f.Name]; d != nil && d.Body != nil {
			f = d
		}
	}
	if e := x.done[f]; e != nil {
		return e
	}
	if f.Body == nil {
		e := libraryEffect(f.Name)
		x.done[f] = e
		return e
	}
	e := &effect{}
	own := &effect{}
	x.done[f] = e // a function that is being visited counts as nothing: see below
	x.visiting++
	x.stmt(own, f.Body)
	x.visiting--
	for v := range own.reads {
		if v.Storage != tree.Auto || v.Linkage != tree.NoLinkage {
			e.read(v)
		}
	}
	for v := range own.writes {
		if v.Storage != tree.Auto || v.Linkage != tree.NoLinkage {
			e.write(v)
		}
	}
	own.reads, own.writes = nil, nil
	e.add(own)
	x.visited = append(x.visited, f)
	if x.visiting == 0 {
		x.close()
	}
	return e
}

// close visits the functions of the last search once more, until nothing changes: a
// call of a function that was being visited then counted as nothing.
func (x *effects) close() {
	for again := true; again; {
		again = false
		for _, f := range x.visited {
			e := x.done[f]
			before := e.size()
			x.callees(f, func(g *tree.Func) { e.add(x.function(g)) })
			again = again || e.size() != before
		}
	}
	x.visited = nil
}

// size measures an effect: it only ever grows.
func (e *effect) size() int {
	n := len(e.reads) + len(e.writes)
	for _, b := range []bool{e.readsMem, e.writesMem, e.input, e.output, e.special, e.any} {
		if b {
			n++
		}
	}
	return n
}

// callees visits the functions that f calls by their names.
func (x *effects) callees(f *tree.Func, visit func(*tree.Func)) {
	list, ok := x.calls[f]
	if !ok {
		seen := map[*tree.Func]bool{}
		w := &walker{expr: func(e tree.Expr) {
			if c, ok := e.(*tree.Call); ok {
				if g := calledFunc(c.F); g != nil && !seen[g] {
					seen[g] = true
					list = append(list, g)
				}
			}
		}}
		w.walk(f.Body)
		x.calls[f] = list
	}
	for _, g := range list {
		visit(g)
	}
}
