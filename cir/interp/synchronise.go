package interp

import (
	"comus/cir"
	"comus/cir/interp/happens"
)

// What orders: creation and end of threads, locks, sections, atomics.
//
// The models of the library synchronise in atomic sections and by the intrinsics of locks. A section as such orders nothing;
// sections says what each of them does when it ends, which is what POSIX promises of the function (XBD 4.12) and no more. Where
// POSIX leaves it open:
//
//   - A function that fails orders nothing: a trylock that returns EBUSY ("unspecified").
//   - Signals and broadcasts order nothing by themselves, only the mutex does.
//   - A wait for a semaphore is ordered behind all posts before, as it cannot be told which one let it go.
//   - Readers of a read-write lock are not ordered with one another.
//   - Functions of streams lock the stream, which keeps them from racing, and order nothing else; flockfile does.
//   - atexit is ordered before the functions that exit calls (as C++ says).
//
// A section of a model that is not in the table, the user's own say, is taken for a seq_cst access of each scalar that
// it accesses. Sections of __VERIFIER_atomic_begin are ordered as if they held one lock, and their accesses are atomic.

// section is an atomic section of the library's that a thread is in.
type section struct {
	began uint64 // the version
	rule  rule   // what its end does; nil: its accesses order
}

// rule is what the end of a section orders; changed says that it wrote something.
type rule func(r *races, t *thread, f *frame, changed bool)

// syncVar is what an object hands on that synchronises.
type syncVar struct {
	clock   happens.Clock
	readers happens.Clock // of a read-write lock: from those that read
	writer  int           // 1 + the thread that holds it for writing
	round   *barrier1     // of a barrier: the round that gathers
}

// barrier1 is a round of a barrier.
type barrier1 struct {
	clock   happens.Clock
	arrived uint32
}

// sections are the rules, by the functions that sections are in.
var sections = func() map[string]rule {
	m := map[string]rule{
		"sem_post": released, "sem_wait": acquired, "take": acquired,
		"pthread_rwlock_unlock": rwUnlocked, "pthread_barrier_wait": barrierWaited, "pthread_barrier_destroy": acquired,
		"pthread_once": onceBegun,
		"add_handler":  func(r *races, t *thread, f *frame, changed bool) { t.hb.ReleaseTo(&r.atExit) },
		usesStream:     usedStream,
		"begin_exit":   func(r *races, t *thread, f *frame, changed bool) { t.hb.Acquire(r.atExit) },
		// The accesses of what is in a pipe order, as atomic ones do: who reads has seen what was written before.
		"__comus_pipe_read": nil, "__comus_pipe_write": nil,
	}
	for _, prefix := range []string{"", "try", "timed"} {
		m["pthread_rwlock_"+prefix+"rdlock"] = readLocked
		m["pthread_rwlock_"+prefix+"wrlock"] = writeLocked
	}
	nothing := func(r *races, t *thread, f *frame, changed bool) {}
	for _, name := range []string{
		// Locks are taken and given back by the intrinsics.
		"lock_special", "try_fast", "pthread_mutex_init", "pthread_mutex_destroy", "pthread_spin_trylock", "pthread_spin_destroy",
		"ftrylockfile", "__comus_use_buffer", "pthread_rwlock_destroy",
		// Threads: the intrinsics of their creation and end.
		"__comus_thread_begin", "is_single", "__comus_thread_end", "begin_join", "pthread_join", "pthread_detach",
		"wait_for_signal", "note_mutex", "sem_destroy", "pthread_cond_signal", "pthread_cond_broadcast",
		"pthread_key_create", "pthread_key_delete", "pthread_setspecific", "pthread_getspecific",
		"getenv", "setenv", "unsetenv", "putenv", "clearenv", "sem_open", "sem_unlink", "sem_close", "sem_init", "pthread_cond_init", "pthread_cond_destroy", "pthread_rwlock_init", "pthread_barrier_init",
		"pthread_spin_init", "install", "settle", "block", "number", "seed", "rand_r",
		"clock_gettime", "now_at_least", "pipe2", "goes_on", "__comus_wait_in_handler", "pause", "takes",
	} {
		m[name] = nothing
	}
	return m
}()

// role is how the accesses of a function of the library count.
type role uint8

const (
	noRole    role = iota // still to be found out
	plainRole             // as the program's
	syncRole              // as atomic: it works on mutexes and the like
	outRole               // as atomic, but for what it writes, a result
	onceRole              // as syncRole; it is pthread_once
)

// synchronises tells whether an access counts as atomic.
func (r role) synchronises(write bool) bool { return r >= syncRole && !(write && r == outRole) }

