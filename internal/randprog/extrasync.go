package randprog

import "fmt"

// declareBarrier has two or three threads write, meet, and look at what others wrote.
func declareBarrier(g *generator) {
	g.global("pthread_barrier_t ba;", "int ba1, ba2, ba3;")
	members := g.r.Perm(g.opts.Threads + 1)
	members = members[:2+g.r.IntN(min(2, len(members)-1))]
	count := len(members)
	if g.chance(15) {
		count = 2
	}
	g.start("pthread_barrier_init(&ba, 0, %d);", count)
	serial := g.chance(40)
	for i, t := range members {
		wait := line("pthread_barrier_wait(&ba);")
		if serial {
			wait = block("if (pthread_barrier_wait(&ba) == PTHREAD_BARRIER_SERIAL_THREAD)", []*node{line("ba3++;")})
		}
		if g.chance(10) {
			wait = line("%s = 1;", g.int())
		}
		look := line("assert(ba%d == 1);", 1+(i+1)%2)
		if serial && g.chance(60) {
			look = line("assert(ba3 <= %d);", g.r.IntN(2))
		}
		g.add(t, line("ba%d = 1;", 1+i%2), wait, look)
		if g.chance(25) {
			g.add(t, line("pthread_barrier_wait(&ba);"), line("ba%d = 2;", 1+i%2))
		}
	}
	g.asserts++
}

func (s *scope) barrier() *node {
	if s.chance(70) {
		return line("%s = ba%d;", s.local(), 1+s.r.IntN(3))
	}
	return line("pthread_barrier_wait(&ba);")
}

func declareReadWrite(g *generator) {
	g.global("pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;", "int rx, ry;")
}

// readWrite keeps rx and ry the same, or looks whether they are.
func (s *scope) readWrite() *node {
	const unlock = "pthread_rwlock_unlock(&rw);"
	try := s.chance(30)
	section := func(kind string, body func() []*node) *node {
		switch {
		case s.chance(12):
			return block("", body())
		case try:
			n := s.section("", unlock, body)
			return block(fmt.Sprintf("if (pthread_rwlock_try%slock(&rw) == 0)", kind), append(n.body, line(unlock)))
		}
		return s.section("pthread_rwlock_"+kind+"lock(&rw);", unlock, body)
	}
	if s.chance(50) {
		k := s.small()
		return section("wr", func() []*node { return []*node{line("rx = %d;", k), line("ry = %d;", k)} })
	}
	l := s.local()
	return section("rd", func() []*node {
		return append([]*node{line("%s = rx;", l), line("assert(%s == ry);", l)}, s.body(1)[:s.r.IntN(2)]...)
	})
}

func declareOnce(g *generator) {
	g.global("pthread_once_t on = PTHREAD_ONCE_INIT;", "int oc;")
	g.function("static void first(void)", line("oc++;"), line("%s = %d;", g.int(), g.small()))
}

func (s *scope) once() *node {
	if s.chance(20) {
		return line("assert(oc <= %d);", s.r.IntN(2))
	}
	return bracket("pthread_once(&on, first);", fmt.Sprintf("assert(oc == %d);", 1+s.r.IntN(12)/11), nil)
}

func declareTry(g *generator) {
	g.global("pthread_mutex_t tm = PTHREAD_MUTEX_INITIALIZER;", "int tx;")
}

// try is a critical section that may be left out if the mutex is taken.
func (s *scope) try() *node {
	const unlock = "pthread_mutex_unlock(&tm);"
	body := func() []*node {
		k := 1 + s.small()
		return append([]*node{line("tx = %d;", k)}, append(s.body(2), line("assert(tx == %d);", k))...)
	}
	switch s.r.IntN(4) {
	case 0:
		return s.section("pthread_mutex_lock(&tm);", unlock, body)
	case 1:
		l := s.local()
		n := s.section("", "", body)
		return block("", []*node{line("int got = pthread_mutex_trylock(&tm);"), line("%s = got != 0;", l),
			block("if (!got)", append(n.body, line(unlock)))})
	}
	n := s.section("", "", body)
	out := block("if (pthread_mutex_trylock(&tm) == 0)", append(n.body, line(unlock)))
	if s.chance(50) {
		out.orElse = []*node{line("%s = %d;", s.int(), s.small())}
		if s.chance(20) {
			out.orElse = append(out.orElse, line("assert(tx != %d);", 1+s.small()))
		}
	}
	return out
}

// declareKind has a mutex of a kind that kindOf tells.
func declareKind(g *generator) {
	g.recursive = g.chance(50)
	g.global("pthread_mutex_t km;", "int kx;")
	g.p.headers = append(g.p.headers, "errno.h")
	kind := "ERRORCHECK"
	if g.recursive {
		kind = "RECURSIVE"
	}
	g.start("pthread_mutexattr_t ka;")
	g.start("pthread_mutexattr_init(&ka);")
	g.start("pthread_mutexattr_settype(&ka, PTHREAD_MUTEX_%s);", kind)
	g.start("pthread_mutex_init(&km, &ka);")
}

