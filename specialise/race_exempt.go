package specialise

import (
	"path/filepath"
	"slices"
	"strings"

	"comus/cir"
)

// What the library accesses of its own, and of objects that threads synchronise by, is no part of races of the program: mutexes, the
// blocks that tell of threads, what is registered for the end.

// exempt reports whether accesses here are none of the program: the library synchronises.
func (b *builder) exempt() bool {
	f := b.fr.fn
	return f.Library && !plainResults[f.Source] && !strings.Contains(f.Source, "attr") && isOf(f.Pos.File, synchronising)
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

// plainResults are the functions there that access memory which is the program's.
var plainResults = map[string]bool{"pthread_create": true, "end_join": true, "sem_getvalue": true, "pthread_key_create": true,
	"thrd_create": true, "thrd_join": true, "tss_create": true, "free": true, "realloc": true, "posix_memalign": true}

// isLibrarys reports whether a global is one of the library's thread-safe functions.
func (b *builder) isLibrarys(g *cir.Global) bool { return g.Library && isOf(g.Pos.File, threadSafe) }
