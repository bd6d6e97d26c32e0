package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
)

// A loop that creates threads by one call, at most once each time round, and a later one that joins a thread of that call at least once each time
// round: if both run equally often, all are joined where the second one ends by its condition, as an id is joined once. Both run equally often if their
// counters begin alike, are changed alike, and are compared alike with locals that nothing changes from the first loop on; what is done only where a creation
// fails, which is assumed not to be, does not count.

// counter is a loop with its counter.
type counter struct {
	head, body, exit *cir.Block
	inside           map[*cir.Block]bool
	starts           map[*cir.Block]bool // blocks that lead to the head from outside
	local            *cir.Local
	begin, by, until string       // what it begins with, what each time round makes of it, and the condition; as text, in which it is "i"
	rests            []*cir.Local // others that the text speaks of
}

// batch is two loops of a function.
type batch struct {
	create      *cir.Call
	first, last *counter
	during      map[*cir.Block]bool // from the first loop's beginning to the last one's end
}

// walk returns the blocks that control gets to from some blocks along edges that count.
func walk(from []*cir.Block, counts func(from, to *cir.Block) bool) map[*cir.Block]bool {
	seen := map[*cir.Block]bool{}
	var visit func(b *cir.Block)
	visit = func(b *cir.Block) {
		if seen[b] {
			return
		}
		seen[b] = true
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if counts(b, to) {
				visit(to)
			}
		})
	}
	for _, b := range from {
		visit(b)
	}
	return seen
}

// without returns the blocks that control gets to from a block without getting to another one.
func without(from, other *cir.Block) map[*cir.Block]bool {
	return walk([]*cir.Block{from}, func(_, to *cir.Block) bool { return to != other })
}

// behind returns what control gets to from a block without beginning the loop again.
func (l *counter) behind(b *cir.Block) map[*cir.Block]bool {
	return walk([]*cir.Block{b}, func(from, to *cir.Block) bool { return to != l.head || !l.starts[from] })
}

// private returns the locals of a function whose addresses are used for nothing but to load and store them as a whole.
func private(f *cir.Func) map[*cir.Local]bool {
	m := map[*cir.Local]bool{}
	for _, l := range f.Locals {
		m[l] = true
	}
	gone := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			delete(m, l)
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				if l, ok := in.Addr.(*cir.Local); ok && (in.Bits != nil || int64(in.Type.Bits+7)/8 != l.Size) {
					delete(m, l)
				}
			case *cir.Store:
				if l, ok := in.Addr.(*cir.Local); ok && (in.Bits != nil || int64(in.Type.Bits+7)/8 != l.Size) {
					delete(m, l)
				}
				gone(in.X)
			case *cir.LifeStart, *cir.LifeEnd:
			default:
				cir.Operands(in, gone)
			}
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return nil
			}
		}
		cir.TermOperands(b.Term, gone)
	}
	return m
}

// countersOf finds the loops of a function that have a counter.
func countersOf(f *cir.Func) (list []*counter) {
	locals := private(f)
	for _, head := range f.Blocks[1:] {
		br, ok := head.Term.(*cir.Branch)
		if !ok || br.Then == br.Else {
			continue
		}
		l := counter{head: head, inside: map[*cir.Block]bool{}, starts: map[*cir.Block]bool{}}
		outside := without(f.Blocks[0], head)
		for _, b := range f.Blocks {
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
				if to == head && outside[b] {
					l.starts[b] = true
				}
			})
		}
		for b := range l.behind(head) {
			if !outside[b] && l.behind(b)[head] {
				l.inside[b] = true
			}
		}
		if l.body, l.exit = br.Then, br.Else; !l.inside[l.body] {
			l.body, l.exit = l.exit, l.body
		}
		if !l.inside[l.body] || l.behind(l.exit)[head] {
			continue
		}
		for _, x := range f.Locals {
			if c := l; locals[x] && c.counts(x, br, locals) {
				list = append(list, &c)
			}
		}
	}
	return list
}

// counts reports whether a local is the loop's counter, and finds out how.
func (l *counter) counts(x *cir.Local, br *cir.Branch, locals map[*cir.Local]bool) bool {
	l.local = x
	changed := 0
	for b := range l.inside {
		n := storesTo(b.Instrs, x)
		if changed += n; n == 0 {
			continue
		}
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok && s.Addr == cir.Value(x) {
				by := &text{l: l, locals: locals}
				if l.by = by.of(s.X, b, s); by.lost || len(by.rests) > 0 || !l.atMostOnce(b) || !l.atLeastOnce(b) {
					return false
				}
			}
		}
	}
	until := &text{l: l, locals: locals}
	if l.until = until.of(br.Cond, l.head, nil); until.lost || changed != 1 || l.by == "" {
		return false
	}
	if l.body == br.Then {
		l.until += " goes on"
	}
	l.rests = until.rests
	for b := range l.starts {
		t := &text{l: l, locals: locals}
		begin := t.beginning(b)
		if t.lost || l.begin != "" && begin != l.begin {
			return false
		}
		l.begin, l.rests = begin, append(l.rests, t.rests...)
	}
	return l.begin != ""
}

