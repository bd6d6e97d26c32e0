// Package randrel has programs with assertions about several variables at once, which hold because of what these have to do with each other: pairs that differ by one thing, and
// random ones.
package randrel

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// writer makes a random program: two threads, two locks, integers that are counted, copied and compared.
type writer struct {
	*rand.Rand
	b      strings.Builder
	keep   func(name string) bool
	checks int
	deep   int
	locals bool
	// sections has atomic sections instead of the lock n.
	sections  bool
	inSection bool
	held      string
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// variable is mostly one of the lock that is held: a, b and c are those of m, d and e those of n.
func (w *writer) variable() string {
	if w.locals && w.IntN(3) == 0 {
		return w.pick("i", "j", "*p")
	}
	if w.IntN(12) == 0 {
		return w.pick("a", "b", "c", "d", "e", "t")
	}
	if w.held == "n" {
		return w.pick("d", "e")
	}
	return w.pick("a", "b", "c")
}

func (w *writer) term() string {
	switch w.IntN(8) {
	case 0:
		return strconv.Itoa(w.IntN(4))
	case 1:
		return "(__VERIFIER_nondet_int() & 3)"
	}
	return w.variable()
}

func (w *writer) condition() string {
	rel := w.pick("<", "<=", ">", ">=", "==", "!=")
	switch w.IntN(4) {
	case 0:
		return fmt.Sprintf("%s %s %d", w.variable(), rel, w.IntN(5))
	case 1:
		return fmt.Sprintf("%s - %s %s %d", w.variable(), w.variable(), rel, w.IntN(4)-1)
	case 2:
		return fmt.Sprintf("%s + %s %s %s", w.variable(), w.variable(), w.pick("<=", "==", ">="), w.pick(w.term(), strconv.Itoa(w.IntN(9))))
	}
	return fmt.Sprintf("%s %s %s", w.variable(), rel, w.term())
}

// truth is likely to hold of counters.
func (w *writer) truth() string {
	return fmt.Sprintf("%s %s %s + %d", w.variable(), w.pick("==", "<=", ">="), w.variable(), w.IntN(5)-2)
}

func (w *writer) statement() {
	v := w.variable()
	switch w.IntN(14) {
	case 0, 1:
		w.printf("%s++; ", v)
		if w.IntN(2) == 0 {
			w.printf("%s++; ", w.variable())
		}
	case 2:
		w.printf("%s = %s; ", v, w.term())
	case 3:
		w.printf("%s = %s + %d; ", v, w.variable(), w.IntN(5)-2)
	case 4:
		w.printf("%s += %s; ", v, w.term())
	case 5:
		w.printf("%s -= %s; ", v, w.term())
	case 6:
		w.printf("%s = %s++; ", v, w.variable())
	case 7:
		w.printf("%s = %d - %s; ", v, w.IntN(5), w.variable())
	case 8:
		if w.locals {
			w.printf("p = %s; ", w.pick("&i", "&a", "&b", "__VERIFIER_nondet_int() & 1 ? &a : &j"))
		} else {
			w.printf("up(%s); ", w.pick("&a", "&b", "&c", "&d"))
		}
	case 9:
		w.check(w.truth())
	default:
		w.nested()
	}
}

func (w *writer) nested() {
	w.deep++
	defer func() { w.deep-- }()
	if w.deep > 3 {
		w.check(w.condition())
		return
	}
	switch w.IntN(5) {
	case 0, 1:
		w.printf("if (%s) { ", w.condition())
		w.statements(1 + w.IntN(3))
		if w.IntN(2) == 0 {
			w.printf("} else { ")
			w.statements(1 + w.IntN(2))
		}
		w.printf("} ")
	case 2:
		k := fmt.Sprintf("k%d", w.deep)
		w.printf("for (int %s = 0; %s < %d; %s++) { ", k, k, 1+w.IntN(4), k)
		w.statements(1 + w.IntN(3))
		w.printf("} ")
	default:
		if w.inSection { // where nobody may wait
			w.statements(1)
			return
		}
		if w.held != "" && w.IntN(3) > 0 { // gives it back in between
			w.give(w.held)
			w.take(w.held)
			return
		}
		before := w.held
		lock := w.pick("m", "m", "n")
		if before == lock {
			w.statements(2)
			return
		}
		if w.held == "" || w.IntN(6) == 0 {
			w.held = lock
		}
		w.take(lock)
		w.statements(2 + w.IntN(4))
		w.give(lock)
		w.held = before
	}
}

// take and give are about a lock; n is one or stands for atomic sections.
func (w *writer) take(lock string) {
	if lock == "n" && w.sections {
		w.printf("__VERIFIER_atomic_begin(); ")
		w.inSection = true
		return
	}
	w.printf("LOCK(%s); ", lock)
}

func (w *writer) give(lock string) {
	if lock == "n" && w.sections {
		w.printf("__VERIFIER_atomic_end(); ")
		w.inSection = false
		return
	}
	w.printf("UNLOCK(%s); ", lock)
}

func (w *writer) statements(n int) {
	for range n {
		w.statement()
	}
}

// check writes an assertion, if it is wanted: what follows does not depend on it.
func (w *writer) check(c string) {
	name := fmt.Sprintf("check%d", w.checks)
	w.checks++
	if w.keep(name) {
		w.printf("\n#line %d\nif (__VERIFIER_nondet_int() & 1) { assert(%s); abort(); }\n", 1000+w.checks-1, c)
	}
}

// Program is a random program, with those of its assertions that are wanted. Its behaviour does not depend on which ones are.
func Program(seed uint64, keep func(name string) bool) string {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 11)), keep: keep}
	w.sections = w.IntN(2) == 0
	w.printf("%svoid __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n", Locks)
	w.printf("void abort(void); %s a, b = %d, c; int d, e, t; void up(int *p) { *p += 1; }\n", w.pick("int", "int", "int", "unsigned", "unsigned char", "long"), w.IntN(2))
	for _, f := range []string{"f", "g"} {
		w.printf("void *%s(void *x) { int i = 0, j = 1, *p = &i; ", f)
		w.locals = true
		w.statements(3)
		for range 1 + w.IntN(3) {
			w.held = w.pick("m", "m", "m", "n", "")
			if w.held == "" {
				w.statements(1)
				continue
			}
			w.locals = w.IntN(2) == 0
			w.take(w.held)
			w.statements(2 + w.IntN(6))
			w.check(w.truth())
			w.give(w.held)
		}
		w.held = ""
		w.printf("return 0; }\n")
	}
	w.locals = false
	w.printf("int main(void) { pthread_t x, y; ")
	if w.IntN(3) == 0 {
		w.statements(2)
	}
	held := w.IntN(4) == 0
	if held {
		w.held = "m"
		w.printf("LOCK(m); ")
	}
	w.printf("pthread_create(&x, 0, f, 0); ")
	if w.IntN(3) == 0 {
		w.statements(1)
	}
	w.printf("pthread_create(&y, 0, %s, 0); ", w.pick("f", "g"))
	if held {
		w.statements(2)
		w.printf("UNLOCK(m); ")
		w.held = ""
	}
	if w.IntN(2) == 0 {
		w.printf("LOCK(m); ")
		w.held = "m"
		w.statements(2)
		w.check(w.truth())
		w.printf("UNLOCK(m); ")
	}
	w.printf("return 0; }\n")
	return w.b.String()
}
