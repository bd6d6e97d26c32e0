package barrier

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// Barrier is one that orders what threads do, if nobody writes to it but its own functions.
type Barrier struct {
	At   pointsto.Location
	Size int64

	waits map[*thread.Node]map[cir.Instr]bool
	inits []made
	flows map[*thread.Thread]*flow
}

// made is a call that initialises a barrier.
type made struct {
	n    *thread.Node
	call *cir.Call
}

// Moment stands for the phases of all barriers, for one thread. 0: nothing is known.
type Moment int32

// Result tells in which phases threads do what they do.
type Result struct {
	Barriers []*Barrier
	moments  [][]Phase
	numbers  map[string]Moment
}

// maxBarriers bounds the barriers.
const maxBarriers = 16

// finder finds barriers.
type finder struct {
	prog    *cir.Program
	pts     *pointsto.Result
	threads *thread.Result
	of      map[pointsto.Location]*Barrier
	order   []*Barrier
	lost    map[*pointsto.Object]bool
}

// Analyse finds the barriers of a program at which no more threads wait than they are initialised for.
func Analyse(p *cir.Program, pts *pointsto.Result, threads *thread.Result) *Result {
	r := &Result{moments: [][]Phase{nil}, numbers: map[string]Moment{}}
	f := &finder{prog: p, pts: pts, threads: threads, of: map[pointsto.Location]*Barrier{}, lost: map[*pointsto.Object]bool{}}
	for _, n := range threads.AllNodes() {
		if !n.Fn.Library {
			f.look(n)
		} else if f.waits(n) { // on behalf of the program, which gave it the function
			return r
		}
	}
	for _, b := range f.order {
		if len(r.Barriers) < maxBarriers && !f.lost[b.At.Obj] && len(b.waits) > 0 && f.follow(b) && f.enough(b) {
			r.Barriers = append(r.Barriers, b)
		}
	}
	return r
}

// waits reports whether a function of the library calls one that waits at barriers, or makes them.
func (f *finder) waits(n *thread.Node) bool {
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*cir.Call); ok && slices.ContainsFunc(f.pts.Callees(n.Fn, n.Ctx, call), func(c *cir.Func) bool {
				return c.Source == "pthread_barrier_wait" || c.Source == "pthread_barrier_init"
			}) {
				return true
			}
		}
	}
	return false
}

// look finds the calls of a node that wait at barriers, or make them.
func (f *finder) look(n *thread.Node) {
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*cir.Call)
			if !ok || len(call.Args) == 0 {
				continue
			}
			for _, c := range f.pts.Callees(n.Fn, n.Ctx, call) {
				if c.Source != "pthread_barrier_wait" && c.Source != "pthread_barrier_init" {
					continue
				}
				at := f.barrierAt(n, call, c)
				switch {
				case at == nil:
				case c.Source == "pthread_barrier_init":
					at.inits = append(at.inits, made{n, call})
				case at.waits[n] == nil:
					at.waits[n] = map[cir.Instr]bool{in: true}
				default:
					at.waits[n][in] = true
				}
			}
		}
	}
}

// barrierAt returns the barrier that a call of a function of the library is given; nil, if it may be one of several: these are lost.
func (f *finder) barrierAt(n *thread.Node, call *cir.Call, c *cir.Func) *Barrier {
	to := f.pts.Places(n.Fn, n.Ctx, call.Args[0].X)
	direct := call.Callee == cir.Value(c) && c.Library && len(c.Blocks) > 0
	if len(to) != 1 || !direct || !to[0].Exact() || !f.pts.Once(to[0].Obj) {
		for _, l := range to {
			f.lost[l.Obj] = true
		}
		return nil
	}
	b := f.of[to[0]]
	if b == nil {
		b = &Barrier{At: to[0], Size: 32, waits: map[*thread.Node]map[cir.Instr]bool{}, flows: map[*thread.Thread]*flow{}}
		if f.prog.Model.PointerBits == 32 {
			b.Size = 20
		}
		f.of[to[0]] = b
		f.order = append(f.order, b)
	}
	return b
}

