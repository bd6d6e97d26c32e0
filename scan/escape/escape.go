package escape

import (
	"maps"

	"comus/cfront/contract"
	"comus/check/anew"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// Result tells what is owned where.
type Result struct {
	pts   *pointsto.Result
	table *valuenum.Table
	model cir.Model
	funcs map[pointsto.Copy]*function
	work  []*function
	fresh anew.Funcs
	homes map[*cir.Call][]pointsto.Copy // the copies of the functions with a call
}

// function is a copy of a function of the program's own.
type function struct {
	copy  pointsto.Copy
	fn    *valuenum.Func
	waits bool
	// shared are the parameters that some caller does not own; lets are those that may be let out.
	shared, lets map[int]bool
	// owned has what is owned before each instruction through which memory is written, or a call is made.
	owned   map[cir.Instr]owned
	callers map[*function]bool
	stored  map[*cir.Local]map[*valuenum.Sym]bool // what is ever stored in locals
	used    map[*cir.Reg]bool
	crosses map[*valuenum.Sym]bool // what registers lead to that are used in other blocks than their own
}

// owned are symbols of addresses of objects that nobody else knows: true if the object may hold its own address.
type owned map[*valuenum.Sym]bool

// state is what is owned along the way through a block. What was kept of it is not changed any more.
type state struct {
	owned
	kept bool
}

// keep returns what is owned, to be kept.
func (s *state) keep() owned {
	s.kept = true
	return s.owned
}

// has reports whether a symbol is owned.
func (s *state) has(y *valuenum.Sym) bool {
	_, is := s.owned[y]
	return is
}

// set makes a symbol owned.
func (s *state) set(y *valuenum.Sym, selfish bool) {
	if old, is := s.owned[y]; !is || old != selfish {
		s.change()
		s.owned[y] = selfish
	}
}

// change makes a copy of what was kept.
func (s *state) change() {
	if s.kept {
		s.owned, s.kept = maps.Clone(s.owned), false
	}
}

// allocators are the functions of the library that return a new object.
var allocators = map[string]bool{"malloc": true, "calloc": true, "aligned_alloc": true, "memalign": true, "strdup": true, "strndup": true}

// writers are the functions of the library that write the object that their first argument points to, or none.
var writers = map[string]bool{
	"memset": true, "memcpy": true, "memmove": true, "strcpy": true, "strncpy": true, "strcat": true, "strncat": true, "snprintf": true, "sprintf": true,
	"strlen": true, "strcmp": true, "strncmp": true, "memcmp": true, "free": true, "bzero": true,
	"pthread_mutex_init": true, "pthread_mutex_destroy": true, "pthread_mutex_lock": true, "pthread_mutex_trylock": true, "pthread_mutex_unlock": true,
	"pthread_rwlock_init": true, "pthread_rwlock_destroy": true, "pthread_spin_init": true, "pthread_spin_destroy": true,
	"pthread_cond_init": true, "pthread_cond_destroy": true, "pthread_mutexattr_init": true, "pthread_mutexattr_destroy": true,
	"pthread_mutexattr_settype": true, "pthread_condattr_init": true, "pthread_condattr_destroy": true, "pthread_attr_init": true,
	"mtx_init": true, "mtx_destroy": true, "cnd_init": true, "cnd_destroy": true,
}

// Analyse finds what is owned in all functions of a program.
func Analyse(p *cir.Program, pts *pointsto.Result) *Result {
	r := &Result{pts: pts, table: valuenum.NewTable(), model: p.Model, funcs: map[pointsto.Copy]*function{}}
	for _, c := range pts.Copies() {
		if c.Func.Library || len(c.Func.Blocks) == 0 {
			continue
		}
		f := &function{copy: c, shared: map[int]bool{}, lets: map[int]bool{}, callers: map[*function]bool{},
			stored: map[*cir.Local]map[*valuenum.Sym]bool{}, used: map[*cir.Reg]bool{}, crosses: map[*valuenum.Sym]bool{}}
		r.funcs[c] = f
		r.enqueue(f)
	}
	r.findHomes()
	for _, root := range pts.Roots {
		r.open(pts.Canonical(pointsto.Copy{Func: root.Func, Ctx: root.Ctx}))
	}
	for _, l := range pts.Held(pts.Objects[0]) { // what is known outside may be called there
		if l.Obj.IsFunc() {
			r.open(pointsto.Copy{Func: l.Obj.Func})
		}
	}
	for _, c := range pts.Copies() {
		if c.Func.Library { // it calls back with whatever it likes
			for _, b := range c.Func.Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(*cir.Call); ok {
						for _, y := range pts.Called(c, call) {
							r.open(y)
						}
					}
				}
			}
		}
	}
	for len(r.work) > 0 {
		f := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		f.waits = false
		r.flow(f)
	}
	return r
}

