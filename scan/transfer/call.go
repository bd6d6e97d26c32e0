package transfer

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// does is what a function of the library does with a lock.
type does uint8

const (
	takes does = iota + 1
	tries
	gives
	waits
	begins
)

// use is that, of the lock that an argument points to.
type use struct {
	does does
	arg  int
}

var uses = map[string]use{
	"pthread_mutex_lock": {takes, 0}, "pthread_mutex_unlock": {gives, 0}, "pthread_mutex_trylock": {tries, 0}, "pthread_mutex_timedlock": {tries, 0}, "pthread_mutex_clocklock": {tries, 0},
	"pthread_mutex_init": {begins, 0}, "pthread_mutex_destroy": {begins, 0}, "pthread_cond_wait": {waits, 1}, "pthread_cond_timedwait": {waits, 1}, "pthread_cond_clockwait": {waits, 1},
	"pthread_spin_lock": {takes, 0}, "pthread_spin_unlock": {gives, 0}, "pthread_spin_trylock": {tries, 0}, "pthread_spin_init": {begins, 0}, "pthread_spin_destroy": {begins, 0},
	"mtx_lock": {takes, 0}, "mtx_unlock": {gives, 0}, "mtx_trylock": {tries, 0}, "mtx_timedlock": {tries, 0}, "mtx_init": {begins, 0}, "mtx_destroy": {begins, 0},
	"cnd_wait": {waits, 1}, "cnd_timedwait": {waits, 1},
}

// harmless are functions of the library that access what they are given directly, and keep no address of it. Those of writes write.
var (
	harmless = []string{"memcmp", "strlen", "strnlen", "strcmp", "strncmp", "strchr", "strrchr", "printf", "fprintf", "puts", "fputs", "atoi", "atol", "strtol", "strtoul", "write", "fwrite", "pthread_mutex_lock", "pthread_mutex_unlock"}
	writes   = []string{"memset", "memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat", "snprintf", "sprintf", "read", "pthread_mutex_init", "pthread_mutex_destroy", "clock_gettime", "gettimeofday"}
)

// call is a call.
func (x *explorer) call(s *state, in *cir.Call, ch *chooser) {
	f := s.top()
	f.set(in.Dst, value{})
	to := x.pts.Called(x.copies[f.copy], in)
	if fs := x.pts.Callees(x.copies[f.copy].Func, x.copies[f.copy].Ctx, in); slices.ContainsFunc(fs, func(g *cir.Func) bool { return len(g.Blocks) == 0 }) || len(fs) == 0 || x.leadsOut(f.copy, in) {
		x.outside(s, in, ch)
		if len(to) == 0 {
			ch.dead = ch.dead || !in.Returns
			return
		}
	}
	for _, a := range in.Args {
		if a.ByVal != nil {
			x.bytes(s, a.X, a.ByVal.Size, false, ch)
		}
	}
	if in.To != nil && in.Result.Shape != nil {
		x.bytes(s, in.To, in.Result.Shape.Size, true, ch)
	}
	if len(to) == 0 || ch.dead || x.failed() {
		return
	}
	c := to[ch.choose(len(to))]
	k := x.number[c]
	if in.To != nil && x.touchesForm(x.places(f.copy, in.To), -1) && x.matters[k] {
		x.fail("a struct is returned into an object")
	}
	switch {
	case c.Func.Library:
		x.library(s, in, k, ch)
	case !x.matters[k]:
	case slices.ContainsFunc(s.frames, func(g frame) bool { return g.copy == k }):
		x.fail("a function that matters calls itself")
	default:
		g := frame{copy: k, locals: map[int]value{}, regs: map[int]value{}, dst: in.Dst}
		for i, p := range c.Func.Params {
			if i < len(in.Args) && in.Args[i].ByVal == nil && p.ByVal == nil {
				v := x.evalAll(s, in.Args[i].X, ch)
				g.set(p.Reg, v)
			}
		}
		s.frames = append(s.frames, g)
		x.endLocals(s, c.Func)
		return
	}
	ch.dead = ch.dead || !in.Returns
}

// leadsOut reports whether a call may get to a function that is none of the program's.
func (x *explorer) leadsOut(c int, in *cir.Call) bool {
	if _, direct := in.Callee.(*cir.Func); direct {
		return false
	}
	return slices.ContainsFunc(x.places(c, in.Callee), func(l pointsto.Location) bool { return l.Obj.External })
}

// outside is a call of a function without a body.
func (x *explorer) outside(s *state, in *cir.Call, ch *chooser) {
	n := x.threads.NodeOf(x.copies[s.top().copy])
	for _, m := range x.threads.Calls(x.threads.Threads[0], n, in) {
		if !m.Fn.Library && x.matters[x.number[m.Copy()]] {
			x.fail("code outside may call a function that matters")
		}
	}
	f, direct := in.Callee.(*cir.Func)
	known := direct && (in.Unknown == cir.Pure || f.Unknown == cir.Pure || slices.Contains(harmless, f.Source))
	for _, a := range in.Args {
		at := x.places(s.top().copy, a.X)
		x.eachPart(func(o *pointsto.Object, _, _ int64) {
			if !known && slices.ContainsFunc(at, func(l pointsto.Location) bool { return l.Obj == o }) {
				x.fail("a container is given to code outside")
			}
		})
		if !known && !x.mayBe(at, new(int64)) && x.reaches(at) {
			x.fail("code outside is given what leads to an object")
		}
		if x.mayBe(at, new(int64)) {
			switch v := x.eval(s, a.X, ch); {
			case v.k == number:
			case !known:
				x.fail("an object is given to code outside")
			case v.k == node:
				x.allowed(s, v.n)
			}
		}
	}
}

