package lockset

import "comus/cir"

// Mode is how a lock is held.
type Mode uint8

// The modes: two readers do not exclude each other.
const (
	Reading Mode = iota + 1
	Writing
)

// opKind is what a function of the library does with a lock.
type opKind uint8

const (
	takes    opKind = iota + 1 // it is held afterwards
	tries                      // it is held if the result is 0
	releases                   // it is not held afterwards
	waits                      // it is given back and taken again
	begins                     // it becomes a lock that nobody holds
	ends                       // it is none afterwards
	frees                      // what it is part of is none afterwards
	atomicBegins
	atomicEnds
)

// family is what a lock is.
type family uint8

const (
	mutexes family = iota + 1
	readWriteLocks
	spinLocks
	semaphoreLocks
)

// op is what a function of the library does with the lock that an argument points to.
type op struct {
	kind   opKind
	family family
	mode   Mode
	arg    int
}

// ops are the functions of the library that use locks.
var ops = map[string]op{
	"pthread_mutex_lock":      {takes, mutexes, Writing, 0},
	"pthread_mutex_trylock":   {tries, mutexes, Writing, 0},
	"pthread_mutex_timedlock": {tries, mutexes, Writing, 0},
	"pthread_mutex_clocklock": {tries, mutexes, Writing, 0},
	"pthread_mutex_unlock":    {releases, mutexes, 0, 0},
	"pthread_mutex_init":      {begins, mutexes, 0, 0},
	"pthread_mutex_destroy":   {ends, mutexes, 0, 0},
	"pthread_cond_wait":       {waits, mutexes, Writing, 1},
	"pthread_cond_timedwait":  {waits, mutexes, Writing, 1},
	"pthread_cond_clockwait":  {waits, mutexes, Writing, 1},

	"mtx_lock":      {takes, mutexes, Writing, 0},
	"mtx_trylock":   {tries, mutexes, Writing, 0},
	"mtx_timedlock": {tries, mutexes, Writing, 0},
	"mtx_unlock":    {releases, mutexes, 0, 0},
	"mtx_init":      {begins, mutexes, 0, 0},
	"mtx_destroy":   {ends, mutexes, 0, 0},
	"cnd_wait":      {waits, mutexes, Writing, 1},
	"cnd_timedwait": {waits, mutexes, Writing, 1},

	"pthread_rwlock_rdlock":      {takes, readWriteLocks, Reading, 0},
	"pthread_rwlock_wrlock":      {takes, readWriteLocks, Writing, 0},
	"pthread_rwlock_tryrdlock":   {tries, readWriteLocks, Reading, 0},
	"pthread_rwlock_trywrlock":   {tries, readWriteLocks, Writing, 0},
	"pthread_rwlock_timedrdlock": {tries, readWriteLocks, Reading, 0},
	"pthread_rwlock_timedwrlock": {tries, readWriteLocks, Writing, 0},
	"pthread_rwlock_clockrdlock": {tries, readWriteLocks, Reading, 0},
	"pthread_rwlock_clockwrlock": {tries, readWriteLocks, Writing, 0},
	"pthread_rwlock_unlock":      {releases, readWriteLocks, 0, 0},
	"pthread_rwlock_init":        {begins, readWriteLocks, 0, 0},
	"pthread_rwlock_destroy":     {ends, readWriteLocks, 0, 0},

	"pthread_spin_lock":    {takes, spinLocks, Writing, 0},
	"pthread_spin_trylock": {tries, spinLocks, Writing, 0},
	"pthread_spin_unlock":  {releases, spinLocks, 0, 0},
	"pthread_spin_init":    {begins, spinLocks, 0, 0},
	"pthread_spin_destroy": {ends, spinLocks, 0, 0},

	"sem_wait":      {takes, semaphoreLocks, Writing, 0},
	"sem_trywait":   {tries, semaphoreLocks, Writing, 0},
	"sem_timedwait": {tries, semaphoreLocks, Writing, 0},
	"sem_clockwait": {tries, semaphoreLocks, Writing, 0},
	"sem_post":      {releases, semaphoreLocks, 0, 0},
	"sem_init":      {begins, semaphoreLocks, 0, 0},
	"sem_destroy":   {ends, semaphoreLocks, 0, 0},

	"free":         {frees, 0, 0, 0},
	"realloc":      {frees, 0, 0, 0},
	"reallocarray": {frees, 0, 0, 0},

	"__VERIFIER_atomic_begin": {atomicBegins, 0, Writing, -1},
	"__VERIFIER_atomic_end":   {atomicEnds, 0, 0, -1},
	"__CPROVER_atomic_begin":  {atomicBegins, 0, Writing, -1},
	"__CPROVER_atomic_end":    {atomicEnds, 0, 0, -1},
}

// opOf returns what a function does with locks; the kind is 0 if it is none of these functions.
func opOf(f *cir.Func) op {
	if !f.Library && len(f.Blocks) > 0 {
		return op{}
	}
	return ops[f.Source]
}

// size returns how many bytes a lock takes.
func (f family) size(m cir.Model) int64 {
	sizes := map[family][2]int64{mutexes: {40, 24}, readWriteLocks: {56, 32}, semaphoreLocks: {32, 16}}[f]
	switch {
	case sizes == [2]int64{}:
		return 4
	case m.PointerBits == 32:
		return sizes[1]
	}
	return sizes[0]
}

// ownerDied is what a lock of a robust mutex returns if it is held, and whoever held it before has ended.
const ownerDied = 130