func (r *Result) enqueue(f *function) {
	if !f.waits {
		f.waits = true
		r.work = append(r.work, f)
	}
}

// open notes that a function may be called with anything.
func (r *Result) open(c pointsto.Copy) {
	if f := r.funcs[c]; f != nil {
		for i := range c.Func.Params {
			f.shared[i] = true
		}
	}
}

// Owned reports whether an operand of an instruction of a copy leads into an object that only this thread knows when the
// instruction is run. The instruction is one that accesses memory, or a call.
func (r *Result) Owned(c pointsto.Copy, in cir.Instr, addr cir.Value) bool {
	f := r.funcs[c]
	if f == nil || f.fn == nil {
		return false
	}
	return f.owns(f.owned[in], f.fn.Value(addr))
}

// OwnedByCaller reports whether an operand in a copy of a function of the library is an argument of the call that the copy is for, and leads into
// an object that only this thread knows as long as the call lasts.
func (r *Result) OwnedByCaller(c pointsto.Copy, addr cir.Value) bool {
	arg, call := c.Argument(addr), c.Ctx.Call
	if arg == nil || len(r.homes[call]) == 0 {
		return false
	}
	for i, a := range call.Args {
		if a.X == arg && !forgets(call, c.Func, i) {
			return false
		}
	}
	for _, home := range r.homes[call] {
		if !r.Owned(home, call, arg) {
			return false
		}
	}
	return true
}

// forgets reports whether a function of the library, or one that has a contract, keeps and hands on nothing of an argument; it may return it.
func forgets(call *cir.Call, g *cir.Func, i int) bool {
	if g.Library {
		k, ok := contract.Lookup(g.Source)
		return ok && (k.Borrows(i) || g.Source == "free") // nobody finds what is freed
	}
	k := pointsto.ContractOf(call, g)
	return k != nil && k.Borrows(i)
}

// findHomes finds where calls are.
func (r *Result) findHomes() {
	r.homes = map[*cir.Call][]pointsto.Copy{}
	for c := range r.funcs {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					r.homes[call] = append(r.homes[call], c)
				}
			}
		}
	}
}

// owns reports whether a value leads into an object that is owned.
func (f *function) owns(s owned, v valuenum.Value) bool {
	_, is := s[v.Base]
	return is && (v.Base.Kind != valuenum.Param || !f.shared[int(v.Base.N)])
}

// Writes reports whether a call of a function of the library, all of it, writes no memory but what is Owned.
func (r *Result) Writes(c pointsto.Copy, call *cir.Call) bool {
	g, ok := call.Callee.(*cir.Func)
	return ok && g.Library && writers[g.Source] && len(call.Args) > 0 && r.Owned(c, call, call.Args[0].X)
}

// Allocates reports whether a call is one of a function of the library that returns memory which it allocated, and nobody else knows.
func Allocates(call *cir.Call) bool {
	g, ok := call.Callee.(*cir.Func)
	return ok && g.Library && allocators[g.Source]
}

