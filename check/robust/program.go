package robust

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// code is a copy of a function as far as it matters here.
type code struct {
	blocks [][]item // by the blocks' indices
	next   [][]int  // where control may go
	back   []bool   // blocks that end the function
}

// kind is what an item does.
type kind uint8

const (
	touches kind = iota // accesses memory atomically
	fences              // is a fence
	calls               // calls functions of the program, or of the library that are followed
	locks               // synchronises by what the library does
	creates             // creates threads
	joins               // waits for the end of a thread
	ends                // ends the thread
)

// item is an instruction that matters.
type item struct {
	kind
	in    cir.Instr
	order cir.Order // of a fence
}

// run is what a thread runs.
type run struct {
	list    []pointsto.Copy
	has     map[pointsto.Copy]bool
	callers map[pointsto.Copy][]point
	calls   map[point][]pointsto.Copy
	// roots are what it runs, one after the other.
	roots []pointsto.Copy
	// joins, locks and fences are the items where the thread may get to know what others did, without an access.
	joins, locks, fences []point
}

// point is before an item of a copy.
type point struct {
	copy        pointsto.Copy
	block, item int
}

// codeOf returns what matters of a copy.
func (a *analysis) codeOf(c pointsto.Copy) *code {
	if k := a.codes[c]; k != nil {
		return k
	}
	f := c.Func
	k := &code{blocks: make([][]item, len(f.Blocks)), next: make([][]int, len(f.Blocks)), back: make([]bool, len(f.Blocks))}
	a.codes[c] = k
	for i, b := range f.Blocks {
		if !a.pts.Comes(f, b) {
			continue
		}
		for _, in := range b.Instrs {
			k.blocks[i] = append(k.blocks[i], a.itemsOf(c, in)...)
		}
		_, k.back[i] = b.Term.(*cir.Return)
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if a.pts.Goes(f, b, to) {
				k.next[i] = append(k.next[i], to.Index)
			}
		})
	}
	return k
}

// itemsOf returns what an instruction does that matters here.
func (a *analysis) itemsOf(c pointsto.Copy, in cir.Instr) []item {
	if list, _, _ := atomicOf(in); list != nil {
		return []item{{kind: touches, in: in}}
	}
	switch in := in.(type) {
	case *cir.Fence:
		if in.Compiler {
			return nil
		}
		a.fences = true
		return []item{{kind: fences, in: in, order: in.Order}}
	case *cir.Intrinsic:
		if why := refused[in.Op]; why != "" {
			a.refuse(in, "%s", why)
		}
		switch in.Op {
		case cir.ThreadCreate:
			return []item{{kind: creates, in: in}}
		case cir.ThreadExit:
			return []item{{kind: ends, in: in}}
		case cir.AtomicBegin:
			if !c.Func.Library {
				a.refuse(in, "an atomic section")
			}
		}
	case *cir.Call:
		return a.callItems(c, in)
	}
	return nil
}

// refused are the intrinsics that nothing is known of here.
var refused = map[cir.IntrinsicOp]string{cir.Setjmp: "setjmp", cir.Longjmp: "longjmp", cir.Interrupt: "a handler of signals", cir.ThreadAlone: "fork"}

// callItems returns what a call does. What the library does to synchronise may be before it calls a function of the program, or after that.
func (a *analysis) callItems(c pointsto.Copy, in *cir.Call) []item {
	call := item{kind: calls, in: in}
	if c.Func.Library { // the call of the program's is what matters
		return []item{call}
	}
	around := calls
	if _, direct := in.Callee.(*cir.Func); !direct && slices.ContainsFunc(a.pts.Places(c.Func, c.Ctx, in.Callee), func(l pointsto.Location) bool { return !l.Obj.IsFunc() }) {
		around = locks
	}
	for _, f := range a.pts.Callees(c.Func, c.Ctx, in) {
		switch {
		case f.Atomic:
			a.refuse(in, "a function that is one step as a whole")
		case len(f.Blocks) == 0:
			around = locks
		case f.Library && (unsure[f.Source] || f.Source == "sem_post" && a.sees(c.Func, in)):
			a.refuse(in, "'%s' may fail without synchronising", f.Source)
		case f.Library && !waitsForEnd[f.Source] && !beginsOrEnds[f.Source] && synchronises(f) && !isKnown(f.Source):
			a.refuse(in, "'%s' may tell what other threads did without synchronising", f.Source)
		case f.Library && waitsForEnd[f.Source]:
			around = joins
		case f.Library && !beginsOrEnds[f.Source] && synchronises(f):
			around = locks
		}
	}
	if around == calls {
		return []item{call}
	}
	return []item{{kind: around, in: in}, call, {kind: around, in: in}}
}

