package randapp

import "fmt"

// tally has counters behind a lock, each thread changes some of them.
func tally(g *gen) {
	o := g.object(g.one("tally", "stats", "histogram"))
	o.lock()
	n := 2 + g.IntN(3)
	first := 20 + g.IntN(20)
	a := o.array(g.name("slots"), n, fmt.Sprint(first))
	total := g.name("total")
	o.field(g.intType(), total, fmt.Sprint(first))
	op, sign := "+=", 1
	if g.chance(40) {
		op, sign = "-=", -1
	}
	v := 1 + g.IntN(2)
	calls := 1 + g.IntN(2)
	take, give := o.unlocked("the counters change without their lock")
	slot := a.at("i")
	var change string
	switch g.IntN(4) {
	case 0:
		change = fmt.Sprintf("  %s %s v;\n  p->%s %s v;\n", slot, op, total, op)
	case 1:
		change = fmt.Sprintf("  int was = (int)%s;\n  %s = was %s v;\n  p->%s %s v;\n", slot, slot, op[:1], total, op)
	case 2:
		change = fmt.Sprintf("  __typeof__(%s) *slot = &%s;\n  *slot %s v;\n  p->%s %s v;\n", slot, slot, op, total, op)
	case 3:
		g.helper(o.expand(fmt.Sprintf("static void $N_change(__typeof__(((struct $N *)0)->%s) *x, int v) {\n  *x %s v;\n}", total, op)))
		change = fmt.Sprintf("  %s %s v;\n  %s_change(&p->%s, v);\n", slot, op, o.name, total)
	}
	if g.bug("deadlock", "the lock is not given back when the counter is large") {
		change += fmt.Sprintf("  if (%s != 1000)\n    return;\n", slot)
		calls++
	}
	if g.chance(20) {
		change = "  if (v == 0)\n    goto out;\n" + change + "out:\n"
	}
	g.fn(o, fmt.Sprintf("static void $N_add(struct $N *p, %s i, int v) {\n  %s\n%s  %s\n}", g.one("int", "unsigned", "size_t", "long"), take, change, give))
	for i := range g.threads {
		index := g.index(n)
		if g.chance(30) {
			index = fmt.Sprintf("id %% %d", n)
		}
		if i > 0 && g.chance(70) {
			g.bodies[i] = append(g.bodies[i], g.bodies[0][len(g.bodies[0])-1])
			continue
		}
		if calls > 1 && g.chance(60) {
			loop := g.one(index, fmt.Sprintf("(%s + i) %% %d", "id", n), fmt.Sprintf("i %% %d", n))
			g.step(i, "for (int i = 0; i < %d; i++)\n  %s_add(%s, %s, %d);", calls, o.name, o.pointer(), loop, v)
		} else {
			text := ""
			for range calls {
				text += fmt.Sprintf("%s_add(%s, %s, %d);\n", o.name, o.pointer(), index, v)
			}
			g.step(i, "%s", text[:len(text)-1])
		}
	}
	change1 := sign * v * calls * g.threads
	past := "<"
	if g.bug("memory", "the loop that adds up goes one too far") {
		past = "<="
		// the array has to be the last thing in its memory, so that every tool can see it
		if g.chance(100) {
			g.fn(o, fmt.Sprintf("static int $N_sum(struct $N *p) {\n  int *copy = malloc(%d * sizeof *copy), sum = 0;\n  if (!copy)\n    abort();\n  for (int i = 0; i < %d; i++)\n    copy[i] = (int)%s;\n  for (int i = 0; i %s %d; i++)\n    sum += copy[i];\n  free(copy);\n  return sum;\n}", n, n, a.at("i"), past, n))
		}
	} else {
		g.fn(o, fmt.Sprintf("static int $N_sum(struct $N *p) {\n  int sum = 0;\n  for (int i = 0; i < %d; i++)\n    sum += (int)%s;\n  return sum;\n}", n, a.at("i")))
	}
	g.check(o, "assert($N_sum(p) == %s);", g.expect(n*first+change1))
	g.check(o, "assert(p->%s == %s);", total, g.expect(first+change1))
}

