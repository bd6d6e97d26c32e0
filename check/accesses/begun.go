package accesses

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// What is in memory when an object begins need not count: an object that only its function knows is filled by it, and then made known to others, who find what it was filled with (definite
// initialisation). For each object that a function makes, all its instructions are followed, with what has been stored there in any case (fills.go). Where others may get an
// address, or the function loads a pointer itself, the pointers in the object have to be stored; those that are not count with what they begin with.
//
// An array is filled element by element: what is stored at the number that a local holds is known of that element, and of all before it, if the local counts up from 0. Who is given the
// address of one element that is filled must not leave it: that is why the address is taken for one of that element alone (program.narrow).

// candidates returns the cells from which pointers and numbers are loaded, by objects.
func (p *program) candidates() map[*pointsto.Object][]int64 {
	out := map[*pointsto.Object][]int64{}
	add := func(l pointsto.Location) bool {
		if slices.Contains(out[l.Obj], l.Off) || l.Off < 0 {
			return false
		}
		out[l.Obj] = append(out[l.Obj], l.Off)
		return true
	}
	p.each(func(at place) {
		var addr cir.Value
		var size int64
		switch in := at.in.(type) {
		case *cir.Load:
			addr, size = in.Addr, sizeOf(in.Type)
			if in.Bits != nil {
				for _, l := range p.places(at.copy, addr) {
					for _, k := range bytesOf(in.Bits) {
						if l.Off >= 0 {
							add(pointsto.Location{Obj: l.Obj, Off: l.Obj.Reduce(l.Off+k) | cell1})
						}
					}
				}
			}
		case *cir.RMW:
			addr, size = in.Addr, sizeOf(in.Type)
		case *cir.CmpXchg:
			addr, size = in.Addr, sizeOf(in.Type)
		case *cir.Call:
			f := library(in)
			if f == nil {
				return
			}
			for _, u := range p.lockUses[at] {
				for _, l := range p.places(at.copy, in.Args[u.Arg].X) {
					if l.Off < 0 {
						continue
					}
					add(l)
					add(pointsto.Location{Obj: l.Obj, Off: l.Off | useBit})
				}
			}
			if i := readsTimes(f); i >= 0 && i < len(in.Args) {
				for _, l := range p.places(at.copy, in.Args[i].X) {
					if l.Off >= 0 {
						add(l)
						add(pointsto.Location{Obj: l.Obj, Off: l.Off + 8})
					}
				}
			}
			for _, x := range in.Args { // that may be strings
				if !p.prog.Model.TypeOf(x.X).IsPointer() {
					continue
				}
				for _, l := range p.places(at.copy, x.X) {
					if _, _, _, ok := p.textArray(l); ok {
						add(pointsto.Location{Obj: l.Obj, Off: l.Off | textBit})
					}
				}
			}
			return
		default:
			return
		}
		if l, ok := addr.(*cir.Local); ok && p.function(p.copies[at.copy].Func).plain[l] && size != p.word {
			return // what it finds is known
		}
		for _, l := range p.places(at.copy, addr) {
			if off, ok := marked(l.Off, size); ok && l.Off >= 0 {
				add(pointsto.Location{Obj: l.Obj, Off: off})
			}
		}
	})
	for changed := true; changed; { // what is copied from where it is loaded
		changed = false
		for _, o := range p.pts.Objects {
			for _, w := range p.writes[o] {
				if w.kind != writesCopy {
					continue
				}
				for _, off := range slices.Clone(out[o]) {
					for _, s := range w.from {
						to, _ := p.unmarked(off)
						if k := to - w.at.Off; off&(textBit|useBit) == 0 && s.Off >= 0 && w.at.Off >= 0 && k >= 0 && k < w.size {
							if from := s.Obj.Reduce(s.Off + k); from >= 0 && add(pointsto.Location{Obj: s.Obj, Off: from | off&marks}) {
								changed = true
							}
						}
					}
				}
			}
		}
	}
	return out
}

// addressed returns the variables whose addresses are in others from the beginning of the program on, so that everybody may have them.
func (p *program) addressed() map[*cir.Global]bool {
	out := map[*cir.Global]bool{}
	for _, g := range p.prog.Globals {
		for _, r := range g.Relocs {
			if t, ok := r.Target.(*cir.Global); ok {
				out[t] = true
			}
		}
	}
	return out
}

// findBegun finds the cells of which nobody reads what is in them when their object begins.
func (p *program) findBegun(cells map[*pointsto.Object][]int64) {
	known := p.addressed()
	for _, o := range p.pts.Objects {
		offs := cells[o]
		if len(offs) == 0 || o.External || o.IsFunc() || o.Global != nil && (o.Global.ThreadLocal || o.Global.External || o.Global.Library || known[o.Global]) {
			continue
		}
		slices.Sort(offs)
		failed, late, zeros, made := map[int64]bool{}, map[int64]bool{}, map[place]bool{}, false
		untested, nulls, tests := map[int64]bool{}, map[place]bool{}, &testing{map[int64]map[place]bool{}, map[place]bool{}, nil}
		for c := range p.copies {
			if !p.own(c) {
				continue
			}
			for _, b := range p.maker(o, c) {
				made = true
				x := &filling{p: p, f: p.function(p.copies[c].Func), copy: c, obj: o, base: b, cells: offs, failed: failed, callees: map[calleeKey]*calleeFill{}}
				x.run()
				x.zeros, x.failed, x.judging, x.callees = map[place]bool{}, late, false, map[calleeKey]*calleeFill{}
				x.run()
				maps.Copy(zeros, x.zeros)
				x.zeros, x.failed, x.judging, x.callees, x.tests = map[place]bool{}, untested, false, map[calleeKey]*calleeFill{}, tests
				x.run()
				maps.Copy(nulls, x.zeros)
			}
		}
		for _, off := range offs {
			if made && !failed[off] {
				p.begun[pointsto.Location{Obj: o, Off: off}] = true
				l := pointsto.Location{Obj: o, Off: off}
				if !late[off] { // the same holds where zeros do not count
					p.settled[l] = zeros
				}
				if !untested[off] {
					maps.DeleteFunc(nulls, func(at place, _ bool) bool { return tests.public[at] })
					p.settled[l], p.tested[l] = nulls, nulls
					for at := range tests.early[off] {
						p.early[at] = true
					}
				}
			}
		}
	}
}

// maker returns the ways in which a copy makes an object: by its name, or by a call that allocates it.
func (p *program) maker(o *pointsto.Object, c int) (list []cir.Value) {
	y := p.copies[c]
	if o.Global != nil {
		if y.Func == p.prog.Entry {
			return []cir.Value{o.Global}
		}
		return nil
	}
	if o.Local != nil {
		if y.Func == o.Func && y.Ctx == o.Ctx {
			return []cir.Value{o.Local}
		}
		return nil
	}
	for _, b := range y.Func.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*cir.Call)
			if !ok || o.Ctx.Call != call || !p.reached[place{c, in}] {
				continue
			}
			if f := library(call); f == nil || f.Source != "malloc" && f.Source != "calloc" || call.Dst == nil {
				continue
			}
			if slices.ContainsFunc(p.places(c, call.Dst), func(l pointsto.Location) bool { return l.Obj == o }) {
				list = append(list, call.Dst)
			}
		}
	}
	return list
}
