package randprog

import (
	"fmt"
	"slices"
	"strings"
)

// Publishing returns the program in which the local variables of threads are written to
// global ones at the end, so that main can observe them.
func (p *Program) Publishing() *Program {
	q := *p
	q.threads, q.globals, q.observed = nil, slices.Clone(p.globals), slices.Clone(p.observed)
	for i, f := range p.threads {
		g := *f
		g.body = slices.Clone(f.body)
		for _, l := range f.locals {
			name, ok := strings.CutSuffix(strings.TrimPrefix(l, "int "), " = 0;")
			switch global := fmt.Sprintf("%s_%d", name, i+1); {
			case !ok:
			case i == len(p.threads)-1:
				q.observed = append(q.observed, name)
			default:
				q.globals = append(q.globals, "int "+global+";")
				g.body = append(g.body, line("%s = %s;", global, name))
				q.observed = append(q.observed, global)
			}
		}
		q.threads = append(q.threads, &g)
	}
	return &q
}

// Running returns the program for a compiler. It calls functions of the caller's:
// observe with the values that can be observed at the end of main, check instead of
// assert, and Y before each statement, to let other threads go on.
func (p *Program) Running() string {
	q := &Program{title: p.title, headers: p.headers, externs: append(slices.Clip(p.externs), "extern void observe(int count, const int *values);", "extern void check(int);", "extern void Y(void);"), globals: p.globals}
	for _, f := range p.helpers {
		q.helpers = append(q.helpers, f.yielding())
	}
	for _, f := range p.threads {
		q.threads = append(q.threads, f.yielding())
	}
	end := append(p.look(), line("int os[] = {%s};", strings.Join(p.names(), ", ")), line("observe(%d, os);", len(p.observed)))
	return strings.ReplaceAll(q.text(end), "assert(", "check(")
}

// Denying returns the program without its assertions, but for one at the end of main
// that denies these values of what [Program.Running] observes.
func (p *Program) Denying(values []int) string {
	var same []string
	for i, n := range p.names() {
		same = append(same, fmt.Sprintf("%s == %d", n, values[i]))
	}
	text := strings.ReplaceAll(p.String(), "assert(", "(void)(")
	end := strings.LastIndex(text, "    return 0;\n}")
	var b strings.Builder
	writeNodes(&b, append(p.look(), line("assert(!(%s));", strings.Join(same, " && "))), 1)
	return text[:end] + b.String() + text[end:]
}

// look reads the observed expressions one after the other, in names.
func (p *Program) look() []*node {
	var out []*node
	for i, n := range p.names() {
		out = append(out, line("int %s = %s;", n, p.observed[i]))
	}
	return out
}

func (p *Program) names() []string {
	out := make([]string, len(p.observed))
	for i := range out {
		out[i] = fmt.Sprintf("o%d", i)
	}
	return out
}

// yielding returns the function with Y() before each statement.
func (f *function) yielding() *function {
	g := *f
	g.body = yielding(f.body)
	if f.last != "" && !strings.Contains(f.header, " main(") {
		g.body = append(g.body, line("Y();"))
	}
	return &g
}

func yielding(nodes []*node) []*node {
	var out []*node
	for _, n := range nodes {
		m := *n
		m.body, m.orElse = yielding(n.body), yielding(n.orElse)
		if n.tail == "    ;" {
			m.tail = "    Y();"
		}
		if n.bracket {
			m.body = append(m.body, line("Y();"))
		}
		out = append(out, line("Y();"), &m)
	}
	return out
}
