package scancheck

import (
	"encoding/binary"
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Rules are those of the checker's rules that need no claims but those about threads: which memory belongs to one thread of many (apart.go), what barriers
// order (rounds.go), flags and semaphores (signal.go), and counters of threads (latch.go). For these a certificate only says where they are the reason; all
// else is found out from the program. So package scan does not find it out once more, but asks here.
type Rules struct {
	ls *locations
	// moments are what is known of when accesses are made, by number; of number 0 nothing is.
	moments []moment
	numbers map[momentKey]Moment
	// signals and latches are those that order accesses, as bits: none before [Rules.Settle].
	signals, latches uint64
	// noted are the objects of which the writes are noted; writes are the instructions that write, by copies; far is what touches that reach far may go to.
	noted  map[*pointsto.Object]bool
	writes map[int][]writer
	far    map[*pointsto.Location]*intsets.Sparse
	pieces map[piece]*Piece
	// concerned and afforded are answers that were given; work is how many nodes were looked at for single objects.
	concerned map[*thread]bool
	afforded  map[borrowing]bool
	work      int
}

// Moment is what is known of when an access is made: what has happened, how often its thread has waited at barriers, and whether there is only one such
// thread. Equal numbers are the same moments.
type Moment int32

type momentKey struct {
	when   happened
	waited string
	times  ticket.Times
	lead   ticket.Lead
}

// Piece is memory that belongs to one thread of many. Equal pieces have equal addresses.
type Piece piece

// Whole tells that it is all of an object.
func (p *Piece) Whole() bool { return p.whole() }

// Access is one by a thread, with the numbers that the certificate gives threads and copies.
type Access struct {
	Thread, Copy int
	In           cir.Located
	Ptr          cir.Value
	// Size is how many bytes are accessed from the pointer on, -1: not known. Object tells that it is all of the object, List that it is what a va_list leads to.
	Size         int64
	Object, List bool
	// About is the object of which it is asked; nil: any.
	About *pointsto.Object
}

// NewRules reads what a certificate says of copies and threads, of a program of which pointsto.AnalyseOpen found pts. It does not verify these claims:
// [Check] does. The error says that they do not fit the program.
func NewRules(prog *cir.Program, pts *pointsto.Result, c *certificate.Certificate) (*Rules, error) {
	p, _ := newProgram(prog, pts) // what keeps a program from being certified does not keep it from being asked about
	if err := p.same(c.Copies); err != nil {
		return nil, err
	}
	none := func(string, ...any) {}
	ts, err := newThreads(p, c, none)
	if err != nil {
		return nil, err
	}
	x := &locks{program: p} // of locks it matters only where they are, and of which kind
	x.findSites()
	ls, err := newLocations(ts, x, c, nil)
	if err != nil {
		return nil, err
	}
	ls.signals.used, ls.barriers.used, ls.latches.used = true, true, true
	ls.findSignals()
	ls.findBarriers()
	ls.findTickets()
	ls.findLatches()
	r := &Rules{ls: ls, numbers: map[momentKey]Moment{}, pieces: map[piece]*Piece{}, concerned: map[*thread]bool{}, afforded: map[borrowing]bool{}, noted: map[*pointsto.Object]bool{}, writes: map[int][]writer{}, far: map[*pointsto.Location]*intsets.Sparse{}}
	ls.unnoted = r.noteWritesTo
	r.number(moment{when: happened{set: everything}, waited: ls.anyWaits()})
	return r, nil
}

// At returns the moment at which a thread runs an instruction of a copy.
func (r *Rules) At(t, c int, in cir.Located) Moment {
	return r.number(r.ls.momentOf(r.ls.threads.list[t], c, in))
}

func (r *Rules) number(m moment) Moment {
	key := momentKey{when: m.when, times: m.times, lead: m.lead}
	var b []byte
	for _, w := range m.waited {
		b = binary.LittleEndian.AppendUint32(b, w.upTo)
		for _, x := range w.rest {
			b = binary.LittleEndian.AppendUint16(b, x)
		}
	}
	key.waited = string(b)
	n, known := r.numbers[key]
	if !known {
		n = Moment(len(r.moments))
		r.numbers[key] = n
		r.moments = append(r.moments, m)
	}
	return n
}

// Join returns what is known of an access that is made at one of two moments.
func (r *Rules) Join(a, b Moment) Moment {
	if a == b {
		return a
	}
	return r.number(r.moments[a].or(r.moments[b]))
}

// maxWork bounds the nodes that are looked at for single objects.
const maxWork = 100_000

// Piece returns the piece that an access goes to, nil if it is not known to be one.
func (r *Rules) Piece(a Access) *Piece {
	t := r.ls.threads.list[a.Thread]
	if a.About != nil && !(r.concerns(t) && r.affords(t, a.About)) {
		return nil
	}
	y := r.belongs(t, a)
	if y == nil || y == notThere {
		return nil
	}
	z := r.pieces[*y]
	if z == nil {
		q := Piece(*y)
		z = &q
		r.pieces[*y] = z
	}
	return z
}

// Absent reports whether an access never goes to the object that it is about, as its thread gives functions others.
func (r *Rules) Absent(a Access) bool {
	t := r.ls.threads.list[a.Thread]
	return r.affords(t, a.About) && r.belongs(t, a) == notThere
}

func (r *Rules) belongs(t *thread, a Access) *piece {
	x := &access{t: t, in: a.In, copy: a.Copy, touch: touch{ptr: a.Ptr, size: a.Size}, ptr: -1, arg: -1, about: a.About}
	switch {
	case a.List:
		x.span = listed
	case a.Object:
		x.span = whole1
	}
	return r.ls.belongs(r.ls.bounded(x), maxDeep)
}

// concerns reports whether threads of an identity are given what is theirs, or create such threads.
func (r *Rules) concerns(t *thread) bool {
	yes, known := r.concerned[t]
	if !known {
		yes = r.ls.giftOf(t) != nil
		for _, k := range r.ls.threads.list {
			yes = yes || k.Parent == t.index && r.ls.giftOf(k) != nil
		}
		r.concerned[t] = yes
	}
	return yes
}

// affords reports whether it does not take too long to find out what is given to all that a thread calls, as far as an object goes.
func (r *Rules) affords(t *thread, o *pointsto.Object) bool {
	key := borrowing{t: t, about: o}
	ok, known := r.afforded[key]
	if !known {
		r.work += len(t.order)
		ok = r.work <= maxWork
		r.afforded[key] = ok
	}
	return ok
}

// Apart reports whether what two threads access at two moments belongs to different ones, or only one thread makes both accesses.
func (r *Rules) Apart(t int, p *Piece, at Moment, u int, q *Piece, then Moment) bool {
	m, k := r.moments[at], r.moments[then]
	if t == u && m.lead.Same(k.lead) {
		return true
	}
	if !(*piece)(p).apartFrom((*piece)(q)) {
		return false
	}
	g, h := r.group(t, at), r.group(u, then)
	g.piece, h.piece = (*piece)(p), (*piece)(q)
	return r.ls.apart(g, h)
}

func (r *Rules) group(t int, at Moment) *group {
	return &group{t: r.ls.threads.list[t], at: &r.moments[at]}
}

// Signalled reports whether flags, semaphores or pthread_once order what two threads access at two moments, as far as [Rules.Settle] has found them to.
func (r *Rules) Signalled(t int, at Moment, u int, then Moment) bool {
	return r.signals != 0 && r.ls.signalledBy(r.group(t, at), r.group(u, then), func(i int) bool { return r.signals>>i&1 != 0 })
}

// Latched reports the same of counters of threads.
func (r *Rules) Latched(t int, at Moment, u int, then Moment) bool {
	return r.latches != 0 && t != u && r.ls.latches.found.Ordered(r.moments[at].times, r.moments[then].times, func(i int) bool { return r.latches>>i&1 != 0 })
}

// Phased reports whether a barrier is between what two threads access at two moments.
func (r *Rules) Phased(t int, at Moment, u int, then Moment) bool {
	if len(r.ls.barriers.list) == 0 {
		return false
	}
	return r.ls.phased(r.group(t, at), r.group(u, then))
}

// Settle finds out which signals and latches order accesses, and whether there are any: free tells whether the accesses of some bytes have no data race for
// other reasons, and whether some of them are atomic and do not synchronise. It is called once, when that is known of all locations.
func (r *Rules) Settle(free func(o *pointsto.Object, off, size int64) (free, relaxed bool)) (signals, latches bool) {
	ls := r.ls
	if len(ls.signals.list)+ls.latches.found.Len() == 0 {
		return false, false
	}
	for i, s := range ls.signals.list {
		if !ls.sound(s) {
			continue
		}
		if s.kind == "flag" {
			if ok, relaxed := free(ls.objectOf(s.g), s.off, s.size); !ok || relaxed {
				continue
			}
		}
		r.signals |= 1 << i
	}
	for i := range ls.latches.found.Len() {
		wraps, ok := ls.latches.found.Holds(i, ls.writesOf, func(c ticket.Cell) bool {
			ok, _ := free(c.Obj, c.Off, c.Size())
			return ok
		})
		if ok {
			r.latches |= 1 << i
			ls.assumed[assumeLatches] = ls.assumed[assumeLatches] || wraps
		}
	}
	return r.signals != 0, r.latches != 0
}

// Wraps tells what is taken for granted of counters where they were a reason: that those from which numbers are drawn do not wrap around, and that those of threads do not.
func (r *Rules) Wraps() (tickets, latches bool) {
	return r.ls.assumed[assumeTickets], r.ls.assumed[assumeLatches]
}

// noteWritesTo notes the writes of an object, once it is asked for them.
func (r *Rules) noteWritesTo(o *pointsto.Object) {
	if r.noted[o] {
		return
	}
	r.noted[o] = true
	ls := r.ls
	for _, t := range ls.threads.list {
		for _, n := range t.order {
			writes := r.writers(n.copy)
			if !slices.ContainsFunc(writes, func(w writer) bool { return w.objects.Has(o.ID) }) {
				continue
			}
			of := map[cir.Located][]writer{}
			for _, w := range writes {
				if w.objects.Has(o.ID) {
					of[w.in] = append(of[w.in], w)
				}
			}
			ls.each(t, n, func(in cir.Located, running set) {
				for _, w := range of[in] {
					v := visit{t: t, copy: n.copy, in: in, running: running}
					ls.memory(ls.copies[n.copy], w.touch, func(l pointsto.Location, bytes extent) {
						if l.Obj == o && !librarys(o, ls.copies[n.copy].Func) {
							ls.noteWrite(&v, o, bytes)
							ls.noteCell(&v, o, bytes, w.frees)
						}
					})
				}
			}, func(*cir.Block, effect) {})
		}
	}
}

// writer is an instruction that writes, with the objects, by number.
type writer struct {
	in cir.Located
	touch
	objects *intsets.Sparse
}

// writers returns the instructions of a copy that write.
func (r *Rules) writers(c int) []writer {
	list, known := r.writes[c]
	if known {
		return list
	}
	visit := func(in cir.Located) {
		for _, x := range r.ls.accessed(c, in) {
			if x.write {
				list = append(list, writer{in, x.touch, r.reached(c, x.touch)})
			}
		}
	}
	for _, b := range r.ls.copies[c].Func.Blocks {
		for _, in := range b.Instrs {
			visit(in)
		}
		visit(b.Term)
	}
	r.writes[c] = list
	return list
}

// reached returns the objects that a touch of a copy may go to, by number. What reaches far from the same places is the same.
func (r *Rules) reached(c int, x touch) *intsets.Sparse {
	var key *pointsto.Location
	if x.span == reaching && !x.frees && x.ptr != nil {
		if to := r.ls.pts.Places(r.ls.copies[c].Func, r.ls.copies[c].Ctx, x.ptr); len(to) > 0 {
			key = &to[0]
		}
	}
	if s := r.far[key]; key != nil && s != nil {
		return s
	}
	s := &intsets.Sparse{}
	r.ls.memory(r.ls.copies[c], x, func(l pointsto.Location, _ extent) { s.Insert(l.Obj.ID) })
	if key != nil {
		r.far[key] = s
	}
	return s
}
