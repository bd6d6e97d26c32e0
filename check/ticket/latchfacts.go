package ticket

import "comus/cir"

// fact is what a load of the counter, or of a flag, has told: a flag is not 0; the number is 0, or otherwise is that of all threads.
type fact struct {
	of   cir.Instr // the load, or the call that returns what it told
	gate int       // the number of the flag; -1: the counter
	zero bool
}

// told returns what it tells that a value is not 0, or is, at the end of a block of a copy.
func (w *walker[N, T]) told(n N, x cir.Value, is bool, at *cir.Block, depth int) []fact {
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
				return way.about(f)
			}
			st := v.source(in)
			if st == nil {
				return nil
			}
			way.steps = append(way.steps, st)
			x = st.X
		case *cir.Convert:
			from, to := v.model.TypeOf(in.X), in.Dst.Type
			if !from.IsInt() || !to.IsInt() || !is && to != cir.Bool && to.Bits < from.Bits {
				return nil
			}
			x = in.X
		case *cir.Compare:
			y, not, f := w.compared(n, v, in, is, way)
			if f != nil {
				return f
			}
			if y == nil {
				return nil
			}
			x, is = y, not
		case *cir.Call:
			return way.about(w.returned(n, in, is, depth)...)
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

// loaded returns what it tells that what is loaded is not 0, or is.
func (w *walker[N, T]) loaded(n N, in *cir.Load, is bool) (f fact, ok bool) {
	if in.Bits != nil {
		return f, false
	}
	if w.reads(n, in, w.cell) {
		return fact{in, -1, true}, !is && (in.Order == cir.Plain || in.Order == cir.Acquire || in.Order == cir.SeqCst)
	}
	for i, g := range w.gates {
		if w.reads(n, in, g) {
			return fact{in, i, false}, is && in.Order == cir.Plain
		}
	}
	return f, false
}

// compared returns what a comparison tells: facts, or what is not 0 then, or is.
func (w *walker[N, T]) compared(n N, v *body, in *cir.Compare, is bool, way *trail) (x cir.Value, not bool, f []fact) {
	pred, x, y := in.Pred, in.X, in.Y
	if !is {
		pred = opposite[pred]
	}
	if !v.model.TypeOf(x).IsInt() {
		return nil, false, nil
	}
	if w.counter(n, v, x) == nil && w.counter(n, v, y) != nil {
		x, y, pred = y, x, mirrored[pred]
	}
	k, isConst := y.(cir.Int)
	zero := isConst && k.Lo == 0 && k.Hi == 0
	if pred == cir.Eq && zero || pred == cir.Ne && zero {
		return x, pred == cir.Ne, nil
	}
	steps := w.counter(n, v, x)
	if steps == nil {
		if isConst && pred == cir.Eq {
			return x, true, nil
		}
		return nil, false, nil
	}
	load := steps[len(steps)-1].(*cir.Load)
	path := &trail{way.v, way.at, append(way.steps[:len(way.steps):len(way.steps)], steps...)}
	switch {
	case load.Order == cir.Relaxed:
	case isConst && (pred == cir.Le && zero || pred == cir.Lt && signed(k) == 1):
		return nil, false, path.about(fact{load, -1, true})
	case (pred == cir.Eq || pred == cir.Ge) && w.t == w.observer && w.threads.Covers(w.counted(false), n, y):
		return nil, false, path.about(fact{load, -1, false})
	}
	return nil, false, nil
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

// returned returns what it tells that a call has returned 0, or something else.
func (w *walker[N, T]) returned(n N, call *cir.Call, is bool, depth int) []fact {
	to, outside := w.ts.in.Calls(w.t, n, call)
	if outside || len(to) != 1 || w.ts.in.Func(to[0]).Library {
		return nil
	}
	var list []fact
	for _, b := range w.ts.in.Func(to[0]).Blocks {
		r, ok := b.Term.(*cir.Return)
		if !ok {
			continue
		}
		told := w.told(to[0], r.X, is, b, depth+1)
		if len(told) != 1 || len(list) > 0 && (list[0].gate != told[0].gate || list[0].zero != told[0].zero) {
			return nil
		}
		// What it returns is about one load, whether that is 0 or not.
		if other := w.told(to[0], r.X, !is, b, depth+1); len(other) > 0 && other[0].of != told[0].of {
			return nil
		}
		list = []fact{{call, told[0].gate, told[0].zero}}
	}
	return list
}
