package randapp

import (
	"fmt"
	"strings"
)

// lazily creates something once.
func lazily(g *gen) {
	o := g.object(g.one("lazy", "singleton"))
	obj, made := g.name("instance"), g.name("made")
	typ := g.name("conf")
	g.cells = append(g.cells, fmt.Sprintf("struct %s {\n  %s\n  char host[8];\n};", typ, g.one("int port;", "short port;", "long port;")))
	o.field("struct "+typ+" *", obj, "NULL")
	o.field(g.intType(), made, "0")
	create := fmt.Sprintf("static struct %s *%s_load(struct $N *p) {\n  struct %s *c = malloc(sizeof *c);\n  if (!c)\n    abort();\n  c->port = 80;\n  strcpy(c->host, \"host\");\n  p->%s++;\n  return c;\n}", typ, typ, typ, made)
	g.fn(o, create)
	kind := g.IntN(2)
	o.mutex()
	switch kind {
	case 0: // with the lock, always
		take, give := o.unlocked("it is created without the lock")
		g.fn(o, fmt.Sprintf("static struct %s *$N_get(struct $N *p) {\n  %s\n  if (!p->%s)\n    p->%s = %s_load(p);\n  struct %s *c = p->%s;\n  %s\n  return c;\n}", typ, take, obj, obj, typ, typ, obj, give))
	default: // double-checked
		first := fmt.Sprintf("__atomic_load_n(&p->%s, __ATOMIC_ACQUIRE)", obj)
		if g.bug("race", "the first look is not atomic") {
			first = "p->" + obj
		}
		g.fn(o, fmt.Sprintf("static struct %s *$N_get(struct $N *p) {\n  struct %s *c = %s;\n  if (c == NULL) {\n    $LOCK\n    c = p->%s;\n    if (!c) {\n      c = %s_load(p);\n      __atomic_store_n(&p->%s, c, __ATOMIC_RELEASE);\n    }\n    $UNLOCK\n  }\n  return c;\n}", typ, typ, first, obj, typ, obj))
	}
	g.all("struct %s *c = %s_get(%s);\nassert(c->port == %s);", typ, o.name, o.name, g.expect(80))
	g.check(o, "assert(p->%s == %s);", made, g.expect(1))
	if !g.bug("leak", "it is not freed") {
		g.check(o, "free(p->%s);", obj)
	}
}

// once uses pthread_once.
func once(g *gen) {
	o := g.object("state")
	o.field("int", g.name("mode"), "0")
	n, v, f := g.name("once_control"), g.name("table"), g.name("setup")
	g.declare("static pthread_once_t " + n + " = PTHREAD_ONCE_INIT;")
	size := 2 + g.IntN(2)
	g.declare(fmt.Sprintf("static %s %s[%d], calls_%s;", g.intType(), v, size, v))
	g.funcs = append(g.funcs, fmt.Sprintf("static void %s(void) {\n  for (int i = 0; i < %d; i++)\n    %s[i] = i + 1;\n  calls_%s++;\n}", f, size, v, v))
	call := fmt.Sprintf("pthread_once(&%s, %s);", n, f)
	if g.bug("race", "the table is filled by whoever finds it empty") {
		call = fmt.Sprintf("if (%s[%d] == 0)\n  %s();", v, size-1, f)
		g.all("%s", call)
		return
	}
	k := g.index(size)
	g.all("%s\nassert(%s[%s] >= %s);", call, v, k, g.expect(1))
	g.check(o, "assert(calls_%s == %s);", v, g.expect(1))
}

// methods has functions in structs.
func methods(g *gen) {
	o := g.object(g.one("device", "shape"))
	o.lock()
	ops, val := g.name("ops"), g.name("level")
	o.field(g.intType(), val, "10")
	table := g.chance(60)
	g.globals = append(g.globals, fmt.Sprintf("struct %s;\nstruct %s_ops {\n  %s\n  void (*change)(struct %s *, int);\n  int (*read)(struct %s *);\n};", o.name, o.name, g.one("const char *name;", "int version;", "char kind;"), o.name, o.name))
	take, give := o.unlocked("a method does not take the lock")
	a, b := 1+g.IntN(3), 1+g.IntN(3)
	g.fn(o, fmt.Sprintf("static void $N_up(struct $N *p, int n) {\n  %s\n  p->%s += n;\n  %s\n}\nstatic void $N_down(struct $N *p, int n) {\n  $LOCK\n  p->%s -= n;\n  $UNLOCK\n}\nstatic int $N_read(struct $N *p) {\n  $LOCK\n  int v = (int)p->%s;\n  $UNLOCK\n  return v;\n}", take, val, give, val, val))
	g.funcs = append(g.funcs, fmt.Sprintf("static const struct %s_ops up_%s = {.change = %s_up, .read = %s_read}, down_%s = {.change = %s_down, .read = %s_read};", o.name, o.name, o.name, o.name, o.name, o.name, o.name))
	if table {
		o.field("const struct "+o.name+"_ops *", ops, "")
		o.inits = append(o.inits, fmt.Sprintf("p->%s = %s;", ops, "&up_"+o.name))
		for i := range g.threads {
			g.step(i, "%s->%s->change(%s, %d);", o.name, ops, o.name, a)
		}
		g.check(o, "assert(p->%s->read(p) == %s);", ops, g.expect(10+a*g.threads))
		return
	}
	sum := 10
	for i := range g.threads {
		if i%2 == 0 {
			g.step(i, "const struct %s_ops *ops = %s;\nops->change(%s, %d);", o.name, g.one("&up_"+o.name, fmt.Sprintf("id >= 0 ? &up_%s : &down_%s", o.name, o.name)), o.name, a)
			sum += a
		} else {
			text := "down_"
			if g.bugText != "" && g.violates == "race" {
				text = "up_"
			}
			g.step(i, "void (*f)(struct %s *, int) = %s%s.change;\nf(%s, %d);", o.name, text, o.name, o.name, b)
			sum -= b
		}
	}
	if g.violates != "race" {
		g.check(o, "assert(up_%s.read(p) == %s);", o.name, g.expect(sum))
	}
}

