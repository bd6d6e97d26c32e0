package randapp

import "fmt"

// tagged has messages that are unions, handed over in a slot.
func tagged(g *gen) {
	o := g.object(g.one("inbox", "port"))
	o.mutex()
	m := g.name("msg")
	g.cells = append(g.cells, fmt.Sprintf("enum %s_kind { %s_NUMBER, %s_TEXT, %s_POINTER };\nstruct %s {\n  enum %s_kind kind;\n  union {\n    %s number;\n    char text[%d];\n    void *pointer;\n  } u;\n};", m, m, m, m, m, m, g.one("int", "long", "short"), 4+g.IntN(5)))
	slot, full, c := g.name("slot"), g.name("full"), g.name("changed")
	o.field("struct "+m, slot, "")
	o.field(g.one("bool", "int", "char"), full, "0")
	o.field("pthread_cond_t", c, "")
	o.inits = append(o.inits, "pthread_cond_init(&p->"+c+", NULL);")
	wake := fmt.Sprintf("pthread_cond_broadcast(&p->%s);", c)
	if g.bug("deadlock", "the receiver is not told") {
		wake = ""
	}
	g.fn(o, fmt.Sprintf("static void $N_post(struct $N *p, const struct %s *x) {\n  $LOCK\n  while (p->%s)\n    pthread_cond_wait(&p->%s, &p->%s);\n  %s\n  p->%s = 1;\n  %s\n  $UNLOCK\n}", m, full, c, o.lk.name,
		g.one(fmt.Sprintf("p->%s = *x;", slot), fmt.Sprintf("memcpy(&p->%s, x, sizeof *x);", slot)), full, wake))
	g.fn(o, fmt.Sprintf("static struct %s $N_take(struct $N *p) {\n  $LOCK\n  while (!p->%s)\n    pthread_cond_wait(&p->%s, &p->%s);\n  struct %s x = p->%s;\n  p->%s = 0;\n  pthread_cond_broadcast(&p->%s);\n  $UNLOCK\n  return x;\n}", m, full, c, o.lk.name, m, slot, full, c))
	fill, test := "", ""
	want := g.expect(5)
	switch g.IntN(3) {
	case 0:
		fill, test = fmt.Sprintf("x.kind = %s_NUMBER;\nx.u.number = 5;", m), fmt.Sprintf("case %s_NUMBER:\n    assert(x.u.number == %s);\n    break;", m, want)
	case 1:
		fill, test = fmt.Sprintf("x.kind = %s_TEXT;\nstrcpy(x.u.text, \"a5\");", m), fmt.Sprintf("case %s_TEXT:\n    assert(x.u.text[1] == '0' + %s);\n    break;", m, want)
	default:
		g.declare("static int five = 5;")
		fill, test = fmt.Sprintf("x.kind = %s_POINTER;\nx.u.pointer = &five;", m), fmt.Sprintf("case %s_POINTER:\n    assert(*(int *)x.u.pointer == %s);\n    break;", m, want)
	}
	g.step(0, "struct %s x;\n%s\n%s_post(%s, &x);", m, fill, o.name, o.name)
	g.step(1, "struct %s x = %s_take(%s);\nswitch (x.kind) {\n  %s\n  default:\n    assert(0);\n}", m, o.name, o.name, test)
}

// flags has bit-fields under a lock.
func flags(g *gen) {
	o := g.object(g.one("status", "device_state"))
	o.lock()
	r, m, n := g.name("ready"), g.name("mode"), g.name("level")
	o.members = append(o.members, member{fmt.Sprintf("unsigned %s : 1, %s : 3;\nint %s : 7;", r, m, n), "bits_" + r})
	o.inits = append(o.inits, fmt.Sprintf("p->%s = 0;\np->%s = 2;\np->%s = -1;", r, m, n))
	take, give := o.unlocked("bits of the same word change without the lock")
	g.fn(o, fmt.Sprintf("static void $N_ready(struct $N *p) {\n  $LOCK\n  p->%s = 1;\n  p->%s -= 2;\n  $UNLOCK\n}\nstatic void $N_mode(struct $N *p) {\n  %s\n  p->%s++;\n  %s\n}", r, n, take, m, give))
	for i := range g.threads {
		g.step(i, "%s_%s(%s);", o.name, []string{"ready", "mode"}[i%2], o.name)
	}
	g.check(o, "assert(p->%s == 1 && p->%s == 3);\nassert(p->%s == %s);", r, m, n, g.expect(-1-2*((g.threads+1)/2)))
}

