package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// What a thread does before it sets a flag for the first time, or counts up a semaphore that began with 0, happens before what is done by who has seen that, if it is the only thread
// that does so, and there is one such thread. What a function does that pthread_once calls happens before what follows any return of
// pthread_once for the same object. Which signals there are, and what threads have set and seen where, is found out here from the program.

// signalKey is a signal: a flag, which has a size, a semaphore, or what pthread_once is given.
type signalKey struct {
	kind string
	g    *cir.Global
	off  int64
	size int64
}

// signal is what is known of one.
type signal struct {
	signalKey
	setter  *thread // nil: none, or several
	several bool
	uses    map[cir.Instr]bool // stores of constants, or calls
	checked bool
	ok      bool
}

// happened is a set of signals each: those that a thread may have set, that it has seen, that it is called by.
type happened struct{ set, seen, in uint64 }

// signals are those of a program, by number.
type signals struct {
	list   []*signal
	number map[signalKey]int
	does   map[int]*doing // by copy
	flows  map[*thread]map[int]map[cir.Located]happened
	used   bool // by the certificate
}

// doing is what the code of a copy does with signals.
type doing struct {
	sets, sees map[cir.Instr]uint64
	edges      map[*cir.Block][2]uint64
	in         uint64
}

func newSignals(c *certificate.Certificate) signals {
	used := slices.ContainsFunc(c.Locations, func(l certificate.Location) bool { return slices.Contains(l.Pairs, certificate.Signalled) })
	return signals{number: map[signalKey]int{}, does: map[int]*doing{}, flows: map[*thread]map[int]map[cir.Located]happened{}, used: used}
}

// find finds the signals, at most 64, of a program whose certificate makes use of them.
func (ls *locations) findSignals() {
	if !ls.signals.used {
		return
	}
	set, seen := map[signalKey]bool{}, map[signalKey]bool{}
	each := func(f func(c int, v *values, d *doing)) {
		for c, cp := range ls.copies {
			if v := ls.valuesOf(cp.Func); v != nil {
				f(c, v, ls.signals.does[c])
			}
		}
	}
	each(func(_ int, v *values, _ *doing) {
		v.signals(func(k signalKey, _ cir.Instr, zero bool) { set[k] = set[k] || !zero }, func(k signalKey, _ cir.Instr) { seen[k] = true },
			func(k signalKey, _ *cir.Block, _ int) { seen[k] = true })
	})
	bit := func(k signalKey) uint64 {
		i, known := ls.signals.number[k]
		if !known {
			if !set[k] || !seen[k] || len(ls.signals.list) == 64 || k.g.ThreadLocal || k.g.External {
				return 0
			}
			i = len(ls.signals.list)
			ls.signals.number[k] = i
			ls.signals.list = append(ls.signals.list, &signal{signalKey: k, uses: map[cir.Instr]bool{}})
		}
		return 1 << i
	}
	for c := range ls.copies {
		ls.signals.does[c] = &doing{map[cir.Instr]uint64{}, map[cir.Instr]uint64{}, map[*cir.Block][2]uint64{}, 0}
	}
	each(func(c int, v *values, d *doing) {
		v.signals(func(k signalKey, in cir.Instr, zero bool) {
			b := bit(k)
			if b != 0 {
				ls.signals.list[ls.signals.number[k]].uses[in] = true
			}
			if !zero && k.kind != "once" {
				d.sets[in] |= b
			}
		}, func(k signalKey, in cir.Instr) {
			if b := bit(k); b != 0 {
				ls.signals.list[ls.signals.number[k]].uses[in] = true
				d.sees[in] |= b
			}
		}, func(k signalKey, b *cir.Block, edge int) {
			e := d.edges[b]
			e[edge] |= bit(k)
			d.edges[b] = e
		})
		if cp := ls.copies[c]; cp.Func.Library && cp.Func.Source == "pthread_once" && cp.Ctx.Call != nil {
			if g, ok := cp.Ctx.Call.Args[0].X.(*cir.Global); ok {
				d.in = bit(signalKey{kind: "once", g: g})
			}
		}
	})
	for _, t := range ls.threads.list {
		for _, n := range t.order {
			for _, m := range ls.signals.does[n.copy].sets {
				for i, s := range ls.signals.list {
					if m&(1<<i) != 0 {
						s.several = s.several || s.setter != nil && s.setter != t
						s.setter = t
					}
				}
			}
		}
	}
}

