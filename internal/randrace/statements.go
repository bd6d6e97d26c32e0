package randrace

import "fmt"

// block writes n statements in a block.
func (g *generator) block(n int) {
	boxes, indexes := len(g.boxes), len(g.indexes)
	g.depth++
	for range n {
		g.statement()
	}
	g.depth--
	g.boxes, g.indexes = g.boxes[:boxes], g.indexes[:indexes]
}

// within writes a block in braces after a line.
func (g *generator) within(n int, format string, args ...any) {
	g.line(format+" {", args...)
	g.indent++
	g.block(n)
	g.indent--
	g.line("}")
}

// local returns a new name.
func (g *generator) local(prefix string) string {
	g.locals++
	return fmt.Sprintf("%s%d", prefix, g.locals)
}

func (g *generator) box() string { return g.one(g.boxes...) }

func (g *generator) statement() {
	k := g.r.IntN(100)
	switch {
	case g.depth > 3 || k < 25:
		g.access(g.box())
	case k < 62:
		g.section()
	case k < 69:
		q := g.local("q")
		b := g.box()
		g.line("struct box *%s = %s;", q, g.one(b, b+"->peer", fmt.Sprintf("&boxes[%s]", g.one(g.indexes...))))
		g.boxes = append(g.boxes, q, q)
	case k < 73:
		g.line("%s = %s;", g.one("pb", "qb", g.box()+"->peer"), g.box())
	case k < 79:
		g.within(1, "if (%s)", g.one("at", "x", "arr[0] == 0", g.box()+"->a"))
	case k < 83:
		i := g.local("i")
		g.indexes = append(g.indexes, i, i)
		g.within(1, "for (int %s = 0; %s < 2; %s++)", i, i, i)
		g.indexes = g.indexes[:len(g.indexes)-2]
	case k < 90 && g.helpers > 0:
		g.line("help%d(%s, %s);", g.r.IntN(g.helpers), g.box(), g.one(g.indexes...))
	case k < 93:
		g.fresh()
	case k < 98:
		g.list()
	default:
		g.rare()
	}
}

// access writes an access of shared memory.
func (g *generator) access(b string) {
	i := g.one(g.indexes...)
	switch g.r.IntN(12) {
	case 0, 1, 2, 3:
		g.line("%s->%s%s;", b, g.one("a", "a", "b"), g.one("++", " = 3", " += x"))
	case 4:
		g.line("x = %s->%s;", b, g.one("a", "b"))
	case 5:
		g.line("%s->arr[%s]++;", b, i)
	case 6:
		g.line("%s;", g.one("x++", "y = x", "y++", "x = 0"))
	case 7:
		g.line("arr[%s]++;", i)
	case 8:
		g.line("at++;")
	case 9:
		g.line("memset(&%s->%s, 0, sizeof(int));", b, g.one("a", "b"))
	case 10:
		g.line("memcpy(%s->arr, %s->arr, sizeof arr);", b, g.one("boxes[0].peer", b))
	default:
		g.line("boxes[%s].%s++;", i, g.one("a", "b"))
	}
}

// section writes a section in which a lock is held, as it looks.
func (g *generator) section() {
	if g.held > 1 {
		g.access(g.box())
		return
	}
	b, i := g.box(), g.one(g.indexes...)
	g.held++
	defer func() { g.held-- }()
	pair := func(lock, unlock string) {
		g.line("%s;", lock)
		g.inside(b, i)
		if !g.chance(2) {
			g.line("%s;", unlock)
		}
	}
	mutex := func(m string) { pair("pthread_mutex_lock("+m+")", "pthread_mutex_unlock("+m+")") }
	switch g.r.IntN(12) {
	case 0, 1:
		mutex("&" + b + "->m")
	case 2:
		mutex(b + "->lk")
	case 3:
		mutex(g.one("&g0", "&g0", "&g1"))
	case 4:
		mutex("&locks[" + i + "]")
	case 5, 6:
		pair("take("+b+")", "give("+b+")")
	case 7:
		l := g.local("l")
		g.line("pthread_mutex_t *%s = %s;", l, g.one("of("+b+")", "&"+b+"->m", "&boxes["+i+"].m"))
		mutex(l)
	case 8:
		g.try(b, i)
	case 9:
		pair("pthread_rwlock_"+g.one("rdlock", "wrlock", "wrlock")+"(&rw)", "pthread_rwlock_unlock(&rw)")
	case 10:
		g.line("pthread_mutex_lock(&g0);")
		if g.chance(50) {
			g.line("ready = 1;")
			g.line("pthread_cond_broadcast(&cv);")
		} else {
			g.line("while (!ready)")
			g.line("  pthread_cond_wait(&cv, &g0);")
		}
		g.inside(b, i)
		g.line("pthread_mutex_unlock(&g0);")
	default:
		pair("__VERIFIER_atomic_begin()", "__VERIFIER_atomic_end()")
	}
}

