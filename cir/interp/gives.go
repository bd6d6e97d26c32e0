package interp

import (
	"sort"

	"comus/cir"
)

// givers are the functions of the library that end what its functions that wait, by their names, wait for, where that is not one thread's.
var givers = map[string][]string{
	"sem_wait":                {"sem_post", "sem_init", "sem_destroy"},
	"wait_for_signal":         {"wake", "wake_all"},
	"pthread_barrier_wait":    {"pthread_barrier_wait", "pthread_barrier_init"},
	"pthread_barrier_destroy": {"pthread_barrier_wait", "pthread_barrier_init"},
	"pthread_rwlock_rdlock":   {"pthread_rwlock_unlock", "pthread_rwlock_wrlock", "pthread_rwlock_init", "pthread_rwlock_destroy"},
	"pthread_rwlock_wrlock":   {"pthread_rwlock_unlock", "pthread_rwlock_init", "pthread_rwlock_destroy"},
	"pthread_mutex_lock":      {"pthread_mutex_unlock", "pthread_mutex_init", "pthread_mutex_destroy"},
	"lock_special":            {"pthread_mutex_unlock", "pthread_mutex_init", "pthread_mutex_destroy"},
	"pthread_spin_lock":       {"pthread_spin_unlock", "pthread_spin_init", "pthread_spin_destroy"},
	"pthread_once":            {"pthread_once"},
}

// A rest is what a thread may still do, by its code.
type rest struct {
	funcs  map[*cir.Func]bool // that it calls
	blocks map[*cir.Block]bool
	names  map[string]bool // of functions, that it is in, too
	ends   bool            // it may end
	any    bool            // it may end the program, make a thread, or call what is not known
}

// restOf returns what a thread may still do.
func (m *Machine) restOf(t *thread) *rest {
	r := &rest{funcs: map[*cir.Func]bool{}, blocks: map[*cir.Block]bool{}, names: map[string]bool{}}
	f := t.fr
	for f != nil && r.frame(f) {
		f = f.caller
	}
	r.ends = r.ends || f == nil
	r.any = r.any || f == nil && t.id == 0 // main returns
	return r
}

// frame adds the rest of an activation. It reports whether it may return.
func (r *rest) frame(f *frame) (returns bool) {
	r.names[f.fn.f.Source] = true
	i := sort.Search(len(f.fn.blocks), func(i int) bool { return f.fn.blocks[i] > f.pc }) - 1
	return r.block(f.fn.f.Blocks[i])
}

// block adds a block and all that come after it. It reports whether one returns.
func (r *rest) block(b *cir.Block) (returns bool) {
	seen := map[*cir.Block]bool{}
	for work := []*cir.Block{b}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if !r.blocks[b] {
			r.blocks[b] = true
			for _, in := range b.Instrs {
				r.instr(in)
			}
		}
		if _, ok := b.Term.(*cir.Return); ok {
			returns = true
		}
		work = append(work, successors(b.Term)...)
	}
	return returns
}

// instr adds what an instruction may do for others.
func (r *rest) instr(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Call:
		f, ok := in.Callee.(*cir.Func)
		switch {
		case !ok || in.Unknown == cir.Havoc || in.Unknown == cir.Open || f.Source == "pthread_cancel":
			r.any = true
		case !r.funcs[f]:
			r.funcs[f], r.names[f.Source] = true, true
			if len(f.Blocks) > 0 {
				r.block(f.Blocks[0])
			}
		}
	case *cir.Intrinsic:
		switch in.Op {
		case cir.ThreadExit:
			r.ends = true
		case cir.Stop, cir.Trap, cir.ThreadCreate, cir.Longjmp:
			r.any = true
		}
	}
}

// gives tells whether a thread may end what another one waits for.
func (r *rest) gives(w *Wait) bool {
	names, known := givers[w.inner]
	for _, n := range names {
		known = known && !r.names[n]
	}
	return r.any || !known
}
