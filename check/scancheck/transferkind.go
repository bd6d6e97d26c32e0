package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Containers of a kind: each element of an array of structs is one, with a lock of its own. What is claimed of the kind is claimed of each. The kind has a few boxes; a thread seats an
// element in one of them when it takes its lock. Elements are known by marks: a mark stands for one element for as long as something has it, and two marks may stand for one. What is computed in the
// same way from the same things is the same element. Two elements that are seated at a time are different ones: a thread that takes a lock of a kind has none that is the same, as it
// would wait for itself for ever. That needs locks of the normal type, so nobody may write to them, and no attribute says otherwise.
//
// While the first thread is alone, it seats an element when it accesses a cell, and gives that back before it seats another one. What it leaves an element with then is claimed apart (Alone), for
// each time that it is alone: others find it so only if there are any later.

// seats is how many boxes a kind has.
const seats = 2

// maxTimes bounds the times that the first thread is alone which are told apart.
const maxTimes = 3

// boxKind is a kind of containers: its first box, and the element that stands for all.
type boxKind struct {
	box    int
	obj    *pointsto.Object
	lo, hi int64
	// begin and end are where the whole array begins and ends.
	begin, end int64
	raw        bool // it holds anything at the beginning
	alone      [][]certificate.ContainerState
}

// recipe is how the beginning of an element is computed: bytes from another one (of, a mark) or a variable (at, an object's number, and off), with a number (by, a mark) times a factor.
type recipe struct {
	of, at, by      int
	off, factor, to int64
}

// madeBy is an element that was computed by a recipe.
type madeBy struct {
	recipe
	mark int
}

// kinds are the marks that a state has of elements and numbers.
type kinds struct {
	seated [maxBoxes]int
	made   []madeBy
	lesses []lesser
	time   int
	done   done // while elements may be raw
	left   bool // an element was given back while the thread was alone
}

// lesser says that what has one mark is less than what has another one, or that it is not.
type lesser struct {
	a, b int
	is   bool
}

// ofKind reports whether a box is one of the kind.
func (w *transferWalk) ofKind(b int) bool {
	return w.kind != nil && b >= w.kind.box && b < w.kind.box+seats
}

// readKind reads the claim of a kind, which is the last container, and makes its boxes.
func (w *transferWalk) readKind(k *certificate.Container) {
	at := func(a certificate.At) pointsto.Location {
		if a.Object < 0 || a.Object >= len(w.ls.pts.Objects) {
			w.no("there is no such memory", nil)
			return pointsto.Location{Obj: w.ls.pts.Objects[0]}
		}
		return pointsto.Location{Obj: w.ls.pts.Objects[a.Object], Off: a.Off}
	}
	lock := at(k.Lock)
	lo, hi, ok := lock.Element()
	g := lock.Obj.Global
	if !ok || g == nil && lock.Obj.Local == nil || !w.ls.pts.Once(lock.Obj) || g != nil && (g.External || g.ThreadLocal || g.Library) || w.ls.pts.Outside(lock.Obj) || w.objects[lock.Obj] || len(k.Arrays)+len(k.Numbers)+len(w.rows)+len(w.nums) > 0 {
		w.no("a kind is none of the elements of a variable", nil)
		return
	}
	w.kind = &boxKind{box: len(w.locks), obj: lock.Obj, lo: lo, hi: hi, raw: g == nil, alone: k.Alone}
	if w.readArray(); w.why != "" {
		return
	}
	if n := lock.Obj.Size(); n < w.kind.end || g != nil && !g.ZeroAt(w.kind.begin, w.kind.end-w.kind.begin) {
		w.no("the elements of a kind do not begin with 0", nil)
	}
	if len(k.Alone) > maxTimes {
		w.no("too many times are told apart", nil)
	}
	for range seats {
		b := len(w.locks)
		w.locks, w.first, w.states = append(w.locks, lock), append(w.first, len(w.cells)), append(w.states, k.States)
		for _, x := range k.Cells {
			l := at(x.At)
			if from, to, ok := l.Element(); !ok || l.Obj != lock.Obj || from != lo || to != hi || l.Off+w.word > hi {
				w.no("a cell of a kind is in another element than the lock", nil)
			}
			w.cells = append(w.cells, containerCell{l, b, x.Owns})
		}
	}
	if mayBeRecursive(w.ls.prog) {
		w.no("a lock of a kind may be taken by the thread that has it", nil)
	}
	for _, all := range k.Alone {
		for _, s := range all {
			if slices.ContainsFunc(s.Cells, func(x certificate.Word) bool { return x.Is == "cell" }) {
				w.no("a container of a kind holds the address of a cell", nil)
			}
		}
	}
}

