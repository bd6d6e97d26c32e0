package values

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
	"comus/scan/solve"
	"comus/scan/zones"
)

// claimer writes the fixpoint down, for those who verify it.
type claimer struct {
	a     *analysis
	of    *solve.Solution[place, fact]
	types map[*function]map[int]cir.Type
	live  map[*function][]*intsets.Sparse // the registers that are used where a block begins, or later
	locks map[uint32]int                  // the numbers of locks, by their cells' keys
	ids   map[*instance]int
	met   map[uint32]Value
	ever  map[uint32]Value
	texts map[string]string // of sets, so that the same one is there once
	// relations are those that were written down, with their numbers by their texts and by the states that they are of.
	relations []certificate.Relation
	numbers   map[string]int
	states    map[*zones.State]int
}

// Claims returns the fixpoint as a certificate.
func (r *Result) Claims() *certificate.Values {
	c := &claimer{a: r.a, of: r.a.solution, types: map[*function]map[int]cir.Type{}, live: map[*function][]*intsets.Sparse{}, locks: map[uint32]int{}, ids: map[*instance]int{},
		met: map[uint32]Value{}, ever: map[uint32]Value{}, texts: map[string]string{}, numbers: map[string]int{}, states: map[*zones.State]int{}}
	out := &certificate.Values{Version: certificate.ValuesVersion}
	for _, x := range r.a.mem.cells {
		if x.lock && !c.of.Get(place{kind: broken, n: int32(x.key)}).live {
			c.locks[x.key] = len(out.Locks)
			out.Locks = append(out.Locks, certificate.At{Object: x.obj.ID, Off: x.off})
		}
	}
	for _, x := range r.a.mem.cells {
		out.Cells = append(out.Cells, c.cell(x))
	}
	copies := r.a.pts.Copies()
	number := map[pointsto.Copy]int{}
	for i, x := range copies {
		number[x] = i
	}
	out.Changes = make([][]int, len(copies))
	for _, x := range r.a.order {
		n, ok := number[pointsto.Copy{Func: x.f, Ctx: x.ctx}]
		if !ok {
			continue // what nothing calls
		}
		out.Changes[n] = x.modified.AppendTo(nil)
		for i := range out.Changes[n] {
			out.Changes[n][i] /= 2
		}
	}
	var list []*instance
	for _, x := range r.a.list {
		if _, ok := number[pointsto.Copy{Func: x.f, Ctx: x.ctx}]; ok && (c.reached(x, false) || c.reached(x, true)) {
			c.ids[x] = len(list)
			list = append(list, x)
		}
	}
	for _, x := range list {
		y := certificate.ValueActivation{Copy: number[pointsto.Copy{Func: x.f, Ctx: x.ctx}], Root: x.up == nil, Calls: c.calls(x)}
		y.Alone, y.Among = c.flow(x, false), c.flow(x, true)
		out.Activations = append(out.Activations, y)
	}
	out.Free = c.free()
	out.Relations = c.relations
	return out
}

// reached reports whether control gets to an instance: to some block or its end, as the first other thread may begin in the midst of it.
func (c *claimer) reached(x *instance, many bool) bool {
	if c.of.Get(place{kind: exits, n: int32(x.id), many: many}).live {
		return true
	}
	for i := range x.f.Blocks {
		if c.of.Get(place{kind: inside, n: int32(x.id), block: int32(i), many: many}).live {
			return true
		}
	}
	return false
}

func (c *claimer) cell(x *cell) certificate.ValueCell {
	y := certificate.ValueCell{Object: x.obj.ID, Off: x.off, Size: x.size, Bits: x.typ.Bits, Kind: "int"}
	switch {
	case x.str != nil:
		y.Kind = "str"
	case x.typ.IsPointer():
		y.Kind = "ptr"
	case !isNumber(x.typ):
		y.Kind = "other"
	case !x.typ.Signed:
		y.Kind = "uint"
	}
	everything := all(x.typ)
	if x.static {
		c.ever[x.key] = c.of.Get(place{kind: written, n: int32(x.key)}).v.of(x.typ)
		if !everything.within(c.ever[x.key]) {
			y.Ever = c.text(c.ever[x.key])
		}
	}
	if x.own {
		if lone(x) {
			c.guard(x, &y)
		}
		return y
	}
	c.met[x.key] = c.of.Get(place{kind: met, n: int32(x.key)}).v.of(x.typ)
	if !everything.within(c.met[x.key]) {
		y.Met = c.text(c.met[x.key])
		if y.Met == "" {
			y.Met = "none"
		}
	}
	c.guard(x, &y)
	return y
}