// prepare finds what does not change from one walk through a function to the next.
func (r *Result) prepare(f *function) {
	f.fn = valuenum.Analyse(r.table, r.model, r.pts, f.copy, valuenum.Options{})
	note := func(v cir.Value) {
		if reg, ok := v.(*cir.Reg); ok {
			f.used[reg] = true
		}
	}
	for _, b := range f.copy.Func.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, note)
			if s, ok := in.(*cir.Store); ok {
				at := f.fn.Value(s.Addr)
				if at.Base != nil && at.Base.Kind == valuenum.Local {
					l := at.Base.What.(*cir.Local)
					if f.stored[l] == nil {
						f.stored[l] = map[*valuenum.Sym]bool{}
					}
					f.fn.Value(s.X).Each(func(y *valuenum.Sym) { f.stored[l][y] = true })
				}
			}
		}
		cir.TermOperands(b.Term, note)
	}
	r.prepareMeets(f)
}

// flow walks through a function until nothing changes.
func (r *Result) flow(f *function) {
	if f.fn == nil {
		r.prepare(f)
	}
	f.owned = map[cir.Instr]owned{}
	in := map[*cir.Block]owned{f.copy.Func.Blocks[0]: r.entry(f)}
	work := []*cir.Block{f.copy.Func.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		s := &state{in[b], true}
		for _, m := range f.fn.Meets[b] {
			for _, v := range m.In {
				if m.Sym.Kind != valuenum.Phi { // else each edge knows what becomes of its own
					r.lose(f, s, v)
				}
			}
		}
		for _, i := range b.Instrs {
			f.owned[i] = s.keep()
			r.step(f, i, s)
		}
		if t, ok := b.Term.(*cir.Return); ok && t.X != nil {
			r.lose(f, s, f.fn.Value(t.X))
		}
		edge := 0
		cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
			t := &state{s.keep(), true}
			r.meet(f, t, to, f.fn.Into[b][edge])
			edge++
			for i, v := range args {
				if w := f.fn.Value(v); f.fn.Value(to.Params[i]) != w {
					r.lose(f, t, w)
				}
			}
			old, seen := in[to]
			if !seen {
				in[to] = t.keep()
				work = append(work, to)
			} else if met, changed := old.meet(t.owned); changed {
				in[to] = met
				work = append(work, to)
			}
		})
	}
}

// meet returns what of a state is owned in another one, too, and whether that is less.
func (o owned) meet(p owned) (owned, bool) {
	s := state{o, true}
	for y, selfish := range o {
		other, is := p[y]
		switch {
		case !is:
			s.change()
			delete(s.owned, y)
		case other && !selfish:
			s.set(y, true)
		}
	}
	return s.owned, !s.kept
}

// entry returns what a function owns when it is called.
func (r *Result) entry(f *function) owned {
	o := owned{}
	for _, l := range f.copy.Func.Locals {
		if f.fn.Followed(l) { // its address goes nowhere: nobody asks
			continue
		}
		o[r.table.Sym(valuenum.Sym{Kind: valuenum.Local, Func: f.copy.Func, What: l})] = false
	}
	for i := range f.copy.Func.Params { // whether callers do own them, too, is another question
		o[r.table.Sym(valuenum.Sym{Kind: valuenum.Param, Func: f.copy.Func, N: int64(i)})] = false
	}
	return o
}

// lose notes that what a value leads to may be known to others from now on.
func (r *Result) lose(f *function, s *state, v valuenum.Value) {
	v.Each(func(y *valuenum.Sym) {
		if y.Kind == valuenum.Param {
			r.lets(f, int(y.N))
		}
		if s.has(y) {
			s.change()
			delete(s.owned, y)
		}
	})
}

// mentions reports whether a value is made of a symbol that is owned.
func (o owned) mentions(v valuenum.Value) (found bool) {
	v.Each(func(y *valuenum.Sym) {
		_, is := o[y]
		found = found || is
	})
	return found
}
