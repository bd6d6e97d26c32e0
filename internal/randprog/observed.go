package randprog

import (
	"fmt"
	"slices"
	"strings"
)

// Observed returns the expressions that tell something about an execution at the end of
// main.
func (p *Program) Observed() []string { return slices.Clone(p.observed) }

// Running returns the program for a compiler. It calls functions of the caller's:
// observe with the values of [Program.Observed] at the end of main, check instead of
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
// that denies these values of [Program.Observed].
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
