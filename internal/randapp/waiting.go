package randapp

import "fmt"

// ring is a bounded queue with conditions.
func ring(g *gen) {
	o := g.object(g.one("queue", "ring", "buffer"))
	o.mutex()
	size := 1 + g.IntN(3)
	items := g.name("items")
	a := o.array(items, size, "0")
	count, head := g.name("count"), g.name("head")
	o.field(g.one("int", "unsigned", "unsigned char", "short", "size_t"), count, "0")
	o.field(g.one("int", "unsigned", "unsigned char", "size_t"), head, "0")
	some, room := g.name("nonempty"), g.name("nonfull")
	o.field("pthread_cond_t", some, "")
	o.field("pthread_cond_t", room, "")
	o.inits = append(o.inits, fmt.Sprintf("pthread_cond_init(&p->%s, NULL);\npthread_cond_init(&p->%s, NULL);", some, room))
	if g.chance(60) {
		o.ends = append(o.ends, fmt.Sprintf("pthread_cond_destroy(&p->%s);\npthread_cond_destroy(&p->%s);", some, room))
	}
	n := 1 + g.IntN(2)
	if g.threads > 2 {
		n = 1
	}
	wake := g.one("pthread_cond_signal(&p->%s);", "pthread_cond_broadcast(&p->%s);")
	wakeSome, wakeRoom := fmt.Sprintf(wake, some), fmt.Sprintf(wake, room)
	if g.bug("deadlock", "nobody is told that the queue is not empty") {
		wakeSome = ""
	}
	before, behind := wakeSome, ""
	if g.chance(25) {
		before, behind = "", wakeSome
	}
	wrap := size
	if g.bug("memory", "the index goes one too far") {
		// the elements are copied to memory of their own, so that every tool can see it
		g.fn(o, fmt.Sprintf("static void $N_dump(struct $N *p) {\n  char *copy = malloc(%d);\n  if (!copy)\n    abort();\n  for (int i = 0; i <= %d; i++)\n    copy[i] = (char)(i + p->%s);\n  free(copy);\n}", size, size, count))
		g.check(o, "$N_dump(p);")
	}
	g.fn(o, fmt.Sprintf("static void $N_put(struct $N *p, int v) {\n  $LOCK\n  while (p->%s == %d)\n    pthread_cond_wait(&p->%s, &p->%s);\n  %s = v;\n  p->%s++;\n  %s\n  $UNLOCK\n  %s\n}",
		count, size, room, o.lk.name, a.at(fmt.Sprintf("(p->%s + p->%s) %% %d", head, count, wrap)), count, before, behind))
	g.fn(o, fmt.Sprintf("static int $N_get(struct $N *p) {\n  $LOCK\n  while (p->%s == 0)\n    pthread_cond_wait(&p->%s, &p->%s);\n  int v = (int)%s;\n  p->%s = (p->%s + 1) %% %d;\n  p->%s--;\n  %s\n  $UNLOCK\n  return v;\n}",
		count, some, o.lk.name, a.at(fmt.Sprintf("p->%s", head)), head, head, size, count, wakeRoom))
	peek := g.bug("race", "somebody looks at the number without the lock")
	sum := 0
	mainGets := g.chance(50)
	for i := range g.threads {
		if mainGets || i > 0 {
			g.step(i, "for (int i = 0; i < %d; i++)\n  %s_put(%s, i + %d);", n, o.name, o.name, 1+i)
			for k := range n {
				sum += k + 1 + i
			}
		}
	}
	get := fmt.Sprintf("int sum = 0;\nfor (int i = 0; i < %d; i++)\n  sum += %s_get(", n*(g.threads-1), o.name)
	if mainGets {
		get = fmt.Sprintf("int sum_%s = 0;\nfor (int i = 0; i < %d; i++)\n  sum_%s += %s_get(p);\nassert(sum_%s == %s);", o.name, n*g.threads, o.name, o.name, o.name, g.expect(sum))
		if peek {
			get = fmt.Sprintf("int seen_%s = p->%s;\n(void)seen_%s;\n", o.name, count, o.name) + get
		}
		g.meanwhile(o, "%s", get)
		return
	}
	if peek {
		get = fmt.Sprintf("int seen = %s->%s;\n(void)seen;\n", o.name, count) + get
	}
	g.step(0, "%s%s);\nassert(sum == %s);", get, o.name, g.expect(sum))
}

