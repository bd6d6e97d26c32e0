package race

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/tools/container/intsets"

	"comus/cfront/contract"
	"comus/check/counted"
	"comus/check/handover"
	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/transfer"
)

// place is memory that is looked at as a whole: an object, or hidden state of the library, perhaps of an object.
type place struct {
	obj   *pointsto.Object
	state string
}

// freed is the state of an object that ends its life, and that everybody else uses who accesses it.
const freed = "freed"

// access is an instruction that accesses places; there is one for each.
type access struct {
	node   *thread.Node
	in     cir.Located
	site   *cir.Site // in the program's own code
	number int       // in the order in which they were found
}

// newAccess returns an instruction of a node as an access.
func (c *collector) newAccess(n *thread.Node, in cir.Located) *access {
	c.accesses++
	return &access{n, in, n.Site(in), c.accesses}
}

// onePerSite returns the first access of each place in the program.
func onePerSite(list []*access) (first []*access) {
	seen := map[*cir.Site]bool{}
	for _, a := range list {
		if !seen[a.site] {
			seen[a.site] = true
			first = append(first, a)
		}
	}
	return first
}

// slot is a place, with the pools of accesses that go to it.
type slot struct {
	p      place
	number int
	uses   []use
	whole  *pool // of what goes to all of it and nowhere else; nil: not needed yet
}

// collector collects the accesses of what threads share.
type collector struct {
	pts         *pointsto.Result
	threads     *thread.Result
	holder      *holder
	owner       *owner
	known       map[*pointsto.Object]bool // of which several threads may get the address
	shared      intsets.Sparse            // objects that several threads access, one of them to write, by number
	slots       map[place]*slot
	order       []*slot
	pools       map[string]*pool
	aims        map[aimKey]*destinations
	touched     map[aimKey]*intsets.Sparse
	kinds       map[kindKey]*kind
	running     map[string]int32
	depths      map[*cir.Func]map[cir.Located]bool
	reach       map[*pointsto.Object]*intsets.Sparse
	held        map[*pointsto.Object]*intsets.Sparse
	asked       map[spoilKey]bool
	commons     map[lockPair][]string
	spoilers    map[*lockset.Spoil][]spoiler
	accesses    int // that there are
	count       int // of those of each place
	rules       asked
	prog        *cir.Program
	transferred map[*pointsto.Object]*transfer.Proof
	counted     []*counted.Proof // of objects that count their references
	handedOver  []*handover.Proof
	handles     bool // functions of the library may be given objects of the program's as their own, as far as is known of pointers
	nowhere     bool // some address is one that no pointer leads to
	formats     bool // some format of a printf is not known
	outside     bool // some thread accesses memory outside
}

// findKnown finds the objects that several threads may get the addresses of.
func (c *collector) findKnown() {
	var work []*pointsto.Object
	mark := func(o *pointsto.Object) {
		if !c.known[o] && !o.IsFunc() {
			c.known[o] = true
			work = append(work, o)
		}
	}
	for _, o := range c.pts.Objects {
		if o.Global != nil && !o.Global.ThreadLocal || o.External {
			mark(o)
		}
	}
	for _, l := range c.pts.Kept() {
		mark(l.Obj)
	}
	for _, n := range c.threads.AllNodes() {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				for _, v := range n.Given(in) {
					for _, l := range c.pts.Targets(n.Fn, n.Ctx, v) {
						mark(l.Obj)
					}
				}
			}
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, l := range c.pts.Held(o) {
			mark(l.Obj)
		}
	}
}

// findShared finds the objects that several threads access.
func (c *collector) findShared() {
	touched := map[*thread.Node]*intsets.Sparse{}
	var once intsets.Sparse
	for _, t := range c.threads.Threads {
		var mine, again intsets.Sparse
		for _, n := range c.threads.Nodes(t) {
			if touched[n] == nil {
				touched[n] = c.touchedBy(n)
			}
			mine.UnionWith(touched[n])
		}
		again.Intersection(&mine, &once)
		if t.Many {
			again.Copy(&mine)
		}
		c.shared.UnionWith(&again)
		once.UnionWith(&mine)
	}
}