// statics has counters that are variables of functions.
func statics(g *gen) {
	f := g.name("ticket")
	o := g.object("unused")
	o.field("int", g.name("flag"), "0")
	n := 1 + g.IntN(2)
	take, give := "pthread_mutex_lock(&lock);", "pthread_mutex_unlock(&lock);"
	if g.bug("race", "a static variable has no lock") {
		take, give = "", ""
	}
	g.funcs = append(g.funcs, fmt.Sprintf("static %s %s(int add) {\n  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n  static %s next = %d;\n  (void)lock;\n  %s\n  int mine = (int)(next += add);\n  %s\n  return mine;\n}",
		"int", f, g.intType(), n, take, give))
	g.all("int t = %s(%d);\nassert(t > %d);", f, 1, n)
	g.check(o, "assert(%s(0) == %s);", f, g.expect(n+g.threads))
}

// accounts moves money between objects that have a lock each.
func accounts(g *gen) {
	o := g.object(g.one("bank", "table"))
	n := 2 + g.IntN(2)
	typ := g.one("int", "short", "long", "unsigned")
	acc := g.name("account")
	list := []string{"pthread_mutex_t lock;", typ + " balance;", g.one("char name[6];", "int id;", "char open;", "double rate;")}
	g.Shuffle(3, func(i, j int) { list[i], list[j] = list[j], list[i] })
	g.cells = append(g.cells, "struct "+acc+" {\n"+indented(list)+"};")
	arr := g.name("accounts")
	o.members = append(o.members, member{fmt.Sprintf("struct %s %s[%d];", acc, arr, n), arr})
	o.inits = append(o.inits, fmt.Sprintf("for (int i = 0; i < %d; i++) {\n  pthread_mutex_init(&p->%s[i].lock, NULL);\n  p->%s[i].balance = %d;\n}", n, arr, arr, 10))
	order := g.one("if (from < to) {\n    pthread_mutex_lock(&a->lock);\n    pthread_mutex_lock(&b->lock);\n  } else {\n    pthread_mutex_lock(&b->lock);\n    pthread_mutex_lock(&a->lock);\n  }",
		"pthread_mutex_lock(&p->"+arr+"[from < to ? from : to].lock);\n  pthread_mutex_lock(&p->"+arr+"[from < to ? to : from].lock);")
	dead := g.bug("deadlock", "two locks are taken in both orders")
	if dead {
		order = "pthread_mutex_lock(&a->lock);\n  pthread_mutex_lock(&b->lock);"
	}
	unlockB := "pthread_mutex_unlock(&b->lock);"
	if !dead && g.bug("race", "one of two locks is not taken") {
		order, unlockB = "pthread_mutex_lock(&a->lock);", ""
	}
	g.fn(o, fmt.Sprintf("static void $N_move(struct $N *p, int from, int to, int amount) {\n  struct %s *a = &p->%s[from], *b = &p->%s[to];\n  %s\n  a->balance -= amount;\n  b->balance += amount;\n  %s\n  pthread_mutex_unlock(&a->lock);\n}",
		acc, arr, arr, order, unlockB))
	for i := range g.threads {
		from := i % 2
		if n > 2 && g.chance(40) && !dead {
			g.step(i, "%s_move(%s, %d, 2, %d);", o.name, o.name, from, 1+i)
			continue
		}
		g.step(i, "%s_move(%s, %d, %d, %d);", o.name, o.name, from, 1-from, 1+i)
	}
	g.check(o, "int sum_%s = 0;\nfor (int i = 0; i < %d; i++)\n  sum_%s += (int)p->%s[i].balance;\nassert(sum_%s == %s);", o.name, n, o.name, arr, o.name, g.expect(10*n))
	if g.chance(50) {
		o.ends = append(o.ends, fmt.Sprintf("for (int i = 0; i < %d; i++)\n  pthread_mutex_destroy(&p->%s[i].lock);", n, arr))
	}
}