// globalAt returns the global that an address is a constant behind of.
func (v *values) globalAt(addr cir.Value) (g *cir.Global, off int64, ok bool) {
	for range 20 {
		if g, ok = addr.(*cir.Global); ok {
			return g, off, off >= 0
		}
		switch in := v.def(addr).(type) {
		case *cir.Offset:
			c, isConst := in.Index.(cir.Int)
			if in.Index != nil && !isConst || isConst && (c.Lo > 1<<20 || in.Scale > 1<<20) {
				return nil, 0, false
			}
			if off += in.Disp; isConst {
				off += int64(c.Lo) * in.Scale
			}
			addr = in.P
		case *cir.Convert:
			if !in.Dst.Type.IsPointer() {
				return nil, 0, false
			}
			addr = in.X
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// signals calls sets for what sets signals, be it by storing 0, sees for calls that see them, and told for edges along which a flag was not 0.
func (v *values) signals(sets func(k signalKey, in cir.Instr, zero bool), sees func(signalKey, cir.Instr), told func(k signalKey, b *cir.Block, edge int)) {
	if v.f.Library {
		return
	}
	for _, b := range v.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				x, isConst := in.X.(cir.Int)
				if g, off, ok := v.globalAt(in.Addr); ok && isConst && in.Bits == nil && in.Type.IsInt() {
					sets(signalKey{"flag", g, off, v.p.prog.Model.SizeOf(in.Type)}, in, x.Lo == 0 && x.Hi == 0)
				}
			case *cir.Call:
				f, direct := in.Callee.(*cir.Func)
				if !direct || !f.Library || len(in.Args) == 0 {
					continue
				}
				g, off, ok := v.globalAt(in.Args[0].X)
				switch {
				case ok && f.Source == "sem_post":
					sets(signalKey{"semaphore", g, off, 0}, in, false)
				case ok && f.Source == "sem_wait" && !mayFail(f):
					sees(signalKey{"semaphore", g, off, 0}, in)
				case f.Source == "pthread_once":
					if g, ok := in.Args[0].X.(*cir.Global); ok {
						sets(signalKey{kind: "once", g: g}, in, false)
						sees(signalKey{kind: "once", g: g}, in)
					}
				}
			}
		}
		if br, ok := b.Term.(*cir.Branch); ok && br.Then != br.Else {
			for edge := range 2 {
				if k, ok := v.notZero(br.Cond, edge == 0); ok {
					told(k, b, edge)
				}
			}
		}
	}
}

// mayFail reports whether a function of the library may return something else than 0, as sem_wait if the handler of a signal runs.
func mayFail(f *cir.Func) bool {
	return slices.ContainsFunc(f.Blocks, func(b *cir.Block) bool {
		r, ok := b.Term.(*cir.Return)
		if !ok {
			return false
		}
		n, isConst := r.X.(cir.Int)
		return !isConst || n.Lo != 0 || n.Hi != 0
	})
}

// notZero returns the flag that was not 0 if a value is not 0, or is.
func (v *values) notZero(x cir.Value, is bool) (k signalKey, ok bool) {
	for range 20 {
		switch in := v.def(x).(type) {
		case *cir.Load:
			if g, off, ok := v.globalAt(in.Addr); ok {
				return signalKey{"flag", g, off, v.p.prog.Model.SizeOf(in.Type)}, is && in.Bits == nil && in.Type.IsInt()
			}
			s := v.source(in, nil)
			if s == nil {
				return k, false
			}
			x = s.X
		case *cir.Convert:
			from, to := v.p.prog.Model.TypeOf(in.X), in.Dst.Type
			if !from.IsInt() || !to.IsInt() || !is && to != cir.Bool && to.Bits < from.Bits {
				return k, false
			}
			x = in.X
		case *cir.Compare:
			c, isConst := in.Y.(cir.Int)
			if !isConst || in.Pred != cir.Eq && in.Pred != cir.Ne {
				return k, false
			}
			equal, zero := (in.Pred == cir.Eq) == is, c.Lo == 0 && c.Hi == 0
			if !equal && !zero {
				return k, false
			}
			is, x = equal != zero, in.X
		default:
			return k, false
		}
	}
	return k, false
}

// once reports whether there is one thread of an identity in all of an execution.
func (ls *locations) once(t *thread) bool {
	if t.index == 0 {
		return true
	}
	found := false
	for _, o := range ls.pts.Objects {
		if p, is := ls.createdBy(o); is && t.Group != nil && p == *t.Group {
			if found = true; !ls.pts.Once(o) {
				return false
			}
		}
	}
	return found && !t.Many && !t.Loose && !ls.isSignal(t)
}

