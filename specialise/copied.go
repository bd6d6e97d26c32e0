package specialise

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// uses are the functions that use a lock, which is their first argument.
var uses = map[string]bool{
	"pthread_mutex_lock": true, "pthread_mutex_trylock": true, "pthread_mutex_timedlock": true, "pthread_mutex_unlock": true, "mtx_lock": true, "mtx_unlock": true,
	"pthread_rwlock_rdlock": true, "pthread_rwlock_wrlock": true, "pthread_spin_lock": true, "pthread_cond_wait": true, "pthread_barrier_wait": true,
	"sem_wait": true, "sem_post": true,
}

// warnOfCopies warns of copies of memory into which a lock is used: POSIX leaves open what using a copy does. Nothing but their contents tells copies from
// locks, so a model cannot.
func (b *builder) warnOfCopies() {
	used := map[*pointsto.Object][]int64{}
	b.eachOwn(func(c pointsto.Copy, in cir.Instr) {
		call, ok := in.(*cir.Call)
		if !ok || len(call.Args) == 0 {
			return
		}
		for _, f := range b.pts.Callees(c.Func, c.Ctx, call) {
			if f.Library && uses[f.Source] {
				for _, l := range b.pts.Places(c.Func, c.Ctx, call.Args[0].X) {
					used[l.Obj] = append(used[l.Obj], l.Off)
				}
			}
		}
	})
	said := map[*cir.Site]bool{}
	b.eachOwn(func(c pointsto.Copy, in cir.Instr) {
		dst, src, n := copied(in)
		site := in.Meta().Site
		if dst == nil || site == nil || said[site] {
			return
		}
		size := int64(-1)
		if n, ok := n.(cir.Int); ok {
			size = int64(n.Lo)
		}
		if b.copiesInto(used, b.pts.Places(c.Func, c.Ctx, dst), size) && slices.ContainsFunc(b.pts.Places(c.Func, c.Ctx, src), hasName) {
			said[site] = true
			b.warnings = append(b.warnings, fmt.Sprintf("%s: warning: a copy of a lock is used as a lock: POSIX leaves this undefined", site.Pos))
		}
	})
}

// copied returns what an instruction copies, nil if it does not copy memory.
func copied(in cir.Instr) (dst, src, size cir.Value) {
	switch in := in.(type) {
	case *cir.Copy:
		return in.Dst, in.Src, in.Size
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); ok && f.Library && len(in.Args) == 3 && (f.Source == "memcpy" || f.Source == "memmove") {
			return in.Args[0].X, in.Args[1].X, in.Args[2].X
		}
	}
	return nil, nil, nil
}

// eachOwn calls f for all instructions of the program's own functions.
func (b *builder) eachOwn(f func(pointsto.Copy, cir.Instr)) {
	for _, c := range b.pts.Copies() {
		if c.Func.Library {
			continue
		}
		for _, blk := range c.Func.Blocks {
			for _, in := range blk.Instrs {
				f(c, in)
			}
		}
	}
}

// copiesInto reports whether a lock that is used is among the bytes at some places.
func (b *builder) copiesInto(used map[*pointsto.Object][]int64, to []pointsto.Location, size int64) bool {
	return slices.ContainsFunc(to, func(l pointsto.Location) bool {
		return slices.ContainsFunc(used[l.Obj], func(at int64) bool {
			return size < 0 || at == pointsto.Any || l.Off == pointsto.Any || l.Off <= at && at < l.Off+size
		})
	})
}

// hasName reports whether a place is one of an object that the program names, or allocates: no initialiser.
func hasName(l pointsto.Location) bool {
	switch o := l.Obj; {
	case o.External || o.IsFunc():
		return false
	case o.Global != nil:
		return !o.Global.Literal && o.Global.Source != ""
	case o.Local != nil:
		return o.Local.Name != ""
	}
	return true
}
