package waits

import (
	"context"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// UseKind is what a use of a lock, a condition variable or a barrier does to its life.
type UseKind uint8

// The kinds.
const (
	Begins UseKind = iota
	Uses
	Ends
)

// Use is an argument of a call of the library that leads to a lock, a condition variable or a barrier.
type Use struct {
	Copy pointsto.Copy
	Call *cir.Call
	Arg  int
	Kind UseKind
	Size int64
	// Once tells that the call is made for each object once at most, in all of an execution.
	Once bool
	// Free tells that the thread does not hold the object there.
	Free bool
}

// Joined is a load of the id of a thread that is joined or detached.
type Joined struct {
	Copy pointsto.Copy
	Load *cir.Load
}

// Written is a write to something that is used.
type Written struct {
	Copy pointsto.Copy
	In   cir.Instr
	To   pointsto.Location
}

// UsesOf is what is left to be shown of a program so that it misuses no locks and no threads: that of each object the life begins before it is used, and ends after that, and that ids were stored before they are loaded.
type UsesOf struct {
	List   []Use
	Joined []Joined
	// Born are the places where a static initialiser has put zeros when the object's life begins, and Before are writes that are made before an object is initialised, by the places that they are to.
	Born   map[pointsto.Location]bool
	Before map[Written]bool
	// Assumptions are the sentences that the rest is based on, sorted.
	Assumptions []string
}

// useKinds are the functions of the library that are looked at, with what they do to each of their first arguments that leads to an object.
var useKinds = map[string][]Use{
	"pthread_mutex_init": {{Kind: Begins, Size: sizeMutex}}, "pthread_mutex_destroy": {{Kind: Ends, Size: sizeMutex}},
	"pthread_mutex_lock": {{Kind: Uses, Size: sizeMutex}}, "pthread_mutex_trylock": {{Kind: Uses, Size: sizeMutex}}, "pthread_mutex_timedlock": {{Kind: Uses, Size: sizeMutex}},
	"pthread_mutex_unlock": {{Kind: Uses, Size: sizeMutex}},
	"pthread_rwlock_init":  {{Kind: Begins, Size: sizeRW}}, "pthread_rwlock_destroy": {{Kind: Ends, Size: sizeRW}},
	"pthread_rwlock_rdlock": {{Kind: Uses, Size: sizeRW}}, "pthread_rwlock_wrlock": {{Kind: Uses, Size: sizeRW}}, "pthread_rwlock_tryrdlock": {{Kind: Uses, Size: sizeRW}},
	"pthread_rwlock_trywrlock": {{Kind: Uses, Size: sizeRW}}, "pthread_rwlock_unlock": {{Kind: Uses, Size: sizeRW}},
	"pthread_cond_init": {{Kind: Begins, Size: sizeCond}}, "pthread_cond_destroy": {{Kind: Ends, Size: sizeCond}},
	"pthread_cond_signal": {{Kind: Uses, Size: sizeCond}}, "pthread_cond_broadcast": {{Kind: Uses, Size: sizeCond}},
	"pthread_cond_wait":      {{Kind: Uses, Size: sizeCond}, {Kind: Uses, Size: sizeMutex, Arg: 1}},
	"pthread_cond_timedwait": {{Kind: Uses, Size: sizeCond}, {Kind: Uses, Size: sizeMutex, Arg: 1}},
	"pthread_barrier_init":   {{Kind: Begins, Size: sizeMeet}}, "pthread_barrier_wait": {{Kind: Uses, Size: sizeMeet}}, "pthread_barrier_destroy": {{Kind: Ends, Size: sizeMeet}},
	"pthread_join": nil, "pthread_detach": nil, "pthread_once": nil, "pthread_condattr_init": nil, "pthread_condattr_destroy": nil, "pthread_condattr_setclock": nil,
}

// isSeen reports whether zeros are written by the program's own code, by calloc, or by a memset that the program calls.
func (u *uses) isSeen(w write) bool {
	f := w.by.Func
	return !f.Library || f.Source == "calloc" || f.Source == "memset" && !slices.ContainsFunc(u.h.callers[w.by], func(c pointsto.Copy) bool { return c.Func.Library && c.Func.Source != "calloc" })
}

// assumeReaders is what is taken for granted of read-write locks, as package scancheck words it.
const assumeReaders = "no more read locks are held at a time than the library allows"

// FindUses shows of a program that no lock is misused while its life goes on, and no thread: who takes a lock does not hold it, who gives it back or waits with it does, a condition variable is waited for with one mutex, no
// thread ends with a lock, and each thread is joined or detached once. It returns what is left to be shown. The error says what is not shown.
//
// Up to the first misuse of an execution, locks and ids of threads are used as POSIX demands, which others take for granted. So it is enough that no use is the first misuse.
func FindUses(ctx context.Context, prog *cir.Program, pts *pointsto.Result) (*UsesOf, error) {
	p, err := newProgram(ctx, prog, pts)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(p.classes, func(k *class) bool { return k.handler }) {
		return nil, &Error{nil, "handlers of signals are not looked at"}
	}
	if p.prog.Model.PointerBits != 64 {
		return nil, &Error{nil, "programs of 32 bits are not looked at"}
	}
	if err := findWays(p); err != nil {
		return nil, err
	}
	h := &holding{program: p, sets: newSets()}
	if err := h.analyse(); err != nil {
		return nil, err
	}
	f := &finder{h: h, w: &Waits{edges: map[[2]Element]bool{}, sets: h.sets}, conditions: map[int]*condition{}, awaited: map[callIn][]Element{}, order: map[Element]directions{}}
	if f.writes, err = f.allWrites(); err != nil {
		return nil, err
	}
	u := &uses{finder: f, out: &UsesOf{Born: map[pointsto.Location]bool{}, Before: map[Written]bool{}}}
	h.visit, h.steady, h.indexed = u.visit, f.steady, f.indexed
	for _, c := range p.runs {
		if h.copy(c); h.err != nil {
			return nil, h.err
		}
		if err := u.others(c); err != nil {
			return nil, err
		}
	}
	for _, step := range []func() error{f.begins, u.held, u.lives, u.plain, u.consumed, ctx.Err} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	u.out.Assumptions = slices.DeleteFunc(p.assumptions(), func(s string) bool { return s == assumeIDs || s == assumeGive || s == AssumeGives })
	return u.out, nil
}

// uses is the search.
type uses struct {
	*finder
	out   *UsesOf
	joins []callIn
	// begins are the calls that initialise what is used.
	begins map[Element]*Use
}

// visit looks at an operation, with all that may be held there.
func (u *uses) visit(c pointsto.Copy, in *cir.Call, op *operation, held map[hold]bool, vs values) error {
	g, direct := in.Callee.(*cir.Func)
	if !direct || c.Func.Library {
		return fail(in, "a function that uses locks or threads is called by the library, or through a pointer")
	}
	list, known := useKinds[g.Source]
	if !known {
		return fail(in, "the use of '%s' is not looked at", g.Source)
	}
	for _, x := range list {
		set, err := u.h.sets.of(u.h.program, c, in, in.Args[x.Arg].X)
		if err != nil {
			return err
		}
		x.Copy, x.Call, x.Free = c, in, true
		for _, e := range u.h.sets.list[set] {
			u.h.sets.size[e] = max(u.h.sets.size[e], x.Size)
			mayHold := u.h.sets.mayHold(held, e)
			x.Free = x.Free && !mayHold
			if x.Kind == Ends && mayHold {
				return fail(in, "%s may be held where it is destroyed", u.h.sets.describe(set))
			}
		}
		if i := slices.IndexFunc(u.out.List, func(y Use) bool { return y.Copy == c && y.Call == in && y.Arg == x.Arg }); i < 0 {
			u.out.List = append(u.out.List, x)
		} else {
			u.out.List[i].Free = u.out.List[i].Free && x.Free
		}
		if x.Size == sizeRW {
			u.h.assumed[assumeReaders] = true
		}
	}
	switch g.Source {
	case "pthread_mutex_init", "pthread_rwlock_init":
		if n, null := in.Args[1].X.(cir.Null); !null || n.Addr != 0 {
			return fail(in, "a lock with attributes is not looked at")
		}
	case "pthread_join", "pthread_detach":
		if at := (callIn{c, in}); !slices.Contains(u.joins, at) {
			u.joins = append(u.joins, at)
		}
	}
	if op.does == takes {
		return u.takes(c, in, op, held, vs)
	}
	return nil
}

// takes shows that a thread does not hold a lock that it takes.
func (u *uses) takes(c pointsto.Copy, in *cir.Call, op *operation, held map[hold]bool, vs values) error {
	set, n, err := u.h.lockOf(c, in, op, vs)
	if err != nil {
		return err
	}
	for _, a := range u.h.sets.list[set] {
		for k := range held {
			if !slices.Contains(u.h.sets.list[k.set], a) {
				continue
			}
			if dirs, err := u.h.between(c, in, k.name, n, a); err != nil || dirs == 0 {
				return fail(in, "a thread may hold %s already", u.h.sets.describe(set))
			}
		}
	}
	return nil
}

// others looks at what a copy does otherwise that may be misuse.
func (u *uses) others(c pointsto.Copy) error {
	for _, b := range c.Func.Blocks {
		if !u.h.pts.Comes(c.Func, b) {
			continue
		}
		for _, in := range b.Instrs {
			x, ok := in.(*cir.Intrinsic)
			if !ok || x.Op != cir.Undefined || x.Check != "locks" && x.Check != "threads" {
				continue
			}
			// Who has no cleanup handlers and no keys with destructors does not get to pthread_exit again.
			if c.Func.Library && c.Func.Source == "pthread_exit" && !u.cleansUp() {
				continue
			}
			return fail(in, "'%s' may misuse locks or threads", c.Func.Source)
		}
	}
	return nil
}

// cleansUp reports whether functions may be called where a thread ends.
func (u *uses) cleansUp() bool {
	return slices.ContainsFunc(u.h.runs, func(c pointsto.Copy) bool {
		return c.Func.Library && slices.Contains([]string{"pthread_key_create", "tss_create", "__comus_push_cleanup", "atexit", "on_exit"}, c.Func.Source)
	})
}

// plain shows that no bytes of what is used are written by others but as zeros, are a part of something else that is used, or begin as other than 0.
func (u *uses) plain() error {
	locks := u.locks()
	if err := u.apart(locks); err != nil {
		return err
	}
	for _, e := range u.w.sorted(locks) {
		l, size := locks[e], u.h.sets.size[e]
		if g := l.Obj.Global; g != nil && (g.ThreadLocal || !u.fresh(g, region{l, size, e})) {
			return &Error{nil, u.h.sets.name(e) + " is no plain one, or not free, when the program begins"}
		}
		if !l.Exact() { // elements of an array have no bytes in common
			if lo, hi, ok := l.Element(); !ok || l.Off < lo || l.Off+size > hi {
				return &Error{nil, u.h.sets.name(e) + " may be another one in part"}
			}
		}
		born := bytesBorn{}
		for _, w := range u.writes[l.Obj] {
			switch {
			case w.begun || !w.whole && !w.at.Touches(w.size, l, size):
			case w.whole:
				return fail(w.in, "%s may be written", u.h.sets.name(e))
			case (w.zeros || u.begins[e] != nil) && u.isFirst(w):
				u.out.Before[Written{w.by, w.in, l}] = true
				if u.isSure(w) {
					born.add(w, l)
				}
			case !w.zeros || !u.isSeen(w):
				return fail(w.in, "%s may be written", u.h.sets.name(e))
			}
		}
		u.out.Born[l] = u.begins[e] == nil && born.all(size)
	}
	return nil
}
