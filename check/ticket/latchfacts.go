package ticket

import "comus/cir"

// fact is what a load of the counter, or of a flag, has told: a flag is not 0; the number is 0, or otherwise is that of all threads. Or a thread was not created.
type fact struct {
	of   cir.Instr // the load, or the call that returns what it told, or that has created no thread
	gate int       // the number of the flag; -1: the counter
	zero bool
	none bool
}

// truth is what is known of a value.
type truth uint8

const (
	notZero truth = iota
	isZero
	notPositive
)

// told returns what it tells that something is known of a value at the end of a block of a copy.
func (w *walker[N, T]) told(n N, x cir.Value, is truth, at *cir.Block, depth int) []fact {
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
			if !from.IsInt() || !to.IsInt() || is == isZero && to != cir.Bool && to.Bits < from.Bits || is == notPositive && !extends(from, to) {
				return nil
			}
			x = in.X
		case *cir.Compare:
			y, known, f := w.compared(n, v, in, is == notZero, way)
			if y == nil {
				return f
			}
			x, is = y, known
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

// loaded returns what it tells that something is known of what is loaded. The counter is not negative.
func (w *walker[N, T]) loaded(n N, in *cir.Load, is truth) (f fact, ok bool) {
	if in.Bits != nil {
		return f, false
	}
	if w.reads(n, in, w.cell) {
		w.looksAt(in)
		return fact{in, -1, true, false}, is != notZero && (in.Order == cir.Plain || in.Order == cir.Acquire || in.Order == cir.SeqCst)
	}
	for i, g := range w.gates {
		if w.reads(n, in, g) {
			return fact{in, i, false, false}, is == notZero && in.Order == cir.Plain
		}
	}
	return f, false
}

// compared returns what a comparison tells: facts, or of which value something is known then.
func (w *walker[N, T]) compared(n N, v *body, in *cir.Compare, is bool, way *trail) (x cir.Value, known truth, f []fact) {
	pred, x, y := in.Pred, in.X, in.Y
	if !is {
		pred = opposite[pred]
	}
	if !v.model.TypeOf(x).IsInt() {
		return nil, 0, nil
	}
	if _, isConst := x.(cir.Int); isConst || w.counter(n, v, x) == nil && w.counter(n, v, y) != nil {
		x, y, pred = y, x, mirrored[pred]
	}
	k, isConst := y.(cir.Int)
	zero := isConst && k.Lo == 0 && k.Hi == 0
	switch {
	case zero && pred == cir.Eq:
		return x, isZero, nil
	case zero && pred == cir.Ne:
		return x, notZero, nil
	case zero && pred == cir.Le, isConst && pred == cir.Lt && signed(k) == 1:
		return x, notPositive, nil
	}
	steps := w.counter(n, v, x)
	if steps == nil {
		if isConst && pred == cir.Eq {
			return x, notZero, nil
		}
		return nil, 0, nil
	}
	load := steps[len(steps)-1].(*cir.Load)
	path := &trail{way.v, way.at, append(way.steps[:len(way.steps):len(way.steps)], steps...)}
	if load.Order != cir.Relaxed && (pred == cir.Eq || pred == cir.Ge) && w.t == w.observer && w.threads.Covers(w.counted(false), n, y) {
		w.looksAt(load)
		return nil, 0, path.about(fact{load, -1, false, false})
	}
	return nil, 0, nil
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
func (w *walker[N, T]) returned(n N, call *cir.Call, is truth, depth int) []fact {
	if f, direct := call.Callee.(*cir.Func); direct && f.Library && f.Source == "pthread_create" {
		if share, _ := w.leaves(w.t, call); share && is == notZero {
			return []fact{{call, -1, false, true}}
		}
		return nil
	}
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
		if len(told) != 1 || told[0].none || len(list) > 0 && (list[0].gate != told[0].gate || list[0].zero != told[0].zero) {
			return nil
		}
		// What it returns is about one load, whether that is 0 or not.
		for _, other := range []truth{notZero, isZero} {
			if x := w.told(to[0], r.X, other, b, depth+1); len(x) > 0 && x[0].of != told[0].of {
				return nil
			}
		}
		list = []fact{{call, told[0].gate, told[0].zero, false}}
	}
	return list
}
