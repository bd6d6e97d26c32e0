package randprog

import "fmt"

// objects says which of the objects that some features bring a program has.
type objects struct {
	pointer   bool // int *p, to one of the ints
	index     bool // int w[3] and int h, which stays between 0 and 2
	condition bool // pthread_cond_t cv; there is a mutex then
	atomic    bool // atomic_int q
	semaphore bool // sem_t s, 0 or 1 at the start
}

// indexed is the length of the array w.
const indexed = 3

// moreGlobals declares the objects.
func (g *generator) moreGlobals() {
	p := g.p
	declare := func(f Feature, percent int, text ...string) bool {
		if !g.has(f) || !g.chance(percent) {
			return false
		}
		p.globals = append(p.globals, text...)
		return true
	}
	o := &g.objects
	if g.has(Pointers) {
		o.pointer = declare(Pointers, 50, fmt.Sprintf("int *p = &%s;", pick(g, g.ints)))
	}
	o.index = declare(Indexes, 50, fmt.Sprintf("int w[%d];", indexed), "int h = 0;")
	o.condition = declare(Conditions, 50, "pthread_cond_t cv = PTHREAD_COND_INITIALIZER;")
	if o.condition && len(g.mutexes) == 0 {
		g.mutexes = []string{"m"}
	}
	if o.atomic = declare(Stdatomic, 50, "atomic_int q;"); o.atomic {
		p.headers = append(p.headers, "stdatomic.h")
	}
	if o.semaphore = declare(Semaphores, 50, "sem_t s;"); o.semaphore {
		p.headers = append(p.headers, "semaphore.h")
	}
}

// moreRules are the statements about the objects, and those with jumps.
func moreRules(nested func(Feature) func(*scope) bool) []rule {
	// free reports whether the thread may block here and holds nothing.
	free := func(s *scope) bool {
		return !s.atomic && !s.alone && len(s.held) == 0 && s.depth < 2 && s.budget > 0
	}
	return []rule{
		{12, func(s *scope) bool { return s.objects.pointer }, (*scope).viaPointer},
		{14, func(s *scope) bool { return s.objects.index }, (*scope).viaIndex},
		{10, func(s *scope) bool { return s.objects.condition && free(s) }, (*scope).waitForSignal},
		{12, func(s *scope) bool { return s.objects.condition && free(s) }, (*scope).signal},
		{12, func(s *scope) bool { return s.objects.atomic && !s.steady }, (*scope).atomicOperation},
		{10, func(s *scope) bool { return s.objects.semaphore && free(s) && !s.steady }, (*scope).semaphoreSection},
		{5, func(s *scope) bool { return s.objects.semaphore && !s.atomic && !s.steady }, func(*scope) *node { return line("sem_post(&s);") }},
		{10, nested(Jumps), (*scope).loopWithJump},
		{5, func(s *scope) bool { return nested(Jumps)(s) && s.depth == 0 }, (*scope).nestedLoops},
	}
}

// viaPointer moves a pointer, or reads or writes what it points to.
func (s *scope) viaPointer() *node {
	switch s.r.IntN(5) {
	case 0, 1:
		if s.has(Retargets) && s.chance(70) {
			return line("p = &%s;", pick(s.generator, s.ints))
		}
		body := []*node{line("int *l = &%s;", pick(s.generator, s.ints))}
		if s.has(Retargets) {
			body = append(body, line("if (%s) l = &%s;", s.cond(), pick(s.generator, s.ints)))
		}
		return block("", append(body, line("%s", pick(s.generator, []string{"*l = 1;", "*l = 2;", s.local() + " = *l;"}))))
	case 2:
		return line("*p = %d;", s.r.IntN(3))
	case 3:
		// Two steps that may see different targets of the pointer.
		return line("*p = (*p + 1) %% 3;")
	}
	return line("%s = *p;", s.local())
}

// viaIndex moves the index, or reads or writes an element. Every value that h is
// ever given is an index, whoever else writes it at the same time.
func (s *scope) viaIndex() *node {
	switch s.r.IntN(6) {
	case 0:
		return line("h = (h + 1) %% %d;", indexed)
	case 1:
		return line("h = %d;", s.r.IntN(indexed))
	case 2:
		return line("w[h] = %s;", s.operand(""))
	case 3:
		i := string(rune('i' + s.loops))
		return line("for (int %s = 0; %s < %d; %s++) w[%s] = %s;", i, i, indexed, i, i, pick(s.generator, []string{i, "1", s.local()}))
	case 4:
		return line("assert(w[%d] != %d);", s.r.IntN(indexed), 1+s.r.IntN(2))
	}
	return line("%s = w[h];", s.local())
}

