package counted

import (
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// call is a call.
func (w *walk) call(s *state, in *cir.Call, ch *choice) {
	f := s.top()
	c := w.copies[f.copy]
	f.set(in.Dst, value{})
	to, outside := w.called(c, in)
	for _, a := range in.Args {
		if a.ByVal != nil {
			w.bytes(s, a.X, a.ByVal.Size, false, in, ch)
		}
	}
	if in.To != nil && in.Result.Shape != nil {
		if at := w.places(c, in.To); w.concerns(at) || w.toCells(at, -1) || w.toCarrier(at) || w.toRow(at) {
			w.no("a struct is returned into an object", in)
		}
	}
	if outside {
		w.outside(s, in, ch)
		if slices.ContainsFunc(to, func(m pointsto.Copy) bool { return w.acts[w.number[m]] && !m.Func.Library }) {
			w.no("code outside may call a function that matters", in)
		}
		to = w.pts.Called(c, in)
	}
	if ch.dead || w.why != "" {
		return
	}
	if len(to) == 0 {
		w.returns(s, in, ch)
		return
	}
	m := to[ch.pick(len(to))]
	k := w.number[m]
	switch {
	case m.Func.Library:
		w.library(s, in, m, ch)
	case !w.acts[k]:
		if w.quits[k] {
			w.ends(s, in)
		}
	case slices.ContainsFunc(s.frames, func(g *frame) bool { return g.copy == k }):
		w.no("a function that matters calls itself", in)
		return
	default:
		g := &frame{copy: k, vars: map[int]value{}, regs: map[int]value{}, result: in.Dst}
		for i, p := range m.Func.Params {
			if i < len(in.Args) && in.Args[i].ByVal == nil && p.ByVal == nil {
				g.set(p.Reg, w.value(s, in.Args[i].X, ch))
			}
		}
		s.frames = append(s.frames, g)
		return
	}
	w.returns(s, in, ch)
}

// returns ends the path where a call does not return: the process or the thread ends.
func (w *walk) returns(s *state, in *cir.Call, ch *choice) {
	if in.Returns || ch.dead || w.why != "" {
		return
	}
	ch.dead = true
	if f, ok := in.Callee.(*cir.Func); !ok || !slices.Contains([]string{"exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail"}, f.Source) {
		w.ends(s, in)
	}
}

// called returns the copies that a call gets to, and whether it may get to code outside, which may call some of them back.
func (w *walk) called(c pointsto.Copy, in *cir.Call) (to []pointsto.Copy, outside bool) {
	to = w.pts.Called(c, in)
	if f, direct := in.Callee.(*cir.Func); direct {
		outside = len(f.Blocks) == 0
	} else {
		outside = slices.ContainsFunc(w.places(c, in.Callee), func(l pointsto.Location) bool {
			return l.Obj.External || l.Obj.IsFunc() && len(l.Obj.Func.Blocks) == 0
		})
	}
	if outside {
		to = append(slices.Clip(to), w.pts.CalledBack(c, in)...)
	}
	return to, outside
}

// readers are functions of the library that keep nothing of what they are given and only read it; a stream may be one of the program's, which calls back.
var readers = []string{"memcmp", "strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "printf", "fprintf", "puts", "fputs", "atoi", "atol", "write", "fwrite"}

// borrows reports whether a function retains nothing of its i-th argument, and gives it to no function of the program.
func borrows(g *cir.Func, call *cir.Call, i int) bool {
	if slices.Contains(readers, g.Source) {
		return true
	}
	if g.Library {
		k, ok := contract.Lookup(g.Source)
		return ok && k.Borrows(i) && isShallow(k)
	}
	k := pointsto.ContractOf(call, g)
	return k != nil && k.Borrows(i) && isShallow(k)
}

// isShallow reports whether a function accesses what it is given, and not what pointers lead to in there.
func isShallow(k *contract.Function) bool {
	return !slices.ContainsFunc(k.Params, func(p contract.Param) bool {
		return slices.ContainsFunc(p.Accesses, func(a contract.Access) bool {
			return slices.ContainsFunc(a.Extent, func(l contract.Limit) bool { return l.Kind == contract.Below || l.Kind == contract.Deep })
		})
	})
}

// outside is a call of a function without a body.
func (w *walk) outside(s *state, in *cir.Call, ch *choice) {
	c := w.copies[s.top().copy]
	g, direct := in.Callee.(*cir.Func)
	pure := direct && (in.Unknown == cir.Pure || g.Unknown == cir.Pure)
	for i, a := range in.Args {
		at := w.places(c, a.X)
		tame := pure || direct && borrows(g, in, i)
		if !pure && (w.toCarrier(at) || w.toRow(at)) {
			w.bytes(s, a.X, -1, true, in, ch)
		}
		if !tame && (w.toCells(at, -1) || w.reaches(at)) {
			w.no("code outside is given what leads to an object", in)
		}
		if !w.concerns(at) || pure || a.ByVal != nil {
			continue
		}
		if t := w.bytes(s, a.X, -1, false, in, ch); t.node && w.mayWrite(c, in) {
			w.no("code outside may write an object", in)
		}
	}
}

// reaches reports whether followed objects, or cells, can be reached from some places.
func (w *walk) reaches(at []pointsto.Location) bool {
	seen := map[*pointsto.Object]bool{}
	var work []*pointsto.Object
	for _, l := range at {
		work = append(work, l.Obj)
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		if work = work[:len(work)-1]; seen[o] {
			continue
		}
		if seen[o] = true; w.form.objects[o] || w.inner.objects[o] || slices.ContainsFunc(w.form.cells, func(c cell) bool { return c.at.Obj == o }) {
			return true
		}
		for _, l := range w.pts.Held(o) {
			work = append(work, l.Obj)
		}
	}
	return false
}

// mayWrite reports whether a call may write objects that are counted.
func (w *walk) mayWrite(c pointsto.Copy, in *cir.Call) bool {
	for o := range w.form.objects {
		if w.pts.MayWrite(c, in, o) {
			return true
		}
	}
	return false
}

// confined are the beginnings of names of functions that access an object of the library's type only, wherever that is, and keep no address of it.
var confined = []string{"pthread_mutex_", "pthread_cond_", "pthread_spin_", "pthread_rwlock_", "pthread_barrier_", "sem_", "mtx_", "cnd_"}

// library is a call of a copy of a function of the library.
func (w *walk) library(s *state, in *cir.Call, m pointsto.Copy, ch *choice) {
	c, name := w.copies[s.top().copy], m.Func.Source
	if i, ok := lockArgs[name]; ok && i < len(in.Args) {
		if w.useOf(s, in, m, in.Args[i].X, ch) {
			return
		}
	}
	switch {
	case (name == "pthread_create" || name == "thrd_create") && len(in.Args) >= 3:
		w.creates(s, in, in.Args[len(in.Args)-1].X, ch)
		return
	case in.Dst != nil && slices.Contains(makers, name) && (w.concerns(w.places(c, in.Dst)) || w.toCarrier(w.places(c, in.Dst))):
		w.reads(s, in, m, ch)
		w.makes(s, in, name, ch)
		return
	case name == "free":
		w.frees(s, in, ch)
		return
	case name == "memset" && len(in.Args) == 3:
		w.fill(s, in.Args[0].X, in.Args[1].X, c.Given(in.Args[2].X), in, ch)
		w.gives(s, in, ch)
		return
	}
	w.reads(s, in, m, ch)
	w.gives(s, in, ch)
}

// gives notes what a function of the library returns that returns one of its arguments.
func (w *walk) gives(s *state, in *cir.Call, ch *choice) {
	if in.Dst != nil && !ch.dead && w.why == "" {
		s.top().set(in.Dst, w.foreign(s.top(), in.Dst))
		for _, a := range in.Args {
			if a.ByVal == nil && w.value(s, a.X, ch).kind == within {
				s.top().set(in.Dst, value{})
				w.value(s, in.Dst, ch) // now, as long as that is known
			}
		}
	}
}

// reads are the accesses of a function of the library to what it is given.
func (w *walk) reads(s *state, in *cir.Call, m pointsto.Copy, ch *choice) {
	c, name := w.copies[s.top().copy], m.Func.Source
	tame := slices.ContainsFunc(confined, func(of string) bool { return strings.HasPrefix(name, of) })
	lock, uses := lockArgs[name]
	given := false
	for i, a := range in.Args {
		inside := tame && (i == 0 || uses && i == lock) // the others may be where a result is put
		at := w.places(c, a.X)
		if a.ByVal != nil || ch.dead || w.why != "" {
			continue
		}
		if w.toCells(at, -1) && w.acts[w.number[m]] && !inside {
			w.no("the library may access a cell", in)
		}
		if w.acts[w.number[m]] && (w.toCarrier(at) || w.toRow(at)) && !slices.Contains(readers, name) {
			w.bytes(s, a.X, -1, true, in, ch)
		}
		if !w.concerns(at) {
			if !inside && name != "pthread_join" && !borrows(m.Func, in, i) && w.reaches(at) {
				w.no("the library is given what leads to an object", in)
			}
			continue
		}
		given = true
		v := w.value(s, a.X, ch)
		if v.kind != node && v.kind != within {
			ch.dead = ch.dead || v.kind == number && v.n == 0 && w.acts[w.number[m]] && inside
			continue
		}
		if !inside && !borrows(m.Func, in, i) {
			w.no("the library keeps an object", in)
		}
		size := int64(-1)
		if inside {
			size = 1 // it begins there, and has no counter in it
		}
		w.bytes(s, a.X, size, v.kind == node && (inside || w.mayWrite(c, in)) && !w.usesLock(name), in, ch)
	}
	if !given && !slices.Contains(makers, name) && w.own[w.number[m]] && w.actsOn(m) && w.why == "" && !ch.dead {
		w.no("the library accesses an object that it is not given", in)
	}
}

// usesLock tells that a function uses a lock, or waits for what belongs to one, and does not begin or end it.
func (w *walk) usesLock(name string) bool {
	return !strings.HasSuffix(name, "_init") && !strings.HasSuffix(name, "_destroy") && slices.ContainsFunc(confined, func(of string) bool { return strings.HasPrefix(name, of) })
}

// actsOn reports whether a copy of a function of the library accesses followed objects by itself.
func (w *walk) actsOn(m pointsto.Copy) (yes bool) {
	k := w.number[m]
	if known, ok := w.acted[k]; ok {
		return known
	}
	defer func() { w.acted[k] = yes }()
	for _, b := range m.Func.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				yes = yes || w.concerns(w.places(m, in.Addr))
			default:
				for _, p := range pointsto.Writes(in) {
					yes = yes || w.concerns(w.places(m, p))
				}
			}
		}
	}
	return yes
}

