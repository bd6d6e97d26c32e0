package transfer

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Containers of one kind are the elements of an array of structs, each with its own lock: buckets of a table, stages of a pipeline. What one of them is left with when its lock is
// free, any of them may be found with. A thread knows few of them at a time: those whose locks it has. Each is in one of the kind's regions (slots) while it does, and the region says which
// element that is by a symbol. Addresses of elements are known by these symbols, too: the same symbol is the same element, and two symbols may be one element. An address that is computed
// in the same way from the same element and the same number is the same (congruence), and elements whose locks a thread has at a time are different ones. While the first thread is alone, it looks at elements as if it had their locks, one after
// another.

// slotsOfKind is how many containers of a kind a thread may hold at a time.
const slotsOfKind = 2

// Kind is where the containers of a kind are.
type Kind struct {
	Obj    *pointsto.Object
	Lo, Hi int64 // the first element
	Begin  int64 // where the array begins and ends
	End    int64
	Region int  // its first region
	Raw    bool // nobody knows what its containers hold at the beginning
}

// holds reports whether a location is in an element.
func (k *Kind) holds(l pointsto.Location) bool {
	return k != nil && l.Obj == k.Obj && l.Off >= k.Lo && l.Off < k.Hi
}

// isSlot reports whether a region is a slot of a kind.
func (f *Form) isSlot(r int) bool {
	return f.Kind != nil && f.Kind.Region <= r && r < f.Kind.Region+slotsOfKind
}

// twins returns the regions that have the states of one.
func (f *Form) twins(r int) (list []int) {
	if !f.isSlot(r) {
		return []int{r}
	}
	for i := range slotsOfKind {
		list = append(list, f.Kind.Region+i)
	}
	return list
}

// elementsOf returns the first element of an array of structs that a location is in, if containers may be elements of it.
func elementsOf(l pointsto.Location) (lo, hi int64, ok bool) {
	if l.Exact() {
		return 0, 0, false
	}
	begin, end, array := arrayAround(l)
	lo, hi, ok = l.Element()
	if g := l.Obj.Global; g != nil {
		ok = ok && g.ZeroAt(begin, end-begin)
	} else {
		ok = ok && l.Obj.Local != nil && lo == begin && (end-begin)/(hi-lo) <= maxRaw
	}
	return lo, hi, ok && array && hi-lo > 8
}

// lockBeside returns the lock in the same element as a cell.
func (a *analysis) lockBeside(w pointsto.Location) (lock pointsto.Location, ok bool) {
	lo, hi, is := elementsOf(w)
	if !is {
		return lock, false
	}
	for k, c := range a.copies {
		if c.Func.Library {
			continue
		}
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, isCall := in.(*cir.Call)
				if !isCall || len(call.Args) == 0 {
					continue
				}
				f, direct := call.Callee.(*cir.Func)
				if !direct || f.Source != "pthread_mutex_lock" {
					continue
				}
				for _, l := range a.places(k, call.Args[0].X) {
					if l.Obj == w.Obj && lo <= l.Off && l.Off < hi && !ok {
						lock, ok = l, true
					}
				}
			}
		}
	}
	return lock, ok
}

// origin is how the address of an element is computed: from another one, or from a variable, with a number by a scale.
type origin struct {
	obj, from   int // the variable's number, or -1
	at          int64
	by          int // the symbol of the number; 0: none
	scale, disp int64
}

// derived is an element that is computed in some way.
type derived struct {
	origin
	to int
}

// order is the result of a comparison: what has one symbol is less than what has another one, or not.
type order struct {
	a, b int
	less bool
}

// less reports whether what has one symbol is less than what has another one. Then it is so each time that somebody asks.
func (x *explorer) less(s *state, a, b int, ch *chooser) bool {
	if a == b {
		return false
	}
	for _, o := range s.orders {
		if o.a == a && o.b == b {
			return o.less
		} else if o.a == b && o.b == a && o.less {
			return false
		}
	}
	less := ch.choose(2) == 1
	if !less && slices.Contains(s.orders, order{b, a, false}) {
		x.merge(s, a, b, ch)
		return false
	}
	s.orders = append(s.orders, order{a, b, less})
	return less
}