// inside writes what is done while a lock of a box, or with an index, is held.
func (g *generator) inside(b, i string) {
	for range 1 + g.r.IntN(2) {
		switch k := g.r.IntN(10); {
		case k < 6:
			g.access(b)
		case k < 7:
			g.line("%s;", g.one("arr["+i+"]++", "boxes["+i+"].a++", "x++"))
		default:
			g.statement()
		}
	}
}

// try writes a section for which a lock may not be free.
func (g *generator) try(b, i string) {
	m := g.one("&"+b+"->m", "&g0", b+"->lk")
	taken := g.one("pthread_mutex_trylock("+m+") == 0", "!pthread_mutex_trylock("+m+")", "pthread_mutex_trylock("+m+") != EBUSY")
	switch g.r.IntN(4) {
	case 0:
		r := g.local("r")
		g.line("int %s = pthread_mutex_trylock(%s);", r, m)
		if g.chance(20) {
			g.access(b)
		}
		taken = g.one(r+" == 0", "!"+r)
	case 1:
		m, taken = "&"+b+"->m", "try("+b+")"
	}
	g.line("if (%s) {", replaceBusy(taken))
	g.indent++
	boxes := len(g.boxes)
	g.inside(b, i)
	g.boxes = g.boxes[:boxes] // what was declared is known in the braces only
	g.line("pthread_mutex_unlock(%s);", m)
	g.indent--
	g.line("}")
}

// replaceBusy makes a comparison with EBUSY one with its value.
func replaceBusy(s string) string {
	const name = "EBUSY"
	if n := len(s) - len(name); n > 0 && s[n:] == name {
		return s[:n] + "16"
	}
	return s
}

// fresh writes the allocation of a box.
func (g *generator) fresh() {
	n := g.local("n")
	g.line("struct box *%s = malloc(sizeof *%s);", n, n)
	g.line("setup(%s, %s, %s);", n, g.box(), g.one("&g0", "&"+n+"->m"))
	g.access(n)
	if g.chance(60) {
		g.line("%s = %s;", g.one("pb", "qb", g.box()+"->peer"), n)
	}
	g.boxes = append(g.boxes, n, n)
}

// list writes what puts items into the list of a box, or takes them out.
func (g *generator) list() {
	b, n := g.box(), g.local("n")
	lock, unlock := "take("+b+")", "give("+b+")"
	if g.chance(50) {
		lock, unlock = "pthread_mutex_lock(&"+b+"->m)", "pthread_mutex_unlock(&"+b+"->m)"
	}
	if g.chance(50) {
		g.line("struct item *%s = malloc(sizeof *%s);", n, n)
		g.line("%s->v = 1;", n)
		g.line("%s;", lock)
		g.line("%s->next = %s->head;", n, b)
		g.line("%s->head = %s;", b, n)
		g.line("%s;", unlock)
		if g.chance(10) {
			g.line("%s->v = 2;", n)
		}
		return
	}
	g.line("%s;", lock)
	g.line("struct item *%s = %s->head;", n, b)
	g.line("if (%s)", n)
	g.line("  %s->head = %s%s;", b, n, g.one("->next", "->next", "->next", ""))
	g.line("%s;", unlock)
	g.line("if (%s)", n)
	g.line("  %s;", g.one(n+"->v++", "free("+n+")", n+"->v = 0"))
}

// rare writes what programs seldom do.
func (g *generator) rare() {
	b := g.box()
	switch g.r.IntN(5) {
	case 0:
		g.line("pthread_mutex_init(&%s->m, 0);", b)
	case 1:
		g.line("memset(&%s->m, 0, sizeof(pthread_mutex_t));", b)
	case 2:
		g.line("%s->lk = %s;", b, g.one("&g0", "&g1", "&"+b+"->m"))
	case 3:
		g.line("*%s = *%s;", b, g.box())
	default:
		g.line("pthread_mutex_unlock(%s);", g.one("&g0", "&"+b+"->m"))
	}
}