// touchedBy returns the objects that a node accesses and other threads may know, by number.
func (c *collector) touchedBy(n *thread.Node) *intsets.Sparse {
	all := &intsets.Sparse{}
	visit := func(in cir.Located) {
		c.eachTouch(n, in, func(t touch) {
			if none, _ := inside(n.Fn, &t); none {
				return
			}
			a := c.aimOf(n, t)
			if _, reg := t.ptr.(*cir.Reg); reg && len(a.to) == 0 && t.span == bytes && !n.Fn.Library {
				c.nowhere = true
			}
			all.UnionWith(c.objectsAt(a))
		})
	}
	for _, b := range n.Fn.Blocks {
		if !c.pts.Comes(n.Fn, b) {
			continue
		}
		for _, in := range b.Instrs {
			visit(in)
		}
		visit(b.Term)
	}
	return all
}

// objectsAt returns the objects that accesses go to and other threads may know, by number.
func (c *collector) objectsAt(a aim) *intsets.Sparse {
	all := c.touched[a.key]
	if all == nil {
		all = &intsets.Sparse{}
		c.resolve(a, func(o *pointsto.Object, _ extent) {
			if c.known[o] && !librarys(o, a.key.library) && !isConstant(o) {
				all.Insert(o.ID)
			}
		})
		c.touched[a.key] = all
	}
	return all
}

// isConstant reports whether nobody may write an object.
func isConstant(o *pointsto.Object) bool {
	return o.Global != nil && o.Global.Literal
}

// eachTouch calls f for what an instruction of a node accesses, with what code outside of the program does when it is called.
func (c *collector) eachTouch(n *thread.Node, in cir.Located, f func(touch)) {
	for _, t := range touches(in, n.Copy()) {
		f(t)
	}
	call, ok := in.(*cir.Call)
	if !ok {
		return
	}
	if !n.Fn.Library {
		for _, g := range c.pts.Callees(n.Fn, n.Ctx, call) {
			for _, t := range beyondModel(c.pts.Model(), call, g) {
				f(t)
			}
		}
	}
	if !n.Outside(call) {
		return
	}
	for _, g := range c.pts.Callees(n.Fn, n.Ctx, call) {
		if len(g.Blocks) > 0 {
			continue
		}
		k := contractOf(call, g)
		if call.Unknown == cir.Pure || g.Unknown == cir.Pure {
			continue
		}
		for _, t := range unknown(c.pts.Model(), call, k) {
			f(t)
		}
		if k != nil && call.Dst != nil && call.Dst.Type.IsPointer() && returnsStatic(k) {
			f(touch{ptr: call.Dst, span: object, write: true})
		}
	}
	for _, l := range c.pts.Places(n.Fn, n.Ctx, call.Callee) {
		if l.Obj.External {
			for _, t := range unknown(c.pts.Model(), call, nil) {
				f(t)
			}
		}
	}
}

// returnsStatic reports whether a function returns a pointer to memory of the library that it has written and that others get, too.
func returnsStatic(c *contract.Function) bool {
	return slices.ContainsFunc(c.Results, func(v contract.Value) bool {
		return v.Kind == contract.Static && slices.Contains(c.Writes, v.State) && !ownState[v.State] ||
			v.Kind == contract.Into && v.Param < len(c.Params) && c.Params[v.Param].Handle != ""
	})
}

// aim is where an access goes: all that matters of a touch, whoever makes it. Most accesses share it with many others.
type aim struct {
	touch
	to  []pointsto.Location
	key aimKey
}

// aimKey tells aims apart.
type aimKey struct {
	span    span
	size    int64
	bits    *cir.Bits
	frees   bool
	library bool // it is made by the library
	plain   cir.Type
	to      *pointsto.Location // the first of the locations; those that are equal are the same ones
	only    *pointsto.Object   // of what is listed, if that is looked at object by object
}

// aimOf returns where a touch goes.
func (c *collector) aimOf(n *thread.Node, t touch) aim {
	a := aim{touch: t, key: aimKey{t.span, t.size, t.bits, t.frees, n.Fn.Library, t.plain, nil, nil}}
	if t.ptr == nil || t.format != nil && !c.follows(n, t.format) {
		return a
	}
	if t.span == bytes || t.frees {
		a.to = c.pts.Aimed(n.Fn, n.Ctx, t.ptr, t.aim())
	} else {
		a.to = c.pts.Places(n.Fn, n.Ctx, t.ptr)
	}
	if len(a.to) > 0 {
		a.key.to = &a.to[0]
	}
	return a
}