// typeCode tells types of integers apart.
func typeCode(t cir.Type) int64 {
	if t.Signed {
		return int64(t.Bits)*2 + 1
	}
	return int64(t.Bits) * 2
}

// numbered gives an integer of which nothing is known a symbol.
func (x *explorer) numbered(s *state, v value, t cir.Type) value {
	if x.form.Kind == nil || t.Kind != cir.IntKind || t.Bits < 32 {
		return v
	}
	switch {
	case v.k == other:
		return value{numeral, x.nextSymbol(s), typeCode(t)}
	case v.k == numeral && v.off != typeCode(t):
		return value{}
	}
	return v
}

// nextSymbol returns a symbol that nothing has.
func (x *explorer) nextSymbol(s *state) int {
	top := 0
	s.symbols(func(n int) int {
		top = max(top, n)
		return n
	})
	return top + 1
}

// symbols replaces all symbols of elements and numbers.
func (s *state) symbols(f func(int) int) {
	s.each(func(v value) value {
		if v.k == spot || v.k == numeral {
			v.n = f(v.n)
		}
		return v
	})
	for r := range s.which {
		if s.which[r] > 0 {
			s.which[r] = f(s.which[r])
		}
	}
	for i := range s.derived {
		d := &s.derived[i]
		if d.to = f(d.to); d.obj < 0 {
			d.from = f(d.from)
		}
		if d.by > 0 {
			d.by = f(d.by)
		}
	}
	for i := range s.orders {
		s.orders[i].a, s.orders[i].b = f(s.orders[i].a), f(s.orders[i].b)
	}
}

// spotAt returns the offset in an element that a pointer leads to in any case.
func (x *explorer) spotAt(at []pointsto.Location) (off int64, ok bool) {
	if len(at) != 1 || !x.form.Kind.holds(at[0]) {
		return 0, false
	}
	return at[0].Off - x.form.Kind.Lo, true
}

// derive returns the symbol of the element with some origin.
func (x *explorer) derive(s *state, o origin) int {
	if i := slices.IndexFunc(s.derived, func(d derived) bool { return d.obj >= 0 && d.by == 0 && d.to == o.from }); o.obj < 0 && i >= 0 {
		d := s.derived[i] // from a variable, then
		o.obj, o.at, o.from, o.disp = d.obj, d.at, 0, o.disp+d.disp
	}
	for _, d := range s.derived {
		if d.origin == o {
			return d.to
		}
	}
	to := x.nextSymbol(s)
	s.derived = append(s.derived, derived{o, to})
	return to
}

// spotOf is the computation of an address that leads to an offset in an element.
func (x *explorer) spotOf(s *state, in *cir.Offset, off int64, ch *chooser) value {
	o := origin{obj: -1, disp: in.Disp - off}
	if in.Index != nil {
		if n, ok := in.Index.(cir.Int); ok {
			o.disp += int64(n.Lo) * in.Scale
		} else if v := x.evalAll(s, in.Index, ch); v.k == numeral {
			o.by, o.scale = v.n, in.Scale
		} else if v.k == number {
			o.disp += int64(v.n) * in.Scale
		} else {
			return value{spot, x.nextSymbol(s), off}
		}
	}
	at := x.places(s.top().copy, in.P)
	if _, isReg := in.P.(*cir.Reg); isReg {
		switch v := x.evalAll(s, in.P, ch); {
		case v == null:
			return v
		case v.k == spot:
			if o.disp += v.off; o.by == 0 && o.disp == 0 {
				return value{spot, v.n, off}
			}
			o.from = v.n
			return value{spot, x.derive(s, o), off}
		case len(at) != 1 || !at[0].Exact():
			return value{spot, x.nextSymbol(s), off}
		}
	}
	if len(at) != 1 || !x.pts.Once(at[0].Obj) {
		return value{spot, x.nextSymbol(s), off}
	}
	o.obj, o.at = at[0].Obj.ID, at[0].Off
	return value{spot, x.derive(s, o), off}
}

