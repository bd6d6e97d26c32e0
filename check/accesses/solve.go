package accesses

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// write is a change of memory, as far as it matters to who loads a pointer.
type write struct {
	at   pointsto.Location
	size int64 // -1: not known
	kind writeKind
	by   place
	x    cir.Value           // a pointer
	from []pointsto.Location // of a copy
}

type writeKind uint8

const (
	writesAny     writeKind = iota // anything that is no pointer
	writesPointer                  // X
	writesZeros
	writesText // as snprintf does
	writesCopy
	writesNumber // X
)

// value returns what is known of an operand where it is used.
func (p *program) value(at place, v cir.Value) attr {
	a := wildPointer
	switch v := v.(type) {
	case *cir.Reg:
		if !v.Type.IsPointer() {
			return wildPointer
		}
		a = p.regs[register{at.copy, v.Index}]
		if p.facts[operandAt{at.copy, at.in, v.Index}].notNull && !a.wild {
			if a.null = false; a == (attr{set: true, before: unlimited, after: unlimited}) { // null, and nothing else
				a = noPointer
			}
		}
		if n, ok := p.narrow[register{at.copy, v.Index}]; ok {
			a.short = nil // which would tell of more than one element
			a.before, a.after = min(a.before, n[0]), min(a.after, n[1])
		}
		if !a.set {
			a.before, a.after = unlimited, unlimited
		}
	case cir.Null:
		if v.Addr == 0 {
			return nullPointer
		}
	case *cir.Global:
		if !v.Weak {
			a = start(v.Size)
			a.loose = !isText(v)
		}
	case *cir.Local:
		a = start(v.Size)
	case *cir.Func:
		if len(v.Blocks) > 0 || !v.Weak {
			a = start(0)
		}
	}
	return a
}

// isText reports whether a global holds a string from its beginning on, always.
func isText(g *cir.Global) bool {
	return (g.Literal || g.Const) && !g.External && len(g.Relocs) == 0 && (int64(len(g.Data)) < g.Size || slices.Contains(g.Data, 0))
}

// solve finds what is known of all registers and cells: the least that each step keeps. Numbers are first, as pointers depend on them.
func (p *program) solve() {
	p.findNumbers()
	for changed := true; changed; {
		p.rounds++
		changed = false
		put := func(c int, r *cir.Reg, a attr) {
			if r == nil || !r.Type.IsPointer() || !a.set {
				return
			}
			key := register{c, r.Index}
			old, had := p.regs[key]
			if !had {
				old = noPointer
			}
			if a = old.or(a); a != old {
				if p.rounds > maxPlain {
					a = a.widened(old)
				}
				p.regs[key], changed = a, true
			}
		}
		p.each(func(at place) { p.step(at, put) })
		for i := 0; i < len(p.order); i++ {
			l := p.order[i]
			old := p.cells[l]
			a := old.or(p.content(l))
			if a != old {
				if p.rounds > maxPlain {
					a = a.widened(old)
				}
				p.cells[l], changed = a, true
			}
		}
	}
}

// maxPlain is after how many rounds what becomes less is given up.
const maxPlain = 12

// step is what an instruction makes of what is known.
func (p *program) step(at place, put func(int, *cir.Reg, attr)) {
	c := at.copy
	switch in := at.in.(type) {
	case *cir.Load:
		put(c, in.Dst, p.loaded(at, in))
	case *cir.Offset:
		put(c, in.Dst, p.offset(at, in))
	case *cir.Convert:
		if !p.prog.Model.TypeOf(in.X).IsPointer() {
			n := p.fact(at, in.X)
			if in.Dst.Type.IsPointer() && n.known && n.lo == 0 && n.hi == 0 {
				put(c, in.Dst, nullPointer)
			} else {
				put(c, in.Dst, wildPointer)
			}
			return
		}
		put(c, in.Dst, p.value(at, in.X))
	case *cir.Select:
		put(c, in.Dst, p.value(at, in.X).or(p.value(at, in.Y)))
	case *cir.RMW:
		a := wildPointer
		if in.Op == cir.Xchg && in.Type.IsPointer() {
			a = p.read(at, in.Addr)
		}
		put(c, in.Dst, a)
	case *cir.CmpXchg:
		put(c, in.Old, p.read(at, in.Addr))
	case *cir.Call:
		p.stepCall(at, in, put)
	case *cir.Jump:
		p.passes(at, in.To, in.Args, put)
	case *cir.Branch:
		p.passes(at, in.Then, in.ThenArgs, put)
		p.passes(at, in.Else, in.ElseArgs, put)
	case cir.Instr:
		for _, r := range cir.Results(in) {
			put(c, r, wildPointer)
		}
	}
}