// resolve calls f for the bytes of the objects that an access may go to.
func (c *collector) resolve(t aim, f func(*pointsto.Object, extent)) {
	switch t.span {
	case bytes:
		for _, l := range t.to {
			if !l.Obj.IsFunc() {
				for _, x := range extents(l, t.size, t.bits) {
					f(l.Obj, x)
				}
			}
		}
	case object:
		for _, o := range objectsOf(t.to) {
			f(o, everywhere)
		}
	case listed:
		for _, o := range objectsOf(t.to) {
			if o.External {
				f(o, everywhere)
				continue
			}
			for _, l := range c.pts.Held(o) {
				if !l.Obj.IsFunc() && (t.key.only == nil || t.key.only == l.Obj) {
					for _, x := range extents(l, -1, nil) {
						f(l.Obj, x)
					}
				}
			}
		}
	case below, deep:
		var all intsets.Sparse
		for _, o := range objectsOf(t.to) {
			if t.span == deep {
				all.Insert(o.ID)
			}
			all.UnionWith(c.reachable(o))
		}
		for _, id := range all.AppendTo(nil) {
			f(c.pts.Objects[id], everywhere)
		}
	}
}

// objectsOf returns the objects of locations that are no functions.
func objectsOf(ls []pointsto.Location) (list []*pointsto.Object) {
	for _, l := range ls {
		if !l.Obj.IsFunc() && (len(list) == 0 || list[len(list)-1] != l.Obj) {
			list = append(list, l.Obj)
		}
	}
	return list
}

// reachable returns the objects that can be reached from what an object holds, by number.
func (c *collector) reachable(o *pointsto.Object) *intsets.Sparse {
	if all := c.reach[o]; all != nil {
		return all
	}
	all := &intsets.Sparse{}
	if !o.External {
		all.Copy(c.holds(o))
	}
	for work := all.AppendTo(nil); len(work) > 0; {
		p := c.pts.Objects[work[len(work)-1]]
		work = work[:len(work)-1]
		if p.External {
			continue
		}
		var more intsets.Sparse
		more.Difference(c.holds(p), all)
		all.UnionWith(&more)
		work = more.AppendTo(work)
	}
	c.reach[o] = all
	return all
}

// holds returns the objects that an object holds the addresses of, by number.
func (c *collector) holds(o *pointsto.Object) *intsets.Sparse {
	s := c.held[o]
	if s == nil {
		s = &intsets.Sparse{}
		for _, p := range objectsOf(c.pts.Held(o)) {
			s.Insert(p.ID)
		}
		c.held[o] = s
	}
	return s
}

// collect collects the accesses.
func (c *collector) collect(ctx context.Context, progress func(done, all int)) {
	hits := map[*thread.Node]map[cir.Located]*hits{}
	done, all := 0, 0
	for _, t := range c.threads.Threads {
		all += len(c.threads.Nodes(t))
	}
	for _, t := range c.threads.Threads {
		for _, n := range c.threads.Nodes(t) {
			if done++; progress != nil {
				progress(done, all)
			}
			if ctx.Err() != nil {
				return
			}
			of := hits[n]
			if of == nil {
				of = c.hitsOf(n)
				hits[n] = of
			}
			c.threads.Each(t, n, func(in cir.Located, running thread.Set) {
				m := moment{t: t, n: n, in: in, running: running}
				if of[in] != nil {
					m.moment = c.rules.at(t, n, in)
				}
				c.visit(&m, of[in])
			})
		}
	}
}

// moment is when a thread makes accesses: at an instruction.
type moment struct {
	t       *thread.Thread
	n       *thread.Node
	in      cir.Located
	access  *access // nil: not known yet
	running thread.Set
	key     string // of running
	number  int32  // that stands for it
	moment  scancheck.Moment
}

