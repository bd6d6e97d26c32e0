package thread

import (
	"slices"

	"comus/cir"
	"comus/scan/valuenum"
	"comus/scan/zones"
)

// term is a variable plus a constant, or a constant (v is -1); it says nothing unless ok is set.
type term struct {
	ok bool
	v  int
	c  int64
}

// sum returns what a term is.
func (ta *tallier) sum(t term) zones.Linear {
	if t.v < 0 {
		return ta.constant(t.c)
	}
	return ta.variable(t.v, t.c)
}

// comparison is what a register holds of which only is known what it compares.
type comparison struct {
	pred cir.Pred
	x, y term
}

// walking is a block that is walked through.
type walking struct {
	ta    *tallier
	fr    *frame
	b     *cir.Block
	s     *zones.State
	regs  map[*cir.Reg]term
	conds map[*cir.Reg]comparison
}

// through walks through a block.
func (ta *tallier) through(fr *frame, b *cir.Block, s *zones.State, record bool) *walking {
	w := &walking{ta: ta, fr: fr, b: b, s: s, regs: map[*cir.Reg]term{}, conds: map[*cir.Reg]comparison{}}
	if s.Empty() {
		return w
	}
	if record {
		ta.note(programPoint{n: fr.n, b: b}, s)
	}
	if b.Index == 0 {
		for i, p := range fr.n.Fn.Params {
			if i < len(fr.args) && fr.args[i].ok {
				w.regs[p.Reg] = fr.args[i]
			}
		}
	}
	for _, in := range b.Instrs {
		if ta.steps++; ta.steps > tallySteps {
			ta.lost = true
		}
		if ta.lost || w.s.Empty() {
			w.s = ta.none()
			return w
		}
		w.step(in, record)
	}
	return w
}

// step walks through an instruction.
func (w *walking) step(in cir.Instr, record bool) {
	for _, r := range cir.Results(in) {
		delete(w.regs, r)
		delete(w.conds, r)
	}
	switch in := in.(type) {
	case *cir.Load:
		if v, t, ok := w.variable(in.Addr, in.Access); ok {
			w.s = within(w.s, v, t)
			w.regs[in.Dst] = term{true, v, 0}
		}
	case *cir.Store:
		if v, _, ok := w.variable(in.Addr, in.Access); ok {
			w.set(v, w.term(in.X))
			return
		}
		w.write(in)
	case *cir.LifeStart:
		w.forget(in.Local)
	case *cir.LifeEnd:
		w.forget(in.Local)
	case *cir.Binary:
		w.binary(in)
	case *cir.Convert:
		w.convert(in)
	case *cir.Compare:
		w.compare(in)
	case *cir.Call:
		w.call(in, record)
	default:
		w.write(in)
	}
}

func (w *walking) forget(l *cir.Local) {
	if v, ok := w.fr.vars[l]; ok {
		w.set(v, term{})
	}
}

// write forgets what an instruction may change.
func (w *walking) write(in cir.Instr) {
	for i, c := range w.ta.cells {
		if w.ta.writes(w.fr.n, in, c) {
			w.set(firstVar+i, term{})
		}
	}
}

// variable returns the variable that is accessed at an address.
func (w *walking) variable(addr cir.Value, a cir.Access) (v int, t cir.Type, ok bool) {
	if l, is := addr.(*cir.Local); is {
		if v, ok = w.fr.vars[l]; ok {
			return v, w.fr.types[l], true
		}
	}
	c, ok := w.ta.cellOf(w.fr.n, addr, a)
	if !ok {
		return 0, t, false
	}
	if i := slices.Index(w.ta.cells, c); i >= 0 {
		return firstVar + i, c.typ, true
	}
	return 0, t, false
}

// within returns a state where a variable is in the range of a type.
func within(s *zones.State, v int, t cir.Type) *zones.State {
	lo, hi := rangeOf(t)
	return s.Within(v, lo, hi)
}