// useOf is a use of a lock. It reports whether it is one that is followed.
func (w *walk) useOf(s *state, in *cir.Call, m pointsto.Copy, arg cir.Value, ch *choice) bool {
	at := w.places(w.copies[s.top().copy], arg)
	for b, l := range w.form.locks {
		if len(at) == 1 && at[0] == l {
			w.locks(s, in, m.Func.Source, &s.locked[b], func() {
				if !s.open[b] {
					w.take(s, b, ch)
				}
			}, func() {
				if !s.single {
					w.give(s, b, in)
				}
			}, s.single && !s.locked[b], ch)
			w.reads(s, in, m, ch)
			return true
		}
		if slices.ContainsFunc(at, func(p pointsto.Location) bool { return p.Obj == l.Obj && (p.Off == pointsto.Any || p.Off == l.Off) }) {
			w.no("it is not known which lock is used", in)
			return true
		}
	}
	if w.form.own < 0 || !w.toObject(at) {
		return false
	}
	v := w.value(s, arg, ch)
	switch {
	case v.kind != node:
		return false
	case v.off == somewhere:
		w.no("it is not known which lock is used", in)
		return true
	case v.off != w.form.own:
		return false
	}
	if w.note(s, true, in); w.why != "" {
		return true
	}
	w.locks(s, in, m.Func.Source, &s.inLock, func() {
		if s.has == nothing || s.has == shared && s.units == 0 {
			w.no("an object is accessed without a reference", in)
		}
	}, func() { w.settle(s) }, s.has == sole && !s.inLock, ch)
	return true
}