// roles are the functions that work on objects that synchronise, by their names in the models. All others are plain.
var roles = func() map[string]role {
	m := map[string]role{"pthread_once": onceRole, "not_done": onceRole, "sem_getvalue": outRole,
		"pthread_mutex_getprioceiling": outRole, "pthread_mutex_setprioceiling": outRole}
	for _, name := range []string{
		"is_fast", "is_orphan", "returns_to_owner", "lock_again", "lock_in_handler", "lock_now", "lock_special", "try_fast", "unlock_special",
		"pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_unlock", "pthread_mutex_init",
		"pthread_mutex_destroy", "pthread_mutex_consistent", "mtx_init",
		"cond_of", "remove_waiter", "unlock_and_wait", "wait_for_signal", "note_mutex", "wake", "wake_all", "pthread_cond_signal", "pthread_cond_broadcast", "pthread_cond_init",
		"pthread_cond_destroy", "cnd_init",
		"pthread_barrier_init", "pthread_barrier_wait", "pthread_barrier_destroy",
		"check", "read_now", "write_now", "is_mine", "yields", "timed_out", "unlock_reader", "unlock_writer", "pthread_rwlock_unlock", "pthread_rwlock_init",
		"pthread_rwlock_destroy", "pthread_spin_init", "pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock", "pthread_spin_destroy",
		"check_sem", "take", "sem_init", "sem_destroy", "sem_post", "sem_wait", "sem_timedwait", "use_locked", "__comus_use_buffer",
	} {
		m[name] = syncRole
	}
	for _, how := range []string{"", "try", "timed"} {
		m["pthread_rwlock_"+how+"rdlock"], m["pthread_rwlock_"+how+"wrlock"] = syncRole, syncRole
	}
	return m
}()

// role returns the function's, which is the library's.
func (c *fn) role() role {
	if c.known == noRole {
		c.known = plainRole
		if r, ok := roles[c.name()]; ok {
			c.known = r
		}
	}
	return c.known
}

// generic tells whether the thread is in a section whose accesses order.
func (h *threadOrder) generic() bool {
	n := len(h.sections)
	return n > 0 && h.sections[n-1].rule == nil
}

// begin notes the beginning of an atomic section in an activation; one is set if it is one access of an object.
func (r *races) begin(t *thread, f *frame, one bool) {
	if _, is := exchanges[f.fn.name()]; r.m.opt.Atomics != nil && !is && !knownToAtomics[f.fn.name()] {
		r.m.opt.Observer.Unknown("an atomic section of " + f.fn.name())
	}
	switch {
	case f.fn.f.Library && !isVerifiers(f.fn.name()):
		t.hb.sections = append(t.hb.sections, section{t.m.version, sections[f.fn.name()]})
	case one:
		t.hb.sections = append(t.hb.sections, section{t.m.version, nil})
	default:
		r.enter(t)
	}
}

// end notes the end of a section.
func (r *races) end(t *thread, f *frame, one bool) {
	if !one && (!f.fn.f.Library || isVerifiers(f.fn.name())) {
		r.leave(t)
		return
	}
	n := len(t.hb.sections)
	if n == 0 {
		return
	}
	s := t.hb.sections[n-1]
	t.hb.sections = t.hb.sections[:n-1]
	if s.rule != nil {
		s.rule(r, t, f, s.began != t.m.version)
	}
}

// isVerifiers tells whether a function of the library is the program's beginning or end of a section.
func isVerifiers(name string) bool {
	return len(name) > 11 && (name[:11] == "__VERIFIER_" || name[:10] == "__CPROVER_")
}

// enter begins a section of the program's.
func (r *races) enter(t *thread) {
	if t.hb.user++; t.hb.user == 1 {
		r.m.observe(placeOfSection, 8, true)
		t.hb.Acquire(r.all)
	}
}

// leave ends a section of the program's.
func (r *races) leave(t *thread) {
	if t.hb.user == 0 {
		return
	}
	if t.hb.user--; t.hb.user == 0 {
		t.hb.ReleaseTo(&r.all)
	}
}

// dropped says that the thread has left all its sections, by waiting or by its end.
func (r *races) dropped(t *thread) {
	if t.hb.user > 0 {
		t.hb.ReleaseTo(&r.all)
	}
	t.hb.user, t.hb.sections = 0, t.hb.sections[:0]
}

// syncAt returns what synchronises at p, nil if there is nothing.
func (r *races) syncAt(p slot) *syncVar {
	o, off := r.find(p, 1)
	if o == nil || o.dead {
		return nil
	}
	s := shadowOf(o)
	if s.syncs == nil {
		s.syncs = map[int64]*syncVar{}
	}
	v := s.syncs[off]
	if v == nil {
		v = &syncVar{}
		s.syncs[off] = v
	}
	return v
}

// object returns what synchronises at a function's first argument.
func (r *races) object(f *frame) *syncVar {
	if len(f.fn.f.Params) == 0 {
		return nil
	}
	return r.syncAt(f.s[f.fn.f.Params[0].Reg.Index])
}

// locked notes that the thread has taken the lock at p; unlocked, that it gives it back.
func (r *races) locked(t *thread, p slot) {
	if v := r.syncAt(p); v != nil {
		t.hb.Acquire(v.clock)
	}
	r.access(t, p, 4, true, true)
	if f := t.fr; f.fn.f.Library && f.fn.name() == usesStream {
		r.usesStream(t, f)
	}
}

