package scancheck

import (
	"slices"

	"comus/cir"
)

// amount is a number plus a constant: v is 0 for the constant alone; known is not set if it is none of that.
type amount struct {
	known bool
	v     int
	add   int64
}

// compared is a comparison that a register has the result of.
type compared struct {
	pred cir.Pred
	x, y amount
}

// pass is a walk through a block.
type pass struct {
	*follower
	a    *entering
	b    *cir.Block
	w    world
	held map[*cir.Reg]amount
	says map[*cir.Reg]compared
}

// walk walks through a block; final tells that what holds there is all that ever does when it is called like this.
func (f *follower) walk(a *entering, b *cir.Block, w world, final bool) *pass {
	p := &pass{f, a, b, w, map[*cir.Reg]amount{}, map[*cir.Reg]compared{}}
	if w.never() {
		return p
	}
	if final {
		f.note(owing{copy: a.copy, b: b}, w)
	}
	if b.Index == 0 {
		for i, q := range f.copies[a.copy].Func.Params {
			if i < len(a.args) {
				p.held[q.Reg] = a.args[i]
			}
		}
	}
	for _, in := range b.Instrs {
		if f.steps++; f.steps > maxWalked {
			f.failed = true
		}
		if p.w.never() || f.failed {
			p.w = world{}
			break
		}
		p.step(in, final)
	}
	return p
}

// note keeps whether something may be due at a place.
func (f *follower) note(at owing, w world) {
	if w.due != nil {
		f.d.clear[at] = false
	} else if _, known := f.d.clear[at]; !known && w.clear != nil {
		f.d.clear[at] = true
	}
}

func (p *pass) step(in cir.Instr, final bool) {
	for _, r := range cir.Results(in) {
		delete(p.held, r)
		delete(p.says, r)
	}
	switch in := in.(type) {
	case *cir.Load:
		if v, t := p.numberAt(in.Addr, in.Access); v > 0 {
			lo, hi := limitsOf(t)
			p.w = p.w.each(func(d *differences) *differences { return d.bound(0, v, -lo).bound(v, 0, hi) })
			p.held[in.Dst] = amount{true, v, 0}
		}
	case *cir.Store:
		if v, _ := p.numberAt(in.Addr, in.Access); v > 0 {
			p.become(v, p.amount(in.X))
		} else {
			p.spoil(in)
		}
	case *cir.LifeStart:
		p.lose(p.a.own[in.Local])
	case *cir.LifeEnd:
		p.lose(p.a.own[in.Local])
	case *cir.Binary:
		x, y := p.amount(in.X), p.amount(in.Y)
		switch {
		case in.Op == cir.Add && x.known && y.known && x.v == 0:
			x = amount{true, y.v, x.add + y.add}
		case in.Op == cir.Add && x.known && y.known && y.v == 0:
			x.add += y.add
		case in.Op == cir.Sub && x.known && y.known && y.v == 0:
			x.add -= y.add
		default:
			x = amount{}
		}
		p.hold(in.Dst, x)
	case *cir.Convert:
		if r, ok := in.X.(*cir.Reg); ok && in.Dst.Type.Kind == cir.IntKind {
			if c, is := p.says[r]; is {
				p.says[in.Dst] = c
				return
			}
		}
		if isCounter(p.prog.Model.TypeOf(in.X)) {
			p.hold(in.Dst, p.amount(in.X))
		}
	case *cir.Compare:
		p.compare(in)
	case *cir.Call:
		p.call(in, final)
	default:
		p.spoil(in)
	}
}

// hold notes what a register holds, if that is in the range of its type.
func (p *pass) hold(r *cir.Reg, x amount) {
	if !x.known || !isCounter(r.Type) {
		return
	}
	lo, hi := limitsOf(r.Type)
	if hi >= unbounded {
		hi = 1 << 59
	}
	if lo <= -unbounded {
		lo = -1 << 59
	}
	within := func() bool {
		ok := true
		p.w.each(func(d *differences) *differences {
			ok = ok && plus(d.at(x.v, 0), x.add) <= hi && plus(d.at(0, x.v), -x.add) <= -lo
			return d
		})
		return ok
	}
	if !within() {
		p.w = p.w.each(func(d *differences) *differences { return d.drawn(x.v) })
	}
	if within() {
		p.held[r] = x
	}
}