// locks is an operation on a lock; may tells that it may begin or end there.
func (w *walk) locks(s *state, in *cir.Call, name string, held *bool, take, give func(), may bool, ch *choice) {
	lock := func() {
		if *held {
			w.no("a lock is taken twice", in)
			return
		}
		*held = true
		take()
	}
	unlock := func() {
		if !*held {
			w.no("a lock is given back that is not held", in)
			return
		}
		*held = false
		give()
	}
	switch {
	case strings.HasSuffix(name, "_init") || strings.HasSuffix(name, "_destroy"):
		if !may {
			w.no("a lock begins or ends while others may use it", in)
		}
	case strings.HasSuffix(name, "unlock"):
		unlock()
	case strings.Contains(name, "wait"):
		if unlock(); !ch.dead && w.why == "" {
			lock()
		}
	case strings.HasSuffix(name, "_lock"):
		lock()
	case ch.pick(2) == 0: // an attempt
		s.top().set(in.Dst, value{kind: other})
	default:
		lock()
		s.top().set(in.Dst, zero)
	}
}

// creates is the creation of a thread, which gets a reference with the address of the object.
func (w *walk) creates(s *state, in *cir.Call, arg cir.Value, ch *choice) {
	v := w.value(s, arg, ch)
	if v.kind == within {
		w.no("an inner object is handed to a thread", in)
		return
	}
	if ch.dead || w.why != "" {
		return
	}
	if ch.pick(2) == 0 {
		s.top().set(in.Dst, value{kind: other}) // it fails
		return
	}
	switch s.top().set(in.Dst, zero); {
	case v.kind == node:
		w.handOn(s, 1, in)
	case v.kind == carrier && v.off != 0:
		w.no("a part of a carrier is handed to a thread", in)
	case v.kind == carrier:
		if s.carriers[v.n].holds.kind == node {
			w.handOn(s, 1, in)
		}
		s.release(v.n)
	case v.kind != number && w.toCarrier(w.places(w.copies[s.top().copy], arg)):
		w.no("a carrier is handed to a thread that may be another thread's", in)
	}
}