// Uses reports whether what a node of the library does is done by one of the functions of barriers.
func (b *Barrier) Uses(n *thread.Node) bool {
	if !n.Fn.Library || n.Ctx.Call == nil {
		return false
	}
	f, direct := n.Ctx.Call.Callee.(*cir.Func)
	return direct && slices.Contains([]string{"pthread_barrier_wait", "pthread_barrier_init", "pthread_barrier_destroy"}, f.Source)
}

// follow goes along what all threads do that wait at a barrier; it reports whether all of it is understood.
func (f *finder) follow(b *Barrier) bool {
	for _, t := range f.threads.Threads {
		waits := slices.ContainsFunc(f.threads.Nodes(t), func(n *thread.Node) bool { return len(b.waits[n]) > 0 })
		if !waits {
			continue
		}
		x := &flow{b: b, t: t, threads: f.threads}
		if !x.run() {
			return false
		}
		b.flows[t] = x
	}
	return true
}

// count returns the number of threads that a call initialises a barrier for.
func (f *finder) count(m made) (v valuenum.Value, ok bool) {
	s, _ := f.threads.Symbols(m.n)
	if s == nil || len(m.call.Args) != 3 {
		return v, false
	}
	if attr, isConst := s.Value(m.call.Args[1].X).Const(); !isConst || attr != 0 {
		return v, false
	}
	return f.number(m.n, m.call.Args[2].X, true)
}

// number returns the number that a value of a node is. Where unsigned is set, one that is negative may have become a large one without a sign: then there are no such threads.
func (f *finder) number(n *thread.Node, x cir.Value, unsigned bool) (v valuenum.Value, ok bool) {
	s, _ := f.threads.Symbols(n)
	if s == nil {
		return v, false
	}
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*cir.Convert); ok && unsigned && cir.Value(c.Dst) == x && f.prog.Model.TypeOf(c.X).IsInt() && f.prog.Model.TypeOf(c.X).Bits == c.Dst.Type.Bits {
				return s.Value(c.X), true
			}
		}
	}
	return s.Value(x), true
}

// At returns the phases in which a thread runs the instructions of a node.
func (r *Result) At(t *thread.Thread, n *thread.Node) func(in cir.Located) Moment {
	var of []func(cir.Located) Phase
	some := false
	for _, b := range r.Barriers {
		x := b.flows[t]
		if x == nil {
			of = append(of, func(cir.Located) Phase { return anything })
			continue
		}
		some = true
		of = append(of, x.at(n))
	}
	if !some {
		return func(cir.Located) Moment { return 0 }
	}
	return func(in cir.Located) Moment {
		ps := make([]Phase, len(of))
		for i, f := range of {
			ps[i] = f(in)
		}
		return r.number(ps)
	}
}

func (r *Result) number(ps []Phase) Moment {
	key := fmt.Sprint(ps)
	m, known := r.numbers[key]
	if !known {
		m = Moment(len(r.moments))
		r.moments = append(r.moments, ps)
		r.numbers[key] = m
	}
	return m
}

// Join returns what is known of something that is done at one of two moments.
func (r *Result) Join(m, k Moment) Moment {
	if m == k || m == 0 || k == 0 {
		return min(m, k)
	}
	ps := slices.Clone(r.moments[m])
	for i, p := range r.moments[k] {
		ps[i] = ps[i].or(p)
	}
	return r.number(ps)
}

// Apart returns the number of a barrier that orders what two threads do at two moments, of those that may.
func (r *Result) Apart(m, k Moment, may func(*Barrier) bool) bool {
	if m == 0 || k == 0 {
		return false
	}
	for i, b := range r.Barriers {
		if r.moments[m][i].apart(r.moments[k][i]) && may(b) {
			return true
		}
	}
	return false
}