// semaphores is a queue with semaphores.
func semaphores(g *gen) {
	o := g.object(g.one("channel", "mailbox"))
	size := 1 + g.IntN(3)
	a := o.array(g.name("cells"), size, "0")
	full, empty, put, got := g.name("full"), g.name("empty"), g.name("in"), g.name("out")
	o.field("sem_t", full, "")
	o.field("sem_t", empty, "")
	o.field(g.one("int", "unsigned", "unsigned char", "unsigned short"), put, "0")
	o.field(g.one("int", "unsigned", "unsigned char", "unsigned short"), got, "0")
	first := size
	if g.bug("race", "there is more room than elements") {
		first = size + 1
	}
	o.inits = append(o.inits, fmt.Sprintf("sem_init(&p->%s, 0, 0);\nsem_init(&p->%s, 0, %d);", full, empty, first))
	n := size + 1
	if n > 3 {
		n = 3
	}
	post := "sem_post(&p->" + full + ");"
	if g.bug("deadlock", "nobody posts") {
		post = "(void)p;"
	}
	if first > size {
		n = size + 1
	}
	g.fn(o, fmt.Sprintf("static void $N_send(struct $N *p, int v) {\n  sem_wait(&p->%s);\n  %s = v;\n  p->%s = (p->%s + 1) %% %d;\n  %s\n}", empty, a.at("p->"+put), put, put, size, post))
	g.fn(o, fmt.Sprintf("static int $N_receive(struct $N *p) {\n  sem_wait(&p->%s);\n  int v = (int)%s;\n  p->%s = (p->%s + 1) %% %d;\n  sem_post(&p->%s);\n  return v;\n}", full, a.at("p->"+got), got, got, size, empty))
	g.step(0, "for (int i = 0; i < %d; i++)\n  %s_send(%s, i + 1);", n, o.name, o.name)
	if first > size {
		g.step(1, "for (int i = 0; i < %d; i++)\n  (void)%s_receive(%s);", n, o.name, o.name)
	} else {
		g.step(1, "for (int i = 0; i < %d; i++)\n  assert(%s_receive(%s) == i + %s);", n, o.name, o.name, g.expect(1))
	}
	if g.chance(50) {
		o.ends = append(o.ends, fmt.Sprintf("sem_destroy(&p->%s);\nsem_destroy(&p->%s);", full, empty))
	}
}

// readers has a table with readers and writers.
func readers(g *gen) {
	o := g.object(g.one("config", "cache"))
	l := g.name("rw")
	o.field("pthread_rwlock_t", l, "")
	o.inits = append(o.inits, "pthread_rwlock_init(&p->"+l+", NULL);")
	n := 2 + g.IntN(2)
	first := 1 + g.IntN(9)
	a := o.array(g.name("values"), n, fmt.Sprint(first))
	version := g.name("version")
	o.field(g.intType(), version, "1")
	how := "wrlock"
	if g.bug("race", "a writer takes the lock as a reader") {
		how = "rdlock"
	}
	unlock := "pthread_rwlock_unlock(&p->" + l + ");"
	early := ""
	if g.bug("deadlock", "a writer does not give the lock back") {
		early = "  if (p->" + version + " > 1)\n    return;\n"
	}
	g.fn(o, fmt.Sprintf("static void $N_set(struct $N *p, int v) {\n  pthread_rwlock_%s(&p->%s);\n  for (int i = 0; i < %d; i++)\n    %s = v;\n  p->%s++;\n%s  %s\n}", how, l, n, a.at("i"), version, early, unlock))
	g.fn(o, fmt.Sprintf("static int $N_get(struct $N *p, int i) {\n  pthread_rwlock_rdlock(&p->%s);\n  int v = (int)%s;\n  %s\n  %s\n  return v;\n}", l, a.at("i"), map[bool]string{true: "", false: fmt.Sprintf("assert(%s == %s);", a.at("0"), a.at(fmt.Sprint(n-1)))}[how == "rdlock"], unlock))
	next := first + 1 + g.IntN(5)
	g.step(0, "%s_set(%s, %d);", o.name, o.name, next)
	if early != "" {
		g.step(0, "%s_set(%s, %d);", o.name, o.name, next)
	}
	for i := 1; i < g.threads; i++ {
		if how == "rdlock" {
			g.step(i, "(void)%s_get(%s, %s);", o.name, o.name, g.index(n))
		} else {
			g.step(i, "int v = %s_get(%s, %s);\nassert(v == %d || v == %d);", o.name, o.name, g.index(n), first, next)
		}
	}
	g.check(o, "assert($N_get(p, %s) == %s);", g.index(n), g.expect(next))
	if g.chance(60) {
		o.ends = append(o.ends, "pthread_rwlock_destroy(&p->"+l+");")
	}
}