func (p *program) passes(at place, to *cir.Block, args []cir.Value, put func(int, *cir.Reg, attr)) {
	for i, r := range to.Params {
		if r.Type.IsPointer() {
			put(at.copy, r, p.value(at, args[i]))
		}
	}
}

// stepCall is what a call makes of what is known: its callees get the arguments, and it gets what they return.
func (p *program) stepCall(at place, in *cir.Call, put func(int, *cir.Reg, attr)) {
	if f := library(in); f != nil {
		put(at.copy, in.Dst, p.returned(at, in, f))
		for _, g := range p.starts[at] {
			if fn := p.copies[g].Func; len(fn.Params) == 1 {
				put(g, fn.Params[0].Reg, p.value(at, in.Args[3].X).outside())
			}
		}
		return
	}
	for _, g := range p.calls[at] {
		fn := p.copies[g].Func
		for i, x := range fn.Params {
			a := wildPointer
			if i < len(in.Args) && in.Args[i].ByVal == nil && p.prog.Model.TypeOf(in.Args[i].X).IsPointer() {
				a = p.value(at, in.Args[i].X).outside()
			}
			put(g, x.Reg, a)
		}
		for _, b := range fn.Blocks {
			if r, ok := b.Term.(*cir.Return); ok && r.X != nil && p.reached[place{g, r}] && in.Dst != nil && p.prog.Model.TypeOf(r.X).IsPointer() == in.Dst.Type.IsPointer() {
				put(at.copy, in.Dst, p.value(place{g, r}, r.X).outside())
			}
		}
	}
	if len(p.calls[at]) == 0 {
		put(at.copy, in.Dst, wildPointer)
	}
}

// loaded returns what is known of a pointer that is loaded.
func (p *program) loaded(at place, in *cir.Load) attr {
	if !in.Type.IsPointer() || in.Bits != nil {
		return wildPointer
	}
	f := p.function(p.copies[at.copy].Func)
	if x, plain := f.finds[in]; plain {
		a := noPointer
		if x.unset {
			a = wildPointer
		}
		for _, s := range x.stores {
			if p.reached[place{at.copy, s}] {
				a = a.or(p.value(place{at.copy, s}, s.X))
			}
		}
		if a.null && !a.wild && f.notNull(in) {
			if a == nullPointer {
				return noPointer
			}
			a.null = false
		}
		return a
	}
	if a, ok := p.argument(at, in); ok {
		return a
	}
	a := p.read(at, in.Addr)
	if p.early[at] {
		a = a.or(nullPointer)
	}
	if a.null && !a.wild && f.same[in] {
		if a == nullPointer {
			return noPointer
		}
		a.null = false
	}
	return a
}

// read returns what is known of what an address leads to.
func (p *program) read(at place, addr cir.Value) attr {
	a := noPointer
	ls := p.places(at.copy, addr)
	if len(ls) == 0 {
		return wildPointer
	}
	for _, l := range ls {
		a = a.or(p.cell(l))
	}
	return a
}

// cell returns what is known of a cell so far.
func (p *program) cell(l pointsto.Location) attr {
	a, had := p.cells[l]
	if !had {
		a = noPointer
		p.cells[l] = a
		p.order = append(p.order, l)
	}
	return a
}

