package scancheck

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// Functions of the library that access what they are given directly and keep nothing of it: those that only read, and those that write.
var (
	readers = []string{"memcmp", "strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "printf", "fprintf", "puts", "fputs", "atoi", "atol", "strtol", "strtoul", "write", "fwrite", "pthread_mutex_lock", "pthread_mutex_unlock"}
	writers = []string{"memset", "memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat", "snprintf", "sprintf", "read", "pthread_mutex_init", "pthread_mutex_destroy", "clock_gettime", "gettimeofday"}
	// keepers know the address of a lock, or of what it is in, but do not use it.
	keepers = []string{"pthread_join", "thrd_join", "pthread_exit", "pthread_detach", "pthread_create", "thrd_create", "free", "pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"}
)

// inObjects are the beginnings of names of functions that access nothing but objects of the library's own types, and keep no address of them: not what else the memory leads
// to that such an object is part of.
var inObjects = []string{"pthread_cond_", "pthread_barrier_", "pthread_rwlock_", "sem_", "cnd_"}

// callOf is a call.
func (w *transferWalk) callOf(s *hstate, in *cir.Call, p *hpick) {
	f := s.frame()
	f.assign(in.Dst, hval{})
	x := w.ls.callees(f.copy, in)
	for _, a := range in.Args {
		if a.ByVal != nil {
			w.several(s, a.X, a.ByVal.Size, false, in, p)
		}
	}
	if in.To != nil && in.Result.Shape != nil {
		w.several(s, in.To, in.Result.Shape.Size, true, in, p)
	}
	if x.outside {
		w.callOutside(s, in, p)
		if slices.ContainsFunc(x.to, func(m int) bool { return w.acts[m] && !w.ls.copies[m].Func.Library }) {
			w.no("code outside may call a function that matters", in)
		}
	}
	if p.none || w.why != "" || len(x.to) == 0 {
		p.none = p.none || !in.Returns
		return
	}
	m := x.to[p.pick(len(x.to))]
	to := w.ls.copies[m]
	if in.To != nil && w.acts[m] && (w.toObject(w.at(f.copy, in.To)) || w.toCells(w.at(f.copy, in.To), -1)) {
		w.no("what is returned is written into an object later", in)
	}
	if to.Func.Library {
		w.libraryCall(s, in, m, p)
	} else if w.acts[m] {
		if slices.ContainsFunc(s.calls, func(g *hframe) bool { return g.copy == m }) {
			w.no("a function that matters calls itself", in)
			return
		}
		g := &hframe{copy: m, vars: map[int]hval{}, regs: map[int]hval{}, result: in.Dst}
		for i, q := range to.Func.Params {
			if q.ByVal == nil && i < len(in.Args) && in.Args[i].ByVal == nil {
				g.assign(q.Reg, w.whole(s, in.Args[i].X, p))
			}
		}
		s.calls = append(s.calls, g)
		if in.To != nil {
			g.to = w.at(f.copy, in.To)
		}
		w.loseLocals(s, to.Func)
		w.entered[m] = true
		return
	}
	p.none = p.none || !in.Returns
}

// callOutside is a call of code outside, which is given nothing that matters, or is known to keep nothing.
func (w *transferWalk) callOutside(s *hstate, in *cir.Call, p *hpick) {
	g, direct := in.Callee.(*cir.Func)
	tame := direct && (in.Unknown == cir.Pure || g.Unknown == cir.Pure || slices.Contains(readers, g.Source))
	for _, a := range in.Args {
		at := w.at(s.frame().copy, a.X)
		if !tame && slices.ContainsFunc(at, func(l pointsto.Location) bool {
			return slices.ContainsFunc(w.parts, func(x containerPart) bool { return x.at.Obj == l.Obj })
		}) {
			w.no("code outside is given a container", in)
		}
		if !w.toObject(at) {
			if !tame && w.leadsTo(at) {
				w.no("code outside is given what leads to an object", in)
			}
			continue
		}
		v := w.value(s, a.X, p)
		if v.kind == hObject {
			w.may(s, target{obj: v.id}, in)
		}
		if !tame && v.kind != hNumber {
			w.no("code outside is given an object", in)
		}
	}
}

// libraryCall is a call of a copy of a function of the library.
func (w *transferWalk) libraryCall(s *hstate, in *cir.Call, m int, p *hpick) {
	f, fn := s.frame(), w.ls.copies[m].Func
	if fn.Source == "pthread_exit" || fn.Source == "thrd_exit" {
		w.ends(s, in)
	}
	if fn.Source == "memset" && w.zeroes(s, in, p) {
		return
	}
	o, isLock := opOf(fn)
	if isLock && o.arg < len(in.Args) {
		at := w.at(f.copy, in.Args[o.arg].X)
		for b, l := range w.locks {
			if len(at) == 1 && at[0] == l {
				w.usesLock(s, in, b, o, fn, p)
				return
			}
			if overlap([]pointsto.Location{l}, at) {
				w.no("it is not known which lock is used", in)
				return
			}
		}
	} else {
		for _, a := range in.Args {
			at := w.at(f.copy, a.X)
			if w.toLocks(at) && !slices.Contains(keepers, fn.Source) {
				w.no("a lock is used in another way", in)
				return
			}
		}
	}
	if (fn.Source == "malloc" || fn.Source == "calloc") && in.Dst != nil && w.toObject(w.at(f.copy, in.Dst)) {
		w.makes(s, in, fn.Source == "calloc", p)
		return
	}
	if in.Dst != nil && (fn.Source == "malloc" || fn.Source == "calloc") {
		if w.makesRow(s, in, fn.Source == "calloc") || w.why != "" {
			return
		}
		w.makesOwn(s, in, fn.Source == "calloc", p)
	}
	writes := slices.Contains(writers, fn.Source)
	shallow := writes || slices.Contains(readers, fn.Source) || fn.Source == "free"
	inner := slices.ContainsFunc(inObjects, func(of string) bool { return strings.HasPrefix(fn.Source, of) })
	given := false
	for _, a := range in.Args {
		at := w.at(f.copy, a.X)
		given = given || w.toObject(at) || !shallow && !isLock && !inner && w.leadsTo(at)
	}
	if !w.acts[m] && (!given || slices.Contains(keepers, fn.Source) && !shallow) {
		return
	}
	if fn.Source != "free" && !writes && !slices.Contains(readers, fn.Source) {
		w.no(fn.Source+" is not followed", in)
	}
	for i, a := range in.Args {
		at := w.at(f.copy, a.X)
		if w.toCells(at, -1) && w.why == "" && fn.Source != "free" && !isLock {
			w.no("the library may access a cell", in)
		}
		if !w.toObject(at) || p.none || w.why != "" {
			continue
		}
		v := w.value(s, a.X, p)
		if v.kind == hNumber {
			continue
		}
		t := target{obj: nameless}
		if v.kind == hObject {
			t.obj = v.id
		}
		if w.may(s, t, in); w.why != "" {
			return
		}
		switch {
		case fn.Source == "free":
			w.frees(s, t.obj, in, p)
		case writes && w.link >= 0 && w.overLink(at, fn.Source, f.copy, in, i):
			w.setLink(s, t.obj, hval{kind: hWild}, in, p)
		}
	}
}

// overLink reports whether bytes that a function of the library writes, upwards from some places, may be those of an object's link.
func (w *transferWalk) overLink(at []pointsto.Location, function string, caller int, in *cir.Call, arg int) bool {
	most := int64(-1) // how many it writes
	for _, k := range []struct {
		function string
		arg, of  int
	}{{"memset", 0, 2}, {"memcpy", 0, 2}, {"memmove", 0, 2}, {"strncpy", 0, 2}, {"snprintf", 0, 1}, {"read", 1, 2}} {
		if k.function != function {
			continue
		}
		if arg != k.arg && function != "snprintf" { // whose list may have more that it writes to
			return false
		}
		if arg == k.arg && k.of < len(in.Args) {
			most = w.ls.copies[caller].Given(in.Args[k.of].X)
		}
	}
	for _, l := range at {
		if !w.objects[l.Obj] || l.Off != pointsto.Any && l.Off >= w.link+w.word {
			continue
		}
		if most < 0 || bytesOf(l, touch{size: most}).meets(extent{w.link, w.link + w.word}) {
			return true
		}
	}
	return false
}

// zeroes is a memset with 0 of a known number of bytes that are no object's, but cells, or a lock that nobody uses. It reports whether that is what it is.
func (w *transferWalk) zeroes(s *hstate, in *cir.Call, p *hpick) bool {
	if len(in.Args) != 3 {
		return false
	}
	to, byte, size := in.Args[0].X, in.Args[1].X, w.ls.copies[s.frame().copy].Given(in.Args[2].X)
	at := w.at(s.frame().copy, to)
	zero, ok := byte.(cir.Int)
	if size < 0 || len(at) != 1 || !at[0].Exact() || w.toObject(at) || !ok || zero.Lo != 0 || zero.Hi != 0 {
		return false
	}
	found := w.clears(s, &cir.Fill{Dst: to, Byte: byte, Size: in.Args[2].X}, size, p)
	if !found && w.toCells(at, size) {
		return false
	}
	for b, l := range w.locks {
		const most = 64 // bytes of a lock
		if l.Obj != at[0].Obj || !(extent{l.Off, l.Off + most}).meets(extent{at[0].Off, at[0].Off + size}) {
			continue
		}
		if found = true; !s.single || s.locked[b] {
			w.no("a lock is written to while others may use it", in)
		}
	}
	return found
}

// leadsTo reports whether an object can be reached from some places.
func (w *transferWalk) leadsTo(at []pointsto.Location) bool {
	var from []*pointsto.Object
	for _, l := range at {
		from = append(from, l.Obj)
	}
	for o := range w.ls.reachable(from) {
		if w.objects[o] {
			return true
		}
	}
	return false
}

// besides refuses that a function which uses a lock is given an object, too: a time that it reads. A condition may be in an object, as races go, for it is the library that accesses
// it; but the object has to live until the thread that waits is woken, and it is not known who frees it meanwhile.
func (w *transferWalk) besides(s *hstate, in *cir.Call, o lockOp, fn *cir.Func) {
	for i, a := range in.Args {
		if i != o.arg && (i != 0 || w.living) && w.toObject(w.at(s.frame().copy, a.X)) {
			w.no(fn.Source+" is given an object", in)
		}
	}
}

// usesLock is a use of the lock of a container, or of some container of a kind.
func (w *transferWalk) usesLock(s *hstate, in *cir.Call, b int, o lockOp, fn *cir.Func, p *hpick) {
	if w.besides(s, in, o, fn); w.ofKind(b) {
		w.lockOfKind(s, in, o, fn, p)
	} else {
		w.lockOf(s, in, b, o, fn, p)
	}
}

// lockOf is a use of the lock of a container.
func (w *transferWalk) lockOf(s *hstate, in *cir.Call, b int, o lockOp, fn *cir.Func, p *hpick) {
	if o.reading || isSemaphore(fn) {
		w.no("a lock is none that excludes others", in)
		return
	}
	lock := func() {
		if s.locked[b] {
			w.no("a lock is taken twice", in)
		} else if s.locked[b] = true; !s.open[b] {
			w.take(s, b, p)
		}
	}
	unlock := func() {
		if !s.locked[b] {
			w.no("a lock is given back that is not held", in)
		} else if s.locked[b] = false; !s.single {
			w.give(s, b, in, p)
		}
	}
	switch o.does {
	case takes:
		lock()
	case gives:
		unlock()
	case waitsFor:
		if unlock(); !p.none && w.why == "" {
			lock()
		}
	case tries:
		if p.pick(2) == 0 {
			s.frame().assign(in.Dst, hval{kind: hElse})
			return
		}
		lock()
		s.frame().assign(in.Dst, hval{kind: hNumber})
	case changes:
		if !s.single || s.locked[b] {
			w.no("a lock begins or ends while others may use it", in)
		}
	}
}

// frees is the end of an object's life. What it leads to has a name from then on. Of a nameless address, it may be that of any object with a name, but the followed one.
func (w *transferWalk) frees(s *hstate, i int, in *cir.Call, p *hpick) {
	known := i != nameless
	if !known {
		if i = p.pick(len(s.objs)); i == 0 {
			return
		}
	}
	o := &s.objs[i]
	if s.inside(i) || o.of == mine {
		w.look(s, i, p)
	}
	if o = &s.objs[i]; known && o.of == mine && o.from[ownLinks] > 0 {
		w.no("an object is freed that others lead to", in)
	}
	o.of = notMine
	o.learn(hval{kind: hWild})
}

// makes is an allocation.
func (w *transferWalk) makes(s *hstate, in *cir.Call, zero bool, p *hpick) {
	i := 0
	switch p.pick(3) {
	case 0:
		s.frame().assign(in.Dst, hval{kind: hNumber})
		return
	case 1: // the followed object, which nobody knows yet
		known := s.objs[0].of != notMine || s.listed()
		s.change(func(v hval) hval {
			known = known || v.kind == hObject && v.id == 0
			return v
		}, hval{kind: hWild})
		if known {
			p.none = true
			return
		}
		s.objs[0].of = mine
	default:
		if len(w.rows) > 0 {
			s.frame().assign(in.Dst, hval{kind: hElse})
			return
		}
		i = w.enroll(s, mine)
	}
	if s.objs[i].link = (hval{kind: hWild}); zero {
		s.objs[i].link = hval{kind: hNumber}
	}
	s.frame().assign(in.Dst, hval{hObject, i, 0})
}