// kind locks a mutex that the thread has already, in one of the ways that do not wait.
func (s *scope) kind() *node {
	const lock, unlock = "pthread_mutex_lock(&km);", "pthread_mutex_unlock(&km);"
	inside := func() []*node {
		again, result := pick(s.generator, []string{"lock", "lock", "trylock"}), "0"
		if !s.recursive {
			result = map[string]string{"lock": "EDEADLK", "trylock": "EBUSY"}[again]
		}
		l := s.local()
		out := []*node{line("kx = 1;"), line("%s = pthread_mutex_%s(&km);", l, again), line("assert(%s == %s);", l, result)}
		if s.recursive {
			out = append(out, line("kx = 2;"), line(unlock))
		}
		out = append(out, line("assert(kx == %d);", map[bool]int{true: 2, false: 1}[s.recursive]))
		return append(out, line("kx = 0;"))
	}
	switch s.r.IntN(5) {
	case 0:
		if l := s.local(); !s.recursive || s.chance(70) {
			return bracket(fmt.Sprintf("%s = pthread_mutex_unlock(&km);", l), fmt.Sprintf("assert(%s == EPERM);", l), nil)
		}
	case 1:
		return s.section(lock, unlock, func() []*node { return append([]*node{line("assert(kx == 0);")}, s.body(2)...) })
	case 2:
		return line("assert(kx < 2);")
	}
	return s.section(lock, unlock, inside)
}

// declareChild makes the function of the threads that threads create.
func declareChild(g *generator) {
	g.global("int sx;")
	s := g.scope(1, "k")
	s.inner, s.atomic = true, true // nothing that waits
	body := append([]*node{line("int k = (int)(long)arg;")}, s.statements(0)...)
	if g.chance(70) {
		body = append(body, line("sx = %s;", pick(g, []string{"k", "sx + 1", "1"})))
	}
	g.p.helpers = append(g.p.helpers, &function{header: "static void *child(void *arg)", body: body, last: "return (void *)(long)(k + 1);"})
}

// spawn creates a thread, and may wait for it and look at its result.
func (s *scope) spawn() *node {
	s.spawned++
	k := s.small()
	body := []*node{line("pthread_t id;"), line("pthread_create(&id, 0, child, (void *)%dL);", k)}
	if s.chance(50) {
		body = append(body, s.body(1)...)
	}
	switch l := s.local(); s.r.IntN(4) {
	case 0:
		body = append(body, line("pthread_join(id, 0);"), line("assert(sx != %d);", 2+s.small()))
	case 1:
		body = append(body, line("void *result;"), line("pthread_join(id, &result);"), line("%s = (int)(long)result;", l),
			line("assert(%s == %d);", l, k+1+s.r.IntN(9)/8))
	case 2:
		body = append(body, line("pthread_join(id, 0);"))
	}
	return block("", body)
}

func declareThreadLocal(g *generator) {
	g.global(fmt.Sprintf("_Thread_local int tl = %d;", g.r.IntN(2)))
	if g.chance(40) {
		g.function("static int count(void)", line("static _Thread_local int calls;"), line("return ++calls;"))
		g.counted = true
	}
}

func (s *scope) threadLocal() *node {
	if s.counted && s.chance(30) {
		l := s.local()
		return bracket(fmt.Sprintf("%s = count();", l), fmt.Sprintf("assert(%s <= %d);", l, 1+s.small()), nil)
	}
	switch s.r.IntN(6) {
	case 0:
		return line("tl = %d;", s.small())
	case 1:
		return line("tl = %s;", s.int())
	case 2:
		return line("%s = tl;", s.int())
	case 3:
		return line("assert(tl <= %d);", s.small())
	case 4:
		return block("", []*node{line("int *l = &tl;"), line("if (%s) l = &%s;", s.compare(), s.int()), line("*l = %d;", s.small())})
	}
	return line("tl++;")
}

// declareKey has a key whose values are integers, or addresses of variables.
func declareKey(g *generator) {
	g.keyed = g.chance(50)
	g.global("pthread_key_t key;")
	g.start("pthread_key_create(&key, 0);")
}

func (s *scope) key() *node {
	if s.keyed {
		if s.chance(50) {
			return line("pthread_setspecific(key, &%s);", s.int())
		}
		return block("", []*node{line("int *l = pthread_getspecific(key);"), line("if (l) %s", pick(s.generator, []string{"*l = 1;", "*l = 2;", s.local() + " = *l;"}))})
	}
	switch s.r.IntN(4) {
	case 0:
		return line("%s = (int)(long)pthread_getspecific(key);", s.local())
	case 1:
		return line("%s = (int)(long)pthread_getspecific(key);", s.int())
	case 2:
		return line("assert((long)pthread_getspecific(key) != %d);", 1+s.small())
	}
	return line("pthread_setspecific(key, (void *)%dL);", s.small())
}
