package happensbefore

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// Kind is a kind of synchronisation.
type Kind uint8

// The kinds.
const (
	Flag Kind = iota
	Semaphore
	Once
)

// Sync is a synchronisation: what one thread makes happen and others may see.
type Sync struct {
	Kind   Kind
	Global *cir.Global
	Off    int64
	Size   int64 // of a flag
	// Setter is the thread that makes it happen; nil if there is none, or several. Of Once there is none.
	Setter *thread.Thread
	// Allowed are the instructions that store to a flag: constants.
	Allowed map[cir.Instr]bool

	several bool // threads set it
	seen    bool // somebody may see it
	lost    bool
}

// Masks are sets of synchronisations by their numbers: what the thread may have set, has seen in any case, and is called by in any case.
type Masks struct{ Set, Seen, In uint64 }

// maxSyncs bounds the synchronisations.
const maxSyncs = 64

// Result tells when threads set and see synchronisations.
type Result struct {
	Syncs   []*Sync
	pts     *pointsto.Result
	threads *thread.Result
	model   cir.Model
	of      map[key]int
	// found are the roles in which synchronisations were found, before they get numbers.
	found    map[key]role
	scouting bool
	does     map[*thread.Node]*does
	flows    map[*thread.Thread]*flow
	objects  map[*cir.Global]*pointsto.Object
}

type key struct {
	kind Kind
	g    *cir.Global
	off  int64
	size int64
}

// does is what the code of a node does itself.
type does struct {
	set, seen map[cir.Instr]uint64
	// sees is what is seen along the edges from a block to its first and second successor.
	sees map[*cir.Block][2]uint64
	in   uint64 // what functions of the program are called by
	any  bool
}

// Analyse finds synchronisations, and who sets and sees them.
func Analyse(p *cir.Program, pts *pointsto.Result, threads *thread.Result) *Result {
	r := &Result{pts: pts, threads: threads, model: p.Model, of: map[key]int{}, found: map[key]role{}, scouting: true, does: map[*thread.Node]*does{}, flows: map[*thread.Thread]*flow{}, objects: map[*cir.Global]*pointsto.Object{}}
	for _, o := range pts.Objects {
		if o.Global != nil {
			r.objects[o.Global] = o
		}
	}
	nodes := threads.AllNodes()
	for _, n := range nodes { // numbers are few, and for what is set and seen
		r.look(n)
	}
	r.scouting = false
	for _, n := range nodes {
		r.look(n)
	}
	for _, t := range threads.Threads {
		for _, n := range threads.Nodes(t) {
			for _, m := range r.does[n].set {
				r.setBy(t, m)
			}
		}
	}
	for i, e := range r.Syncs {
		if e.Kind != Once && (e.Setter == nil || e.several || !r.single(e.Setter)) || e.Kind != Flag && !r.proper(e) {
			e.lost = true
		}
		if e.Kind == Flag && (len(e.Global.Relocs) > 0 || slices.ContainsFunc(e.Global.Data, func(b byte) bool { return b != 0 })) {
			e.lost = true
		}
		if e.lost || !e.seen {
			r.drop(uint64(1) << i)
		}
	}
	return r
}

// setBy notes that a thread sets some synchronisations.
func (r *Result) setBy(t *thread.Thread, m uint64) {
	for i, e := range r.Syncs {
		if m&(1<<i) == 0 {
			continue
		}
		e.several = e.several || e.Setter != nil && e.Setter != t
		e.Setter = t
	}
}

// drop forgets a synchronisation.
func (r *Result) drop(bit uint64) {
	for _, d := range r.does {
		for in := range d.set {
			d.set[in] &^= bit
		}
		for in := range d.seen {
			d.seen[in] &^= bit
		}
		for b, s := range d.sees {
			d.sees[b] = [2]uint64{s[0] &^ bit, s[1] &^ bit}
		}
		d.in &^= bit
	}
}

// single reports whether there is one thread of an identity in all of an execution.
func (r *Result) single(t *thread.Thread) bool {
	if t.Parent == nil {
		return true
	}
	if t.Many || t.Signal {
		return false
	}
	found := false
	for _, o := range r.pts.Objects {
		if o.Site == nil || o.Func == nil || !o.Func.Library || o.Func.Source != "__comus_thread_begin" || !t.Created(o.Ctx.Call) {
			continue
		}
		if found = true; !r.pts.Once(o) {
			return false
		}
	}
	return found
}

