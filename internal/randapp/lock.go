package randapp

import "fmt"

// lock is how threads exclude one another.
type lock struct {
	take, give string // statements about p
	mutex      bool   // it is a mutex p->NAME, as condition variables need one
	name       string
}

// mutex gives the object a mutex.
func (o *object) mutex() { o.lockOf(0) }

// lock gives the object a lock of some kind.
func (o *object) lock() { o.lockOf(o.g.IntN(16)) }

func (o *object) lockOf(kind int) {
	g := o.g
	n := g.name(g.one("lock", "mutex", "mu", "guard"))
	o.lk.name = n
	switch {
	case kind < 8:
		o.mutexOf(n)
	case kind < 9:
		o.simple(n, "pthread_spinlock_t", "pthread_spin_init(&p->%s, PTHREAD_PROCESS_PRIVATE);", "pthread_spin_lock(&p->%s);", "pthread_spin_unlock(&p->%s);", "pthread_spin_destroy(&p->%s);")
	case kind < 11:
		o.simple(n, "pthread_rwlock_t", "pthread_rwlock_init(&p->%s, NULL);", "pthread_rwlock_wrlock(&p->%s);", "pthread_rwlock_unlock(&p->%s);", "pthread_rwlock_destroy(&p->%s);")
	case kind < 13:
		o.simple(n, "sem_t", "sem_init(&p->%s, 0, 1);", "sem_wait(&p->%s);", "sem_post(&p->%s);", "sem_destroy(&p->%s);")
	case kind < 14:
		typ := g.one("PTHREAD_MUTEX_RECURSIVE", "PTHREAD_MUTEX_ERRORCHECK")
		o.simple(n, "pthread_mutex_t", "pthread_mutexattr_t attr_"+n+";\npthread_mutexattr_init(&attr_"+n+");\npthread_mutexattr_settype(&attr_"+n+", "+typ+
			");\npthread_mutex_init(&p->%s, &attr_"+n+");\npthread_mutexattr_destroy(&attr_"+n+");",
			"pthread_mutex_lock(&p->%s);", "pthread_mutex_unlock(&p->%s);", "pthread_mutex_destroy(&p->%s);")
	case kind < 15:
		o.simple(n, "atomic_flag", "atomic_flag_clear(&p->%s);", "while (atomic_flag_test_and_set_explicit(&p->%s, memory_order_acquire))\n    sched_yield();", "atomic_flag_clear_explicit(&p->%s, memory_order_release);", "")
	default: // elsewhere, the object knows where
		where := g.name("locks")
		g.declare(fmt.Sprintf("static pthread_mutex_t %s[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};", where))
		o.field("pthread_mutex_t *", n, fmt.Sprintf("&%s[%s]", where, g.index(2)))
		o.lk.take, o.lk.give = fmt.Sprintf("pthread_mutex_lock(p->%s);", n), fmt.Sprintf("pthread_mutex_unlock(p->%s);", n)
	}
	o.wrap()
}

func (o *object) mutexOf(n string) {
	o.simple(n, "pthread_mutex_t", "pthread_mutex_init(&p->%s, NULL);", "pthread_mutex_lock(&p->%s);", "pthread_mutex_unlock(&p->%s);", "pthread_mutex_destroy(&p->%s);")
	o.lk.mutex = true
}

func (o *object) simple(n, typ, init, take, give, destroy string) {
	o.field(typ, n, "")
	o.inits = append(o.inits, fmt.Sprintf(init, n))
	if destroy != "" && o.g.chance(70) {
		o.ends = append(o.ends, fmt.Sprintf(destroy, n))
	}
	o.lk.take, o.lk.give = fmt.Sprintf(take, n), fmt.Sprintf(give, n)
}

// wrap puts functions around the lock.
func (o *object) wrap() {
	g := o.g
	switch g.IntN(4) {
	case 0:
		g.fn(o, "static void $N_lock(struct $N *p) {\n  $LOCK\n}\nstatic void $N_unlock(struct $N *p) {\n  $UNLOCK\n}")
		o.lk.take, o.lk.give = o.name+"_lock(p);", o.name+"_unlock(p);"
	case 1:
		if o.lk.mutex {
			g.helper("static void acquire(pthread_mutex_t *m) {\n  if (pthread_mutex_lock(m))\n    abort();\n}\nstatic void release(pthread_mutex_t *m) {\n  if (pthread_mutex_unlock(m))\n    abort();\n}")
			o.lk.take, o.lk.give = fmt.Sprintf("acquire(&p->%s);", o.lk.name), fmt.Sprintf("release(&p->%s);", o.lk.name)
		}
	}
}

// unlocked returns the statements that take and give the lock, or nothing if that is a bug.
func (o *object) unlocked(what string) (take, give string) {
	if o.g.bug("race", what) {
		return "", ""
	}
	return o.lk.take, o.lk.give
}
