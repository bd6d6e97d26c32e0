package pointsto

import (
	"cmp"
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
)

// Part is a copy of a function together with all that it calls: what a call of it may run.
type Part struct {
	r     *Result
	in    map[*instance]bool
	order []*instance
}

// Part returns what a call of a function's copy may run, nil if it was not reached.
func (r *Result) Part(f *cir.Func, ctx Context) *Part {
	x := r.instance(f, ctx)
	if x == nil {
		return nil
	}
	p := &Part{r: r, in: map[*instance]bool{x: true}, order: []*instance{x}}
	for i := 0; i < len(p.order); i++ {
		x := p.order[i]
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, y := range r.ordered(x.calls[call]) {
					if !p.in[y] {
						p.in[y] = true
						p.order = append(p.order, y)
					}
				}
			}
		}
	}
	return p
}

// ordered returns some instances in an order of their own.
func (r *Result) ordered(set map[*instance]bool) []*instance {
	list := r.listed(set)
	slices.SortStableFunc(list, func(x, y *instance) int { return cmp.Compare(x.fn.Name, y.fn.Name) })
	return list
}

// EachFunc calls f for each function of the part.
func (p *Part) EachFunc(f func(*cir.Func)) {
	for _, x := range p.order {
		f(x.fn)
	}
}

// Each calls f for each instruction of the part, with its function.
func (p *Part) Each(f func(fn *cir.Func, in cir.Instr)) {
	for _, x := range p.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				f(x.fn, in)
			}
		}
	}
}

// Modified returns the objects that the part may write, in their order.
func (p *Part) Modified() []*Object {
	var all intsets.Sparse
	for _, x := range p.order {
		all.UnionWith(p.r.modifies[x])
	}
	var list []*Object
	for _, id := range all.AppendTo(nil) {
		list = append(list, p.r.a.all[id])
	}
	return list
}

// makers has, for each object that a copy of a function makes, that copy, and who may hold its address.
type makers struct {
	of      map[*instance][]*Object
	by      map[*Object]*instance
	regs    map[*Object]map[*instance]bool // in registers
	objects map[*Object]map[*Object]bool   // in memory
}

// makersOf returns them, found when they are first asked for.
func (r *Result) makersOf() *makers {
	if r.made != nil {
		return r.made
	}
	m := &makers{map[*instance][]*Object{}, map[*Object]*instance{}, map[*Object]map[*instance]bool{}, map[*Object]map[*Object]bool{}}
	for _, o := range r.a.all {
		if o.Func != nil && !o.IsFunc() {
			x := r.a.instances[instanceKey{o.Func, o.Ctx}]
			m.of[x], m.by[o] = append(m.of[x], o), x
			m.regs[o], m.objects[o] = map[*instance]bool{}, map[*Object]bool{}
		}
	}
	for _, x := range r.a.order {
		for _, n := range append(slices.Clone(x.regs), x.ret, x.rest) {
			r.eachAim(n, func(o *Object) {
				if m.regs[o] != nil {
					m.regs[o][x] = true
				}
			})
		}
	}
	for _, q := range r.a.all {
		for _, n := range q.cells {
			r.eachAim(n, func(o *Object) {
				if m.objects[o] != nil {
					m.objects[o][q] = true
				}
			})
		}
	}
	r.made = m
	return m
}

// Confined reports whether nobody else can have the address of an object that the part makes: a local, or what is allocated there. Who calls it never comes
// to such an object.
func (p *Part) Confined() bool {
	m := p.r.makersOf()
	for _, x := range p.order {
		for _, o := range m.of[x] {
			for y := range m.regs[o] {
				if !p.in[y] {
					return false
				}
			}
			for q := range m.objects[o] {
				if maker := m.by[q]; maker == nil || !p.in[maker] {
					return false
				}
			}
		}
	}
	return true
}