// library is a call of a function of the library.
func (x *explorer) library(s *state, in *cir.Call, k int, ch *chooser) {
	f, name := s.top(), x.copies[k].Func.Source
	if name == "pthread_exit" || name == "thrd_exit" {
		x.ends(s)
	}
	if name == "memset" && x.sets(s, in, ch) {
		return
	}
	if u, ok := uses[name]; ok && u.arg < len(in.Args) {
		at := x.places(f.copy, in.Args[u.arg].X)
		for r, l := range x.form.Locks {
			if len(at) == 1 && at[0] == l && x.form.isSlot(r) {
				x.useSlot(s, in, u, ch)
				return
			}
			if len(at) == 1 && at[0] == l {
				x.use(s, in, u, r, ch)
				return
			}
			if slices.ContainsFunc(at, func(m pointsto.Location) bool { return m.Obj == l.Obj && (m.Off == l.Off || m.Off == pointsto.Any) }) {
				x.fail("which lock is used is not known")
				return
			}
		}
	} else if x.usesLock(f.copy, in) && !calm[name] {
		x.fail("a lock is used in another way")
		return
	}
	if in.Dst != nil && (name == "malloc" || name == "calloc") && x.mayBe(x.places(f.copy, in.Dst), new(int64)) {
		x.allocate(s, in, name == "calloc", ch)
		return
	}
	if in.Dst != nil && (name == "malloc" || name == "calloc") {
		if x.allocateArray(s, in, name == "calloc") {
			return
		}
		x.allocatePrivate(s, in, name == "calloc", ch)
	}
	does, given, near := x.does[k], false, slices.Contains(harmless, name) || slices.Contains(writes, name)
	shallow := near || isOpaque(name)
	for _, a := range in.Args { // a list of arguments may lead to objects, too
		at := x.places(f.copy, a.X)
		given = given || x.mayBe(at, new(int64)) || !shallow && x.reaches(at)
	}
	switch {
	case name == "free":
		x.free(s, in, ch)
		return
	case calm[name] && !does.objects && !does.cells, !given && !does.objects && !does.cells && !does.matters:
		return
	case does.cells, does.matters, !near && !isUse(name):
		x.fail("a function of the library that is not followed")
		return
	}
	for n, a := range in.Args {
		if !x.mayBe(x.places(f.copy, a.X), new(int64)) || a.ByVal != nil {
			continue
		}
		v := x.eval(s, a.X, ch)
		if ch.dead || x.failed() || v.k == number {
			continue
		}
		i := unnamed
		if v.k == node {
			i = v.n
			x.allowed(s, i)
		}
		if slices.Contains(writes, name) && x.linked() && !x.failed() && x.mayRelink(f.copy, in, name, n) {
			x.relink(s, i, value{k: unknown}, ch)
		}
	}
}

// sizes are the arguments of functions that say how many bytes are written at most.
var sizes = map[string]int{"memset": 2, "memcpy": 2, "memmove": 2, "strncpy": 2, "snprintf": 1, "read": 2}

// mayRelink reports whether what a function of the library writes from its n-th argument on may be the link of an object.
func (x *explorer) mayRelink(c int, in *cir.Call, name string, n int) bool {
	size := int64(-1)
	if n == 1 && slices.Contains([]string{"memcpy", "memmove", "strncpy", "strcpy"}, name) { // which reads that
		return false
	}
	if k, ok := sizes[name]; ok && k < len(in.Args) {
		size = x.copies[c].Given(in.Args[k].X)
	}
	return slices.ContainsFunc(x.places(c, in.Args[n].X), func(l pointsto.Location) bool {
		behind := l.Off >= x.form.Link+x.pointer                      // and so is what begins later in an array
		ahead := size >= 0 && l.Off >= 0 && l.Off+size <= x.form.Link // what goes beyond an array begins with it
		return x.objects[l.Obj] && (l.Off == pointsto.Any || !behind && !ahead)
	})
}

// sets is a memset of known bytes of a container with 0: of whole cells, and of locks that nobody may use.
func (x *explorer) sets(s *state, in *cir.Call, ch *chooser) bool {
	if len(in.Args) != 3 {
		return false
	}
	at, n := x.places(s.top().copy, in.Args[0].X), x.copies[s.top().copy].Given(in.Args[2].X)
	if len(at) != 1 || !at[0].Exact() || n < 0 || x.objects[at[0].Obj] {
		return false
	}
	found := x.clears(s, &cir.Fill{Dst: in.Args[0].X, Byte: in.Args[1].X, Size: in.Args[2].X}, n, ch)
	zero, ok := in.Args[1].X.(cir.Int)
	if !found && (!ok || zero.Lo != 0 || x.touchesCells(at, n)) {
		return false
	}
	for r, l := range x.form.Locks {
		if l.Obj == at[0].Obj && l.Off < at[0].Off+n && at[0].Off < l.Off+lockSize {
			if found = true; !s.alone || s.locked[r] {
				x.fail("a lock begins or ends while others may use it")
			}
		}
	}
	return found
}