// visit adds what a thread accesses by an instruction, which is visited once.
func (c *collector) visit(m *moment, hits *hits) {
	t, n, in := m.t, m.n, m.in
	if hits != nil {
		m.access = hits.access
		for i := range hits.list {
			h := &hits.list[i]
			held := c.holder.held(t, n, in, h.ptr, h.known())
			piece := c.pieceOf(t, n, in, h)
			for _, x := range h.to {
				k := x.kind
				switch x.what {
				case memory:
					k.piece = piece
				case life:
					k.piece = allocated(piece)
				}
				c.add(x.pool, k, held, m)
			}
		}
	}
	if call, ok := in.(*cir.Call); ok && !n.Fn.Library {
		c.visitStates(m, call)
	}
}

// visitStates collects what a call of the program's does to hidden state of the library.
func (c *collector) visitStates(m *moment, in *cir.Call) {
	for _, f := range c.pts.Callees(m.n.Fn, m.n.Ctx, in) {
		k := contractOf(in, f)
		if k == nil {
			continue
		}
		for _, h := range states(in, k) {
			g := kind{write: h.write, atomic: h.atomic || c.inSection(m.n, in)}
			held := c.holder.held(m.t, m.n, in, nil, -1)
			if h.handle == nil {
				c.add(c.whole(place{state: h.state}), g, held, m)
				if h.state == environment {
					c.addEnvironment(g, held, m)
				}
				continue
			}
			for _, o := range objectsOf(c.pts.Targets(m.n.Fn, m.n.Ctx, h.handle)) {
				if isStandard(o) || o.External && h.state == "stdio" {
					c.add(c.whole(place{state: streams}), g, held, m)
				}
				switch {
				case isPrograms(o):
					c.handles = true
				case c.known[o] && !isStandard(o):
					c.add(c.whole(place{o, "handle"}), g, held, m)
				}
			}
		}
	}
}

// addEnvironment adds an access of the environment's strings, as far as the program has their addresses.
func (c *collector) addEnvironment(g kind, held []heldSet, m *moment) {
	for _, o := range c.pts.Objects {
		if o.Global == nil || !o.Global.External || o.Global.Source != environment {
			continue
		}
		for _, p := range objectsOf(c.pts.Held(o)) {
			c.add(c.whole(place{obj: p}), g, held, m)
		}
	}
}

// ownerOf returns the hidden state of the library that an object is part of which is accessed by the library or by the program, "" if none.
func ownerOf(o *pointsto.Object, library bool) string {
	if library {
		return ""
	}
	if o.Site != nil && o.Func.Library && strings.HasSuffix(o.Func.Pos.File, "environment.c") {
		return environment
	}
	if g := o.Global; g != nil && (g.External || g.Library) {
		if s, ok := contract.Default().Variable(g.Source); ok && s != "stdio" && !ownState[s] {
			return string(s)
		}
	}
	return ""
}

// numberOf returns the number of a key, a new one if it has none.
func numberOf(numbers map[string]int32, key string) int32 {
	n, ok := numbers[key]
	if !ok {
		n = int32(len(numbers))
		numbers[key] = n
	}
	return n
}

// inSection reports whether an instruction is in an atomic section for sure.
func (c *collector) inSection(n *thread.Node, in cir.Located) bool {
	if n.Fn.Atomic {
		return true
	}
	m, ok := c.depths[n.Fn]
	if !ok {
		m = sections(n.Fn)
		c.depths[n.Fn] = m
	}
	return m[in]
}

// sections returns the instructions of a function that are in an atomic section which it has begun itself.
func sections(f *cir.Func) map[cir.Located]bool {
	begins := false
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			i, ok := in.(*cir.Intrinsic)
			begins = begins || ok && i.Op == cir.AtomicBegin
		}
	}
	if !begins {
		return nil
	}
	const unseen = 1 << 20
	depth := make([]int, len(f.Blocks)) // the least
	for i := range depth {
		depth[i] = unseen
	}
	found := map[cir.Located]bool{}
	depth[0] = 0
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; work = work[1:] {
		b := work[0]
		d := depth[b.Index]
		for _, in := range b.Instrs {
			found[in] = d > 0
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.AtomicBegin {
				d++
			} else if ok && i.Op == cir.AtomicEnd {
				d = max(d-1, 0)
			}
		}
		found[b.Term] = d > 0
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if d < depth[to.Index] {
				depth[to.Index] = d
				work = append(work, to)
			}
		})
	}
	return found
}