// rangeOf returns the least and the greatest number of a type; nil if that is too large.
func rangeOf(t cir.Type) (lo, hi *int64) {
	var least, most int64
	switch {
	case !t.Signed && t.Bits > 58:
		return &least, nil
	case t.Bits > 58:
		return nil, nil
	case t.Signed:
		least, most = -1<<(t.Bits-1), 1<<(t.Bits-1)-1
	default:
		most = 1<<t.Bits - 1
	}
	return &least, &most
}

// fits reports whether a sum is in the range of a type.
func (w *walking) fits(t term, typ cir.Type) bool {
	lo, hi := w.s.Bounds(w.ta.sum(t))
	least, most := rangeOf(typ)
	low := least != nil && lo != nil && *lo >= *least || least == nil && lo != nil && *lo > -1<<58
	high := most != nil && hi != nil && *hi <= *most || most == nil && hi != nil && *hi < 1<<58
	return low && high
}

// term returns what a value is.
func (w *walking) term(v cir.Value) term {
	if c, ok := constantOf(v); ok {
		return term{true, -1, c}
	}
	if r, ok := v.(*cir.Reg); ok {
		return w.regs[r]
	}
	return term{}
}

// assign returns the state after a variable got a value.
func (ta *tallier) assign(s *zones.State, v int, t term) *zones.State {
	if !t.ok {
		return s.Forget(func(i int) bool { return i == v })
	}
	return s.Assign(v, ta.sum(t))
}

// set gives a variable a value. What registers hold is said by what it holds now, if that can be.
func (w *walking) set(v int, t term) {
	w.s = w.ta.assign(w.s, v, t)
	w.ta.steps += w.ta.pack.N * w.ta.pack.N / 50
	moved := func(x term) (term, bool) {
		switch {
		case !x.ok || x.v != v:
			return x, true
		case t.ok && t.v == v:
			return term{true, v, x.c - t.c}, true
		}
		return term{}, false
	}
	for r, x := range w.regs {
		if y, ok := moved(x); ok {
			w.regs[r] = y
		} else {
			delete(w.regs, r)
		}
	}
	for r, c := range w.conds {
		x, okX := moved(c.x)
		y, okY := moved(c.y)
		if okX && okY {
			w.conds[r] = comparison{c.pred, x, y}
		} else {
			delete(w.conds, r)
		}
	}
}

func (w *walking) binary(in *cir.Binary) {
	x, y := w.term(in.X), w.term(in.Y)
	if !x.ok || !y.ok || !isNumber(in.Dst.Type) {
		return
	}
	switch {
	case in.Op == cir.Add && y.v < 0:
		x.c += y.c
	case in.Op == cir.Add && x.v < 0:
		x.v, x.c = y.v, x.c+y.c
	case in.Op == cir.Sub && y.v < 0:
		x.c -= y.c
	default:
		return
	}
	if w.fits(x, in.Dst.Type) {
		w.regs[in.Dst] = x
	}
}

func (w *walking) convert(in *cir.Convert) {
	if r, ok := in.X.(*cir.Reg); ok && in.Dst.Type.Kind == cir.IntKind {
		if c, is := w.conds[r]; is {
			w.conds[in.Dst] = c
			return
		}
	}
	if x := w.term(in.X); x.ok && isNumber(in.Dst.Type) && isNumber(w.ta.model.TypeOf(in.X)) && w.fits(x, in.Dst.Type) {
		w.regs[in.Dst] = x
	}
}

func (w *walking) compare(in *cir.Compare) {
	if r, ok := in.X.(*cir.Reg); ok && (in.Pred == cir.Ne || in.Pred == cir.Eq) {
		if c, is := w.conds[r]; is { // compared with 0
			if zero, ok := constantOf(in.Y); ok && zero == 0 {
				if in.Pred == cir.Eq {
					c.pred = opposite(c.pred)
				}
				w.conds[in.Dst] = c
			}
			return
		}
	}
	t := w.ta.model.TypeOf(in.X)
	if x, y := w.term(in.X), w.term(in.Y); x.ok && y.ok && isNumber(t) {
		w.conds[in.Dst] = comparison{in.Pred, x, y}
	}
}