// limitsOf returns the least and the greatest number of a type; of large ones, more.
func limitsOf(t cir.Type) (lo, hi int64) {
	switch {
	case t.Bits > 58 && t.Signed:
		return -unbounded, unbounded
	case t.Bits > 58:
		return 0, unbounded
	case t.Signed:
		return -1 << (t.Bits - 1), 1<<(t.Bits-1) - 1
	}
	return 0, 1<<t.Bits - 1
}

// amount returns what a value is.
func (p *pass) amount(v cir.Value) amount {
	switch v := v.(type) {
	case cir.Int:
		n := int64(v.Lo)
		if v.Type.Bits > 64 || !v.Type.Signed && v.Lo >= 1<<58 {
			return amount{}
		}
		if v.Type.Signed && v.Type.Bits < 64 {
			n = n << (64 - v.Type.Bits) >> (64 - v.Type.Bits)
		}
		return amount{n < 1<<58 && n > -1<<58, 0, n}
	case *cir.Reg:
		return p.held[v]
	}
	return amount{}
}

// numberAt returns the number that is accessed at an address, 0 if it is none.
func (p *pass) numberAt(addr cir.Value, a cir.Access) (int, cir.Type) {
	if l, ok := addr.(*cir.Local); ok && p.a.own[l] > 0 {
		return p.a.own[l], p.a.types[l]
	}
	if x, ok := p.countedAt(p.a.copy, addr, a); ok {
		if i := slices.Index(p.cells, x); i >= 0 {
			return others + i, x.typ
		}
	}
	return 0, cir.Type{}
}

// become gives a number a value.
func (p *pass) become(v int, x amount) {
	switch {
	case !x.known:
		p.lose(v)
		return
	case x.v == v: // what else is held of it is said by what it is now
		for r, y := range p.held {
			if y.v == v {
				y.add -= x.add
				p.held[r] = y
			}
		}
		for r, c := range p.says {
			if c.x.v == v {
				c.x.add -= x.add
			}
			if c.y.v == v {
				c.y.add -= x.add
			}
			p.says[r] = c
		}
	default:
		p.release(v)
	}
	p.w = p.w.each(func(d *differences) *differences { return d.becomes(v, x.v, x.add) })
}

// lose forgets a number; 0 is none.
func (p *pass) lose(v int) {
	if v > 0 {
		p.release(v)
		p.w = p.w.each(func(d *differences) *differences { return d.lose(v) })
	}
}

// release forgets what is held of a number.
func (p *pass) release(v int) {
	for r, y := range p.held {
		if y.v == v {
			delete(p.held, r)
		}
	}
	for r, c := range p.says {
		if c.x.v == v || c.y.v == v {
			delete(p.says, r)
		}
	}
}

// spoil forgets the scalars in memory that an instruction may change.
func (p *pass) spoil(in cir.Instr) {
	for i, x := range p.cells {
		if p.mayChange(p.a.copy, in, x) {
			p.lose(others + i)
		}
	}
}

func (p *pass) compare(in *cir.Compare) {
	if r, ok := in.X.(*cir.Reg); ok {
		if c, is := p.says[r]; is {
			if zero := p.amount(in.Y); zero == (amount{known: true}) && (in.Pred == cir.Eq || in.Pred == cir.Ne) {
				if in.Pred == cir.Eq {
					c.pred = negated(c.pred)
				}
				p.says[in.Dst] = c
			}
			return
		}
	}
	x, y := p.amount(in.X), p.amount(in.Y)
	if x.known && y.known && isCounter(p.prog.Model.TypeOf(in.X)) {
		p.says[in.Dst] = compared{in.Pred, x, y}
	}
}

func negated(c cir.Pred) cir.Pred {
	switch c {
	case cir.Eq:
		return cir.Ne
	case cir.Ne:
		return cir.Eq
	case cir.Lt:
		return cir.Ge
	case cir.Ge:
		return cir.Lt
	case cir.Gt:
		return cir.Le
	}
	return cir.Gt
}

