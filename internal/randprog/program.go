package randprog

import (
	"fmt"
	"slices"
	"strings"
)

// Program is a random C program. Print it with String.
type Program struct {
	title   string
	headers []string // beside assert.h and pthread.h
	externs []string
	globals []string
	helpers []*function
	threads []*function // main is the last

	observed []string // expressions that main can evaluate at its end
}

// function is a C function without the parts that all share.
type function struct {
	header string
	locals []string
	body   []*node
	last   string // the return statement, or ""
}

// node is a statement: one line, or a head and a tail line around a body. In a
// block the body is nested; in a bracket (lock … unlock) it is not.
type node struct {
	head, tail string
	body       []*node
	bracket    bool
	orElse     []*node // printed behind "} else {" if not empty
}

// line returns a simple statement.
func line(format string, args ...any) *node { return &node{head: fmt.Sprintf(format, args...)} }

// block returns a statement with a body in braces.
func block(head string, body []*node) *node { return &node{head: head + " {", tail: "}", body: body} }

// bracket returns two statements that belong together around others.
func bracket(head, tail string, body []*node) *node {
	return &node{head: head, tail: tail, body: body, bracket: true}
}

// String returns the program as C text.
func (p *Program) String() string { return p.text(nil) }

// text returns the program with statements before the end of main.
func (p *Program) text(end []*node) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n#include <assert.h>\n#include <pthread.h>\n", p.title)
	for _, h := range p.headers {
		fmt.Fprintf(&b, "#include <%s>\n", h)
	}
	b.WriteByte('\n')
	writeLines(&b, p.externs)
	writeLines(&b, p.globals)
	last := len(p.threads) - 1
	for _, f := range slices.Concat(p.helpers, p.threads[:last]) {
		f.write(&b)
	}
	main := *p.threads[last]
	main.body = slices.Concat(main.body, end)
	main.write(&b)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func writeLines(b *strings.Builder, lines []string) {
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	if len(lines) > 0 {
		b.WriteByte('\n')
	}
}

func (f *function) write(b *strings.Builder) {
	b.WriteString(f.header + " {\n")
	for _, l := range f.locals {
		b.WriteString("    " + l + "\n")
	}
	writeNodes(b, f.body, 1)
	if f.last != "" {
		b.WriteString("    " + f.last + "\n")
	}
	b.WriteString("}\n\n")
}

func writeNodes(b *strings.Builder, nodes []*node, depth int) {
	indent := strings.Repeat("    ", depth)
	for _, n := range nodes {
		b.WriteString(indent + n.head + "\n")
		inner := depth + 1
		if n.bracket {
			inner = depth
		}
		writeNodes(b, n.body, inner)
		if len(n.orElse) > 0 {
			b.WriteString(indent + "} else {\n")
			writeNodes(b, n.orElse, inner)
		}
		if n.tail != "" {
			b.WriteString(indent + n.tail + "\n")
		}
	}
}