// guard says which locks are held at all accesses of a cell; of a lone one, at all writes.
func (c *claimer) guard(x *cell, y *certificate.ValueCell) {
	f := c.of.Get(place{kind: guarded, n: int32(x.key)})
	if !f.live || x.many || !c.a.pts.Once(x.obj) {
		return
	}
	f.s.each(func(key uint32, _ Value) {
		if lock, ok := c.locks[key&^heldBit]; ok && key&heldBit != 0 && key != depth {
			y.Guard = append(y.Guard, lock)
		}
		y.Sections = y.Sections || key == depth
	})
}

// calls returns which activations an instance's calls get to.
func (c *claimer) calls(x *instance) (list []certificate.Calls) {
	for _, b := range x.f.Blocks {
		for i, in := range b.Instrs {
			call, ok := in.(*cir.Call)
			if !ok {
				continue
			}
			y := certificate.Calls{Block: b.Index, Instr: i}
			for _, d := range x.calls[call] {
				if id, ok := c.ids[c.a.instances[instanceKey{d, x, call}]]; ok {
					y.To = append(y.To, id)
				}
			}
			if len(y.To) > 0 {
				list = append(list, y)
			}
		}
	}
	return list
}

func (c *claimer) flow(x *instance, many bool) *certificate.ValueFlow {
	if !c.reached(x, many) {
		return nil
	}
	live := c.live[x.function]
	if live == nil {
		live = liveness(x.f)
		c.live[x.function], c.types[x.function] = live, typesOf(x.f)
	}
	y := &certificate.ValueFlow{Blocks: make([]*certificate.ValueState, len(x.f.Blocks))}
	for i := range x.f.Blocks {
		if f := c.of.Get(place{kind: inside, n: int32(x.id), block: int32(i), many: many}); f.live {
			y.Blocks[i] = c.state(x, f, live[i])
		}
	}
	if f := c.of.Get(place{kind: exits, n: int32(x.id), many: many}); f.live {
		y.Exit = c.state(x, f, &intsets.Sparse{})
	}
	return y
}

// state writes down what is known at a place: of registers, only of those that are used.
func (c *claimer) state(x *instance, f fact, live *intsets.Sparse) *certificate.ValueState {
	y := &certificate.ValueState{}
	f.s.each(func(key uint32, v Value) {
		switch {
		case key == result:
			y.Result = c.said(v, x.f.Result.Type)
		case key == depth:
			y.Depth = c.text(v)
		case key&1 == 1:
			if n := int(key >> 1); live.Has(n) && c.said(v, c.types[x.function][n]) != "" {
				y.Regs = append(y.Regs, certificate.ValueOf{Of: n, Is: c.text(v)})
			}
		case key&heldBit != 0:
			if n, ok := c.locks[key&^heldBit]; ok {
				y.Locks = append(y.Locks, n)
			}
		default:
			d := c.a.mem.cellOf(key)
			if v.kind == some && !(d.static && c.ever[key].within(v)) && !all(d.typ).within(v) {
				y.Cells = append(y.Cells, certificate.ValueOf{Of: int(key / 2), Is: c.text(v)})
			}
		}
	})
	f.h.each(func(key uint32, v Value) {
		if v.met {
			v.met = false
			v = v.join(c.met[key])
		}
		if !v.equal(c.met[key]) {
			y.Held = append(y.Held, certificate.ValueOf{Of: int(key / 2), Is: c.text(v)})
		}
	})
	for _, p := range c.a.packs {
		if n, ok := c.relation(p, f.z.of(p)); ok {
			y.Related = append(y.Related, n)
		}
	}
	of := func(p, q certificate.ValueOf) int { return cmp.Compare(p.Of, q.Of) }
	slices.SortFunc(y.Regs, of)
	slices.SortFunc(y.Cells, of)
	slices.SortFunc(y.Held, of)
	slices.Sort(y.Locks)
	return y
}

// free returns what packs' cells have to do with each other whenever a lock is free.
func (c *claimer) free() (list []certificate.FreeRelation) {
	add := func(p *pack, key uint32, lock int) {
		f := c.of.Get(place{kind: related, n: int32(p.id), block: int32(key)})
		if !f.live || len(f.z) == 0 {
			return
		}
		if n, ok := c.relation(p, f.z[0]); ok {
			list = append(list, certificate.FreeRelation{Lock: lock, Is: n})
		}
	}
	for _, p := range c.a.packs {
		for _, key := range slices.Sorted(maps.Keys(c.locks)) {
			add(p, key|heldBit, c.locks[key])
		}
		add(p, depth, -1)
	}
	return list
}