// signals has a handler that sets a flag.
func signals(g *gen) {
	o := g.object("events")
	o.lock()
	n, f := g.name("count"), g.name("got")
	o.field(g.intType(), n, "0")
	g.declare("static volatile sig_atomic_t " + f + ";")
	g.funcs = append(g.funcs, fmt.Sprintf("static void on_%s(int s) {\n  (void)s;\n  %s = %s;\n}", f, f, g.one("1", "1 + (s == 0)")))
	sig := g.one("SIGUSR1", "SIGUSR2", "SIGHUP")
	if g.chance(50) {
		g.early = append(g.early, fmt.Sprintf("signal(%s, on_%s);", sig, f))
	} else {
		g.early = append(g.early, fmt.Sprintf("struct sigaction sa_%s;\nmemset(&sa_%s, 0, sizeof sa_%s);\nsa_%s.sa_handler = on_%s;\nsa_%s.sa_flags = SA_RESTART;\nsigaction(%s, &sa_%s, NULL);", f, f, f, f, f, f, sig, f)) // semaphores are waited for without a look
	}
	take, give := o.unlocked("the count changes without the lock")
	g.fn(o, fmt.Sprintf("static void $N_note(struct $N *p) {\n  %s\n  p->%s++;\n  %s\n}", take, n, give))
	g.all("%s_note(%s);", o.name, o.name)
	g.check(o, "raise(%s);\nassert(%s == 1);\nassert(p->%s == %s);", sig, f, n, g.expect(g.threads))
}

// timer has a function called by a timer.
func timer(g *gen) {
	o := g.object("clockwork")
	o.lock()
	n, s := g.name("ticks"), g.name("fired")
	o.field(g.intType(), n, "0")
	o.field("sem_t", s, "")
	o.inits = append(o.inits, "sem_init(&p->"+s+", 0, 0);")
	take, give := o.unlocked("the timer's function does not take the lock")
	g.fn(o, fmt.Sprintf("static void $N_tick(union sigval v) {\n  struct $N *p = v.sival_ptr;\n  %s\n  p->%s++;\n  %s\n  sem_post(&p->%s);\n}", take, n, give, s))
	g.all("struct %s *p = %s;\n%s\np->%s++;\n%s", o.name, o.name, o.lk.take, n, o.lk.give)
	g.meanwhile(o, "struct sigevent ev_%s;\nmemset(&ev_%s, 0, sizeof ev_%s);\nev_%s.sigev_notify = SIGEV_THREAD;\nev_%s.sigev_notify_function = $N_tick;\nev_%s.sigev_value.sival_ptr = p;\ntimer_t id_%s;\nif (timer_create(CLOCK_MONOTONIC, &ev_%s, &id_%s))\n  abort();\nstruct itimerspec at_%s = {{0, 0}, {0, 1000}};\ntimer_settime(id_%s, 0, &at_%s, NULL);\nsem_wait(&p->%s);",
		n, n, n, n, n, n, n, n, n, n, n, n, s)
	g.check(o, "timer_delete(id_%s);\nassert(p->%s == %s);", n, n, g.expect(g.threads+1))
}

// forks has a child that looks at what it has inherited.
func forks(g *gen) {
	o := g.object("parent")
	o.lock()
	n := g.name("number")
	o.field(g.intType(), n, "3")
	take, give := o.unlocked("the number changes without the lock")
	g.fn(o, fmt.Sprintf("static void $N_count(struct $N *p) {\n  %s\n  p->%s++;\n  %s\n}", take, n, give))
	g.all("%s_count(%s);", o.name, o.name)
	at, want := g.check, 3+g.threads
	g.fn(o, fmt.Sprintf("static int $N_child(struct $N *p, int want) {\n  pid_t pid = fork();\n  if (pid < 0)\n    abort();\n  if (pid == 0) {\n    $LOCK\n    int ok = p->%s == want;\n    $UNLOCK\n    _exit(ok ? 0 : 1);\n  }\n  int status;\n  if (waitpid(pid, &status, 0) < 0)\n    abort();\n  return WIFEXITED(status) && WEXITSTATUS(status) == 0;\n}", n))
	if g.bug("deadlock", "the child waits for a lock that another thread may have had") {
		g.meanwhile(o, "(void)$N_child(p, %d);", want)
		return
	}
	if g.chance(50) {
		at(o, "assert($N_child(p, %s));", g.expect(want))
	} else {
		at(o, "(void)$N_child(p, %d);\nassert(p->%s == %s);", want, n, g.expect(want))
	}
}