// content returns what is known of all that is ever in a cell, as far as anybody reads it.
func (p *program) content(l pointsto.Location) attr {
	if leadsToStream(l) && len(p.writes[l.Obj]) == 0 {
		return start(216)
	}
	if !apart(l, p.word) {
		return wildPointer
	}
	a := noPointer
	if !p.begun[l] {
		a = p.initial(l)
	}
	for _, w := range p.writes[l.Obj] {
		if !p.reached[w.by] || a.wild || (w.kind == writesZeros || isNull(w.x)) && p.settled[l][w.by] {
			continue
		}
		switch {
		case w.kind == writesPointer && w.at == l:
			x := p.value(w.by, w.x).outside()
			if p.tested[l][w.by] && !x.wild {
				if x == nullPointer {
					continue
				}
				x.null = false
			}
			a = a.or(x)
		case !w.at.Touches(w.size, l, p.word):
		case w.kind == writesZeros && p.covers(w, l, p.word):
			a = a.or(nullPointer)
		case w.kind == writesCopy && p.covers(w, l, p.word) && w.size >= 0:
			k := l.Off - w.at.Off
			for _, s := range w.from {
				if !within(s, w.size) || s.Off == pointsto.Any {
					return wildPointer
				}
				from := pointsto.Location{Obj: s.Obj, Off: s.Obj.Reduce(s.Off + k)}
				a = a.or(p.cell(from))
			}
			if len(w.from) == 0 {
				return wildPointer
			}
		default:
			return wildPointer
		}
	}
	return a
}

// covers reports whether a write of several bytes changes all of a scalar of a size at a location, or nothing of it.
func (p *program) covers(w write, l pointsto.Location, size int64) bool {
	if w.size == l.Obj.Size() && w.at.Off == 0 && w.kind == writesZeros && l.Obj.Local != nil {
		return true
	}
	k := l.Off - w.at.Off
	return w.at.Off != pointsto.Any && w.at.Off >= 0 && within(w.at, w.size) && k >= 0 && k+size <= w.size
}

// initial returns what is known of a pointer that is in memory from the beginning of its object's life on.
func (p *program) initial(l pointsto.Location) attr {
	o := l.Obj
	switch {
	case zeroed(o):
		return nullPointer
	case o.Global == nil || o.Global.External:
		return wildPointer
	}
	g := o.Global
	a := noPointer
	bytes := make([]bool, p.word) // that some address does not account for
	for i, x := range g.Data {
		for k := range p.word {
			bytes[k] = bytes[k] || x != 0 && o.Reduce(int64(i)-k) == l.Off && !p.relocated(g, int64(i))
		}
	}
	if slices.Contains(bytes, true) {
		return wildPointer
	}
	count := int64(0)
	for _, r := range g.Relocs {
		switch {
		case o.Reduce(r.Offset) == l.Off:
			t, ok := r.Target.(cir.Value)
			if !ok {
				return wildPointer
			}
			x := p.value(place{}, t)
			if count++; r.Addend != 0 {
				x = x.moved(r.Addend, r.Addend)
				x = x.stepped(1)
			}
			a = a.or(x)
		}
	}
	if !l.Exact() || count == 0 {
		a = a.or(nullPointer)
	}
	return a
}

// relocated reports whether a byte of a global is part of an address.
func (p *program) relocated(g *cir.Global, i int64) bool {
	return slices.ContainsFunc(g.Relocs, func(r cir.Reloc) bool { return r.Offset <= i && i < r.Offset+p.word })
}

// leadsToStream reports whether a location is one of the variables of the library that lead to streams.
func leadsToStream(l pointsto.Location) bool {
	g := l.Obj.Global
	return g != nil && g.Library && l.Off == 0 && slices.Contains([]string{"stdin", "stdout", "stderr"}, g.Source)
}

func isNull(v cir.Value) bool {
	n, ok := v.(cir.Null)
	return ok && n.Addr == 0
}
