package lockset

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/escape"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// Options say what else is known of a program. The zero value is ready to use.
type Options struct {
	// Single tells of an instruction of a copy of a function that it is run only while there is one thread, before another
	// was created; nil: as [Analyse] finds out itself.
	Single func(c pointsto.Copy, in cir.Instr) bool
	// Done is called when one more function was looked at for the first time, with how many that are, and of how many at most; may be nil.
	Done func(done, all int)
}

// Result is what is held where.
type Result struct {
	// Spoils are what is done to locks beside taking and giving them back, while there may be more than one thread.
	Spoils []*Spoil
	// Assumptions are the sentences that all of this rests on, sorted.
	Assumptions []string

	a       *analysis
	roots   []*Activation
	spoilAt map[pointsto.Location][]*Spoil
}

// Escape returns what the analysis knows of objects that only one thread knows yet.
func (r *Result) Escape() *escape.Result { return r.a.cells.escape }

// Analyse finds out which locks are held. The error is that of ctx.
func Analyse(ctx context.Context, p *cir.Program, pts *pointsto.Result, opts Options) (*Result, error) {
	a := &analysis{ctx: ctx, prog: p, pts: pts, done: opts.Done, table: valuenum.NewTable(), funcs: map[pointsto.Copy]*valuenum.Func{},
		acts: map[actKey]*Activation{}, of: map[pointsto.Copy][]*Activation{}, backs: map[pointsto.Copy][]callback{}, assume: map[string]bool{}}
	single := opts.Single
	if single == nil {
		single = findPhases(p, pts).Single
	}
	a.cells = findCells(p.Model, pts, single)
	a.closings = findClosings(pts, findPhases(p, pts).Single)
	a.dead = newDeadBranches(p, pts)
	a.cells.escape = escape.Analyse(p, pts)
	sp := findSpoils(p, a.cells)
	a.kinds = sp.kinds
	a.atomic = a.table.Of(valuenum.Sym{Kind: valuenum.Atomic})
	a.result = a.table.Sym(valuenum.Sym{Kind: valuenum.Result})
	r := &Result{a: a, spoilAt: sp.at}
	for _, l := range slices.SortedFunc(maps.Keys(sp.at), func(x, y pointsto.Location) int {
		return cmp.Or(cmp.Compare(x.Obj.ID, y.Obj.ID), cmp.Compare(x.Off, y.Off))
	}) {
		r.Spoils = append(r.Spoils, sp.at[l]...)
	}
	for _, root := range pts.Roots {
		c := pts.Canonical(pointsto.Copy{Func: root.Func, Ctx: root.Ctx})
		if len(c.Func.Blocks) > 0 {
			r.roots = append(r.roots, a.activation(c, &state{}))
		} else {
			r.roots = append(r.roots, nil)
		}
	}
	a.atExit(p, r)
	a.solve()
	a.semaphores = findSemaphores(pts)
	a.findPosts()
	if len(sp.locks) > 0 {
		a.assume["a lock is given back by the thread that holds it, and neither destroyed, freed nor overwritten while it is held or waited for"] = true
		a.assume["no more read locks are held at a time than the library allows"] = true
	}
	r.Assumptions = slices.Sorted(maps.Keys(a.assume))
	return r, a.err
}

// atExit runs what is called when the program's entry returns, when nothing is held for sure.
func (a *analysis) atExit(p *cir.Program, r *Result) {
	x := r.roots[min(len(p.Constructors), len(r.roots)-1)]
	if x == nil || x.fn == nil {
		return
	}
	for _, y := range a.pts.Called(x.Copy, nil) {
		for _, cb := range a.callbacks(y) {
			z := a.activation(cb.copy, &state{})
			if !slices.Contains(x.atExit, z) {
				x.atExit = append(x.atExit, z)
			}
		}
	}
}

// Root returns the activation that the threads of points' i-th root begin with: of a function of the library, if that is
// what calls the program's. It is nil if there is none.
func (r *Result) Root(i int) *Activation { return r.roots[i] }

// Reach returns the activations that a thread may run that begins with one, which comes first.
func (r *Result) Reach(from *Activation) []*Activation {
	if from == nil {
		return nil
	}
	seen := map[*Activation]bool{from: true}
	list := []*Activation{from}
	for i := 0; i < len(list); i++ {
		list[i].EachCall(func(_ *cir.Call, to *Activation) {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
		})
	}
	return list
}

// EachCall calls f for each activation that may be called, with the call: in a function of the library, the one there
// (nil for what runs at exit); in one of the program's own that calls the library, which calls back, that of the library.
func (x *Activation) EachCall(f func(in *cir.Call, to *Activation)) {
	for _, b := range x.Copy.Func.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*cir.Call); ok {
				for _, y := range x.calls[call] {
					f(call, y)
				}
			}
		}
	}
	if x.fn == nil { // calls deeper in the library
		for _, cb := range x.a.callbacks(x.Copy) {
			if !contains(x.Copy.Func, cb.in) {
				for _, y := range x.calls[cb.in] {
					f(cb.in, y)
				}
			}
		}
	}
	for _, y := range x.atExit {
		f(nil, y)
	}
}

func contains(f *cir.Func, in cir.Instr) bool {
	return slices.ContainsFunc(f.Blocks, func(b *cir.Block) bool { return slices.Contains(b.Instrs, in) })
}

// Point is an instruction in an activation.
type Point struct {
	Activation *Activation
	Instr      cir.Instr
	s          *state
	r          *Result
}

// Each calls f for each instruction of an activation that control gets to, in order; for none if it is of the library's, where
// nothing is held that it has not taken itself.
func (r *Result) Each(x *Activation, f func(Point)) {
	for _, b := range x.order {
		s := x.in[b.Index]
		for _, in := range b.Instrs {
			if s == nil {
				break
			}
			f(Point{x, in, s, r})
			s = r.a.step(x, in, s)
		}
	}
}