func (r *races) unlocked(t *thread, p slot) {
	r.access(t, p, 4, true, true)
	if v := r.syncAt(p); v != nil {
		t.hb.Release(&v.clock)
	}
}

func released(r *races, t *thread, f *frame, changed bool) {
	if v := r.object(f); v != nil && changed {
		t.hb.ReleaseTo(&v.clock)
	}
}

func acquired(r *races, t *thread, f *frame, changed bool) {
	if v := r.object(f); v != nil && changed {
		t.hb.Acquire(v.clock)
	}
}

func readLocked(r *races, t *thread, f *frame, changed bool) {
	acquired(r, t, f, changed)
	if changed {
		r.m.took(t, lockOf(f), "read")
	}
}

// lockOf returns what a function of the library is given first.
func lockOf(f *frame) slot {
	if len(f.fn.f.Params) == 0 {
		return slot{}
	}
	return f.s[f.fn.f.Params[0].Reg.Index]
}

func writeLocked(r *races, t *thread, f *frame, changed bool) {
	if v := r.object(f); v != nil && changed {
		t.hb.Acquire(v.clock)
		t.hb.Acquire(v.readers)
		v.writer = t.self().id + 1
		r.m.took(t, lockOf(f), "write")
	}
}

func rwUnlocked(r *races, t *thread, f *frame, changed bool) {
	v := r.object(f)
	if changed {
		r.m.gave(t, lockOf(f))
	}
	switch {
	case v == nil || !changed:
	case v.writer == t.self().id+1:
		v.writer = 0
		t.hb.Release(&v.clock)
	default:
		t.hb.ReleaseTo(&v.readers)
	}
}

// barrierWaited is the end of one of the two sections of a thread that waits, or of the only one of the last thread of a
// round. Who leaves is ordered behind all that arrived, and before who destroys the barrier.
func barrierWaited(r *races, t *thread, f *frame, changed bool) {
	v := r.object(f)
	if v == nil {
		return
	}
	if round := t.hb.rounds[v]; round != nil {
		delete(t.hb.rounds, v)
		t.hb.Acquire(round.clock)
		t.hb.ReleaseTo(&v.clock)
		return
	}
	if v.round == nil {
		v.round = &barrier1{}
	}
	v.round.arrived++
	t.hb.ReleaseTo(&v.round.clock)
	// The number of threads of a round is the first word (cfront/libc/c/pthread_barrier.c).
	p := f.s[f.fn.f.Params[0].Reg.Index]
	if o, off := r.find(p, 4); o != nil && !o.dead {
		b, _ := r.m.bytesAt(o, off, 4)
		if count := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24; v.round.arrived >= count {
			t.hb.Acquire(v.round.clock)
			v.round = nil
			return
		}
	}
	if t.hb.rounds == nil {
		t.hb.rounds = map[*syncVar]*barrier1{}
	}
	t.hb.rounds[v] = v.round
}

// onceBegun is the end of pthread_once's section, which changes nothing if the function has returned.
func onceBegun(r *races, t *thread, f *frame, changed bool) {
	if v := r.object(f); v != nil && !changed {
		t.hb.Acquire(v.clock)
	}
}

// onceDone is the write that says that the function has returned, or has not.
func (r *races) onceDone(t *thread, p slot) {
	if v := r.syncAt(p); v != nil && len(t.hb.sections) == 0 {
		t.hb.ReleaseTo(&v.clock)
	}
}

// ended notes that the thread has seen that another one has ended. Who detaches it did not wait for it.
func (r *races) ended(t *thread, f *frame, other *thread) {
	if f.fn.name() != "pthread_detach" {
		if r.m.opt.Atomics != nil {
			r.m.opt.Atomics.Joins(t.self().id, other.id)
		}
		t.hb.Follow(other.hb.Thread)
	}
}

// orders returns what an access with a memory order does.
func orders(o cir.Order) (acquire, release bool) {
	switch o {
	case cir.Acquire:
		return true, false
	case cir.Release:
		return false, true
	case cir.AcqRel, cir.SeqCst:
		return true, true
	}
	return false, false
}

// load and store are the synchronisation of accesses of n bytes at p.
func (r *races) load(t *thread, p slot, n int64, acquire bool) {
	if o, off := r.find(p, n); o != nil && !o.dead && o.shadow != nil {
		o.shadow.mem.Load(t.hb.Thread, off, n, acquire)
	}
}

func (r *races) store(t *thread, p slot, n int64, release, update bool) {
	if o, off := r.find(p, n); o != nil && !o.dead {
		shadowOf(o).mem.Store(t.hb.Thread, off, n, release, update)
	}
}

// fence makes the code of a Fence.
func fence(o cir.Order) handler {
	acquire, release := orders(o)
	return func(t *thread, f *frame, in *inst) bool {
		t.hb.Fence(acquire, release)
		return true
	}
}
