package randprog

import (
	"fmt"
	"slices"
	"strings"
)

// Program is a random C program. Print it with String.
type Program struct {
	title   string
	externs []string
	globals []string
	helpers []*function
	threads []*function // main is the last
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
	fixed      bool    // Reduce keeps it
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
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n#include <assert.h>\n#include <pthread.h>\n\n", p.title)
	writeLines(&b, p.externs)
	writeLines(&b, p.globals)
	for _, f := range slices.Concat(p.helpers, p.threads) {
		f.write(&b)
	}
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

// Reduce makes the program smaller while failing says that its text still shows
// the failure, by dropping statements and taking bodies out of their blocks,
// until nothing more can go. It returns the text of the smallest.
func (p *Program) Reduce(failing func(src string) bool) string {
	for again := true; again; {
		again = false
		for _, f := range slices.Concat(p.helpers, p.threads) {
			again = p.reduceList(&f.body, failing) || again
		}
	}
	return p.String()
}

// reduceList reduces one list of statements and what is inside.
func (p *Program) reduceList(list *[]*node, failing func(src string) bool) (changed bool) {
	for i := 0; i < len(*list); {
		n, old := (*list)[i], *list
		try := func(replacement []*node) bool {
			*list = slices.Concat(old[:i], replacement, old[i+1:])
			if failing(p.String()) {
				return true
			}
			*list = old
			return false
		}
		switch {
		case n.fixed:
			i++
		case try(nil) || len(n.body) > 0 && try(n.body) || len(n.orElse) > 0 && try(n.orElse):
			changed = true
		default:
			changed = p.reduceList(&n.body, failing) || changed
			changed = p.reduceList(&n.orElse, failing) || changed
			i++
		}
	}
	return changed
}
