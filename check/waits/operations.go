package waits

import "comus/cir"

// does is what a function of the library does.
type does uint8

const (
	nothing  does = iota + 1 // that matters here
	takes                    // a lock, and waits for it
	tries                    // a lock, and has it if the result is 0
	gives                    // a lock back
	begins                   // the life of a lock
	readies                  // a condition variable
	destroys                 // a condition variable
	sleeps                   // on a condition variable until it is signalled
	dozes                    // the same, but for some time only
	signals                  // one that waits on a condition variable
	wakes                    // all that do
	joins                    // a thread
	onceOnly                 // calls a function, once
	founds                   // a barrier for a number of threads
	meets                    // others at a barrier
	tunes                    // attributes, which it writes
)

// operation is what a function of the library that is known by its name does. lock is the argument that leads to a lock, of the given size in bytes, cond to a condition variable.
type operation struct {
	does       does
	lock, cond int
	size       int64
}

const (
	sizeMutex = 40
	sizeRW    = 56
	sizeWord  = 4
	sizeCond  = 48
	sizeMeet  = 32 // of a barrier
)

// operations are the functions of the library that are not followed. All others are, and must not wait.
var operations = map[string]*operation{
	"pthread_mutex_lock":        {takes, 0, -1, sizeMutex},
	"pthread_mutex_trylock":     {tries, 0, -1, sizeMutex},
	"pthread_mutex_timedlock":   {tries, 0, -1, sizeMutex},
	"pthread_mutex_clocklock":   {tries, 0, -1, sizeMutex},
	"pthread_mutex_unlock":      {gives, 0, -1, sizeMutex},
	"pthread_mutex_init":        {begins, 0, -1, sizeMutex},
	"pthread_mutex_destroy":     {nothing, 0, -1, sizeMutex},
	"mtx_lock":                  {takes, 0, -1, sizeMutex},
	"mtx_trylock":               {tries, 0, -1, sizeMutex},
	"mtx_timedlock":             {tries, 0, -1, sizeMutex},
	"mtx_unlock":                {gives, 0, -1, sizeMutex},
	"mtx_init":                  {begins, 0, -1, sizeMutex},
	"mtx_destroy":               {nothing, 0, -1, sizeMutex},
	"pthread_rwlock_rdlock":     {takes, 0, -1, sizeRW},
	"pthread_rwlock_wrlock":     {takes, 0, -1, sizeRW},
	"pthread_rwlock_tryrdlock":  {tries, 0, -1, sizeRW},
	"pthread_rwlock_trywrlock":  {tries, 0, -1, sizeRW},
	"pthread_rwlock_unlock":     {gives, 0, -1, sizeRW},
	"pthread_rwlock_init":       {begins, 0, -1, sizeRW},
	"pthread_rwlock_destroy":    {nothing, 0, -1, sizeRW},
	"pthread_spin_lock":         {takes, 0, -1, sizeWord},
	"pthread_spin_trylock":      {tries, 0, -1, sizeWord},
	"pthread_spin_unlock":       {gives, 0, -1, sizeWord},
	"pthread_spin_init":         {begins, 0, -1, sizeWord},
	"pthread_spin_destroy":      {nothing, 0, -1, sizeWord},
	"pthread_cond_wait":         {sleeps, 1, 0, sizeMutex},
	"cnd_wait":                  {sleeps, 1, 0, sizeMutex},
	"pthread_cond_timedwait":    {dozes, 1, 0, sizeMutex},
	"pthread_cond_clockwait":    {dozes, 1, 0, sizeMutex},
	"cnd_timedwait":             {dozes, 1, 0, sizeMutex},
	"pthread_cond_signal":       {signals, -1, 0, 0},
	"cnd_signal":                {signals, -1, 0, 0},
	"pthread_cond_broadcast":    {wakes, -1, 0, 0},
	"cnd_broadcast":             {wakes, -1, 0, 0},
	"pthread_cond_init":         {readies, -1, 0, 0},
	"cnd_init":                  {readies, -1, 0, 0},
	"pthread_cond_destroy":      {destroys, -1, 0, 0},
	"cnd_destroy":               {destroys, -1, 0, 0},
	"pthread_join":              {joins, -1, -1, 0},
	"thrd_join":                 {joins, -1, -1, 0},
	"pthread_timedjoin_np":      {joins, -1, -1, 0},
	"pthread_clockjoin_np":      {joins, -1, -1, 0},
	"pthread_tryjoin_np":        {nothing, -1, -1, 0},
	"pthread_detach":            {nothing, -1, -1, 0},
	"thrd_detach":               {nothing, -1, -1, 0},
	"pthread_once":              {onceOnly, 0, -1, sizeWord},
	"call_once":                 {onceOnly, 0, -1, sizeWord},
	"pthread_barrier_init":      {founds, -1, 0, 0},
	"pthread_barrier_wait":      {meets, -1, 0, 0},
	"pthread_barrier_destroy":   {nothing, -1, 0, 0}, // waits until those have left that were let go
	"pthread_mutexattr_init":    {tunes, -1, -1, 0},
	"pthread_mutexattr_destroy": {tunes, -1, -1, 0},
	"pthread_condattr_init":     {tunes, -1, -1, 0},
	"pthread_condattr_destroy":  {tunes, -1, -1, 0},
	"pthread_condattr_setclock": {tunes, -1, -1, 0},
}

// kinds are the functions after which nothing is proved, and why.
var kinds = map[string]string{
	"pthread_mutexattr_settype": otherKind, "pthread_mutexattr_setkind_np": otherKind, "pthread_mutexattr_setrobust": otherKind, "pthread_mutexattr_setrobust_np": otherKind,
	"pthread_cancel": "has a thread end in the middle",
}

const otherKind = "makes locks that may be held twice, or that end with their holders"

// operationOf returns what a function of the library is known to do, nil if it is to be followed.
func operationOf(f *cir.Func) *operation {
	if !f.Library || len(f.Blocks) == 0 {
		return nil
	}
	return operations[f.Source]
}