// relation returns the number of what is known of a pack; ok is false if that is nothing.
func (c *claimer) relation(p *pack, s *zones.State) (n int, ok bool) {
	if s == nil || s.Trivial() {
		return 0, false
	}
	if n, had := c.states[s]; had {
		return n, n >= 0
	}
	by := make([]int, p.N) // the pack's cells by their keys
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(i, j int) int { return cmp.Compare(p.cells[i].key, p.cells[j].key) })
	x := certificate.Relation{}
	for _, i := range by {
		x.Cells = append(x.Cells, int(p.cells[i].key/2))
	}
	sums := func(list []zones.Linear) (rows [][]int64) {
		for _, f := range list {
			if p.limit(f) {
				continue
			}
			row := make([]int64, 0, p.N+1)
			for _, i := range by {
				row = append(row, f.Coef[i])
			}
			rows = append(rows, append(row, f.C))
		}
		return rows
	}
	for _, k := range s.Cases() {
		y := certificate.RelationCase{Most: sums(k.Most), Equal: sums(k.Equal)}
		if len(y.Most)+len(y.Equal) == 0 { // nothing
			c.states[s] = -1
			return 0, false
		}
		x.Cases = append(x.Cases, y)
	}
	text := fmt.Sprint(x)
	n, had := c.numbers[text]
	if !had {
		n = len(c.relations)
		c.numbers[text], c.relations = n, append(c.relations, x)
	}
	c.states[s] = n
	return n, true
}

// limit reports whether that a sum is at most 0 says no more than the type of the only cell in it.
func (p *pack) limit(f zones.Linear) bool {
	only := -1
	for i, a := range f.Coef {
		switch {
		case a == 0:
		case only >= 0 || a != 1 && a != -1:
			return false
		default:
			only = i
		}
	}
	if only < 0 {
		return false
	}
	lo, hi := limits(p.cells[only].typ)
	if f.Coef[only] > 0 { // v <= -C
		return hi.cmp(numberOf(-f.C)) <= 0
	}
	return numberOf(f.C).cmp(lo) <= 0 // v >= C
}

// said is the text of values of a type, "" if that are all.
func (c *claimer) said(v Value, t cir.Type) string {
	if v.kind != some || all(t).within(v) {
		return ""
	}
	return c.text(v)
}

// text writes a set of numbers.
func (c *claimer) text(v Value) string {
	s := ""
	switch {
	case v.kind == empty:
		return ""
	case v.kind == anything:
		return "any"
	case v.list != nil:
		var parts []string
		for _, n := range v.list {
			parts = append(parts, n.String())
		}
		s = strings.Join(parts, ",")
	case v.step > 1:
		s = fmt.Sprintf("%s..%s/%d", v.lo, v.hi, v.step)
	default:
		s = fmt.Sprintf("%s..%s", v.lo, v.hi)
	}
	if t, ok := c.texts[s]; ok {
		return t
	}
	c.texts[s] = s
	return s
}

// typesOf returns the types of a function's registers.
func typesOf(f *cir.Func) map[int]cir.Type {
	types := map[int]cir.Type{}
	add := func(rs ...*cir.Reg) {
		for _, r := range rs {
			types[r.Index] = r.Type
		}
	}
	for _, p := range f.Params {
		add(p.Reg)
	}
	for _, b := range f.Blocks {
		add(b.Params...)
		for _, in := range b.Instrs {
			add(cir.Results(in)...)
		}
	}
	return types
}

// liveness returns the registers that may be used where a block begins or later, before they are assigned.
func liveness(f *cir.Func) []*intsets.Sparse {
	live := make([]*intsets.Sparse, len(f.Blocks))
	for i := range live {
		live[i] = &intsets.Sparse{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			b := f.Blocks[i]
			var now intsets.Sparse
			use := func(v cir.Value) {
				if r, ok := v.(*cir.Reg); ok {
					now.Insert(r.Index)
				}
			}
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
				var then intsets.Sparse
				then.Copy(live[to.Index])
				for _, p := range to.Params {
					then.Remove(p.Index)
				}
				now.UnionWith(&then)
			})
			cir.TermOperands(b.Term, use)
			for k := len(b.Instrs) - 1; k >= 0; k-- {
				for _, r := range cir.Results(b.Instrs[k]) {
					now.Remove(r.Index)
				}
				cir.Operands(b.Instrs[k], use)
			}
			changed = live[i].UnionWith(&now) || changed
		}
	}
	for i, b := range f.Blocks { // parameters of blocks are assigned on the way there
		for _, p := range b.Params {
			live[i].Insert(p.Index)
		}
	}
	return live
}
