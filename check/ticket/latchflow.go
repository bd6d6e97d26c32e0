package ticket

import "comus/cir"

// code is a copy that a thread runs, with what matters in it.
type code[N comparable] struct {
	activation[N]
	calls map[*cir.Call]called[N]
	facts map[*cir.Block][2][]fact // of the edges of a branch
	loads map[cir.Instr]uint32     // those that facts are about, by bits
	gives map[*cir.Block]cir.Instr // what a block returns is about this load
}

// called are the copies that a call goes to.
type called[N comparable] struct {
	to      []N
	outside bool
}

// walker follows a thread.
type walker[N, T comparable] struct {
	*shares[N, T]
	t     T
	codes map[activation[N]]*code[N]
	acts  map[N]bool // which copies do anything to the counter or flags, or call such
	ends  map[entered[N]]left
	list  []entered[N] // what ends has, in order
	note  func(n N, in cir.Located, s share)
	again bool
	bad   bool
}

// maxEntered bounds the ways to call copies that are told apart.
const maxEntered = 3000

// run follows a thread that begins when something is known. It reports whether its share is never negative.
func (s *shares[N, T]) run(t T, begin share) bool {
	w, anew := &walker[N, T]{shares: s, t: t, codes: map[activation[N]]*code[N]{}, acts: map[N]bool{}, ends: map[entered[N]]left{}}, s.anew
	for _, n := range s.ts.in.Nodes(t) {
		w.look(activation[N]{n: n})
	}
	w.findActing()
	first, others := s.threads.Begins(t)
	nothing := share{ups: 2, set: t != s.observer}
	w.enter(entered[N]{activation[N]{n: first}, begin})
	for _, n := range others {
		w.enter(entered[N]{activation[N]{n: n}, nothing})
	}
	for w.again = true; w.again && !w.bad; {
		w.again = false
		for i := 0; i < len(w.list) && !w.bad; i++ {
			w.pass(w.list[i])
		}
	}
	if w.bad {
		s.anew = anew
		return false
	}
	w.keep(nothing)
	return true
}

// keep keeps what is known at instructions; nothing is known of what code outside calls.
func (w *walker[N, T]) keep(nothing share) {
	at := map[runs[N]]share{}
	beside := map[N]share{}
	var work []N
	reach := func(n N, s share) {
		if old, known := beside[n]; known {
			if s = s.meet(old); s == old {
				return
			}
		}
		beside[n] = s
		work = append(work, n)
	}
	calls := func(c called[N], s share) {
		if c.outside {
			s = nothing
		}
		for _, m := range c.to {
			if !w.acts[m] && w.knows(m) {
				reach(m, s)
			}
		}
	}
	ups := int8(0)
	w.note = func(n N, in cir.Located, s share) {
		ups = max(ups, s.ups)
		key := runs[N]{n, in}
		if old, known := at[key]; known {
			s = s.meet(old)
		}
		at[key] = s
		if call, ok := in.(*cir.Call); ok {
			calls(w.look(activation[N]{n: n}).calls[call], s)
		}
	}
	for _, e := range w.list {
		if w.acts[e.n] {
			w.pass(e)
		} else if w.knows(e.n) {
			reach(e.n, e.s)
		}
	}
	for len(work) > 0 { // what does nothing to the counter
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range w.look(activation[N]{n: n}).calls {
			calls(c, beside[n])
		}
	}
	for n, s := range beside {
		for _, b := range w.ts.in.Func(n).Blocks {
			for _, in := range b.Instrs {
				at[runs[N]{n, in}] = s
			}
			at[runs[N]{n, b.Term}] = s
		}
	}
	w.at[w.t], w.ups[w.t] = at, ups
}

// knows reports whether a copy is one of those that the thread runs.
func (w *walker[N, T]) knows(n N) bool { return w.codes[activation[N]{n: n}] != nil }