// unspoiltKind verifies that nobody writes to the locks of a kind, but to begin and end them while there is one thread only.
func (w *transferWalk) unspoiltKind() {
	if w.kind == nil {
		return
	}
	lock := w.locks[w.kind.box]
	changing := func(call *cir.Call) bool {
		if call == nil {
			return false
		}
		f, direct := call.Callee.(*cir.Func)
		if !direct {
			return false
		}
		o, ok := opOf(f)
		return ok && o.does == changes
	}
	for _, s := range w.ls.spoils[w.kind.obj] {
		if !overlap([]pointsto.Location{lock}, []pointsto.Location{s.at}) {
			continue
		}
		call, _ := s.in.(*cir.Call)
		if cp := w.ls.copies[s.copy]; !changing(call) && !(cp.Func.Library && changing(cp.Ctx.Call)) || !w.ls.isAlone(s.t, s.running) {
			w.no("somebody may write to a lock of a kind", s.in)
		}
	}
	if !w.kind.raw && !w.isClaimed(w.kind.box, w.beginningsOfKind()) {
		w.no("a container of a kind may be in another state at the beginning", nil)
	}
}

// beginningsOfKind returns the state in which the containers of a kind begin: all bytes are 0.
func (w *transferWalk) beginningsOfKind() certificate.ContainerState {
	s := certificate.ContainerState{Link: certificate.Word{Is: "null"}}
	for range w.first[w.kind.box+1] - w.first[w.kind.box] {
		s.Cells = append(s.Cells, certificate.Word{Is: "null"})
	}
	return s
}

// possible returns the states that a container may be found in.
func (w *transferWalk) possible(s *hstate, b int) []certificate.ContainerState {
	if s.single && w.ofKind(b) && s.kinds.time < len(w.kind.alone) {
		return slices.Concat(w.states[b], w.kind.alone[s.kinds.time])
	}
	return w.states[b]
}

// allowedState reports whether a container may be left in a state.
func (w *transferWalk) allowedState(s *hstate, b int, e certificate.ContainerState) bool {
	if w.leftRaw(s, b, e) {
		return true
	}
	if s.single && w.ofKind(b) {
		if s.kinds.left = true; s.kinds.time < len(w.kind.alone) && w.among(w.kind.alone[s.kinds.time], e) {
			return true
		}
	}
	return w.isClaimed(b, e)
}

// notAlone is where the first thread is alone no more: what it left containers of a kind with has to be what others may find.
func (w *transferWalk) notAlone(s *hstate, at cir.Located) {
	if w.kind == nil {
		return
	}
	if s.over {
		w.no("threads run after the end", at)
	}
	if w.mayBeRawStill(s) {
		w.no("there may be containers of a kind that nobody has begun", at)
	}
	if k := &s.kinds; k.left && k.time < len(w.kind.alone) {
		for _, e := range w.kind.alone[k.time] {
			if !w.isClaimed(w.kind.box, e) {
				w.no("a container of a kind is left in another state by the thread that was alone", at)
			}
		}
	}
	s.kinds.left, s.kinds.time = false, min(s.kinds.time+1, maxTimes-1)
}

// marks replaces all marks.
func (s *hstate) marks(f func(int) int) {
	s.change(func(v hval) hval {
		if v.kind == hSpot || v.kind == hSame {
			v.id = f(v.id)
		}
		return v
	}, hval{kind: hWild})
	for b, m := range s.kinds.seated {
		if m > 0 {
			s.kinds.seated[b] = f(m)
		}
	}
	for i := range s.kinds.made {
		for _, m := range []*int{&s.kinds.made[i].mark, &s.kinds.made[i].of, &s.kinds.made[i].by} {
			if *m > 0 {
				*m = f(*m)
			}
		}
	}
	for i, l := range s.kinds.lesses {
		s.kinds.lesses[i] = lesser{f(l.a), f(l.b), l.is}
	}
}