// waitsForEnd are the functions of the library that wait for the end of a thread; beginsOrEnds those that synchronise only with what a thread does that they
// begin, or with who waits for the end of this one.
var (
	waitsForEnd  = map[string]bool{"pthread_join": true, "thrd_join": true}
	beginsOrEnds = map[string]bool{"pthread_create": true, "thrd_create": true, "pthread_exit": true, "thrd_exit": true, "pthread_self": true, "thrd_current": true}
)

// unsure are the functions of the library that tell what other threads did without synchronising with them, or end threads at any time.
var unsure = map[string]bool{
	"pthread_mutex_trylock": true, "pthread_mutex_timedlock": true, "pthread_mutex_clocklock": true, "mtx_trylock": true, "mtx_timedlock": true,
	"pthread_rwlock_tryrdlock": true, "pthread_rwlock_trywrlock": true, "pthread_rwlock_timedrdlock": true, "pthread_rwlock_timedwrlock": true,
	"pthread_rwlock_clockrdlock": true, "pthread_rwlock_clockwrlock": true, "pthread_spin_trylock": true,
	"sem_trywait": true, "sem_timedwait": true, "sem_clockwait": true, "sem_getvalue": true,
	"sem_open": true, "sem_close": true, "sem_unlink": true, // whether there is one of that name
	"pthread_mutexattr_setrobust": true, // a mutex whose state is lost is not locked
	"pthread_key_create":          true, "tss_create": true, "pthread_key_delete": true, "tss_delete": true, "pthread_tryjoin_np": true, "pthread_timedjoin_np": true, "pthread_clockjoin_np": true, "pthread_cancel": true, "pthread_kill": true,
}

// sees reports whether the program may look at whether a call of the library has failed: by what it returns, or by errno. A semaphore that is full tells of other posts, and orders nothing.
func (a *analysis) sees(f *cir.Func, call *cir.Call) (is bool) {
	if call.Dst != nil {
		see := func(v cir.Value) { is = is || v == cir.Value(call.Dst) }
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				cir.Operands(in, see)
			}
			cir.TermOperands(b.Term, see)
		}
	}
	return is || slices.ContainsFunc(a.prog.Funcs, namesErrno)
}

// namesErrno reports whether a function of the program names errno.
func namesErrno(f *cir.Func) (names bool) {
	if f.Library {
		return false
	}
	see := func(v cir.Value) {
		switch v := v.(type) {
		case *cir.Global:
			names = names || v.Source == "errno" || v.Source == "__comus_errno"
		case *cir.Func:
			names = names || v.Source == "__errno_location"
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, see)
		}
	}
	return names
}

// known are the functions of the library that synchronise with whoever they tell of, by how their names begin, or tell of nobody.
var known = []string{"pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "pthread_once", "sem_", "mtx_", "cnd_", "call_once", "pthread_detach", "thrd_detach",
	"printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "putc", "fputc", "fwrite", "fflush", "perror", "exit"}

// isKnown reports whether a function is one of them.
func isKnown(name string) bool {
	return slices.ContainsFunc(known, func(k string) bool { return name == k || k[len(k)-1] == '_' && strings.HasPrefix(name, k) })
}

// synchronises reports whether a function of the library may synchronise with other threads, itself or by what it calls of the library.
func synchronises(f *cir.Func) bool {
	seen := map[*cir.Func]bool{}
	var visit func(f *cir.Func) bool
	visit = func(f *cir.Func) bool {
		if seen[f] {
			return false
		}
		seen[f] = true
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Intrinsic:
					switch in.Op {
					case cir.Lock, cir.Unlock, cir.AtomicBegin, cir.Await, cir.AwaitFrom:
						return true
					}
				case *cir.Call:
					if g, ok := in.Callee.(*cir.Func); ok && g.Library && visit(g) {
						return true
					}
				}
			}
		}
		return false
	}
	return visit(f)
}

// opaque reports whether a call may get to a function without a body.
func (a *analysis) opaque(c pointsto.Copy, call *cir.Call) bool {
	return slices.ContainsFunc(a.pts.Callees(c.Func, c.Ctx, call), func(f *cir.Func) bool { return len(f.Blocks) == 0 })
}