// opposite returns what holds where something does not.
func opposite(p cir.Pred) cir.Pred {
	return map[cir.Pred]cir.Pred{cir.Eq: cir.Ne, cir.Ne: cir.Eq, cir.Lt: cir.Ge, cir.Ge: cir.Lt, cir.Gt: cir.Le, cir.Le: cir.Gt}[p]
}

// leave calls f for where control goes from the end of the block.
func (w *walking) leave(f func(to *cir.Block, s *zones.State)) {
	br, ok := w.b.Term.(*cir.Branch)
	if !ok {
		cir.Succs(w.b.Term, func(to *cir.Block, _ []cir.Value) { f(to, w.s) })
		return
	}
	r, _ := br.Cond.(*cir.Reg)
	c, known := w.conds[r]
	if r == nil || !known {
		f(br.Then, w.s)
		f(br.Else, w.s)
		return
	}
	f(br.Then, w.where(c))
	c.pred = opposite(c.pred)
	f(br.Else, w.where(c))
}

// where returns the state where a comparison holds.
func (w *walking) where(c comparison) *zones.State {
	w.ta.steps += w.ta.pack.N * w.ta.pack.N / 50
	f := w.ta.constant(c.x.c - c.y.c)
	if c.x.v >= 0 {
		f.Coef[c.x.v]++
	}
	if c.y.v >= 0 {
		f.Coef[c.y.v]--
	}
	return w.s.Assume(f, c.pred)
}

// call walks through a call.
func (w *walking) call(in *cir.Call, record bool) {
	ta, n := w.ta, w.fr.n
	w.write(in)
	to := ta.f.r.Calls(ta.f.t, n, in)
	switch {
	case ta.creates[in]:
		w.change(to)
		w.create()
	case ta.joins(n, in):
		w.change(to)
		if ta.counts(w.fr, w.b, in) {
			w.join()
		}
	case slices.ContainsFunc(to, func(m *Node) bool { return ta.busy[m] }):
		if n.outside[in] {
			ta.lost = true // any number of times
			return
		}
		w.into(in, to, record)
	default:
		w.change(to)
		return
	}
	w.s = ta.settle(w.s)
	if record {
		ta.note(programPoint{n: n, call: in}, w.s)
	}
}

// change forgets what calls may change.
func (w *walking) change(to []*Node) {
	var bits uint
	for _, m := range to {
		bits |= w.ta.writers[m]
	}
	for i := range w.ta.cells {
		if bits&(1<<i) != 0 {
			w.set(firstVar+i, term{})
		}
	}
}

func (ta *tallier) change(s *zones.State, bits uint) *zones.State {
	return s.Forget(func(i int) bool { return i >= firstVar && i < firstVar+len(ta.cells) && bits&(1<<(i-firstVar)) != 0 })
}

func (w *walking) create() {
	for _, v := range []int{madeVar, owedVar} {
		w.s = w.s.Assign(v, w.ta.variable(v, 1))
	}
	w.s = w.s.Assign(stateVar, w.ta.constant(some))
}

// join makes the tally less, where it is not 0.
func (w *walking) join() {
	open := w.ta.only(w.s, some)
	if open.Empty() {
		return
	}
	others := w.s.Assume(w.ta.variable(stateVar, -some), cir.Lt)
	open = open.Assign(joinedVar, w.ta.variable(joinedVar, 1)).Assign(owedVar, w.ta.variable(owedVar, -1))
	w.s = others.Join(open)
}

// into walks through what is called.
func (w *walking) into(in *cir.Call, to []*Node, record bool) {
	ta := w.ta
	result := -1
	if in.Dst != nil && isNumber(in.Dst.Type) {
		if v, had := w.fr.kept[in]; had {
			result = v
		} else if len(ta.free) > 0 {
			result = ta.take()
			w.fr.kept[in] = result
		}
	}
	out := ta.none()
	for _, m := range to {
		if !ta.busy[m] {
			out = out.Join(ta.change(w.s, ta.writers[m]))
			continue
		}
		fr := &frame{n: m, up: w.fr, depth: w.fr.depth + 1, result: result, same: ta.sameIn(w.fr, w.b, in)}
		for _, a := range in.Args {
			fr.args = append(fr.args, w.term(a.X))
		}
		out = out.Join(ta.enter(fr, w.s, record))
	}
	w.s = out
	for i := range ta.cells {
		w.drop(firstVar + i)
	}
	if result >= 0 {
		w.drop(result)
		w.regs[in.Dst] = term{true, result, 0}
	}
}