// newMark returns a mark that nothing has.
func (s *hstate) newMark() int {
	top := 0
	s.marks(func(m int) int {
		top = max(top, m)
		return m
	})
	return top + 1
}

// width says of what type an integer is.
func width(t cir.Type) int64 {
	if t.Signed {
		return -int64(t.Bits)
	}
	return int64(t.Bits)
}

// asSame gives an integer that nothing is known of a mark.
func (w *transferWalk) asSame(s *hstate, v hval, t cir.Type) hval {
	switch {
	case w.kind == nil || v.kind != hAny && v.kind != hSame || v.kind == hSame && v.off == width(t):
		return v
	case v.kind == hSame || t.Kind != cir.IntKind || t.Bits < 32:
		return hval{}
	}
	return hval{hSame, s.newMark(), width(t)}
}

// widened returns a number as one of another type, if that is the same number in any case.
func widened(v hval, from, to cir.Type) hval {
	same := from.Signed == to.Signed && from.Bits <= to.Bits || !from.Signed && from.Bits < to.Bits
	if v.off != width(from) || to.Kind != cir.IntKind || to == cir.Bool || !same {
		return hval{}
	}
	return hval{hSame, v.id, width(to)}
}

// within returns where in an element of the kind an address leads in any case.
func (w *transferWalk) within(at []pointsto.Location) (off int64, ok bool) {
	if w.kind == nil || len(at) != 1 || at[0].Obj != w.kind.obj || at[0].Off < w.kind.lo || at[0].Off >= w.kind.hi {
		return 0, false
	}
	return at[0].Off - w.kind.lo, true
}

// byRecipe returns the element that is made by a recipe.
func (s *hstate) byRecipe(r recipe) int {
	for _, m := range s.kinds.made {
		if r.at < 0 && m.mark == r.of && m.at >= 0 && m.by == 0 { // so many bytes behind what is so many bytes behind the variable
			r.at, r.off, r.of, r.to = m.at, m.off, 0, r.to+m.to
			break
		}
	}
	for _, m := range s.kinds.made {
		if m.recipe == r {
			return m.mark
		}
	}
	m := s.newMark()
	s.kinds.made = append(s.kinds.made, madeBy{r, m})
	return m
}

// spotOf computes an address that leads to an offset in an element.
func (w *transferWalk) spotOf(s *hstate, in *cir.Offset, off int64, p *hpick) hval {
	r := recipe{at: -1, to: in.Disp - off}
	if in.Index != nil {
		v := w.whole(s, in.Index, p)
		switch n, constant := in.Index.(cir.Int); {
		case constant:
			r.to += int64(n.Lo) * in.Scale
		case v.kind == hNumber:
			r.to += int64(v.id) * in.Scale
		case v.kind == hSame:
			r.by, r.factor = v.id, in.Scale
		default:
			return hval{hSpot, s.newMark(), off}
		}
	}
	if _, isReg := in.P.(*cir.Reg); isReg {
		v := w.whole(s, in.P, p)
		if v == (hval{kind: hNumber}) {
			return v // nothing is behind null
		}
		if v.kind == hSpot {
			if r.to += v.off; r.by == 0 && r.to == 0 {
				return hval{hSpot, v.id, off}
			}
			r.of = v.id
			return hval{hSpot, s.byRecipe(r), off}
		}
	}
	at := w.at(s.frame().copy, in.P)
	if len(at) != 1 || !w.ls.pts.Once(at[0].Obj) || w.ls.pts.Outside(at[0].Obj) {
		return hval{hSpot, s.newMark(), off}
	}
	if _, isReg := in.P.(*cir.Reg); isReg && !at[0].Exact() {
		return hval{hSpot, s.newMark(), off}
	}
	r.at, r.off = at[0].Obj.ID, at[0].Off
	return hval{hSpot, s.byRecipe(r), off}
}

// fuse goes on with two marks being the same.
func (w *transferWalk) fuse(s *hstate, a, b int, p *hpick) {
	s.marks(func(m int) int {
		if m == a {
			return b
		}
		return m
	})
	for i, x := range s.kinds.made {
		for _, y := range s.kinds.made[:i] {
			if x.recipe == y.recipe && x.mark != y.mark {
				w.fuse(s, x.mark, y.mark, p)
				return
			}
		}
	}
	for i, l := range s.kinds.lesses {
		p.none = p.none || l.a == l.b && l.is // nothing is less than itself
		for _, m := range s.kinds.lesses[:i] {
			p.none = p.none || l.a == m.a && l.b == m.b && l.is != m.is || l.a == m.b && l.b == m.a && l.is && m.is
		}
	}
	for i, m := range s.kinds.seated {
		p.none = p.none || m > 0 && slices.Contains(s.kinds.seated[:i], m)
	}
}

