package ticket

import "comus/cir"

// fact is what a load of the counter, or of a flag, has told: a flag is not the number that shuts it; the counter's number is 0, or otherwise is that of all threads. Or a thread was not created.
type fact struct {
	of   cir.Instr // the load, or the call that returns what it told, or that has created no thread
	gate int       // the number of the flag; -1: the counter
	zero bool
	none bool
}

// truth is what is known of a value: a comparison with a constant, as a number with the sign that the value's type says.
type truth struct {
	pred cir.Pred
	k    int64
}

var notZero, isZero = truth{cir.Ne, 0}, truth{cir.Eq, 0}

// or1 returns what is known of a value that is 0 or 1: which of the two it is.
func (t truth) or1() (one, ok bool) {
	zero, one := compares(0, t.pred, t.k), compares(1, t.pred, t.k)
	return one, zero != one
}

// none reports whether a number that is not negative is 0.
func (t truth) none() bool { return t == isZero || t == truth{cir.Le, 0} || t == truth{cir.Lt, 1} }

// before returns what is known of what was converted.
func (t truth) before(from, to cir.Type) (_ truth, ok bool) {
	switch {
	case !from.IsInt() || !to.IsInt():
		return t, false
	case to == cir.Bool:
		one, ok := t.or1()
		if one {
			return notZero, ok
		}
		return isZero, ok
	case from == cir.Bool || extends(from, to) || t == notZero:
		return t, true
	}
	// All numbers that are made of others have the same lowest bits, and small ones are made of no others by types that are not narrower.
	return t, (t.pred == cir.Eq || t.pred == cir.Ne) && 0 <= t.k && t.k <= maxShut && to.Bits >= from.Bits
}

// truths are what is asked of what functions return.
func (s *shares[N, T]) truths() []truth {
	list := []truth{notZero, isZero}
	for _, g := range s.gates {
		list = append(list, truth{cir.Ne, g.shut}, truth{cir.Eq, g.shut})
	}
	return list
}

// told returns what it tells that something is known of a value at the end of a block of a copy.
func (w *walker[N, T]) told(on activation[N], x cir.Value, is truth, at *cir.Block, depth int) []fact {
	n := on.n
	v := w.ts.bodyOf(w.ts.in.Func(n))
	if v == nil || depth > 4 {
		return nil
	}
	way := &trail{v: v, at: at}
	for range 20 {
		in := v.def(x)
		if in == nil {
			return nil
		}
		way.steps = append(way.steps, in)
		switch in := in.(type) {
		case *cir.Load:
			if f, ok := w.loaded(n, in, is); ok {
				return way.about(f...)
			}
			st := v.source(in)
			if st == nil {
				return nil
			}
			way.steps = append(way.steps, st)
			x = st.X
		case *cir.Convert:
			var ok bool
			if is, ok = is.before(v.model.TypeOf(in.X), in.Dst.Type); !ok {
				return nil
			}
			x = in.X
		case *cir.Compare:
			holds, ok := is.or1()
			if !ok {
				return nil
			}
			y, known, f := w.compared(on, v, in, holds, way)
			if y == nil {
				return f
			}
			x, is = y, known
		case *cir.Call:
			return way.about(w.returned(on, in, is, depth)...)
		default:
			return nil
		}
	}
	return nil
}

// trail is the instructions by which a value at the end of a block was made, from the last one on.
type trail struct {
	v     *body
	at    *cir.Block
	steps []cir.Instr
}

// about returns facts, if they are about what the last instruction of a trail gave the last time: what follows is in its block, or in that at whose end the value is, in this order.
func (w *trail) about(facts ...fact) []fact {
	origin := w.steps[len(w.steps)-1]
	home := w.v.blocks[origin]
	back := false
	for i, in := range w.steps {
		switch b := w.v.blocks[in]; {
		case b == home:
			back = true
		case b != w.at || back:
			return nil
		}
		if i > 0 && w.v.blocks[w.steps[i-1]] == w.v.blocks[in] && w.v.index(w.steps[i-1]) <= w.v.index(in) {
			return nil
		}
	}
	return facts
}

// looksAt notes a load that tells something of the counter.
func (w *walker[N, T]) looksAt(in *cir.Load) {
	if w.t == w.observer {
		w.plain, w.atomic = w.plain || in.Order == cir.Plain, w.atomic || in.Order != cir.Plain
	}
}

// extends reports whether a conversion changes no number.
func extends(from, to cir.Type) bool {
	return from == to || from != cir.Bool && to != cir.Bool && to.Bits > from.Bits && (to.Signed || !from.Signed)
}

