package cfront

import (
	"strings"

	"comus/logic"

	"modernc.org/cc/v4"
)

// errno is a variable of each thread that library functions assign to. Which of them
// fail why is known of semaphores only; others may leave anything there.

// errnoName is the name of the variable in the embedded header.
const errnoName = "errno"

// The values of errno that comus knows.
const eagain = 11 // of sem_trywait

// errnoKept are beginnings of names of library functions that do not change errno.
var errnoKept = []string{"pthread_", "__sync_", "__atomic_", "__comus_", "__VERIFIER_", "mem", "str", "sem_",
	"assume", "__assert", "__builtin_", "abs", "labs", "llabs", "rand", "srand", "free", "sched_yield", "is", "toupper", "tolower", "alloca"}

// changesErrno reports whether a library function may change errno.
func changesErrno(name string) bool {
	if libraryFuncs[name] == nil {
		return false
	}
	if strings.HasPrefix(name, "sem_") || strings.HasPrefix(name, "strto") || strings.HasPrefix(name, "strerror") || strings.HasPrefix(name, "__builtin_put") || strings.HasSuffix(name, "printf") {
		return true
	}
	for _, p := range errnoKept {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return true
}

// setErrno gives errno a value, if the program mentions it: nil means any.
func (b *lowerer) setErrno(n cc.Node, to *logic.Term) {
	if b.cur == nil || !b.src.usesErrno() {
		return
	}
	p := b.global(n, errnoName).whole()
	if p.typ.kind != tInt {
		b.fail(n, "unsupported: errno of this type")
	}
	if to == nil {
		tmp := b.newTemp(p.typ.it)
		b.havoc(n, "", "", tmp)
		to = tmp.Sym
	}
	b.store(n, p, b.intValue(to, p.typ.it), b.text(n)+" sets errno")
}

// usesErrno reports whether some function mentions errno.
func (p *program) usesErrno() bool {
	for _, i := range p.info {
		if i.globals[errnoName] {
			return true
		}
	}
	return false
}