// look collects what matters in a copy.
func (w *walker[N, T]) look(at activation[N]) *code[N] {
	if c, known := w.codes[at]; known {
		return c
	}
	n := at.n
	c := &code[N]{activation: at, calls: map[*cir.Call]called[N]{}, facts: map[*cir.Block][2][]fact{}, loads: map[cir.Instr]uint32{}, gives: map[*cir.Block]cir.Instr{}}
	w.codes[at] = c
	f := w.ts.in.Func(n)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*cir.Call); ok {
				to, outside := w.ts.in.Calls(w.t, n, call)
				c.calls[call] = called[N]{to, outside}
			}
		}
	}
	if f.Library {
		return c
	}
	bit := func(in cir.Instr) {
		if _, known := c.loads[in]; !known && len(c.loads) < 32 {
			c.loads[in] = 1 << len(c.loads)
		}
	}
	for _, b := range f.Blocks {
		switch term := b.Term.(type) {
		case *cir.Branch:
			if term.Then == term.Else {
				continue
			}
			var e [2][]fact
			for i := range e {
				e[i] = w.told(at, term.Cond, truth{[]cir.Pred{cir.Ne, cir.Eq}[i], 0}, b, 0)
				for _, x := range e[i] {
					bit(x.of)
				}
			}
			if len(e[0])+len(e[1]) > 0 {
				c.facts[b] = e
			}
		case *cir.Return:
			for _, is := range w.truths() {
				if x := w.told(at, term.X, is, b, 0); len(x) > 0 {
					c.gives[b] = x[0].of
					bit(x[0].of)
					break
				}
			}
		}
	}
	return c
}

// findActing finds the copies that do anything, or call such.
func (w *walker[N, T]) findActing() {
	for again := true; again; {
		again = false
		for _, n := range w.ts.in.Nodes(w.t) {
			if !w.acts[n] && w.does(n) {
				w.acts[n], again = true, true
			}
		}
	}
}

func (w *walker[N, T]) does(n N) bool {
	c := w.look(activation[N]{n: n})
	if len(c.loads) > 0 {
		return true
	}
	for _, b := range w.ts.in.Func(n).Blocks {
		for _, in := range b.Instrs {
			if x := w.shares.does(n, in); x.counts() || x.sets != nil || x.moves != 0 {
				return true
			}
			if l, ok := in.(*cir.Load); ok && w.reads(n, l, w.cell) {
				return true
			}
			call, ok := in.(*cir.Call)
			if !ok {
				continue
			}
			if share, counted := w.leaves(w.t, call); share || counted {
				return true
			}
			for _, m := range c.calls[call].to {
				if w.acts[m] {
					return true
				}
			}
		}
	}
	return false
}

// enter takes account of a call of a copy, and returns what is known at its end.
func (w *walker[N, T]) enter(e entered[N]) left {
	e.s.fresh, e.s.cut, e.s.given = 0, false, false
	x, known := w.ends[e]
	if !known {
		if len(w.list) == maxEntered {
			w.bad = true
			return x
		}
		w.ends[e], w.again = x, true
		w.list = append(w.list, e)
	}
	return x
}

// pass goes through a copy until nothing changes.
func (w *walker[N, T]) pass(e entered[N]) {
	if !w.acts[e.n] {
		return
	}
	f, c := w.ts.in.Func(e.n), w.look(e.activation)
	begin := map[*cir.Block]share{f.Blocks[0]: e.s}
	end := w.ends[e]
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0 && !w.bad; work = work[1:] {
		b := work[0]
		s, goes := begin[b], true
		for i := 0; i < len(b.Instrs) && goes; i++ {
			s, goes = w.after(c, b.Instrs[i], s)
		}
		if !goes {
			continue
		}
		edge := 0
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			next := s
			if edge < 2 {
				for _, x := range c.facts[b][edge] {
					if s.fresh&c.loads[x.of] != 0 {
						w.learn(c, x, &next)
					}
				}
			}
			edge++
			old, known := begin[to]
			if known {
				next = next.meet(old)
			}
			if !known || next != old {
				begin[to] = next
				work = append(work, to)
			}
		})
		if _, ok := b.Term.(*cir.Return); ok {
			s.given = c.gives[b] != nil && s.fresh&c.loads[c.gives[b]] != 0
			s.fresh = 0
			if end.ok {
				s = s.meet(end.s)
			}
			end = left{s, true}
		}
	}
	if end != w.ends[e] {
		w.ends[e], w.again = end, true
	}
	if w.note == nil {
		return
	}
	for _, b := range f.Blocks {
		s, goes := begin[b]
		for i := 0; i < len(b.Instrs) && goes; i++ {
			w.note(e.n, b.Instrs[i], s)
			s, goes = w.after(c, b.Instrs[i], s)
		}
		if goes {
			w.note(e.n, b.Term, s)
		}
	}
}

// at returns an argument.
func (g given) at(i int) (k int64, ok bool) {
	if i < 0 || i >= maxGiven {
		return 0, false
	}
	return int64(g.k[i]), g.known>>i&1 != 0
}

// args returns what a call gives.
func (w *walker[N, T]) args(at activation[N], call *cir.Call) (g given) {
	v := w.ts.bodyOf(w.ts.in.Func(at.n))
	for i := 0; v != nil && i < min(maxGiven, len(call.Args)); i++ {
		if x := call.Args[i]; x.ByVal == nil && v.model.TypeOf(x.X).IsInt() {
			if k, ok := at.amount(v, x.X); ok && -maxShut <= k && k <= maxShut {
				g.known, g.k[i] = g.known|1<<i, int8(k)
			}
		}
	}
	return g
}