// seatOf returns the box that an element is seated in, -1 if it is in none.
func (w *transferWalk) seatOf(s *hstate, mark int) int {
	for i := range seats {
		if s.kinds.seated[w.kind.box+i] == mark {
			return w.kind.box + i
		}
	}
	return -1
}

// elsewhere reports whether two marks are those of different elements, as they are at different places of the array.
func (w *transferWalk) elsewhere(s *hstate, a, b int) bool {
	m, n := w.position(s, a), w.position(s, b)
	return m >= 0 && n >= 0 && m != n
}

// seat opens an element, in a box that it returns: it may be one that is seated. If its lock is taken, it is none whose lock the thread has.
func (w *transferWalk) seat(s *hstate, mark int, locks bool, in cir.Located, p *hpick) int {
	if b := w.seatOf(s, mark); b >= 0 {
		return b
	}
	for i := range seats {
		b := w.kind.box + i
		if m := s.kinds.seated[b]; m > 0 && !(locks && s.locked[b]) && !w.elsewhere(s, mark, m) && p.pick(2) == 1 {
			w.fuse(s, mark, m, p)
			return b
		}
	}
	empty := -1
	for i := seats - 1; i >= 0; i-- {
		b := w.kind.box + i
		if s.kinds.seated[b] > 0 && !s.locked[b] {
			if w.give(s, b, in, p); p.none || w.why != "" {
				return b
			}
		}
		if s.kinds.seated[b] == 0 {
			empty = b
		}
	}
	if empty < 0 {
		w.no("a thread holds too many containers of a kind", in)
		return 0
	}
	s.kinds.seated[empty] = mark
	w.takeIn(s, empty, w.found(s, empty), false, p)
	return empty
}

// lockOfKind is a use of the lock of an element.
func (w *transferWalk) lockOfKind(s *hstate, in *cir.Call, o lockOp, fn *cir.Func, p *hpick) {
	v := w.value(s, in.Args[o.arg].X, p)
	b := -1
	switch {
	case v.kind == hNumber:
		p.none = true // undefined
		return
	case v.kind != hSpot || v.off != w.locks[w.kind.box].Off-w.kind.lo || !slices.Contains([]string{"pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutex_init", "pthread_mutex_destroy", "pthread_cond_wait", "pthread_cond_timedwait"}, fn.Source):
		w.no("it is not known which lock of a kind is used, or how", in)
		return
	case o.does == changes:
		if b = w.seatOf(s, v.id); !s.single || b >= 0 && s.locked[b] {
			w.no("a lock begins or ends while others may use it", in)
		}
		return
	case o.does == gives, o.does == waitsFor:
		if b = w.seatOf(s, v.id); b < 0 {
			w.no("a lock of a kind is given back that is not known to be held", in)
			return
		}
		if w.lockOf(s, in, b, lockOp{does: gives, arg: o.arg}, fn, p); o.does == gives || p.none || w.why != "" {
			return
		}
	case o.does == tries && p.pick(2) == 0:
		s.frame().assign(in.Dst, hval{kind: hElse})
		return
	}
	if b = w.seat(s, v.id, true, in, p); p.none || w.why != "" {
		return
	}
	if w.lockOf(s, in, b, lockOp{does: takes, arg: o.arg}, fn, p); o.does == tries {
		s.frame().assign(in.Dst, hval{kind: hNumber})
	}
}

// spotCell returns the cell that an access of n bytes at a place in an element goes to, nothing if it goes to none.
func (w *transferWalk) spotCell(s *hstate, v hval, n int64, in cir.Located, p *hpick) int {
	if n < 0 || v.off+n > w.kind.hi-w.kind.lo {
		w.no("it is not known what is accessed in a container of a kind", in)
		return nothing
	}
	for i := w.first[w.kind.box]; i < w.first[w.kind.box+1]; i++ {
		off := w.cells[i].at.Off - w.kind.lo
		if v.off+n <= off || off+w.word <= v.off {
			continue
		}
		if v.off != off || n != w.word {
			w.no("a part of a cell is accessed", in)
			return nothing
		}
		b := w.seatOf(s, v.id)
		switch {
		case b < 0 && !s.single:
			w.no("a cell of a kind is accessed without its lock", in)
		case b < 0:
			b = w.seat(s, v.id, false, in, p)
		}
		if p.none || w.why != "" {
			return nothing
		}
		return i - w.first[w.kind.box] + w.first[b]
	}
	return nothing
}