// buckets is a hash table with a lock in each bucket.
func buckets(g *gen) {
	o := g.object(g.one("map", "store"))
	b := g.name("bucket")
	n := 2 + g.IntN(2)
	parts := []string{"pthread_mutex_t lock;", g.intType() + " used;", g.intType() + " keys[3];"}
	g.Shuffle(3, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	g.cells = append(g.cells, "struct "+b+" {\n"+indented(parts)+"};")
	arr := g.name("buckets")
	flexible := o.home == heap || o.home == pointer
	if flexible && g.chance(50) {
		o.tail = fmt.Sprintf("struct %s %s[];", b, arr)
		o.extra = fmt.Sprintf("%d * sizeof(struct %s)", n, b)
		o.field("int", g.name("many"), fmt.Sprint(n))
	} else {
		o.field("struct "+b+" %s["+fmt.Sprint(n)+"]", arr, "")
	}
	o.inits = append(o.inits, fmt.Sprintf("for (int i = 0; i < %d; i++) {\n  struct %s *b = &p->%s[i];\n  pthread_mutex_init(&b->lock, NULL);\n  b->used = 0;\n}", n, b, arr))
	which := fmt.Sprintf("&p->%s[key %% %d]", arr, n)
	lockOf := "b"
	if g.bug("race", "the lock is that of another bucket") {
		lockOf = fmt.Sprintf("(&p->%s[me %% %d])", arr, n)
	}
	g.fn(o, fmt.Sprintf("static void $N_put(struct $N *p, unsigned key, int me) {\n  struct %s *b = %s;\n  (void)me;\n  pthread_mutex_lock(&%s->lock);\n  b->keys[b->used++] = (int)(key & 15);\n  pthread_mutex_unlock(&%s->lock);\n}", b, which, lockOf, lockOf))
	key := g.input(4)
	g.all("%s_put(%s, %s, id);", o.name, o.name, key)
	g.check(o, "int used_%s = 0;\nfor (int i = 0; i < %d; i++) {\n  used_%s += (int)p->%s[i].used;\n  pthread_mutex_destroy(&p->%s[i].lock);\n}\nassert(used_%s == %s);", o.name, n, o.name, arr, arr, o.name, g.expect(g.threads))
}

// sentinels has special values at the limits of their types.
func sentinels(g *gen) {
	o := g.object(g.one("slot", "handle"))
	o.lock()
	val := g.name("value")
	type kind struct{ typ, c string }
	kinds := []kind{{"void *", "(void *)-1"}, {"void *", "MAP_FAILED"}, {"void *", "PTHREAD_CANCELED"}, {"void *", "(void *)1"}, {"char *", "(char *)-1"}, {"int *", "(int *)-4"}, {"long", "LONG_MIN"}, {"long", "-1"},
		{"unsigned long", "ULONG_MAX"}, {"size_t", "SIZE_MAX"}, {"uint64_t", "0x8000000000000000u"}, {"int64_t", "INT64_MIN"}, {"int", "INT_MIN"}, {"unsigned", "UINT_MAX"}, {"unsigned", "0x80000000u"},
		{"short", "SHRT_MIN"}, {"signed char", "-128"}, {"unsigned char", "255"}, {"intptr_t", "INTPTR_MIN"}, {"uintptr_t", "UINTPTR_MAX"}, {"void *", "(void *)0x8000000000000000"}, {"void *", "(void *)INTPTR_MIN"}, {"int8_t", "INT8_MIN"}, {"void (*%s)(int)", "SIG_ERR"}}
	k := kinds[g.IntN(len(kinds))]
	zero := "0"
	o.field(k.typ, val, zero)
	take, give := o.unlocked("the value is set without the lock")
	if g.violates == "race" && g.bugText != "" {
		g.fn(o, fmt.Sprintf("static void $N_set(struct $N *p) {\n  %s\n  p->%s = %s;\n  %s\n}", take, val, k.c, give))
	} else {
		g.fn(o, fmt.Sprintf("static void $N_set(struct $N *p) {\n  $LOCK\n  if (p->%s != %s)\n    p->%s = %s;\n  $UNLOCK\n}", val, k.c, val, k.c))
	}
	g.all("%s_set(%s);", o.name, o.name)
	good, bad := []string{fmt.Sprintf("p->%s == %s", val, k.c), fmt.Sprintf("p->%s != 0", val)}, []string{fmt.Sprintf("p->%s != %s", val, k.c), fmt.Sprintf("p->%s == 0", val)}
	if !strings.Contains(k.typ, "%s") {
		good = append(good, fmt.Sprintf("(long)p->%s == (long)%s", val, k.c), fmt.Sprintf("(unsigned long)p->%s == (unsigned long)%s", val, k.c), fmt.Sprintf("(int)(intptr_t)p->%s == (int)(intptr_t)%s", val, k.c))
		bad = append(bad, fmt.Sprintf("(long)p->%s != (long)%s", val, k.c), fmt.Sprintf("(uintptr_t)p->%s != (uintptr_t)%s", val, k.c))
	}
	if g.bug("assert", "it is said to be another value") {
		good = bad
	}
	g.check(o, "assert(%s);", g.one(good...))
}

// trying has threads that do something else if the lock is taken.
func trying(g *gen) {
	o := g.object(g.one("gate", "door"))
	o.lockOf(0)
	in, out := g.name("entered"), g.name("skipped")
	o.field(g.intType(), in, "0")
	o.field("atomic_int", out, "")
	o.inits = append(o.inits, "atomic_init(&p->"+out+", 0);")
	cond := "== 0"
	if g.bug("race", "the result of trylock is read the wrong way round") {
		cond = "!= 0"
	}
	body := fmt.Sprintf("if (pthread_mutex_trylock(&p->%s) %s) {\n    p->%s++;\n    pthread_mutex_unlock(&p->%s);\n  } else {\n    atomic_fetch_add(&p->%s, 1);\n  }", o.lk.name, cond, in, o.lk.name, out)
	if cond != "== 0" {
		body = fmt.Sprintf("if (pthread_mutex_trylock(&p->%s) == 0)\n    pthread_mutex_unlock(&p->%s);\n  p->%s++;", o.lk.name, o.lk.name, in)
	}
	g.fn(o, "static void $N_enter(struct $N *p) {\n  "+body+"\n}")
	g.all("%s_enter(%s);", o.name, o.name)
	if cond == "== 0" {
		g.check(o, "assert((int)p->%s + atomic_load(&p->%s) == %s);", in, out, g.expect(g.threads))
	}
}

// own has data of each thread's own.
func own(g *gen) {
	o := g.object("registry")
	o.lock()
	sum := g.name("sum")
	o.field(g.intType(), sum, "0")
	if g.chance(50) {
		v := g.name("mine")
		g.declare(fmt.Sprintf("static %s %s %s = 1;", g.one("__thread", "_Thread_local"), g.intType(), v))
		take, give := o.unlocked("the sum changes without the lock")
		g.all("%s += id;\n{\n  struct %s *p = %s;\n  %s\n  p->%s += %s;\n  %s\n}", v, o.name, o.name, take, sum, v, give)
		g.check(o, "assert(p->%s == %s);\nassert(%s == 1);", sum, g.expect(g.threads+g.threads*(g.threads-1)/2), v)
		return
	}
	key := g.name("key")
	g.declare("static pthread_key_t " + key + ";")
	destructor := "free"
	if g.bug("leak", "there is no destructor") {
		destructor = "NULL"
	}
	g.early = append(g.early, fmt.Sprintf("pthread_key_create(&%s, %s);", key, destructor))
	g.funcs = append(g.funcs, fmt.Sprintf("static int *%s_own(void) {\n  int *v = pthread_getspecific(%s);\n  if (!v) {\n    v = calloc(1, sizeof *v);\n    if (!v)\n      abort();\n    pthread_setspecific(%s, v);\n  }\n  return v;\n}", key, key, key))
	take, give := o.unlocked("the sum changes without the lock")
	g.all("*%s_own() += id + 1;\n{\n  struct %s *p = %s;\n  %s\n  p->%s += *%s_own();\n  %s\n}", key, o.name, o.name, take, sum, key, give)
	g.check(o, "assert(p->%s == %s);", sum, g.expect(g.threads*(g.threads+1)/2))
}