// amount returns the constant that a value is.
func (at activation[N]) amount(v *body, x cir.Value) (k int64, ok bool) {
	if k, ok := x.(cir.Int); ok {
		return signedAs(k), true
	}
	return at.args.at(v.param(x))
}

// learn takes account of a fact.
func (w *walker[N, T]) learn(c *code[N], x fact, s *share) {
	switch observes := w.t == w.observer; {
	case x.none: // so it has not got its share
		s.gain()
		s.fresh &^= c.loads[x.of]
	case x.gate >= 0:
		if !observes && s.low > 0 {
			s.gates |= 1 << x.gate
		}
	case !observes || !s.set:
	case x.zero:
		s.seen, s.done, s.shut = true, s.done || s.all, s.shut|s.closed
	default:
		s.all = true
		s.moves()
	}
}

// after returns what is known after an instruction; goes tells that control gets there.
func (w *walker[N, T]) after(c *code[N], in cir.Instr, s share) (_ share, goes bool) {
	x, observes := w.shares.does(c.n, in), w.t == w.observer
	if x.param > 0 {
		k, ok := c.args.at(x.param - 1)
		if x.sub {
			k = -k
		}
		x.by, w.bad = k, w.bad || !ok || k != 1 && k != -1
	}
	switch {
	case x.by > 0:
		w.bad = w.bad || !s.set
		w.anew = w.anew || !observes && s.low == 0
		s.ups = min(s.ups+1, 2)
		s.gain()
		s.seen = false
		s.moves()
	case x.by < 0:
		w.bad = w.bad || !s.set || x.loose || s.low <= 0 || s.low == enough
		s.drop()
		s.moves()
	case x.sets != nil:
		w.bad = w.bad || !observes
		s = share{low: w.share(c.n, x.sets), set: true, ups: s.ups, closed: s.closed, cut: true}
		s.moves()
	case x.moves != 0 && observes:
		s.closed = s.closed&^x.moves | x.shuts
		s.shut &^= x.moves &^ x.shuts
		s.moves()
	}
	if call, ok := in.(*cir.Call); ok {
		return w.afterCall(c, call, s)
	}
	s.fresh |= c.loads[in]
	return s, true
}

// gain adds one to a share, if it is not all or as much as is counted.
func (s *share) gain() {
	if s.low < most {
		s.low++
	}
}

// drop takes one from a share.
func (s *share) drop() {
	if s.low != enough {
		s.low = max(s.low-1, 0)
	}
	if s.low == 0 {
		s.gates = 0
	}
}

// share returns the share of an observer that sets a counter to a number.
func (w *walker[N, T]) share(n N, number cir.Value) int8 {
	k, isConst := number.(cir.Int)
	if isConst && signed(k) > most { // one more could be 0
		w.bad = true
		return 0
	}
	if own := w.counted(true); (w.whole || !isConst) && len(own) > 0 && w.covers(own, n, number, 0) {
		return enough
	}
	if i := signed(k); isConst && i >= 0 && i <= most {
		return int8(i)
	}
	w.bad = true
	return 0
}

// afterCall returns what is known after a call.
func (w *walker[N, T]) afterCall(c *code[N], call *cir.Call, s share) (_ share, goes bool) {
	leaves, counted := w.leaves(w.t, call)
	if leaves || counted {
		w.bad = w.bad || w.t == w.observer && !s.set
		if leaves {
			w.bad, s.seen = w.bad || s.low <= 0, false
			s.drop()
		}
		s.moves()
	}
	x := c.calls[call]
	none := s // what a call does that does nothing to the counter
	none.cut, none.given = false, false
	var end left
	given := len(x.to) == 1 && !x.outside
	args := w.args(c.activation, call)
	for _, m := range x.to {
		to := left{none, true}
		if w.acts[m] {
			w.bad = w.bad || x.outside
			to = w.enter(entered[N]{activation[N]{m, args}, s})
		}
		if !to.ok {
			continue
		}
		if end.ok {
			to.s = to.s.meet(end.s)
		}
		end = left{to.s, true}
	}
	if len(x.to) == 0 {
		end = left{none, true}
	}
	if !end.ok {
		return s, false
	}
	next := end.s
	if next.fresh = s.fresh; next.cut {
		next.fresh = 0
	}
	if given && next.given || leaves {
		next.fresh |= c.loads[call]
	}
	next.cut, next.given = next.cut || s.cut, false
	return next, true
}
