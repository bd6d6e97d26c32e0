package specialise

import (
	"path/filepath"
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// What the library accesses of its own is no part of races of the program: the blocks that tell of threads, what is registered for the end.
// Of objects that threads synchronise by, its accesses are atomic ones.

// exempt reports whether accesses here are none of the program: the library synchronises. What a function outside accesses that the library calls, as one that a thread begins with, is none of the library's.
func (b *builder) exempt() bool {
	f := b.fr.fn
	return f.Library && !b.beyond && !plainResults[f.Source] && !results[f.Source] && !strings.Contains(f.Source, "attr") && isOf(f.Pos.File, synchronising)
}

// isOf reports whether a file of the library has one of these beginnings, and is not about attributes, which are the program's.
func isOf(file string, prefixes []string) bool {
	name := filepath.Base(file)
	return !strings.Contains(name, "attr") && slices.ContainsFunc(prefixes, func(s string) bool { return strings.HasPrefix(name, s) })
}

// The beginnings of names of files of the library: of those whose functions access objects that threads synchronise by, or are made of what they
// allocate themselves; and of those that are thread-safe, whatever their variables are.
var (
	synchronising = []string{"pthread", "semaphore", "threads.c", "exit.c", "malloc.c"}
	threadSafe    = append(slices.Clone(synchronising), "process.c", "sched.c", "signal.c", "stdio", "unistd")
)

// plainResults are the functions there that access memory which is the program's; results those of them that only write it, beside objects
// that threads synchronise by.
var (
	results = map[string]bool{"sem_getvalue": true, "pthread_setcancelstate": true, "pthread_setcanceltype": true,
		"pthread_mutex_getprioceiling": true, "pthread_mutex_setprioceiling": true}
	plainResults = map[string]bool{"pthread_create": true, "__comus_thread_begin": true, "end_join": true, "pthread_key_create": true,
		"thrd_create": true, "thrd_join": true, "tss_create": true, "free": true, "calloc": true, "realloc": true, "posix_memalign": true}
)

// locks reports whether an access made here is one of an object of the program's by which threads synchronise, or may be: what
// the library does there counts as atomic, so that it is no race with itself, but one with a copy, a memset or the free of who did not wait.
func (b *builder) locks(write bool) bool {
	f := b.fr.fn
	return f.Library && isOf(f.Pos.File, lockFiles) && (b.exempt() || results[f.Source] && !write)
}

var lockFiles = []string{"pthread", "semaphore", "threads.c"}

// isOwn reports whether an object is the library's: memory that it allocates for itself, or a local of one of its functions.
func isOwn(abs *pointsto.Object) bool {
	return abs != nil && abs.Func != nil && abs.Func.Library && (abs.Local != nil || abs.Site != nil && isOf(abs.Func.Pos.File, lockFiles))
}

// isLibrarys reports whether a global is one of the library's thread-safe functions.
func (b *builder) isLibrarys(g *cir.Global) bool { return g.Library && isOf(g.Pos.File, threadSafe) }