// drop forgets which registers hold what a variable held.
func (w *walking) drop(v int) {
	for r, x := range w.regs {
		if x.v == v {
			delete(w.regs, r)
		}
	}
	for r, c := range w.conds {
		if c.x.v == v || c.y.v == v {
			delete(w.conds, r)
		}
	}
}

// counts reports whether a call joins a thread of the tally that nobody has joined before, as far as the program does not plainly join the same one again.
func (ta *tallier) counts(fr *frame, b *cir.Block, join *cir.Call) bool {
	id := join.Args[0].X
	return !ta.given(fr, id) && !ta.sameEach(fr.n, b, id)
}

// sameIn tells which arguments are the same in each turn of a loop that a call is in.
func (ta *tallier) sameIn(fr *frame, b *cir.Block, in *cir.Call) (same []bool) {
	for _, a := range in.Args {
		same = append(same, ta.sameEach(fr.n, b, a.X) || ta.given(fr, a.X))
	}
	return same
}

// given reports whether a value is what a parameter was given that is the same each time, or what that points to.
func (ta *tallier) given(fr *frame, v cir.Value) bool {
	c := ta.f.r.graph.syms(fr.n)
	if c == nil {
		return true
	}
	x := c.Value(v)
	if load := loadOf(fr.n.Fn, v); load != nil {
		x = c.Value(load.Addr)
	}
	return x.Index == nil && x.Base != nil && x.Base.Kind == valuenum.Param && int(x.Base.N) < len(fr.same) && fr.same[x.Base.N]
}

// sameEach reports whether a value is the same in each turn of a loop around a block, or the address of what is: it is not changed there.
func (ta *tallier) sameEach(n *Node, b *cir.Block, v cir.Value) bool {
	cycle := map[*cir.Block]bool{}
	for _, x := range n.Fn.Blocks {
		if behind(x)[b] && behind(b)[x] {
			cycle[x] = true
		}
	}
	c := ta.f.r.graph.syms(n)
	if !cycle[b] || c == nil {
		return c == nil
	}
	addr := v
	if load := loadOf(n.Fn, v); load != nil {
		if at := blockOf(n.Fn, load); !cycle[at] {
			return true
		}
		addr = load.Addr
	}
	x := c.Value(addr)
	if x.Index != nil || x.Base == nil {
		return x.Index == nil
	}
	switch x.Base.Kind {
	case valuenum.Global, valuenum.Local, valuenum.Param:
	case valuenum.Reg:
		if def := definition(n.Fn, x.Base.N); def == nil || cycle[def] {
			return false
		}
	case valuenum.Phi:
		if cycle[x.Base.Block] {
			return false
		}
	default:
		return false
	}
	for _, to := range ta.pts.Places(n.Fn, n.Ctx, addr) {
		for x := range cycle {
			if slices.ContainsFunc(x.Instrs, func(in cir.Instr) bool { return ta.pts.MayWrite(n.Copy(), in, to.Obj) }) {
				return false
			}
		}
	}
	return true
}

// behind returns the blocks that control gets to from the end of a block.
func behind(b *cir.Block) map[*cir.Block]bool {
	seen := map[*cir.Block]bool{}
	var visit func(b *cir.Block)
	visit = func(b *cir.Block) {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] {
				seen[to] = true
				visit(to)
			}
		})
	}
	visit(b)
	return seen
}

// loadOf returns the load that a register is loaded by, nil if there is none.
func loadOf(f *cir.Func, v cir.Value) *cir.Load {
	r, ok := v.(*cir.Reg)
	if !ok {
		return nil
	}
	at := definition(f, int64(r.Index))
	if at == nil {
		return nil
	}
	for _, in := range at.Instrs {
		if load, ok := in.(*cir.Load); ok && load.Dst == r {
			return load
		}
	}
	return nil
}