// leave calls visit for the blocks that control goes to, with what holds then.
func (p *pass) leave(visit func(to *cir.Block, w world)) {
	br, ok := p.b.Term.(*cir.Branch)
	if ok {
		if r, is := br.Cond.(*cir.Reg); is {
			if c, says := p.says[r]; says {
				visit(br.Then, p.w.each(c.holds))
				c.pred = negated(c.pred)
				visit(br.Else, p.w.each(c.holds))
				return
			}
		}
	}
	cir.Succs(p.b.Term, func(to *cir.Block, _ []cir.Value) { visit(to, p.w) })
}

// holds returns the bounds where a comparison holds.
func (c compared) holds(d *differences) *differences {
	i, j, k := c.x.v, c.y.v, c.y.add-c.x.add // v_i ? v_j + k
	if d = d.drawn(i).drawn(j); d == nil {
		return nil
	}
	if i == j {
		if (c.pred == cir.Eq && k != 0) || (c.pred == cir.Ne && k == 0) || (c.pred == cir.Lt && k <= 0) || (c.pred == cir.Le && k < 0) || (c.pred == cir.Gt && k >= 0) || (c.pred == cir.Ge && k > 0) {
			return nil
		}
		return d
	}
	switch c.pred {
	case cir.Eq:
		return d.equals(i, j, k)
	case cir.Lt:
		return d.bound(i, j, k-1)
	case cir.Le:
		return d.bound(i, j, k)
	case cir.Gt:
		return d.bound(j, i, -k-1)
	case cir.Ge:
		return d.bound(j, i, -k)
	}
	if d.at(i, j) == k {
		return d.bound(i, j, k-1)
	}
	if d.at(j, i) == -k {
		return d.bound(j, i, -k-1)
	}
	return d
}

// call walks through a call.
func (p *pass) call(in *cir.Call, final bool) {
	p.spoil(in)
	x := p.calleesBy(p.t, p.a.copy, in)
	enters := false
	for _, m := range x.to {
		enters = enters || p.busy[m]
	}
	creates, joins := p.d.groups[p.places[in]], p.joins(p.a.copy, in)
	if !creates && !joins && enters {
		if x.outside {
			p.failed = true
			return
		}
		p.into(in, x.to, final)
	} else {
		for _, m := range x.to {
			for i := range p.cells {
				if p.changes[m]&(1<<i) != 0 {
					p.lose(others + i)
				}
			}
		}
	}
	switch {
	case creates:
		all := p.w.new.either(p.w.clear).either(p.w.due)
		p.w = world{due: all.moves(made, 1).moves(due, 1)}
	case joins && !p.repeats(in):
		p.w.due = p.w.due.moves(joined, 1).moves(due, -1)
	case !enters:
		return
	}
	p.w = p.w.paid()
	if final && !p.w.never() {
		p.note(owing{copy: p.a.copy, call: in}, p.w)
	}
}

// into walks through what is called.
func (p *pass) into(in *cir.Call, to []int, final bool) {
	result := -1
	if in.Dst != nil && isCounter(in.Dst.Type) {
		if v, had := p.a.kept[in]; had {
			result = v
		} else if p.vars < maxNumbers {
			result = p.vars
			p.vars++
			p.a.kept[in] = result
		}
	}
	a := entering{depth: p.a.depth + 1, result: result}
	for _, arg := range in.Args {
		a.args = append(a.args, p.amount(arg.X))
		a.again = append(a.again, p.unchanging(arg.X) || p.invariantArgument(arg.X))
	}
	var out world
	for _, m := range to {
		if p.busy[m] {
			b := a
			b.copy = m
			out = out.either(p.follower.call(&b, p.w, final))
		} else {
			out = out.either(p.forget(p.w, p.changes[m]))
		}
	}
	p.w = out
	for i := range p.cells {
		p.release(others + i)
	}
	if result > 0 {
		p.release(result)
		p.held[in.Dst] = amount{true, result, 0}
	}
}