// lockSize is how many bytes a lock has at most.
const lockSize = 64

// isUse tells that a function uses a lock, of which nothing else is accessed.
func isUse(name string) bool {
	_, ok := uses[name]
	return ok
}

// reaches reports whether objects can be reached from some places.
func (x *explorer) reaches(at []pointsto.Location) bool {
	seen := map[*pointsto.Object]bool{}
	for work := slices.Clone(at); len(work) > 0; {
		o := work[len(work)-1].Obj
		if work = work[:len(work)-1]; x.objects[o] {
			return true
		}
		if !seen[o] {
			seen[o] = true
			work = append(work, x.pts.Held(o)...)
		}
	}
	return false
}

// calm are functions that access none of what they are given that may lead to objects, or to a lock.
var calm = map[string]bool{"pthread_join": true, "thrd_join": true, "pthread_exit": true, "pthread_detach": true, "pthread_create": true, "thrd_create": true, "free": true, "pthread_cond_signal": true, "pthread_cond_broadcast": true, "cnd_signal": true, "cnd_broadcast": true}

// opaque are the beginnings of names of functions that access nothing but an object of the library's type, wherever that is, and what they are told in another one of those; they keep no address.
var opaque = []string{"pthread_cond_", "pthread_barrier_", "pthread_rwlock_", "sem_", "cnd_"}

// isOpaque tells that a function is one of these.
func isOpaque(name string) bool {
	return slices.ContainsFunc(opaque, func(s string) bool { return strings.HasPrefix(name, s) })
}

// usesLock reports whether an argument of a call leads to a lock.
func (x *explorer) usesLock(c int, in *cir.Call) bool {
	for _, a := range in.Args {
		for _, l := range x.places(c, a.X) {
			for _, m := range x.form.Locks {
				if l.Obj == m.Obj && (l.Off == m.Off || l.Off == pointsto.Any) {
					return true
				}
			}
		}
	}
	return false
}

// use is a use of the lock of a region.
func (x *explorer) use(s *state, in *cir.Call, u use, r int, ch *chooser) {
	take := func() {
		if s.locked[r] {
			x.fail("a lock is taken that may be held")
			return
		}
		if s.locked[r] = true; !s.held[r] {
			x.acquire(s, r, x.states[r], false, ch)
		}
	}
	give := func() {
		if !s.locked[r] {
			x.fail("a lock is given back that is not held")
			return
		}
		if s.locked[r] = false; !s.alone {
			x.release(s, r, ch)
		}
	}
	switch u.does {
	case takes:
		take()
	case tries:
		if ch.choose(2) == 0 {
			take()
			s.top().set(in.Dst, null)
		} else {
			s.top().set(in.Dst, value{k: address})
		}
	case gives:
		give()
	case waits:
		if give(); !ch.dead && !x.failed() {
			take()
		}
	case begins:
		if !s.alone || s.locked[r] {
			x.fail("a lock begins or ends while others may use it")
		}
	}
}

// allocate is an allocation: nothing, the followed object, or another one.
func (x *explorer) allocate(s *state, in *cir.Call, zero bool, ch *chooser) {
	link := value{k: unknown}
	if zero {
		link = null
	}
	i := 0
	switch ch.choose(3) {
	case 0:
		s.top().set(in.Dst, null)
		return
	case 1:
		if s.objects[0].of != nobody || s.refers(0) {
			ch.dead = true // it is there already
			return
		}
		s.objects[0].of = self
	case 2:
		if len(x.form.Arrays) > 0 { // there are no links, so nothing has to be known of others
			s.top().set(in.Dst, value{k: address})
			return
		}
		i = x.named(s, self)
	}
	if x.failed() {
		return
	}
	s.objects[i].link = link
	s.top().set(in.Dst, value{node, i, 0})
}

// free is the end of an object's life.
func (x *explorer) free(s *state, in *cir.Call, ch *chooser) {
	if len(in.Args) != 1 || !x.mayBe(x.places(s.top().copy, in.Args[0].X), new(int64)) {
		return
	}
	v := x.eval(s, in.Args[0].X, ch)
	i := v.n
	switch v.k {
	case node:
		x.allowed(s, i)
	case address: // that of an object with a name, perhaps
		if i = ch.choose(len(s.objects)); i == 0 {
			return
		}
	default:
		return
	}
	if x.failed() {
		return
	}
	if s.reachable(i) {
		x.resolve(s, i, ch)
	}
	if o := &s.objects[i]; v.k == node && o.of == self && o.preds[own] > 0 {
		x.fail("an object is freed that others lead to")
	}
	s.objects[i].of = nobody
	s.objects[i].finds(value{k: unknown})
}