// Value returns what an operand of the instruction is.
func (p Point) Value(v cir.Value) valuenum.Value { return p.Activation.fn.Value(v) }

// Held is a lock that is held.
type Held struct {
	Mode Mode
	Name string // for people
	// Keys tell which lock it is: see [Key].
	Keys []Key
	// At is where the lock may be, as far as pointers tell; empty: anywhere.
	At []pointsto.Location
	// Spoils are what may make it protect nothing.
	Spoils []*Spoil
}

// KeyKind says when two locks with the same key are the same.
type KeyKind uint8

// The kinds.
const (
	Absolute KeyKind = iota // always
	Address                 // if the addresses are the same that were given to Held
	Object                  // if both addresses are in the same object
	Element                 // if both accesses have a byte in common: each stays in the element of an array that its lock is in
)

// Key names a lock so that it can be compared with one of another access. It is comparable.
type Key struct {
	Kind  KeyKind
	Value valuenum.Value // Absolute: closed; Address: in terms of valuenum.Accessed; Object: a distance from the object's beginning; Element: where the lock is in the first element
}

// Held returns the locks that are held where the instruction runs, named for an access of addr, which may be nil, and of size bytes from there on; -1:
// nobody knows how many, or which.
func (p Point) Held(addr cir.Value, size int64) []Held {
	var out []Held
	var names []valuenum.Value
	var at []pointsto.Location
	var starts []start
	if addr != nil {
		names, at = p.r.a.operand(p.Activation, addr)
		if len(p.s.held) > 0 {
			starts = p.starts(addr)
		}
	}
	for _, l := range p.s.held {
		if l.family == semaphoreLocks && !p.r.a.semaphores.exclude(l.at) {
			continue
		}
		h := Held{Mode: l.mode, Name: l.names[0].String(), At: l.at}
		for _, n := range l.names {
			h.Keys = p.r.keys(h.Keys, n, l.at, names, at)
			h.Keys = around(h.Keys, n, l.at, starts, size)
		}
		for _, q := range l.at {
			if h.Spoils = append(h.Spoils, p.r.spoilAt[q]...); len(h.Spoils) > maxSpoils {
				h.Spoils = []*Spoil{{At: q}}
				break
			}
		}
		out = append(out, h)
	}
	return out
}

// keys adds the keys of a lock with a name and places for an access of an address with some names and places.
func (r *Result) keys(keys []Key, lock valuenum.Value, lockAt []pointsto.Location, names []valuenum.Value, at []pointsto.Location) []Key {
	add := func(k Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	if lock.Closed() {
		add(Key{Absolute, lock})
	}
	t := r.a.table
	accessed := t.Of(valuenum.Sym{Kind: valuenum.Accessed})
	for _, addr := range names {
		if d, ok := lock.Minus(addr); ok {
			add(Key{Address, accessed.Plus(d)})
			if off, same := sameOffset(at); same {
				add(Key{Object, valuenum.Value{Off: off + d}})
			}
			continue
		}
		if lock.Base == addr.Base && lock.Base != nil && lock.Index == nil { // s->m and s->data[i] are in the same object
			if off, same := sameOffset(lockAt); same {
				add(Key{Object, valuenum.Value{Off: off}})
			}
		}
		if lock.Closed() {
			continue
		}
		v, ok := t.Rewrite(lock, func(s *valuenum.Sym) (valuenum.Value, bool) {
			switch {
			case s == addr.Base && addr.Index == nil:
				return accessed.Plus(-addr.Off), true
			case s == addr.Index && addr.Base != nil && addr.Base.Closed():
				return t.Of(valuenum.Sym{Kind: valuenum.Element, At: valuenum.Value{Base: addr.Base, Index: accessed.Base, Scale: addr.Scale, Off: addr.Off}}), true
			}
			return valuenum.Value{}, false
		})
		if ok {
			add(Key{Address, v})
		}
	}
	return keys
}

// sameOffset returns the offset in their objects that all places have.
func sameOffset(at []pointsto.Location) (int64, bool) {
	for _, l := range at {
		if !l.Exact() || l.Off != at[0].Off {
			return 0, false
		}
	}
	if len(at) == 0 {
		return 0, false
	}
	return at[0].Off, true
}

// Common returns the name of a lock that excludes two accesses from one another, "" if there is none. same tells that they begin at
// the same address whenever they overlap. Locks with Spoils do not count.
func Common(x, y []Held, same bool) string {
	for _, h := range x {
		for _, k := range y {
			if len(h.Spoils)+len(k.Spoils) > 0 || h.Mode == Reading && k.Mode == Reading {
				continue
			}
			for _, key := range h.Keys {
				if (same || key.Kind != Address) && slices.Contains(k.Keys, key) {
					return h.Name
				}
			}
		}
	}
	return ""
}

// Takes returns the lock that the instruction takes, if it is a call that waits for one as long as it takes; it has the keys that say the same always.
func (p Point) Takes() (Held, bool) {
	call, ok := p.Instr.(*cir.Call)
	if !ok {
		return Held{}, false
	}
	f, ok := call.Callee.(*cir.Func)
	if !ok {
		return Held{}, false
	}
	o := opOf(f)
	if o.kind != takes || o.family == semaphoreLocks || o.arg >= len(call.Args) {
		return Held{}, false
	}
	names, at := p.r.a.operand(p.Activation, call.Args[o.arg].X)
	h := Held{Mode: o.mode, At: at}
	for i, n := range names {
		if i == 0 {
			h.Name = n.String()
		}
		if n.Closed() {
			h.Keys = append(h.Keys, Key{Absolute, n})
		}
	}
	return h, true
}