// merge goes on with two symbols being the same.
func (x *explorer) merge(s *state, a, b int, ch *chooser) {
	for a != b {
		s.symbols(func(n int) int {
			if n == a {
				return b
			}
			return n
		})
		a = b
		var left []derived
		for _, d := range s.derived {
			i := slices.IndexFunc(left, func(e derived) bool { return e.origin == d.origin })
			if i < 0 {
				left = append(left, d)
			} else if left[i].to != d.to {
				a, b = d.to, left[i].to
			}
		}
		if a == b {
			s.derived = left
		}
	}
	for _, o := range s.orders {
		ch.dead = ch.dead || o.a == o.b && o.less || o.less && slices.Contains(s.orders, order{o.b, o.a, true}) || slices.Contains(s.orders, order{o.a, o.b, !o.less})
	}
	s.orders = slices.DeleteFunc(s.orders, func(o order) bool { return o.a == o.b })
	for r, n := range s.which {
		for q := range r {
			ch.dead = ch.dead || n > 0 && s.which[q] == n
		}
	}
}

// maxPhases bounds the times that the first thread is alone which are told apart.
const maxPhases = 3

// known returns the states that a container may be found in. While the first thread is alone, that includes what it has left it with since.
func (x *explorer) known(s *state, r int) []State {
	if !s.alone || !x.form.isSlot(r) {
		return x.states[r]
	}
	return slices.Concat(x.states[r], x.calm[s.phase][r])
}

// noteAlone adds a state of a container that the first thread leaves while it is alone. Others find it so if there are any afterwards.
func (x *explorer) noteAlone(s *state, r int, e State) {
	if s.left = true; x.leaves(s, r, e) {
		return
	}
	if slices.ContainsFunc(x.known(s, r), func(y State) bool { return y.key() == e.key() }) {
		return
	}
	for _, q := range x.form.twins(r) {
		x.calm[s.phase][q] = append(x.calm[s.phase][q], e)
	}
	if len(x.calm[s.phase][r]) > maxStates {
		x.fail("too many states of a container")
	}
	x.grown = true
}

// turnKind is the beginning or end of the first thread's being alone.
func (x *explorer) turnKind(s *state, alone bool) {
	if x.form.Kind == nil {
		return
	}
	if alone {
		if x.form.Ends && s.phase > 0 {
			x.lose(s)
		}
		return
	}
	if s.lost {
		x.fail("threads run after the end")
		return
	}
	if x.form.Kind.Raw && !x.allInited(s) {
		x.fail("there may be containers of a kind that nobody has begun")
	}
	if r := x.form.Kind.Region; s.left {
		for _, e := range x.calm[s.phase][r] {
			x.note(s, r, e)
		}
	}
	s.left, s.phase = false, min(s.phase+1, maxPhases-1)
}

// aloneStates returns what noteAlone added.
func (x *explorer) aloneStates() (list [][]State) {
	if x.form.Kind == nil {
		return nil
	}
	for _, all := range x.calm {
		list = append(list, all[x.form.Kind.Region])
	}
	return list
}

// apart reports whether two symbols are those of elements at different places.
func (x *explorer) apart(s *state, a, b int) bool {
	m, n := x.place(s, a), x.place(s, b)
	return m >= 0 && n >= 0 && m != n
}

// slotOf returns the region of an element, -1 if it has none.
func (x *explorer) slotOf(s *state, sym int) int {
	for _, r := range x.form.twins(x.form.Kind.Region) {
		if s.which[r] == sym {
			return r
		}
	}
	return -1
}