// repeats reports whether a join plainly joins the same thread that was joined before: the id is the same each time round a loop, or what it is given each time.
func (p *pass) repeats(join *cir.Call) bool {
	return p.unchanging(join.Args[0].X) || p.invariantArgument(join.Args[0].X)
}

// origin returns where the memory is that a value is loaded from, and the load; the value itself if it is not loaded. Through locals that hold a parameter all
// the time it goes on to that.
func (p *pass) origin(v cir.Value) (addr cir.Value, load *cir.Load) {
	load = p.loaded(v)
	if load == nil {
		return v, nil
	}
	return load.Addr, load
}

func (p *pass) loaded(v cir.Value) *cir.Load {
	r, ok := v.(*cir.Reg)
	if !ok {
		return nil
	}
	for _, b := range p.copies[p.a.copy].Func.Blocks {
		for _, in := range b.Instrs {
			if load, ok := in.(*cir.Load); ok && load.Dst == r {
				return load
			}
		}
	}
	return nil
}

// parameter returns the parameter that a value is, perhaps by way of a local that holds nothing else; -1 if it is none.
func (p *pass) parameter(v cir.Value) int {
	fn := p.copies[p.a.copy].Func
	if load := p.loaded(v); load != nil {
		l, ok := load.Addr.(*cir.Local)
		if !ok || !private(fn)[l] {
			return -1
		}
		v = nil
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if s, ok := in.(*cir.Store); ok && s.Addr == cir.Value(l) {
					if v != nil {
						return -1
					}
					v = s.X
				}
			}
		}
	}
	return slices.IndexFunc(fn.Params, func(q cir.Param) bool { return cir.Value(q.Reg) == v })
}

// invariantArgument reports whether a value is what a parameter was given that is the same each time, or what that points to.
func (p *pass) invariantArgument(v cir.Value) bool {
	i := p.parameter(v)
	if i < 0 {
		if addr, load := p.origin(v); load != nil {
			i = p.parameter(addr)
		}
	}
	return i >= 0 && i < len(p.a.again) && p.a.again[i]
}

// unchanging reports whether a value is the same each time round a loop that the block is in, or the address of what is: it is made of nothing that the loop changes.
func (p *pass) unchanging(v cir.Value) bool {
	fn := p.copies[p.a.copy].Func
	round := map[*cir.Block]bool{}
	ahead := func(b *cir.Block) map[*cir.Block]bool {
		var next []*cir.Block
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { next = append(next, to) })
		return walk(next, func(_, _ *cir.Block) bool { return true })
	}
	mine := ahead(p.b)
	for _, b := range fn.Blocks {
		round[b] = mine[b] && ahead(b)[p.b]
	}
	if !round[p.b] {
		return false
	}
	return p.constant(v, round, 0) && (p.loaded(v) != nil || p.untouched(v, round))
}

// constant reports whether a value is the same each time round.
func (p *pass) constant(v cir.Value, round map[*cir.Block]bool, depth int) bool {
	r, ok := v.(*cir.Reg)
	if !ok {
		return true
	}
	for b, in := range round {
		if !in {
			continue
		}
		if slices.Contains(b.Params, r) {
			return false
		}
		for _, in := range b.Instrs {
			if !slices.Contains(cir.Results(in), r) {
				continue
			}
			switch in := in.(type) {
			case *cir.Load:
				return depth < 8 && p.constant(in.Addr, round, depth+1) && p.untouched(in.Addr, round)
			case *cir.Offset, *cir.Convert, *cir.Binary:
				same := depth < 8
				cir.Operands(in, func(x cir.Value) { same = same && p.constant(x, round, depth+1) })
				return same
			}
			return false
		}
	}
	return true
}

// untouched reports whether a loop does not write what an address leads to.
func (p *pass) untouched(addr cir.Value, round map[*cir.Block]bool) bool {
	cp := p.copies[p.a.copy]
	for _, l := range p.pts.Places(cp.Func, cp.Ctx, addr) {
		for b, in := range round {
			if in && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return p.pts.MayWrite(cp, in, l.Obj) }) {
				return false
			}
		}
	}
	return true
}
