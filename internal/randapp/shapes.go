package randapp

import "fmt"

// several has an array of pointers to objects on the heap, each with its lock.
func several(g *gen) {
	o := g.object(g.one("server", "manager"))
	c := g.name("conn")
	typ := g.intType()
	parts := []string{"pthread_mutex_t mu;", typ + " sent[2];", g.one("int fd;", "char open;", "char peer[7];", "short port;")}
	g.Shuffle(3, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	g.cells = append(g.cells, "struct "+c+" {\n"+indented(parts)+"};")
	n := 2
	list := g.name("conns")
	if g.chance(50) {
		o.field("struct "+c+" *%s["+fmt.Sprint(n)+"]", list, "")
	} else {
		o.field("struct "+c+" **", list, fmt.Sprintf("malloc(%d * sizeof *p->%s)", n, list))
		o.inits = append(o.inits, fmt.Sprintf("if (!p->%s)\n  abort();", list))
		defer func() { o.ends = append(o.ends, fmt.Sprintf("free(p->%s);", list)) }()
	}
	g.funcs = append(g.funcs, fmt.Sprintf("static struct %s *%s_new(void) {\n  struct %s *c = %s;\n  if (!c)\n    abort();\n  pthread_mutex_init(&c->mu, NULL);\n  c->sent[0] = c->sent[1] = 1;\n  return c;\n}", c, c, c, g.one("malloc(sizeof *c)", "calloc(1, sizeof *c)", "aligned_alloc(64, (sizeof *c + 63) / 64 * 64)")))
	o.inits = append(o.inits, fmt.Sprintf("for (int i = 0; i < %d; i++)\n  p->%s[i] = %s_new();", n, list, c))
	take, give := "pthread_mutex_lock(&c->mu);", "pthread_mutex_unlock(&c->mu);"
	if g.bug("race", "a connection changes without its lock") {
		take, give = "", ""
	}
	g.fn(o, fmt.Sprintf("static void $N_send(struct $N *p, unsigned to, unsigned what) {\n  struct %s *c = p->%s[to %% %d];\n  %s\n  c->sent[what & 1] += 2;\n  %s\n}", c, list, n, take, give))
	to, what := g.input(2), g.one("id", g.input(2), "1")
	if g.chance(50) && take != "" {
		to = "id"
	}
	g.all("%s_send(%s, %s, %s);", o.name, o.name, to, what)
	free := fmt.Sprintf("free(p->%s[i]);", list)
	if g.bug("leak", "the objects of the array are not freed") {
		free = ""
	}
	g.fn(o, fmt.Sprintf("static int $N_close(struct $N *p) {\n  int sum = 0;\n  for (int i = 0; i < %d; i++) {\n    sum += (int)(p->%s[i]->sent[0] + p->%s[i]->sent[1]);\n    pthread_mutex_destroy(&p->%s[i]->mu);\n    %s\n  }\n  return sum;\n}", n, list, list, list, free))
	g.check(o, "assert($N_close(p) == %s);", g.expect(2*n+2*g.threads))
}

// intrusive has nodes inside of objects, whose addresses are computed.
func intrusive(g *gen) {
	o := g.object(g.one("scheduler", "waitlist"))
	o.lock()
	job := g.name("work_item")
	g.declare("struct hook {\n  struct hook *next_hook;\n};")
	g.declare("#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))")
	parts := []string{"struct hook hook;", g.intType() + " cost;", g.one("char tag;", "double when;", "char what[6];")}
	g.Shuffle(3, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	g.globals = append(g.globals, "struct "+job+" {\n"+indented(parts)+"};")
	first := g.name("first")
	o.field("struct hook *", first, "NULL")
	take, give := o.unlocked("an item is added without the lock")
	g.fn(o, fmt.Sprintf("static void $N_add(struct $N *p, int cost) {\n  struct %s *w = malloc(sizeof *w);\n  if (!w)\n    abort();\n  w->cost = cost;\n  %s\n  w->hook.next_hook = p->%s;\n  p->%s = &w->hook;\n  %s\n}", job, take, first, first, give))
	g.all("%s_add(%s, id + 1);", o.name, o.name)
	after := "free(w);"
	if g.bug("leak", "the items are not freed") {
		after = ""
	}
	next := "h = next;"
	if g.bug("memory", "the next item is read from one that was freed") {
		next = "h = h->next_hook;"
	}
	g.fn(o, fmt.Sprintf("static int $N_total(struct $N *p) {\n  int sum = 0;\n  for (struct hook *h = p->%s; h;) {\n    struct hook *next = h->next_hook;\n    struct %s *w = container_of(h, struct %s, hook);\n    sum += (int)w->cost;\n    %s\n    (void)next;\n    %s\n  }\n  return sum;\n}", first, job, job, after, next))
	g.check(o, "assert($N_total(p) == %s);", g.expect(g.threads*(g.threads+1)/2))
}

// bits has sets of bits and numbers that wrap around.
func bits(g *gen) {
	o := g.object(g.one("mask", "bitmap"))
	o.lock()
	typ := g.one("unsigned char", "unsigned short", "unsigned", "uint8_t", "uint64_t", "uint16_t", "unsigned long")
	width := map[string]int{"unsigned char": 8, "unsigned short": 16, "unsigned": 32, "uint8_t": 8, "uint64_t": 64, "uint16_t": 16, "unsigned long": 64}[typ]
	n := 2 + g.IntN(2)
	words, low := g.name("words"), g.name("low")
	o.members = append(o.members, member{fmt.Sprintf("%s %s[%d];", typ, words, n), words})
	o.inits = append(o.inits, fmt.Sprintf("for (int i = 0; i < %d; i++)\n  p->%s[i] = 0;", n, words))
	o.field(typ, low, "0")
	high := width - 1 - g.IntN(3)
	one := "1u"
	if width > 32 {
		one = "1ul"
	}
	take, give := o.unlocked("bits change without the lock")
	g.fn(o, fmt.Sprintf("static void $N_mark(struct $N *p, unsigned word, int bit) {\n  %s\n  p->%s[word] %s %s << bit;\n  p->%s--;\n  %s\n}", take, words, g.one("|=", "^=", "+="), one, low, give))
	index := g.index(n)
	for i := range g.threads {
		g.step(i, "%s_mark(%s, %s, %d);", o.name, o.name, index, high-i)
	}
	sum := ""
	for i := range g.threads {
		if i > 0 {
			sum += " + "
		}
		sum += fmt.Sprintf("(%s << %d)", one, high-i)
	}
	wrong := ""
	if g.bug("assert", "one bit more is expected") {
		wrong = " + 1"
	}
	g.check(o, "%s all_%s = 0;\nfor (int i = 0; i < %d; i++)\n  all_%s |= p->%s[i];\nassert(all_%s == (%s)(%s%s));", typ, o.name, n, o.name, words, o.name, typ, sum, wrong)
	g.check(o, "assert(p->%s == (%s)-%d);\nassert(p->%s > 100);", low, typ, g.threads, low)
}

// snapshots copies structs under a lock, by value and by memcpy.
func snapshots(g *gen) {
	o := g.object(g.one("sensor", "settings"))
	o.lock()
	s := g.name("sample")
	n := 2 + g.IntN(3)
	parts := []string{g.intType() + " x;", fmt.Sprintf("%s v[%d];", g.intType(), n), g.one("char unit[4];", "void *owner;", "double at;", "char c;")}
	g.Shuffle(3, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	g.cells = append(g.cells, "struct "+s+" {\n"+indented(parts)+"};")
	cur := g.name("current")
	o.field("struct "+s, cur, "")
	o.inits = append(o.inits, fmt.Sprintf("memset(&p->%s, 0, sizeof p->%s);", cur, cur))
	take, give := o.unlocked("the copy is made without the lock")
	g.fn(o, fmt.Sprintf("static struct %s $N_read(struct $N *p) {\n  struct %s s;\n  %s\n  %s\n  %s\n  return s;\n}", s, s, take, g.one(fmt.Sprintf("s = p->%s;", cur), fmt.Sprintf("memcpy(&s, &p->%s, sizeof s);", cur)), give))
	k := g.index(n)
	g.fn(o, fmt.Sprintf("static void $N_write(struct $N *p, struct %s s) {\n  $LOCK\n  p->%s = s;\n  $UNLOCK\n}", s, cur))
	g.step(0, "struct %s s;\nmemset(&s, 0, sizeof s);\ns.x = 7;\nfor (int i = 0; i < %d; i++)\n  s.v[i] = 7;\n%s_write(%s, s);", s, n, o.name, o.name)
	for i := 1; i < g.threads; i++ {
		if take == "" {
			g.step(i, "struct %s s = %s_read(%s);\n(void)s.x;", s, o.name, o.name)
		} else {
			g.step(i, "struct %s s = %s_read(%s);\nassert(s.x == s.v[%s]);", s, o.name, o.name, k)
		}
	}
	if g.chance(50) {
		g.check(o, "struct %s last_%s = $N_read(p);\nassert(last_%s.v[%s] == %s);", s, o.name, o.name, k, g.expect(7))
	} else {
		g.check(o, "assert($N_read(p).v[%s] == %s);", k, g.expect(7))
	}
}

// matrix has an array of two dimensions, by rows.
func matrix(g *gen) {
	o := g.object(g.one("image", "board"))
	o.lock()
	rows, cols := 2, 2+g.IntN(2)
	m := g.name("cells")
	typ := g.intType()
	o.members = append(o.members, member{fmt.Sprintf("%s %s[%d][%d];", typ, m, rows, cols), m})
	o.inits = append(o.inits, fmt.Sprintf("for (int i = 0; i < %d; i++)\n  for (int j = 0; j < %d; j++)\n    p->%s[i][j] = i + j;", rows, cols, m))
	sum := 0
	for i := range rows {
		for j := range cols {
			sum += i + j
		}
	}
	take, give := o.unlocked("cells change without the lock")
	body := g.one(fmt.Sprintf("p->%s[row][col] += 3;", m), fmt.Sprintf("%s *line = p->%s[row];\n  line[col] = line[col] + 3;", typ, m), fmt.Sprintf("%s *cell = &p->%s[row][0] + col;\n  *cell += 3;", typ, m))
	g.fn(o, fmt.Sprintf("static void $N_draw(struct $N *p, unsigned row, int col) {\n  %s\n  %s\n  %s\n}", take, body, give))
	row, col := g.index(rows), g.index(cols)
	if g.chance(30) && take != "" {
		row = "id % 2"
	}
	g.all("%s_draw(%s, %s, %s);", o.name, o.name, row, col)
	g.fn(o, fmt.Sprintf("static long $N_sum(const struct $N *p) {\n  long sum = 0;\n  for (const %s *c = &p->%s[0][0], *end = c + %d; c != end; c++)\n    sum += (long)*c;\n  return sum;\n}", typ, m, rows*cols))
	g.check(o, "assert($N_sum(p) == %s);", g.expect(sum+3*g.threads))
}

// positions has pointers into an array.
func positions(g *gen) {
	o := g.object(g.one("log_buffer", "arena"))
	o.lock()
	n := g.threads + 1 + g.IntN(2)
	typ := g.one("int", "short", "char", "long", "unsigned char")
	buf, at := g.name("bytes"), g.name("pos")
	o.members = append(o.members, member{fmt.Sprintf("%s %s[%d];", typ, buf, n), buf})
	o.field(typ+" *", at, "p->"+buf)
	o.inits = append(o.inits, fmt.Sprintf("memset(p->%s, 0, sizeof p->%s);", buf, buf))
	take, give := o.unlocked("the position moves without the lock")
	g.fn(o, fmt.Sprintf("static void $N_put(struct $N *p, int v) {\n  %s\n  if (p->%s < p->%s + %d)\n    *p->%s++ = v;\n  %s\n}", take, at, buf, n, at, give))
	g.all("%s_put(%s, id + 1);", o.name, o.name)
	g.check(o, "assert(p->%s - p->%s == %s);", at, buf, g.expect(g.threads))
	g.check(o, "int sum_%s = 0;\nwhile (p->%s > p->%s)\n  sum_%s += *--p->%s;\nassert(sum_%s == %s);", o.name, at, buf, o.name, at, o.name, g.expect(g.threads*(g.threads+1)/2))
}

// background has a detached thread that tells when it is done.
func background(g *gen) {
	o := g.object("service")
	o.mutex()
	done, c, v := g.name("finished"), g.name("idle"), g.name("answer")
	o.field(g.one("int", "bool", "char"), done, "0")
	o.field("pthread_cond_t", c, "")
	o.field(g.intType(), v, "0")
	o.inits = append(o.inits, "pthread_cond_init(&p->"+c+", NULL);")
	wake := fmt.Sprintf("pthread_cond_signal(&p->%s);", c)
	if g.bug("deadlock", "the detached thread tells nobody") {
		wake = ""
	}
	late := ""
	if g.bug("race", "the detached thread writes after it has said that it is done") {
		late = fmt.Sprintf("p->%s = 42;", v)
	}
	g.fn(o, fmt.Sprintf("static void *$N_run(void *arg) {\n  struct $N *p = arg;\n  $LOCK\n  p->%s = 42;\n  p->%s = 1;\n  %s\n  $UNLOCK\n  %s\n  return NULL;\n}", v, done, wake, late))
	start := fmt.Sprintf("pthread_t bg_%s;\nif (pthread_create(&bg_%s, NULL, $N_run, p))\n  abort();\npthread_detach(bg_%s);", o.name, o.name, o.name)
	if g.chance(40) {
		start = fmt.Sprintf("pthread_t bg_%s;\npthread_attr_t attr_%s;\npthread_attr_init(&attr_%s);\npthread_attr_setdetachstate(&attr_%s, PTHREAD_CREATE_DETACHED);\nif (pthread_create(&bg_%s, &attr_%s, $N_run, p))\n  abort();\npthread_attr_destroy(&attr_%s);", o.name, o.name, o.name, o.name, o.name, o.name, o.name)
	}
	g.meanwhile(o, "%s", start)
	g.fn(o, fmt.Sprintf("static int $N_wait(struct $N *p) {\n  $LOCK\n  while (!p->%s)\n    pthread_cond_wait(&p->%s, &p->%s);\n  int v = (int)p->%s;\n  $UNLOCK\n  return v;\n}", done, c, o.lk.name, v))
	if late != "" {
		g.all("(void)%s_wait(%s);", o.name, o.name)
		g.check(o, "(void)$N_wait(p);\nint seen_%s = p->%s;\n(void)seen_%s;", o.name, v, o.name)
		return
	}
	g.all("struct %s *p = %s;\n%s\nint d = p->%s;\n%s\nassert(d == 0 || d == 1);", o.name, o.name, o.lk.take, done, o.lk.give)
	g.check(o, "assert($N_wait(p) == %s);", g.expect(42))
}

// names has an array of strings on the heap.
func names(g *gen) {
	o := g.object(g.one("roster", "dictionary"))
	o.lock()
	list, n := g.name("names"), g.name("many")
	o.field("char *%s["+fmt.Sprint(g.threads+1)+"]", list, "")
	o.field(g.one("int", "size_t", "unsigned char"), n, "0")
	take, give := o.unlocked("a name is added without the lock")
	dup := g.one("strdup(name)", "strcpy(malloc(strlen(name) + 1), name)")
	g.fn(o, fmt.Sprintf("static void $N_add(struct $N *p, const char *name) {\n  char *copy = %s;\n  if (!copy)\n    abort();\n  %s\n  p->%s[p->%s++] = copy;\n  %s\n}", dup, take, list, n, give))
	for i := range g.threads {
		g.step(i, "%s_add(%s, \"%s\");", o.name, o.name, []string{"ann", "bob", "eve"}[i])
	}
	g.check(o, "int letters_%s = 0;\nfor (int i = 0; i < (int)p->%s; i++)\n  letters_%s += (int)strlen(p->%s[i]);\nassert(letters_%s == %s);", o.name, n, o.name, list, o.name, g.expect(3*g.threads))
	if !g.bug("leak", "names are not freed") {
		g.check(o, "for (int i = 0; i < (int)p->%s; i++)\n  free(p->%s[i]);", n, list)
	}
}
