package robust

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// What threads do while they have the same lock of the library is ordered by it. What is done with locks is taken to be right (AssumeGive).

// mutexCalls are the functions of the library that take a lock, and those that give it back, or make it anew, by the size of the lock. The lock is the first argument.
var (
	mutexTakes = map[string]int64{"pthread_mutex_lock": 40, "mtx_lock": 40, "pthread_rwlock_wrlock": 56, "pthread_spin_lock": 4}
	mutexGives = map[string]int64{"pthread_mutex_unlock": 40, "mtx_unlock": 40, "pthread_rwlock_unlock": 56, "pthread_spin_unlock": 4,
		"pthread_mutex_init": 40, "mtx_init": 40, "pthread_rwlock_init": 56, "pthread_spin_init": 4,
		"pthread_mutex_destroy": 40, "mtx_destroy": 40, "pthread_rwlock_destroy": 56, "pthread_spin_destroy": 4}
)

// mayRefuse are functions that make locks which threads may be refused.
var mayRefuse = map[string]bool{"pthread_mutexattr_setrobust": true, "pthread_mutexattr_setrobust_np": true, "pthread_mutexattr_setprotocol": true}

// mutexOf returns the places of the lock that a call of the library takes, or gives back.
func (a *analysis) mutexOf(c pointsto.Copy, in cir.Instr) (at []pointsto.Location, size int64, takes bool) {
	call, ok := in.(*cir.Call)
	if !ok || len(call.Args) == 0 {
		return nil, 0, false
	}
	for _, f := range a.pts.Callees(c.Func, c.Ctx, call) {
		if !f.Library {
			continue
		}
		if n := mutexTakes[f.Source]; n > 0 && len(a.pts.Callees(c.Func, c.Ctx, call)) == 1 {
			return a.pts.Places(c.Func, c.Ctx, call.Args[0].X), n, true
		}
		if n := mutexGives[f.Source]; n > 0 {
			return a.pts.Places(c.Func, c.Ctx, call.Args[0].X), n, false
		}
	}
	return nil, 0, false
}

// findMutexes returns the locks of the library of which there is one, and which nothing but the library writes.
func (a *analysis) findMutexes() (list []*lock) {
	if slices.ContainsFunc(a.prog.Funcs, func(f *cir.Func) bool { return mayRefuse[f.Source] }) {
		return nil
	}
	for _, r := range a.runs {
		for _, c := range r.list {
			for _, items := range a.codes[c].blocks {
				for _, x := range items {
					at, size, takes := a.mutexOf(c, x.in)
					if x.kind != locks || !takes || len(at) != 1 || !a.definite(at[0]) || slices.ContainsFunc(list, func(l *lock) bool { return l.at == at[0] }) {
						continue
					}
					spoilt := slices.ContainsFunc(a.puts(), func(p put) bool {
						return !p.copy.Func.Library && p.at.Obj == at[0].Obj && (p.at.Off == pointsto.Any || p.size < 0 || p.at.Off < at[0].Off+size && at[0].Off < p.at.Off+p.size)
					})
					if !spoilt {
						list = append(list, &lock{at: at[0], size: size})
					}
				}
			}
		}
	}
	return list
}

// passesCall changes what a thread has when it passes a call of the library, or comes back from there.
func (a *analysis) passesCall(p point, list []*lock, s []hold) {
	items := a.codes[p.copy].blocks[p.block]
	at, _, takes := a.mutexOf(p.copy, items[p.item].in)
	back := p.item > 0 && items[p.item-1].in == items[p.item].in
	for i, l := range list {
		if l.size == 0 {
			continue
		}
		switch {
		case takes && back && len(at) == 1 && at[0] == l.at:
			s[i] = with
		case !takes && slices.ContainsFunc(at, func(k pointsto.Location) bool {
			return k.Obj == l.at.Obj && (k.Off == pointsto.Any || k.Off < l.at.Off+l.size && l.at.Off < k.Off+l.size)
		}):
			s[i] = without
		}
	}
}