// waitForSignal waits for a condition in a critical section, as one should, or
// without looking again, as one should not.
func (s *scope) waitForSignal() *node {
	m, v := s.mutexes[0], pick(s.generator, s.ints)
	s.held = append(s.held, m)
	loop := &node{
		head: fmt.Sprintf("%s (%s != %d)", pick(s.generator, []string{"while", "while", "while", "if"}), v, s.hot[v]),
		tail: fmt.Sprintf("    pthread_cond_wait(&cv, &%s);", m),
	}
	body := append([]*node{loop}, s.body(2)...)
	s.held = s.held[:len(s.held)-1]
	return bracket("pthread_mutex_lock(&"+m+");", "pthread_mutex_unlock(&"+m+");", body)
}

// signal makes a condition true in a critical section and tells so.
func (s *scope) signal() *node {
	m, v := s.mutexes[0], pick(s.generator, s.ints)
	tell := line("pthread_cond_%s(&cv);", pick(s.generator, []string{"signal", "broadcast"}))
	return bracket("pthread_mutex_lock(&"+m+");", "pthread_mutex_unlock(&"+m+");",
		[]*node{line("%s = %d;", v, s.hot[v]), tell})
}

func (s *scope) atomicOperation() *node {
	switch s.r.IntN(7) {
	case 0:
		return line("q = %d;", s.r.IntN(3))
	case 1:
		return line("q++;")
	case 2:
		return line("%s = atomic_fetch_add(&q, 1);", s.local())
	case 3:
		return line("%s = atomic_exchange(&q, %d);", s.local(), s.r.IntN(3))
	case 4:
		return line("atomic_store(&q, %s);", s.operand(""))
	case 5:
		return line("%s = atomic_load(&q);", s.local())
	}
	return block(fmt.Sprintf("if (atomic_compare_exchange_strong(&q, &%s, %d))", s.local(), s.r.IntN(3)), s.body(1))
}

// semaphoreSection waits and posts around others, or forgets to post.
func (s *scope) semaphoreSection() *node {
	post := "sem_post(&s);"
	if s.chance(15) {
		post = ""
	}
	s.held = append(s.held, "s")
	body := s.body(2)
	s.held = s.held[:len(s.held)-1]
	return bracket("sem_wait(&s);", post, body)
}

// loopWithJump runs its body at most three times.
func (s *scope) loopWithJump() *node {
	i := string(rune('i' + s.loops))
	s.loops++
	defer func() { s.loops-- }()
	limit := 2 + s.r.IntN(2)
	jump := block("if ("+s.cond()+")", []*node{line("%s", pick(s.generator, []string{"break;", "break;", "continue;"}))})
	body := append(s.body(2), jump)
	if s.chance(40) {
		body[0], body[len(body)-1] = body[len(body)-1], body[0]
	}
	if s.chance(60) {
		return block(fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", i, i, limit, i), body)
	}
	loop := &node{head: "do {", tail: fmt.Sprintf("} while (++%s < %d);", i, limit), body: body}
	return block("", []*node{line("int %s = 0;", i), loop})
}

// nestedLoops runs a body for all pairs, and may tell with the counters.
func (s *scope) nestedLoops() *node {
	s.loops += 2
	defer func() { s.loops -= 2 }()
	i, j := string(rune('i'+s.loops-2)), string(rune('i'+s.loops-1))
	inner := block(fmt.Sprintf("for (int %s = 0; %s < 2; %s++)", j, j, j), s.body(1))
	if s.chance(50) {
		inner.head = fmt.Sprintf("for (int %s = %s; %s < 2; %s++) {", j, i, j, j)
	}
	if s.chance(50) {
		inner.body = append(inner.body, line("%s = %s + %s;", pick(s.generator, s.ints), i, j))
	}
	return block(fmt.Sprintf("for (int %s = 0; %s < 2; %s++)", i, i, i), []*node{inner})
}

// assertObject asserts something about one of the objects, or returns nil.
func (s *scope) assertObject() *node {
	switch o := s.objects; {
	case o.atomic && s.chance(50):
		return line("assert(q != %d);", 2+s.r.IntN(2))
	case o.pointer && s.chance(50):
		return line("assert(*p != %d);", 1+s.r.IntN(2))
	case o.index && s.chance(50):
		return line("assert(w[h] <= %d);", s.r.IntN(3))
	}
	return nil
}