// mean has floating numbers under a lock.
func mean(g *gen) {
	o := g.object(g.one("probe", "meter"))
	o.lock()
	sum, n := g.name("weight"), g.name("readings")
	typ := g.one("double", "float", "double")
	o.field(typ, sum, "0")
	o.field(g.intType(), n, "0")
	take, give := o.unlocked("a reading is added without the lock")
	g.fn(o, fmt.Sprintf("static void $N_add(struct $N *p, %s x) {\n  %s\n  p->%s += x;\n  p->%s++;\n  %s\n}", typ, take, sum, n, give))
	g.all("%s_add(%s, id + 0.5);", o.name, o.name)
	half := g.threads * g.threads // of the sum
	g.check(o, "assert(2 * p->%s == %s);\nassert(p->%s / p->%s < %d);", sum, g.expect(half), sum, n, g.threads)
}

// logs has a function with any number of arguments that writes a line under a lock.
func logs(g *gen) {
	o := g.object(g.one("logger", "journal"))
	o.lock()
	line, n := g.name("line"), g.name("lines")
	o.field("char %s[16]", line, "")
	o.field(g.intType(), n, "0")
	o.inits = append(o.inits, fmt.Sprintf("p->%s[0] = 0;", line))
	take, give := o.unlocked("a line is written without the lock")
	g.fn(o, fmt.Sprintf("static void $N_printf(struct $N *p, const char *format, ...) {\n  va_list args;\n  va_start(args, format);\n  %s\n  vsnprintf(p->%s, sizeof p->%s, format, args);\n  p->%s++;\n  %s\n  va_end(args);\n}", take, line, line, n, give))
	g.all("%s_printf(%s, %s);", o.name, o.name, g.one("\"n=%d\", id", "\"%s %d\", \"at\", id", "\"%c%c\", 'a', 'b' + id"))
	g.check(o, "assert(p->%s == %s);\nassert(strlen(p->%s) < 16 && p->%s[0] != 0);", n, g.expect(g.threads), line, line)
}

// shares has threads draw the next index of work until there is none.
func shares(g *gen) {
	o := g.object(g.one("work", "batch"))
	n := 2 + g.IntN(2)
	a := o.array(g.name("out"), n, "0")
	next := g.name("next")
	draw := ""
	switch {
	case g.bug("race", "the next index is not atomic"):
		o.field("int", next, "0")
		draw = fmt.Sprintf("int i = p->%s;\n  p->%s = i + 1;", next, next)
	case g.chance(30):
		o.field("atomic_int", next, "")
		o.inits = append(o.inits, "atomic_init(&p->"+next+", 0);")
		draw = fmt.Sprintf("int i = %s;", g.one("atomic_fetch_add(&p->"+next+", 1)", "p->"+next+"++", "atomic_fetch_add_explicit(&p->"+next+", 1, memory_order_relaxed)"))
	case g.chance(50):
		o.field(g.one("int", "unsigned", "long"), next, "0")
		draw = fmt.Sprintf("int i = (int)%s;", g.one("__sync_fetch_and_add(&p->"+next+", 1)", "__atomic_fetch_add(&p->"+next+", 1, __ATOMIC_SEQ_CST)"))
	default:
		o.lock()
		o.field(g.intType(), next, "0")
		draw = fmt.Sprintf("%s\n  int i = (int)p->%s++;\n  %s", o.lk.take, next, o.lk.give)
	}
	g.fn(o, fmt.Sprintf("static int $N_next(struct $N *p) {\n  %s\n  return i < %d ? i : -1;\n}", draw, n))
	g.all("for (int i; (i = %s_next(%s)) >= 0;)\n  %s = i + 1;", o.name, o.name, ofP.ReplaceAllString(a.at("i"), o.name+"->"))
	g.check(o, "for (int i = 0; i < %d; i++)\n  assert(%s == i + %s);", n, a.at("i"), g.expect(1))
}