// makes is an allocation: nothing, the followed object, or another one.
func (w *walk) makes(s *state, in *cir.Call, name string, ch *choice) {
	if ch.dead || w.why != "" {
		return
	}
	at := w.places(w.copies[s.top().copy], in.Dst)
	outer, ways := w.toObject(at), []value{zero, {kind: other}}
	if w.toCarrier(at) && !w.concerns(at) {
		if v := ways[ch.pick(2)]; v.kind == other {
			holds := value{kind: other} // or anything but the object
			if name == "calloc" {
				holds = zero
			}
			s.top().set(in.Dst, w.carry(s, holds))
		} else {
			s.top().set(in.Dst, v)
		}
		return
	}
	if outer && s.has == nothing && !s.knows(node) {
		ways = append(ways, value{kind: node})
	}
	if w.toInner(at) && s.in == unborn && !s.refers(within) {
		ways = append(ways, value{kind: within})
	}
	v := ways[ch.pick(len(ways))]
	switch v.kind {
	case node:
		if s.has, s.count = sole, unknown; name == "calloc" {
			s.count = 0
		}
	case within:
		s.in = own
	}
	s.top().set(in.Dst, v)
}

// frees is the end of an object's life.
func (w *walk) frees(s *state, in *cir.Call, ch *choice) {
	if len(in.Args) != 1 {
		return
	}
	if at := w.places(w.copies[s.top().copy], in.Args[0].X); !w.concerns(at) && !w.toCarrier(at) {
		return
	}
	switch v := w.value(s, in.Args[0].X, ch); v.kind {
	case carrier:
		s.release(v.n)
	case node:
		if w.note(s, true, in); w.why == "" {
			s.has, s.inLock = nothing, false
			s.tidyUnits()
		}
	case within:
		if w.note(s, false, in); w.why == "" {
			s.in = gone
		}
	}
}