// atMostOnce reports whether control gets to a block of the loop no more than once each time round.
func (l *counter) atMostOnce(b *cir.Block) bool {
	again := false
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
		again = again || to != l.head && without(to, l.head)[b]
	})
	return l.inside[b] && b != l.head && !again
}

// atLeastOnce reports whether control gets to a block of the loop each time round.
func (l *counter) atLeastOnce(b *cir.Block) bool {
	return b == l.body || l.inside[b] && b != l.head && !without(l.body, b)[l.head]
}

// batchesOf returns the pairs of loops of a copy of which the last one may join what the first one creates.
func (p *program) batchesOf(c int) []*batch {
	list, known := p.batches[c]
	if known {
		return list
	}
	f := p.copies[c].Func
	var loops []*counter
	for _, j := range p.joins {
		if j.copy != c || f.Library {
			continue
		}
		group, ok := p.creator(p.pts.Places(f, p.copies[c].Ctx, j.call.Args[0].X))
		if !ok || group.Func != f.Name || !isJoin(j.call) {
			continue
		}
		if loops == nil {
			loops = countersOf(f)
		}
		at := f.Blocks[group.Block]
		create, ok := at.Instrs[group.Instr].(*cir.Call)
		for _, last := range loops {
			for _, first := range loops {
				if ok && first.atMostOnce(at) && last.atLeastOnce(f.Blocks[p.places[j.call].Block]) {
					list = p.pair(list, f, create, first, last)
				}
			}
		}
	}
	p.batches[c] = list
	return list
}

// isJoin reports whether a call waits for the thread that its first argument is the id of.
func isJoin(call *cir.Call) bool {
	f, ok := call.Callee.(*cir.Func)
	return ok && f.Library && (f.Source == "pthread_join" || f.Source == "thrd_join") && len(call.Args) > 0
}

// pair adds a pair of loops if the last one runs as often as the first one, whenever control gets there.
func (p *program) pair(list []*batch, f *cir.Func, create *cir.Call, first, last *counter) []*batch {
	if first.head == last.head || first.begin != last.begin || first.by != last.by || first.until != last.until || without(f.Blocks[0], first.head)[last.head] {
		return list
	}
	x := &batch{create: create, first: first, last: last, during: map[*cir.Block]bool{}}
	for b := range first.behind(first.head) {
		if !first.behind(b)[last.head] {
			continue
		}
		x.during[b] = true
		if !p.pts.Comes(f, b) {
			continue
		}
		for _, l := range slices.Concat(first.rests, last.rests) {
			if storesTo(b.Instrs, l) > 0 {
				return list
			}
		}
	}
	return append(list, x)
}

// ended returns what does not run any more when control goes along an edge between blocks of a node, by what is claimed, and what that left behind.
func (ts *threads) ended(t *thread, n *node, from, to *cir.Block) (takes, adds set) {
	if t.Many || t.Loose || t.lands || n.blocks == nil {
		return takes, adds
	}
	for _, b := range ts.batchesOf(n.copy) {
		if b.last.head != from || b.last.exit != to {
			continue
		}
		kids, left, ok := ts.kidsOf(t, ts.places[b.create])
		if ok && ts.complete(t, n, b, kids) {
			takes, adds = takes.or(kids), adds.or(left)
		}
	}
	return takes.minus(adds), adds
}

// kidsOf returns the threads that a call creates, and what they may leave behind; ok is false if others than t may create some, or wait for t.
func (ts *threads) kidsOf(t *thread, group certificate.Place) (kids, left set, ok bool) {
	for u, made := range ts.creates {
		for key, i := range made {
			k := ts.list[i]
			if key.group != group && (k.Group == nil || *k.Group != group) {
				continue
			}
			if u != t.index || k.Parent != t.index || k.Group == nil || *k.Group != key.group || k.Loose || ts.mayWaitFor(k, t) {
				return kids, left, false
			}
			kids, left, ok = kids.with(i), left.or(ts.left(k)), true
		}
	}
	return kids, left, ok
}

// complete reports whether no thread of a batch may be running where it begins, and nothing else creates one before it ends.
func (ts *threads) complete(t *thread, n *node, b *batch, kids set) bool {
	for i, block := range ts.copies[n.copy].Func.Blocks {
		e := n.blocks[i]
		for _, in := range block.Instrs {
			if b.during[block] && in != cir.Instr(b.create) && ts.after(t, n.copy, in, effect{}).adds.meets(kids) {
				return false
			}
			if !e.never {
				e = ts.after(t, n.copy, in, e)
			}
		}
		if b.first.starts[block] && !e.never && e.on(n.entry).meets(kids) {
			return false
		}
	}
	return true
}