// loaded returns what it tells that something is known of what is loaded. The counter is not negative. ok: it is the counter or a flag.
func (w *walker[N, T]) loaded(n N, in *cir.Load, is truth) (f []fact, ok bool) {
	if in.Bits != nil {
		return nil, false
	}
	if w.reads(n, in, w.cell) {
		w.looksAt(in)
		if is.none() && (in.Order == cir.Plain || in.Order == cir.Acquire || in.Order == cir.SeqCst) {
			f = []fact{{in, -1, true, false}}
		}
		return f, true
	}
	for i, g := range w.gates {
		if w.reads(n, in, g.Cell) {
			if ok = true; !compares(g.shut, is.pred, is.k) && in.Order == cir.Plain {
				f = append(f, fact{in, i, false, false})
			}
		}
	}
	return f, ok
}

// compared returns what a comparison tells: facts, or of which value something is known then.
func (w *walker[N, T]) compared(on activation[N], v *body, in *cir.Compare, is bool, way *trail) (x cir.Value, known truth, f []fact) {
	pred, x, y := in.Pred, in.X, in.Y
	if !is {
		pred = opposite[pred]
	}
	if !v.model.TypeOf(x).IsInt() {
		return nil, known, nil
	}
	if _, isConst := x.(cir.Int); isConst || w.counter(on.n, v, x) == nil && w.counter(on.n, v, y) != nil {
		x, y, pred = y, x, mirrored[pred]
	}
	k, isConst := y.(cir.Int)
	if given, ok := on.amount(v, y); ok && !isConst && given >= 0 {
		k, isConst = cir.Int{Type: v.model.TypeOf(y), Lo: uint64(given)}, true
	}
	if known = (truth{pred, signed(k)}); isConst && !k.Type.Signed && known.k < 0 {
		return nil, known, nil
	}
	steps := w.counter(on.n, v, x)
	if isConst && (steps == nil || known.none() || known == notZero) {
		return x, known, nil
	}
	if steps == nil {
		return nil, known, nil
	}
	load := steps[len(steps)-1].(*cir.Load)
	path := &trail{way.v, way.at, append(way.steps[:len(way.steps):len(way.steps)], steps...)}
	if load.Order != cir.Relaxed && (pred == cir.Eq || pred == cir.Ge) && w.t == w.observer && w.covers(w.counted(false), on.n, y, 0) {
		w.looksAt(load)
		return nil, known, path.about(fact{load, -1, false, false})
	}
	return nil, known, nil
}

// counter returns the instructions from a value back to the load of the counter that gives it, nil if it is another value.
func (w *walker[N, T]) counter(n N, v *body, x cir.Value) (steps []cir.Instr) {
	for range 8 {
		load, ok := v.def(x).(*cir.Load)
		if !ok || load.Bits != nil {
			return nil
		}
		steps = append(steps, load)
		if w.reads(n, load, w.cell) {
			return steps
		}
		st := v.source(load)
		if st == nil || st.Type != load.Type {
			return nil
		}
		steps = append(steps, st)
		x = st.X
	}
	return nil
}

// returned returns what it tells that something is known of what a call has returned.
func (w *walker[N, T]) returned(on activation[N], call *cir.Call, is truth, depth int) []fact {
	if f, direct := call.Callee.(*cir.Func); direct && f.Library && f.Source == "pthread_create" {
		if share, _ := w.leaves(w.t, call); share && is == notZero {
			return []fact{{call, -1, false, true}}
		}
		return nil
	}
	to, outside := w.ts.in.Calls(w.t, on.n, call)
	if outside || len(to) != 1 || w.ts.in.Func(to[0]).Library {
		return nil
	}
	of := activation[N]{to[0], w.args(on, call)}
	var list []fact
	for _, b := range w.ts.in.Func(to[0]).Blocks {
		r, ok := b.Term.(*cir.Return)
		if !ok {
			continue
		}
		told := w.told(of, r.X, is, b, depth+1)
		if len(told) == 0 || list != nil && len(list) != len(told) {
			return nil
		}
		for i, x := range told {
			if x.none || list != nil && (list[i].gate != x.gate || list[i].zero != x.zero) {
				return nil
			}
		}
		// What it returns is about one load, whatever is known of that.
		for _, other := range w.truths() {
			if x := w.told(of, r.X, other, b, depth+1); len(x) > 0 && x[0].of != told[0].of {
				return nil
			}
		}
		list = nil
		for _, x := range told {
			list = append(list, fact{call, x.gate, x.zero, false})
		}
	}
	return list
}
