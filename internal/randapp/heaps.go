package randapp

import "fmt"

// list has threads push nodes, which main takes apart.
func list(g *gen) {
	o := g.object(g.one("list", "stack"))
	node := g.name("node")
	typ := g.intType()
	parts := []string{typ + " v;", "struct " + node + " *next;", g.one("char name[5];", "int key;", "char c;")}
	g.Shuffle(3, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	g.types = append(g.types, "struct "+node+" {\n"+indented(parts)+"};")
	head, count := g.name("head"), g.name("count")
	o.field("struct "+node+" *", head, "NULL")
	o.field(g.intType(), count, "0")
	n := 1 + g.IntN(2)
	atomic := g.chance(20)
	var push string
	switch {
	case atomic:
		push = fmt.Sprintf("struct %s *old = __atomic_load_n(&p->%s, __ATOMIC_RELAXED);\n  do\n    e->next = old;\n  while (!__atomic_compare_exchange_n(&p->%s, &old, e, %s, __ATOMIC_RELEASE, __ATOMIC_RELAXED));\n  __atomic_fetch_add(&p->%s, 1, __ATOMIC_RELAXED);",
			node, head, head, g.one("0", "1"), count)
	case g.chance(40): // at the end, by a pointer to a member
		o.lock()
		tail := g.name("tail")
		o.field("struct "+node+" **", tail, "&p->"+head)
		take, give := o.unlocked("a node is appended without the lock")
		push = fmt.Sprintf("e->next = NULL;\n  %s\n  *p->%s = e;\n  p->%s = &e->next;\n  p->%s++;\n  %s", take, tail, tail, count, give)
	default:
		o.lock()
		take, give := o.unlocked("a node is pushed without the lock")
		push = fmt.Sprintf("%s\n  e->next = p->%s;\n  p->%s = e;\n  p->%s++;\n  %s", take, head, head, count, give)
	}
	g.fn(o, fmt.Sprintf("static void $N_push(struct $N *p, int v) {\n  struct %s *e = %s;\n  if (!e)\n    abort();\n  e->v = v;\n  %s\n}", node, g.one("malloc(sizeof *e)", "calloc(1, sizeof *e)"), push))
	sum := 0
	g.all("for (int i = 0; i < %d; i++)\n  %s_push(%s, id + i);", n, o.name, o.name)
	for i := range g.threads {
		for k := range n {
			sum += i + k
		}
	}
	free := "free(e);"
	walk := fmt.Sprintf("for (struct %s *e = p->%s, *next; e; e = next) {\n    next = e->next;\n    sum += (int)e->v;\n    %%s\n  }", node, head)
	switch {
	case g.bug("memory", "a node is read after it was freed"):
		walk = fmt.Sprintf("for (struct %s *e = p->%s; e; e = e->next) {\n    sum += (int)e->v;\n    %%s\n  }", node, head)
	case g.bug("leak", "nodes are not freed"):
		free = ""
	case g.chance(40):
		walk = fmt.Sprintf("while (p->%s) {\n    struct %s *e = p->%s;\n    p->%s = e->next;\n    sum += (int)e->v;\n    %%s\n  }", head, node, head, head)
	}
	reset := fmt.Sprintf("p->%s = NULL;", head)
	g.fn(o, fmt.Sprintf("static int $N_drain(struct $N *p) {\n  int sum = 0;\n  "+walk+"\n  %s\n  return sum;\n}", free, reset))
	g.check(o, "assert(p->%s == %s);", count, g.expect(n*g.threads))
	g.check(o, "assert($N_drain(p) == %s);", g.expect(sum))
}

// counted has objects with a count of references, the last of which frees them.
func counted(g *gen) {
	o := g.object(g.one("holder", "owner"))
	o.field("int", g.name("spare"), "0")
	s := g.name("ref")
	kind := g.IntN(3)
	refs := []string{"atomic_int refs;", "int refs;", "int refs;"}[kind]
	parts := []string{refs, g.intType() + " data[3];", g.one("char tag;", "void *user;", "double d;")}
	if kind == 2 {
		parts = append(parts, "pthread_mutex_t lock;")
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	g.cells = append(g.cells, "struct "+s+" {\n"+indented(parts)+"};")
	ptr := g.name("shared")
	o.field("struct "+s+" *", ptr, "")
	first := g.one("r->refs = 1;", "r->refs = 1;")
	if kind == 0 {
		first = "atomic_init(&r->refs, 1);"
	}
	if kind == 2 {
		first += "\n  pthread_mutex_init(&r->lock, NULL);"
	}
	v := 1 + g.IntN(9)
	g.funcs = append(g.funcs, fmt.Sprintf("static struct %s *%s_new(int v) {\n  struct %s *r = malloc(sizeof *r);\n  if (!r)\n    abort();\n  %s\n  for (int i = 0; i < 3; i++)\n    r->data[i] = v + i;\n  return r;\n}", s, s, s, first))
	get := []string{"atomic_fetch_add(&r->refs, 1);", "__sync_fetch_and_add(&r->refs, 1);", "pthread_mutex_lock(&r->lock);\n  r->refs++;\n  pthread_mutex_unlock(&r->lock);"}[kind]
	put := []string{"if (atomic_fetch_sub(&r->refs, 1) == 1)\n    free(r);", "if (__sync_sub_and_fetch(&r->refs, 1) == 0)\n    free(r);",
		"pthread_mutex_lock(&r->lock);\n  int left = --r->refs;\n  pthread_mutex_unlock(&r->lock);\n  if (left == 0) {\n    pthread_mutex_destroy(&r->lock);\n    free(r);\n  }"}[kind]
	g.funcs = append(g.funcs, fmt.Sprintf("static struct %s *%s_get(struct %s *r) {\n  %s\n  return r;\n}", s, s, s, get))
	g.funcs = append(g.funcs, fmt.Sprintf("static void %s_put(struct %s *r) {\n  %s\n}", s, s, put))
	// there is a reference for each thread and one of main
	o.inits = append(o.inits, fmt.Sprintf("p->%s = %s_new(%d);", ptr, s, v))
	extra := g.threads
	if g.bug("memory", "a reference is missing") {
		extra--
	} else if g.bug("leak", "there is one reference too many") {
		extra++
	}
	for range extra {
		o.inits = append(o.inits, fmt.Sprintf("%s_get(p->%s);", s, ptr))
	}
	g.all("struct %s *r = %s->%s;\nassert(r->data[%s] >= %s);\n%s_put(r);", s, o.name, ptr, g.index(3), g.expect(v), s)
	drop := fmt.Sprintf("%s_put(p->%s);", s, ptr)
	if g.chance(50) {
		g.meanwhile(o, "%s", drop)
	} else {
		g.check(o, "%s", drop)
	}
}

// growing has an array that grows under a lock.
func growing(g *gen) {
	o := g.object(g.one("vector", "set"))
	o.lock()
	typ := g.one("int", "short", "long", "char", "unsigned")
	data, n, room := g.name("data"), g.name("len"), g.name("room")
	o.field(typ+" *", data, "NULL")
	o.field(g.one("int", "size_t", "unsigned"), n, "0")
	o.field(g.one("int", "size_t", "unsigned"), room, "0")
	grow := fmt.Sprintf("if (p->%s == p->%s) {\n    p->%s = p->%s ? 2 * p->%s : %s;\n    p->%s = realloc(p->%s, p->%s * sizeof *p->%s);\n    if (!p->%s)\n      abort();\n  }", n, room, room, room, room, g.one("1", "2"), data, data, room, data, data)
	if g.bug("memory", "the array grows too late") {
		grow = fmt.Sprintf("if (!p->%s) {\n    p->%s = 1;\n    p->%s = malloc(p->%s * sizeof *p->%s);\n    if (!p->%s)\n      abort();\n  }", data, room, data, room, data, data)
	}
	take, give := o.unlocked("the array grows without the lock")
	g.fn(o, fmt.Sprintf("static void $N_add(struct $N *p, int v) {\n  %s\n  %s\n  p->%s[p->%s++] = v;\n  %s\n}", take, grow, data, n, give))
	g.all("%s_add(%s, id + 1);", o.name, o.name)
	sum := g.threads * (g.threads + 1) / 2
	g.fn(o, fmt.Sprintf("static int $N_sum(const struct $N *p) {\n  int sum = 0;\n  for (int i = 0; i < (int)p->%s; i++)\n    sum += (int)p->%s[i];\n  return sum;\n}", n, data))
	g.check(o, "assert(p->%s == %d);\nassert($N_sum(p) == %s);", n, g.threads, g.expect(sum))
	if !g.bug("leak", "the array is not freed") {
		g.check(o, "free(p->%s);", data)
	}
}

// text has strings in and behind structs.
func text(g *gen) {
	o := g.object(g.one("record", "message"))
	o.lock()
	word := g.one("ab", "log", "x1y", "name")
	size := len(word) + 1 + g.IntN(4)
	name, long, n := g.name("name"), g.name("log"), g.name("used")
	o.field("char %s["+fmt.Sprint(size)+"]", name, "")
	room := len(word)*g.threads + 1 + g.IntN(3)
	o.field("char %s["+fmt.Sprint(room)+"]", long, "")
	o.field(g.one("size_t", "int", "unsigned char"), n, "0")
	o.inits = append(o.inits, g.one(fmt.Sprintf("strcpy(p->%s, \"%s\");", name, word), fmt.Sprintf("snprintf(p->%s, sizeof p->%s, \"%%s\", \"%s\");", name, name, word),
		fmt.Sprintf("memcpy(p->%s, \"%s\", %d);", name, word, len(word)+1), fmt.Sprintf("strncpy(p->%s, \"%s\", sizeof p->%s - 1);\np->%s[sizeof p->%s - 1] = 0;", name, word, name, name, name)))
	o.inits = append(o.inits, g.one(fmt.Sprintf("p->%s[0] = 0;", long), fmt.Sprintf("memset(p->%s, 0, sizeof p->%s);", long, long)))
	take, give := o.unlocked("the text changes without the lock")
	app := g.one(fmt.Sprintf("memcpy(p->%s + p->%s, p->%s, strlen(p->%s) + 1);\n  p->%s += strlen(p->%s);", long, n, name, name, n, name),
		fmt.Sprintf("strcpy(p->%s + p->%s, p->%s);\n  p->%s = strlen(p->%s);", long, n, name, n, long),
		fmt.Sprintf("strcat(p->%s, p->%s);\n  p->%s += %d;", long, name, n, len(word)),
		fmt.Sprintf("p->%s += snprintf(p->%s + p->%s, sizeof p->%s - p->%s, \"%%s\", p->%s);", n, long, n, long, n, name),
		fmt.Sprintf("for (const char *s = p->%s; *s; s++)\n    p->%s[p->%s++] = *s;\n  p->%s[p->%s] = 0;", name, long, n, long, n))
	g.fn(o, fmt.Sprintf("static void $N_append(struct $N *p) {\n  %s\n  %s\n  %s\n}", take, app, give))
	g.all("%s_append(%s);", o.name, o.name)
	g.check(o, "assert(p->%s == %s);", n, g.expect(len(word)*g.threads))
	g.check(o, "assert(%s);", g.one(fmt.Sprintf("strlen(p->%s) == %d", long, len(word)*g.threads), fmt.Sprintf("strncmp(p->%s, \"%s\", %d) == 0", long, word, len(word)),
		fmt.Sprintf("p->%s[%d] == '%c'", long, len(word), word[0]), fmt.Sprintf("memcmp(p->%s, p->%s, %d) == 0", long, name, len(word))))
	short := 1
	if g.bug("memory", "a copy has no room for the end of the text") {
		short = 0
	}
	if short == 0 || g.chance(40) {
		g.check(o, "char *copy_%s = malloc(strlen(p->%s) + %d);\nif (!copy_%s)\n  abort();\nstrcpy(copy_%s, p->%s);\nassert(copy_%s[0] == '%c');\nfree(copy_%s);", o.name, long, short, o.name, o.name, long, o.name, word[0], o.name)
	}
}

// results has threads that return pointers.
func results(g *gen) {
	if g.results != "" {
		tally(g)
		return
	}
	if g.passing == byShared { // where the ids of threads are not those of their creation
		g.passing = byStruct
	}
	o := g.object("task")
	first := g.IntN(5)
	base := g.name("base")
	o.field(g.intType(), base, fmt.Sprint(first))
	switch g.IntN(3) {
	case 0:
		want := g.expect(1)
		g.results = "result"
		typ := g.one("int", "long", "short", "char")
		g.prologue = typ + " *result = malloc(sizeof *result);\nif (!result)\n  abort();"
		g.all("*result = %s->%s + id;", o.name, base)
		free := "free(r);"
		if g.bug("leak", "a result is not freed") {
			free = ""
		}
		g.joined = append(g.joined, fmt.Sprintf("assert(*(%s *)r + 1 == %d + i + %s);\n%s", typ, first, want, free))
	case 1:
		want := g.expect(1)
		g.results = g.one("(void *)(intptr_t)result", "(void *)result")
		g.prologue = "long result = 0;"
		g.all("result = (long)%s->%s + id;", o.name, base)
		g.joined = append(g.joined, fmt.Sprintf("assert((long)r + 1 == %d + i + %s);", first, want))
	case 2:
		c := g.one("(void *)-1", "PTHREAD_CANCELED", "(void *)(intptr_t)-2", "(void *)INTPTR_MIN", "MAP_FAILED", "(void *)UINTPTR_MAX", "(void *)0x8000000000000000")
		g.results = c
		wrong := "=="
		if g.bug("assert", "another result is expected") {
			wrong = "!="
		}
		g.joined = append(g.joined, fmt.Sprintf("assert(%s);", g.one(fmt.Sprintf("r %s %s", wrong, c), fmt.Sprintf("(long)r %s (long)%s", wrong, c), fmt.Sprintf("(uintptr_t)r %s (uintptr_t)%s", wrong, c))))
		g.all("(void)%s->%s;", o.name, base)
	}
}