// holds reports whether a signal orders what it seems to.
func (ls *locations) holds(s *signal) bool {
	if !s.checked {
		s.checked = true
		s.ok = ls.sound(s)
	}
	if !s.ok || s.kind != "flag" {
		return s.ok
	}
	// Who reads what was stored does so by synchronising: its location is race-free, and for other reasons than signals.
	o := ls.objectOf(s.g)
	found := false
	for _, l := range ls.of[o.ID] {
		if l.Kind != certificate.Memory || !(extent{l.Lo, l.Hi}).meets(cellOf(o, s.off, s.size)) {
			continue
		}
		if found = true; l.wrong != "" || ls.relaxed(l) || slices.Contains(l.Pairs, certificate.Signalled) || slices.Contains(l.Pairs, certificate.Latched) {
			return false
		}
	}
	return found && !ls.silent(o)
}

func (ls *locations) objectOf(g *cir.Global) *pointsto.Object {
	i := slices.IndexFunc(ls.pts.Objects, func(o *pointsto.Object) bool { return o.Global == g })
	if i < 0 {
		return nil
	}
	return ls.pts.Objects[i]
}

// sound reports whether nobody else writes what a signal is made of.
func (ls *locations) sound(s *signal) bool {
	o := ls.objectOf(s.g)
	if o == nil || o.External || s.kind != "once" && (s.setter == nil || s.several || !ls.once(s.setter)) {
		return false
	}
	bytes := cellOf(o, s.off, s.size)
	if s.kind != "flag" {
		bytes = everywhere
	}
	for w := range ls.writesTo(o) {
		in, ok := w.in.(cir.Instr)
		if w.bytes.meets(bytes) && !(s.kind == "flag" && ok && s.uses[in]) && !(s.kind != "flag" && w.library) {
			return false
		}
	}
	if s.kind == "flag" {
		return len(s.g.Relocs) == 0 && !slices.ContainsFunc(s.g.Data, func(b byte) bool { return b != 0 })
	}
	return ls.onlyUsed(s, o)
}

// onlyUsed reports whether a semaphore, or what pthread_once is given, is given to nobody else, and the semaphore is initialised with 0.
func (ls *locations) onlyUsed(s *signal, o *pointsto.Object) bool {
	made := s.kind == "once"
	for _, cp := range ls.copies {
		if cp.Func.Library {
			continue
		}
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || s.uses[call] {
					continue
				}
				for i, a := range call.Args {
					if !slices.ContainsFunc(ls.pts.Places(cp.Func, cp.Ctx, a.X), func(l pointsto.Location) bool { return l.Obj == o }) {
						continue
					}
					f, direct := call.Callee.(*cir.Func)
					if !direct || !f.Library || i > 0 || s.kind != "semaphore" || f.Source != "sem_init" && f.Source != "sem_destroy" {
						return false
					}
					if f.Source == "sem_init" {
						n, isConst := cir.Int{}, false
						if len(call.Args) == 3 {
							n, isConst = call.Args[2].X.(cir.Int)
						}
						if made = isConst && n.Lo == 0 && n.Hi == 0; !made {
							return false
						}
					}
				}
			}
		}
	}
	return made
}

// signalled reports whether accesses of one of two groups come before those of the other one because of a signal.
func (ls *locations) signalled(g, h *group) bool {
	return g.at != nil && h.at != nil && ls.signalledBy(g, h, func(i int) bool { return ls.holds(ls.signals.list[i]) })
}

// signalledBy is signalled, where it is told of the signals, by number, whether they order what they seem to.
func (ls *locations) signalledBy(g, h *group, holds func(i int) bool) bool {
	for i, s := range ls.signals.list {
		bit := uint64(1) << i
		order := func(g, h *group) bool {
			if s.kind == "once" {
				return g.at.when.in&bit != 0 && (h.at.when.seen|h.at.when.in)&bit != 0
			}
			return g.t == s.setter && g.at.when.set&bit == 0 && h.at.when.seen&bit != 0
		}
		if (order(g, h) || order(h, g)) && holds(i) {
			return true
		}
	}
	return false
}

// assigned reports whether all accesses of a group are assignments of a handler of signals to a volatile sig_atomic_t. Those of two executions of handlers are no race,
// whichever threads they interrupt: POSIX XSH 2.4.3 lets a handler assign to such an object, and to no other that is not atomic.
func (ls *locations) assigned(g *group) bool {
	if !ls.isSignal(g.t) {
		return false
	}
	for a := range g.has {
		if !ls.assignsFlag(a) {
			return false
		}
	}
	return true
}

func (ls *locations) assignsFlag(a certificate.Access) bool {
	if a.Copy < 0 || a.Copy >= len(ls.copies) {
		return false
	}
	f := ls.copies[a.Copy].Func
	if f.Library || a.Block < 0 || a.Block >= len(f.Blocks) || a.Instr < 0 || a.Instr >= len(f.Blocks[a.Block].Instrs) {
		return false
	}
	return cir.AssignsFlag(f.Blocks[a.Block].Instrs[a.Instr])
}
