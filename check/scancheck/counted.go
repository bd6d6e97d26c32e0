package scancheck

import (
	"slices"

	refs "comus/check/counted"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Objects that count their references: see check/counted, which says who makes an access with a reference, and who as the only one. Here it is told which threads there are.

// counting is what is known of objects that count their references, once somebody asks.
type counting struct {
	done   bool
	proofs []*refs.Proof
}

// inThreads are the threads as they are claimed.
type inThreads struct{ ls *locations }

func (p inThreads) Threads() int { return len(p.ls.threads.list) }

func (p inThreads) Nodes(t int) (list []pointsto.Copy) {
	for _, n := range p.ls.threads.list[t].order {
		list = append(list, p.ls.copies[n.copy])
	}
	return list
}

func (p inThreads) Starts(t int) (list []pointsto.Copy) {
	th := p.ls.threads.list[t]
	if call := p.ls.startCall(th.Root); call != nil {
		for _, k := range p.ls.calleesBy(th, th.Root, call).to {
			list = append(list, p.ls.copies[k])
		}
		return list
	}
	return []pointsto.Copy{p.ls.copies[th.Root]}
}

func (p inThreads) Begins(c pointsto.Copy) bool {
	k := p.ls.number[c]
	return slices.ContainsFunc(p.ls.threads.list, func(t *thread) bool {
		return t.Root == k && !p.ls.isSignal(t) && p.ls.startCall(k) != nil
	})
}

func (p inThreads) Alone(c pointsto.Copy) map[cir.Located]bool {
	m, t := map[cir.Located]bool{}, p.ls.threads.list[0]
	if n := t.nodes[p.ls.number[c]]; n != nil {
		p.ls.each(t, n, func(in cir.Located, running set) { m[in] = p.ls.isAlone(t, running) }, func(*cir.Block, effect) {})
	}
	return m
}

func (p inThreads) Spoilt(l pointsto.Location) bool {
	return slices.ContainsFunc(p.ls.spoils[l.Obj], func(s spoil) bool {
		return overlap([]pointsto.Location{l}, []pointsto.Location{s.at}) && !p.ls.isAlone(s.t, s.running)
	})
}

// isAlone reports whether a thread is the first one, and the only one that there is then.
func (ls *locations) isAlone(t *thread, running set) bool {
	if t.index != 0 || t.Many {
		return false
	}
	return !slices.ContainsFunc(ls.threads.list[1:], func(u *thread) bool { return ls.parallel(t, running, u, set{}) })
}

// countings returns the proofs for the objects of which it is claimed that they count their references.
func (ls *locations) countings() []*refs.Proof {
	if ls.counting.done {
		return ls.counting.proofs
	}
	ls.counting.done = true
	wanted := map[*pointsto.Object]bool{}
	for _, l := range ls.list {
		if slices.Contains(l.Pairs, certificate.Counted) {
			wanted[ls.pts.Objects[l.Object]] = true
		}
	}
	if len(wanted) > 0 && !ls.locks.robust && !ls.cancels {
		ls.counting.proofs = refs.Find(ls.prog, ls.pts, inThreads{ls}, func(o *pointsto.Object) bool { return wanted[o] }, func(why string) { ls.refuse("objects count their references: %s", why) })
	}
	return ls.counting.proofs
}

// counted reports whether all accesses of two groups of an object are made by who holds a reference, and those of one of them by the only one who does.
func (ls *locations) counted(o *pointsto.Object, g, h *group) bool {
	return slices.ContainsFunc(ls.countings(), func(p *refs.Proof) bool {
		if !p.Objects[o] || !ls.found(p) || !ls.all(g, p.Covers) || !ls.all(h, p.Covers) {
			return false
		}
		return ls.all(g, p.Alone) || ls.all(h, p.Alone)
	})
}

// keepsLock reports whether nobody holds a lock in an object that counts its references where something else is done to it: who holds the lock holds a reference, and who does that holds all.
func (ls *locations) keepsLock(lock pointsto.Location, s spoil) bool {
	return slices.ContainsFunc(ls.countings(), func(p *refs.Proof) bool { return p.Locks(lock) && p.Alone(ls.copies[s.copy], s.in) })
}

// found reports whether who finds the objects of a proof has synchronised with who put them there: the members that lead to them are race-free.
func (ls *locations) found(p *refs.Proof) bool {
	for o := range p.From {
		if ls.silent(o) || slices.ContainsFunc(ls.of[o.ID], func(l *location) bool {
			return l.Kind == certificate.Memory && l.wrong != "" && extent{l.Lo, l.Hi}.meets(extent{p.Member, p.Member + int64(ls.prog.Model.PointerBits/8)})
		}) {
			return false
		}
	}
	return true
}

// all reports whether something holds of all accesses of a group.
func (ls *locations) all(g *group, is func(pointsto.Copy, cir.Located) bool) bool {
	for _, a := range g.Accesses {
		if a.Copy < 0 || a.Copy >= len(ls.copies) {
			return false
		}
		c := ls.copies[a.Copy]
		if a.Block < 0 || a.Block >= len(c.Func.Blocks) || a.Instr < 0 || a.Instr > len(c.Func.Blocks[a.Block].Instrs) {
			return false
		}
		b := c.Func.Blocks[a.Block]
		var in cir.Located = b.Term
		if a.Instr < len(b.Instrs) {
			in = b.Instrs[a.Instr]
		}
		if !is(c, in) {
			return false
		}
	}
	return true
}
