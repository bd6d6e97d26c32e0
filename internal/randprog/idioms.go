package randprog

import (
	"fmt"
	"slices"
)

// An idiom is a little protocol between threads that is right as long as nobody
// leaves a part of it out, which happens now and then. Random statements alone
// seldom make programs whose safety hangs on several threads. An idiom has
// variables of its own, "c" and "d", and puts its parts into generator.parts.
type idiom func(g *generator)

// idioms are all of them, with the features that they need beside each other.
var idioms = []struct {
	needs Feature
	make  idiom
}{
	{Awaits, messagePassing},
	{Locks, lockedCounter},
	{Locks, mutualExclusion},
	{0, storeBuffering},
	{Atomics, atomicTransfer},
	{Awaits, turns},
}

// slip reports whether to leave something out.
func (g *generator) slip() bool { return g.chance(35) }

// chooseIdiom makes one idiom, or none. Thread 0 is main.
func (g *generator) chooseIdiom() {
	g.parts = make([][]*node, g.opts.Threads+1)
	if g.chance(45) {
		return
	}
	id := pick(g, idioms)
	if !g.has(id.needs) {
		return
	}
	g.p.globals = append(g.p.globals, "int c = 0;", "int d = 0;")
	if id.needs == Locks && len(g.mutexes) == 0 {
		g.mutexes = []string{"m"}
	}
	g.asserts++
	id.make(g)
}

// add appends statements to a thread's part.
func (g *generator) add(thread int, nodes ...*node) {
	g.parts[thread] = append(g.parts[thread], nodes...)
}

// twoThreads picks two different threads.
func (g *generator) twoThreads() (int, int) {
	order := g.r.Perm(g.opts.Threads + 1)
	return order[0], order[1]
}

// messagePassing writes data, then tells so; the other one waits and reads.
func messagePassing(g *generator) {
	sender, receiver := g.twoThreads()
	data, tell := line("d = 2;"), line("c = 1;")
	if g.slip() {
		data, tell = tell, data
	}
	g.add(sender, data, tell)
	g.add(receiver, &node{head: "while (c != 1)", tail: "    ;"}, line("assert(d == 2);"))
}

// lockedCounter has each worker increment a counter under a lock.
func lockedCounter(g *generator) {
	for t := 1; t <= g.opts.Threads; t++ {
		if g.slip() {
			g.add(t, line("c++;"))
		} else {
			m := g.mutexes[0]
			g.add(t, bracket("pthread_mutex_lock(&"+m+");", "pthread_mutex_unlock(&"+m+");", []*node{line("c++;")}))
		}
	}
	g.final = line("assert(c == %d);", g.opts.Threads)
}

// mutualExclusion has two threads assert that they are alone under the lock.
func mutualExclusion(g *generator) {
	a, b := g.twoThreads()
	for i, t := range []int{a, b} {
		m := g.mutexes[0]
		if g.slip() {
			m = g.mutexes[len(g.mutexes)-1]
		}
		g.add(t, bracket("pthread_mutex_lock(&"+m+");", "pthread_mutex_unlock(&"+m+");", []*node{
			line("c = %d;", i+1), line("assert(c == %d);", i+1)}))
	}
}

// storeBuffering has two threads write one variable and read the other's; under
// sequential consistency one of them sees the other's write.
func storeBuffering(g *generator) {
	a, b := g.twoThreads()
	first, second := []*node{line("c = 1;"), line("r1 = d;")}, []*node{line("d = 1;"), line("r2 = c;")}
	if g.slip() {
		slices.Reverse(second)
	}
	g.p.globals = append(g.p.globals, "int r1 = 1;", "int r2 = 1;")
	g.add(a, first...)
	g.add(b, second...)
	g.final = line("assert(r1 != 0 || r2 != 0);")
}

// atomicTransfer keeps c + d constant, looked at from another thread.
func atomicTransfer(g *generator) {
	mover, watcher := g.twoThreads()
	section := func(body ...*node) *node {
		return bracket("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();", body)
	}
	move := []*node{line("c = 1;"), line("d = -1;")}
	if !g.slip() {
		move = []*node{section(move...)}
	}
	g.add(mover, move...)
	g.add(watcher, section(line("r = c;"), line("r = r + d;")), line("assert(r == 0);"))
	g.p.globals = append(g.p.globals, "int r = 0;")
}

// turns passes a token between two threads.
func turns(g *generator) {
	a, b := g.twoThreads()
	wait := func(k int) *node { return &node{head: fmt.Sprintf("while (c != %d)", k), tail: "    ;"} }
	g.add(a, line("d = d + 1;"), line("c = 1;"), wait(2), line("assert(d == 2);"))
	g.add(b, wait(1), line("d = d + 1;"), line("c = 2;"))
	if g.slip() {
		g.parts[b] = g.parts[b][1:]
	}
}

// merge puts the parts between the statements, each list keeping its order.
func (g *generator) merge(statements, parts []*node) []*node {
	var out []*node
	for len(parts) > 0 {
		if n := g.r.IntN(len(statements) + len(parts)); n < len(statements) {
			out, statements = append(out, statements[0]), statements[1:]
		} else {
			out, parts = append(out, parts[0]), parts[1:]
		}
	}
	return append(out, statements...)
}