// bind finds a region for an element: that of one which it is, or another one. taken tells that its lock was free until now.
func (x *explorer) bind(s *state, sym int, taken bool, ch *chooser) int {
	if r := x.slotOf(s, sym); r >= 0 {
		return r
	}
	free := -1
	for _, r := range x.form.twins(x.form.Kind.Region) {
		switch {
		case s.which[r] == 0:
			if free < 0 {
				free = r
			}
		case taken && s.locked[r], x.apart(s, sym, s.which[r]):
		case ch.choose(2) == 1:
			if x.merge(s, sym, s.which[r], ch); ch.dead {
				return r
			}
			return r
		}
	}
	for _, r := range x.form.twins(x.form.Kind.Region) {
		if s.which[r] > 0 && !s.locked[r] { // it has no more to do with that for now
			if x.release(s, r, ch); ch.dead || x.failed() {
				return r
			}
			free = r
		}
	}
	if free < 0 {
		x.fail("a thread has too many containers of a kind at a time")
		return 0
	}
	s.which[free] = sym
	x.acquire(s, free, x.begun(s, free), false, ch)
	return free
}

// useSlot is a use of the lock in an element.
func (x *explorer) useSlot(s *state, in *cir.Call, u use, ch *chooser) {
	v := x.eval(s, in.Args[u.arg].X, ch)
	switch {
	case v.k == number:
		ch.dead = true
	case v.k != spot:
		x.fail("which lock of a kind is used is not known")
	case u.does == begins:
		if r := x.slotOf(s, v.n); !s.alone || r >= 0 && s.locked[r] {
			x.fail("a lock begins or ends while others may use it")
		}
	case u.does == gives || u.does == waits:
		r := x.slotOf(s, v.n)
		if r < 0 {
			x.fail("a lock of a kind is given back that is not held")
			return
		}
		if x.use(s, in, use{gives, u.arg}, r, ch); u.does == waits && !ch.dead && !x.failed() {
			if r = x.bind(s, v.n, true, ch); !ch.dead && !x.failed() {
				x.use(s, in, use{takes, u.arg}, r, ch)
			}
		}
	case u.does == tries && ch.choose(2) == 0:
		s.top().set(in.Dst, value{k: address})
	default:
		if r := x.bind(s, v.n, true, ch); !ch.dead && !x.failed() {
			x.use(s, in, use{takes, u.arg}, r, ch)
		}
		if u.does == tries {
			s.top().set(in.Dst, null)
		}
	}
}

// aimedSpot returns the cell of a container of the kind that an access of some bytes goes to, -1 if it goes to none.
func (x *explorer) aimedSpot(s *state, v value, size int64, ch *chooser) int {
	kind := x.form.Kind
	for _, k := range x.regionCells(kind.Region) {
		at := x.form.Cells[k].At.Off - kind.Lo
		if size >= 0 && (v.off+size <= at || at+x.pointer <= v.off) {
			continue
		}
		if size != x.pointer || v.off != at {
			x.fail("a cell is not accessed as a whole")
			return -1
		}
		r := x.slotOf(s, v.n)
		if r < 0 && s.alone {
			r = x.bind(s, v.n, false, ch)
		} else if r < 0 {
			x.fail("a cell is accessed without its lock")
		}
		if ch.dead || x.failed() {
			return -1
		}
		return x.cellIn(r, x.form.Cells[k].At)
	}
	if v.off+size > kind.Hi-kind.Lo {
		x.fail("an access goes beyond a container")
	}
	return -1
}

// cellIn returns the cell of a region that stands at some place.
func (x *explorer) cellIn(r int, at pointsto.Location) int {
	return slices.IndexFunc(x.form.Cells, func(c Cell) bool { return c.Region == r && c.At == at })
}