// toKind reports whether an access of some bytes, -1 for any number, may go to a cell of the kind.
func (w *transferWalk) toKind(l pointsto.Location, n int64) bool {
	k := w.kind
	if k == nil || l.Obj != k.obj {
		return false
	}
	switch {
	case l.Off == pointsto.Any:
		return true
	case l.Off >= k.end:
		return false
	case l.Off < k.begin:
		return n < 0 || l.Off+n > k.begin
	case l.Off < k.lo, l.Off >= k.hi, n < 0, l.Off+n > k.hi:
		return true
	}
	return slices.ContainsFunc(w.cells, func(c containerCell) bool { return c.box == k.box && l.Off < c.at.Off+w.word && c.at.Off < l.Off+n })
}

// keepsSpot refuses that a cell or a link gets an address of a cell that is not known, or one in a container of the kind: what is read there later is taken for an object.
func (w *transferWalk) keepsSpot(s *hstate, in *cir.Store, v hval) {
	at := w.at(s.frame().copy, in.X)
	ofKind := w.kind != nil && slices.ContainsFunc(at, func(l pointsto.Location) bool { return l.Obj == w.kind.obj })
	switch v.kind {
	case hNumber, hObject:
	case hCell:
		if !ofKind {
			break
		}
		fallthrough
	case hSpot:
		w.no("an address in a container of a kind is kept in a cell or a link", in)
	default:
		if len(at) > 0 && (ofKind || w.toCells(at, w.word)) {
			w.no("an address that may be that of a cell is kept in a cell or a link", in)
		}
	}
}

// settleKinds forgets recipes whose parts nothing has any more, and marks of numbers that are of no use, and names the others in order.
func (w *transferWalk) settleKinds(s *hstate) {
	had := map[int]int{}
	s.change(func(v hval) hval {
		if v.kind == hSpot || v.kind == hSame {
			had[v.id]++
		}
		return v
	}, hval{kind: hWild})
	for _, m := range s.kinds.seated {
		had[m]++
	}
	s.kinds.made = slices.DeleteFunc(s.kinds.made, func(m madeBy) bool {
		return had[m.mark] == 0 || m.of > 0 && had[m.of] == 0 || m.by > 0 && had[m.by] == 0
	})
	for _, m := range s.kinds.made {
		had[m.by]++
	}
	s.kinds.lesses = slices.DeleteFunc(s.kinds.lesses, func(l lesser) bool { return l.a == l.b || had[l.a] == 0 || had[l.b] == 0 })
	for _, l := range s.kinds.lesses {
		had[l.a]++
		had[l.b]++
	}
	for _, f := range s.calls {
		for _, vars := range []map[int]hval{f.vars, f.regs} {
			for k, v := range vars {
				if v.kind == hSame && had[v.id] < 2 {
					delete(vars, k)
				}
			}
		}
	}
	s.inTurn()
}

// inTurn names marks in an order that is the same for the same states.
func (s *hstate) inTurn() {
	names := map[int]int{}
	note := func(m int) {
		if m > 0 && names[m] == 0 {
			names[m] = len(names) + 1
		}
	}
	for _, v := range slices.Concat(s.cells, s.own) {
		if v.kind == hSpot || v.kind == hSame {
			note(v.id)
		}
	}
	for _, f := range s.calls {
		for _, vars := range []map[int]hval{f.vars, f.regs} {
			var keys []int
			for k := range vars {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				if v := vars[k]; v.kind == hSpot || v.kind == hSame {
					note(v.id)
				}
			}
		}
	}
	for _, m := range s.kinds.seated {
		note(m)
	}
	for _, m := range s.kinds.made {
		note(m.mark)
		note(m.of)
		note(m.by)
	}
	for _, l := range s.kinds.lesses {
		note(l.a)
		note(l.b)
	}
	s.marks(func(m int) int { return names[m] })
}