// pipes hands a number from a thread to another one.
func pipes(g *gen) {
	o := g.object("link")
	fd := g.name("fd")
	o.field("int %s[2]", fd, "")
	o.inits = append(o.inits, "if (pipe(p->"+fd+"))\n  abort();")
	if g.bug("deadlock", "the reader has the lock that the writer needs") {
		o.mutex()
		g.fn(o, fmt.Sprintf("static void $N_write(struct $N *p) {\n  char c = 'x';\n  $LOCK\n  if (write(p->%s[1], &c, 1) != 1)\n    abort();\n  $UNLOCK\n}\nstatic void $N_read(struct $N *p) {\n  char c;\n  $LOCK\n  if (read(p->%s[0], &c, 1) != 1)\n    abort();\n  $UNLOCK\n}", fd, fd))
		g.step(0, "%s_write(%s);", o.name, o.name)
		g.step(1, "%s_read(%s);", o.name, o.name)
		return
	}
	g.step(0, "char c = 'a' + %d;\nif (write(%s->%s[1], &c, 1) != 1)\n  abort();", g.IntN(3), o.name, fd)
	g.step(1, "char c = 0;\nif (read(%s->%s[0], &c, 1) != 1)\n  abort();\nassert(c >= 'a');", o.name, fd)
	o.ends = append(o.ends, fmt.Sprintf("close(p->%s[0]);\nclose(p->%s[1]);", fd, fd))
}

// cancelled has a thread that is cancelled while it waits.
func cancelled(g *gen) {
	o := g.object("waiter")
	o.mutex()
	c, n := g.name("never"), g.name("cleaned")
	o.field("pthread_cond_t", c, "")
	o.field(g.intType(), n, "0")
	o.inits = append(o.inits, "pthread_cond_init(&p->"+c+", NULL);")
	count := fmt.Sprintf("p->%s++;\n  ", n)
	unlock := "pthread_mutex_unlock(&p->" + o.lk.name + ");"
	if g.bug("deadlock", "who is cancelled keeps the lock") {
		unlock = "(void)p;"
	}
	g.fn(o, fmt.Sprintf("static void $N_cleanup(void *arg) {\n  struct $N *p = arg;\n  %s%s\n}", count, unlock))
	g.fn(o, fmt.Sprintf("static void *$N_wait(void *arg) {\n  struct $N *p = arg;\n  pthread_mutex_lock(&p->%s);\n  pthread_cleanup_push($N_cleanup, p);\n  for (;;)\n    pthread_cond_wait(&p->%s, &p->%s);\n  pthread_cleanup_pop(1);\n  return NULL;\n}", o.lk.name, c, o.lk.name))
	g.meanwhile(o, "pthread_t who_%s;\nvoid *how_%s;\nif (pthread_create(&who_%s, NULL, $N_wait, p))\n  abort();\npthread_cancel(who_%s);\npthread_join(who_%s, &how_%s);\nassert(how_%s == PTHREAD_CANCELED);", n, n, n, n, n, n, n)
	g.all("struct %s *p = %s;\npthread_mutex_lock(&p->%s);\np->%s += 0;\npthread_mutex_unlock(&p->%s);", o.name, o.name, o.lk.name, n, o.lk.name)
	g.check(o, "assert(p->%s <= %s);", n, "1")
}

// idioms are all of them, those that most programs have more often.
var idioms = []idiom{
	{"tally", 14, tally}, {"statics", 3, statics}, {"accounts", 5, accounts}, {"shares", 6, shares},
	{"ring", 9, ring}, {"semaphores", 5, semaphores}, {"readers", 6, readers}, {"phases", 5, phases}, {"latch", 6, latch},
	{"list", 8, list}, {"counted", 6, counted}, {"growing", 4, growing}, {"text", 6, text}, {"results", 6, results},
	{"lazily", 4, lazily}, {"once", 3, once}, {"methods", 5, methods}, {"buckets", 5, buckets}, {"sentinels", 6, sentinels},
	{"trying", 3, trying}, {"own", 4, own}, {"tagged", 4, tagged}, {"flags", 3, flags},
	{"several", 6, several}, {"intrusive", 4, intrusive}, {"bits", 4, bits}, {"snapshots", 5, snapshots}, {"matrix", 5, matrix},
	{"positions", 4, positions}, {"background", 3, background}, {"names", 3, names}, {"mean", 3, mean}, {"logs", 3, logs},
	{"signals", 2, signals}, {"timer", 1, timer}, {"forks", 2, forks}, {"pipes", 1, pipes}, {"cancelled", 1, cancelled},
}