// Valid reports whether a synchronisation may order anything, as far as it is known here.
func (e *Sync) Valid() bool { return !e.lost && e.seen }

// role is what is done to a synchronisation.
type role uint8

const (
	sets role = 1 << iota
	sees
)

// number returns the number of a synchronisation for a role; ok is false if it has none.
func (r *Result) number(k key, as role) (bit uint64, e *Sync, ok bool) {
	if r.scouting {
		r.found[k] |= as
		return 0, nil, false
	}
	if r.found[k] != sets|sees {
		return 0, nil, false
	}
	i, known := r.of[k]
	if !known {
		if len(r.Syncs) == maxSyncs || k.g.ThreadLocal || k.g.External {
			return 0, nil, false
		}
		i = len(r.Syncs)
		r.of[k] = i
		r.Syncs = append(r.Syncs, &Sync{Kind: k.kind, Global: k.g, Off: k.off, Size: k.size, Allowed: map[cir.Instr]bool{}})
	}
	return 1 << i, r.Syncs[i], true
}

// look finds out what a node does.
func (r *Result) look(n *thread.Node) {
	d := &does{set: map[cir.Instr]uint64{}, seen: map[cir.Instr]uint64{}, sees: map[*cir.Block][2]uint64{}}
	r.does[n] = d
	if n.Fn.Library {
		if call := n.Ctx.Call; call != nil && n.Fn.Source == "pthread_once" {
			d.in = r.onceOf(call)
		}
		return
	}
	f, _ := r.threads.Symbols(n)
	if f == nil {
		return
	}
	c := &code{r: r, f: f, defs: map[int]cir.Instr{}}
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			for _, reg := range cir.Results(in) {
				c.defs[reg.Index] = in
			}
		}
	}
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				c.store(d, in)
			case *cir.Call:
				c.call(d, in)
			}
		}
		if br, ok := b.Term.(*cir.Branch); ok && br.Then != br.Else {
			s := [2]uint64{c.seenIf(br.Cond, true), c.seenIf(br.Cond, false)}
			if s != [2]uint64{} {
				d.sees[b], d.any = s, true
			}
		}
	}
}

// code is a function whose instructions are looked at.
type code struct {
	r    *Result
	f    *valuenum.Func
	defs map[int]cir.Instr
}

// global returns the global that an address is a constant behind of.
func (c *code) global(addr cir.Value) (*cir.Global, int64, bool) {
	v := c.f.Value(addr)
	if v.Base == nil || v.Index != nil || v.Base.Kind != valuenum.Global || v.Off < 0 {
		return nil, 0, false
	}
	g, ok := v.Base.What.(*cir.Global)
	return g, v.Off, ok
}

func (c *code) store(d *does, in *cir.Store) {
	g, off, ok := c.global(in.Addr)
	v, isConst := c.f.Value(in.X).Const()
	if !ok || !isConst || in.Bits != nil || !in.Type.IsInt() {
		return
	}
	as := sets
	if v == 0 {
		as = 0
	}
	bit, e, ok := c.r.number(key{Flag, g, off, c.r.model.SizeOf(in.Type)}, as)
	if !ok {
		return
	}
	e.Allowed[in] = true
	if v != 0 {
		d.set[in], d.any = bit, true
	}
}

// call looks at a call of a function of the library that sets or sees.
func (c *code) call(d *does, in *cir.Call) {
	f, direct := in.Callee.(*cir.Func)
	if !direct || !f.Library || len(in.Args) == 0 {
		return
	}
	switch f.Source {
	case "sem_post", "sem_wait":
		if f.Source == "sem_wait" && !succeeds(f) {
			return
		}
		g, off, ok := c.global(in.Args[0].X)
		if !ok {
			return
		}
		as := sees
		if f.Source == "sem_post" {
			as = sets
		}
		bit, e, ok := c.r.number(key{kind: Semaphore, g: g, off: off}, as)
		if !ok {
			return
		}
		if e.Allowed[in] = true; f.Source == "sem_post" {
			d.set[in] = bit
		} else {
			d.seen[in], e.seen = bit, true
		}
		d.any = true
	case "pthread_once":
		if bit := c.r.onceOf(in); bit != 0 {
			d.seen[in], d.any = bit, true
			c.r.Syncs[c.r.of[c.r.onceKey(in)]].seen = true
		}
	}
}