// phases has threads that meet at a barrier.
func phases(g *gen) {
	o := g.object(g.one("grid", "stage"))
	b := g.name("barrier")
	o.field("pthread_barrier_t", b, "")
	n := g.threads
	count := n
	if g.bug("deadlock", "the barrier waits for one more") {
		count++
	}
	o.inits = append(o.inits, fmt.Sprintf("pthread_barrier_init(&p->%s, NULL, %d);", b, count))
	a := o.array(g.name("part"), n, "0")
	wait := "pthread_barrier_wait(&p->" + b + ");"
	if g.bug("race", "nobody waits between the phases") {
		wait = ""
	}
	g.fn(o, fmt.Sprintf("static int $N_run(struct $N *p, int me) {\n  %s = me + 1;\n  %s\n  return (int)%s;\n}", a.at("me"), wait, a.at(fmt.Sprintf("(me + 1) %% %d", n))))
	if wait == "" {
		g.all("(void)%s_run(%s, id);", o.name, o.name)
	} else {
		g.all("assert(%s_run(%s, id) == (id + 1) %% %d + %s);", o.name, o.name, n, g.expect(1))
	}
	if g.chance(60) {
		o.ends = append(o.ends, "pthread_barrier_destroy(&p->"+b+");")
	}
}

// latch has main wait until threads say that they are done.
func latch(g *gen) {
	o := g.object(g.one("latch", "group"))
	o.mutex()
	left, c := g.name("left"), g.name("done")
	o.field(g.intType(), left, fmt.Sprint(g.threads))
	o.field("pthread_cond_t", c, "")
	o.inits = append(o.inits, "pthread_cond_init(&p->"+c+", NULL);")
	n := g.threads
	a := o.array(g.name("result"), n, "0")
	wake := fmt.Sprintf("if (--p->%s == 0)\n    %s(&p->%s);", left, g.one("pthread_cond_signal", "pthread_cond_broadcast"), c)
	if g.bug("deadlock", "the last one wakes nobody") {
		wake = fmt.Sprintf("p->%s--;", left)
	}
	store := fmt.Sprintf("%s = %s;", a.at("me"), "me + 1")
	in, out := store, ""
	if g.chance(30) {
		in, out = "", store // before the lock is taken
	}
	if g.bug("race", "the result is stored after main may look at it") {
		g.fn(o, fmt.Sprintf("static void $N_done(struct $N *p, int me) {\n  $LOCK\n  %s\n  $UNLOCK\n  %s\n}", wake, store))
	} else {
		g.fn(o, fmt.Sprintf("static void $N_done(struct $N *p, int me) {\n  %s\n  $LOCK\n  %s\n  %s\n  $UNLOCK\n}", out, in, wake))
	}
	g.all("%s_done(%s, id);", o.name, o.name)
	k := g.IntN(n)
	until, wait := "", fmt.Sprintf("pthread_cond_wait(&p->%s, &p->%s);", c, o.lk.name)
	if g.violates != "deadlock" && g.chance(20) {
		until = "struct timespec until;\n  clock_gettime(CLOCK_REALTIME, &until);\n  until.tv_sec++;"
		wait = fmt.Sprintf("pthread_cond_timedwait(&p->%s, &p->%s, &until);", c, o.lk.name)
	}
	g.fn(o, fmt.Sprintf("static int $N_wait(struct $N *p, int i) {\n  %s\n  $LOCK\n  while (p->%s > 0)\n    %s\n  $UNLOCK\n  return (int)%s;\n}", until, left, wait, a.at("i")))
	if g.violates == "race" {
		g.meanwhile(o, "(void)$N_wait(p, %d);", k)
	} else {
		g.meanwhile(o, "assert($N_wait(p, %d) == %s);", k, g.expect(k+1))
	}
	if g.chance(50) {
		o.ends = append(o.ends, "pthread_cond_destroy(&p->"+c+");")
	}
}