// touchesKind reports whether an access of some bytes, -1 for any number, may go to a cell of the kind, in whichever element.
func (x *explorer) touchesKind(l pointsto.Location, size int64) bool {
	kind := x.form.Kind
	if kind == nil || l.Obj != kind.Obj {
		return false
	}
	switch {
	case l.Off == pointsto.Any:
		return true
	case l.Off >= kind.End:
		return false
	case l.Off < kind.Begin:
		return size < 0 || l.Off+size > kind.Begin
	case !kind.holds(l), size < 0, l.Off+size > kind.Hi:
		return true
	}
	return slices.ContainsFunc(x.form.Cells, func(c Cell) bool {
		return c.Region == kind.Region && l.Off < c.At.Off+x.pointer && c.At.Off < l.Off+size
	})
}

// foldKinds forgets what is computed from what nobody has any more, and numbers of which there is one, and names the others anew.
func (x *explorer) foldKinds(s *state) {
	have := map[int]int{}
	s.each(func(v value) value {
		if v.k == spot || v.k == numeral {
			have[v.n]++
		}
		return v
	})
	for _, n := range s.which {
		have[n]++
	}
	s.derived = slices.DeleteFunc(s.derived, func(d derived) bool {
		return have[d.to] == 0 || d.obj < 0 && have[d.from] == 0 || d.by > 0 && have[d.by] == 0
	})
	for _, d := range s.derived {
		have[d.by]++
	}
	s.orders = slices.DeleteFunc(s.orders, func(o order) bool { return have[o.a] == 0 || have[o.b] == 0 })
	for _, o := range s.orders {
		have[o.a]++
		have[o.b]++
	}
	s.revalue(func(v value) value {
		if v.k == numeral && have[v.n] < 2 {
			return value{}
		}
		return v
	})
	to := map[int]int{}
	s.symbols(func(n int) int {
		if to[n] == 0 {
			to[n] = len(to) + 1
		}
		return to[n]
	})
}

// IsCell reports whether an access goes to a cell of the kind, if it goes to one of its containers.
func (p *Proof) IsCell(c pointsto.Copy, in cir.Located) bool {
	a := p.by
	size := int64(a.prog.Model.PointerBits / 8)
	var addr cir.Value
	switch in := in.(type) {
	case *cir.Load:
		if addr = in.Addr; a.prog.Model.SizeOf(in.Type) != size {
			return false
		}
	case *cir.Store:
		if addr = in.Addr; a.prog.Model.SizeOf(in.Type) != size {
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(a.places(a.number[c], addr), func(l pointsto.Location) bool {
		return l.Obj == p.Kind.Obj && !slices.ContainsFunc(p.Cells, func(c Cell) bool { return c.At == l })
	})
}

// compareSpots compares addresses of elements, or numbers with symbols. known tells that it is that.
func (x *explorer) compareSpots(s *state, in *cir.Compare, a, b value, ch *chooser) (v value, known bool) {
	if x.form.Kind == nil || a.k != b.k || a.k != spot && a.k != numeral {
		return v, false
	}
	if in.Pred != cir.Eq && in.Pred != cir.Ne {
		var is bool
		switch {
		case a.off != b.off:
			return v, true
		case in.Pred == cir.Lt:
			is = x.less(s, a.n, b.n, ch)
		case in.Pred == cir.Gt:
			is = x.less(s, b.n, a.n, ch)
		case in.Pred == cir.Le:
			is = !x.less(s, b.n, a.n, ch)
		case in.Pred == cir.Ge:
			is = !x.less(s, a.n, b.n, ch)
		default:
			return v, true
		}
		return value{number, int(bit(is)), 0}, true
	}
	equal := a == b
	switch {
	case equal:
	case a.off != b.off && a.k == numeral:
		return v, true // of different types
	case a.k == spot && (a.off != b.off || x.apart(s, a.n, b.n)):
	case a.off == b.off:
		if equal = ch.choose(2) == 1; equal {
			x.merge(s, a.n, b.n, ch)
		}
	}
	return value{number, int(bit(equal == (in.Pred == cir.Eq))), 0}, true
}