// succeeds reports whether a function of the library returns 0 in any case: where signals are handled, sem_wait may come back without having waited to the end.
func succeeds(f *cir.Func) bool {
	for _, b := range f.Blocks {
		if r, ok := b.Term.(*cir.Return); ok {
			if n, ok := r.X.(cir.Int); !ok || n.Lo != 0 || n.Hi != 0 {
				return false
			}
		}
	}
	return len(f.Blocks) > 0
}

// onceKey names the synchronisation of a call of pthread_once, whose argument is a global.
func (r *Result) onceKey(call *cir.Call) key {
	g, _ := call.Args[0].X.(*cir.Global)
	return key{kind: Once, g: g}
}

// onceOf returns the synchronisation of a call of pthread_once, 0 for none.
func (r *Result) onceOf(call *cir.Call) uint64 {
	if _, ok := call.Args[0].X.(*cir.Global); !ok {
		return 0
	}
	bit, e, ok := r.number(r.onceKey(call), sets|sees)
	if !ok {
		return 0
	}
	e.Allowed[call] = true
	return bit
}

// seenIf returns the flags that have been seen if a value is not 0, or is 0.
func (c *code) seenIf(v cir.Value, nonzero bool) uint64 {
	for range 20 {
		r, ok := v.(*cir.Reg)
		if !ok {
			return 0
		}
		in := c.defs[r.Index]
		if x := c.f.Value(v); x.Base != nil && x.Base.Kind == valuenum.Reg && x.Index == nil && x.Off == 0 {
			in = c.defs[int(x.Base.N)]
		}
		switch in := in.(type) {
		case *cir.Load:
			g, off, ok := c.global(in.Addr)
			if !ok || !nonzero || in.Bits != nil || !in.Type.IsInt() {
				return 0
			}
			bit, e, ok := c.r.number(key{Flag, g, off, c.r.model.SizeOf(in.Type)}, sees)
			if ok {
				e.seen = true
			}
			return bit
		case *cir.Convert:
			from := c.r.model.TypeOf(in.X)
			if from.IsFloat() || in.Dst.Type.IsFloat() || !nonzero && in.Dst.Type != cir.Bool && in.Dst.Type.Bits < from.Bits {
				return 0
			}
			v = in.X
		case *cir.Compare:
			n, isConst := in.Y.(cir.Int)
			if !isConst {
				return 0
			}
			is := in.Pred == cir.Eq && nonzero || in.Pred == cir.Ne && !nonzero // X is the constant
			isNot := in.Pred == cir.Ne && nonzero || in.Pred == cir.Eq && !nonzero
			zero := n.Lo == 0 && n.Hi == 0
			switch {
			case is:
				nonzero = !zero
			case isNot && zero:
				nonzero = true
			default:
				return 0
			}
			v = in.X
		default:
			return 0
		}
	}
	return 0
}

// proper reports whether all that is done to a semaphore, or to what pthread_once is given, is known: a semaphore is initialised with 0.
func (r *Result) proper(e *Sync) bool {
	o := r.objects[e.Global]
	made := false
	for _, n := range r.threads.AllNodes() {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || n.Fn.Library {
					continue
				}
				for _, f := range r.pts.Callees(n.Fn, n.Ctx, call) {
					for i, a := range call.Args {
						if !r.mayBe(n, a.X, o) {
							continue
						}
						switch {
						case e.Allowed[call] && i == 0:
						case f.Library && i == 0 && f.Source == "sem_destroy" && e.Kind == Semaphore:
						case f.Library && i == 0 && f.Source == "sem_init" && e.Kind == Semaphore && len(call.Args) == 3:
							x, isConst := call.Args[2].X.(cir.Int)
							if !isConst || x.Lo != 0 || x.Hi != 0 {
								return false
							}
							made = true
						default:
							return false
						}
					}
				}
			}
		}
	}
	return made || e.Kind == Once
}

// mayBe reports whether an operand may point into an object.
func (r *Result) mayBe(n *thread.Node, v cir.Value, o *pointsto.Object) bool {
	for _, l := range r.pts.Places(n.Fn, n.Ctx, v) {
		if l.Obj == o {
			return true
		}
	}
	return false
}
