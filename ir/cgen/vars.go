package cgen

import (
	"fmt"
	"strings"

	"comus/ir"
)

// Flags makes the flags that say which threads were created and have ended elements of
// two arrays, which the translation declares.
func (n *Names) Flags(p *ir.Program, created, ended string) {
	n.flags = map[*ir.Var]bool{}
	for _, t := range p.Threads {
		if t.Created != nil {
			n.Rename(t.Created, fmt.Sprintf("%s[%d]", created, t.Index))
			n.flags[t.Created] = true
		}
		if t.Ended != nil {
			n.Rename(t.Ended, fmt.Sprintf("%s[%d]", ended, t.Index))
			n.flags[t.Ended] = true
		}
	}
}

// Shared returns the variables that threads share, but for the flags of threads.
func (n *Names) Shared(p *ir.Program) []*ir.Var {
	var out []*ir.Var
	for _, v := range p.Vars {
		if v.Thread == ir.Shared && !n.flags[v] {
			out = append(out, v)
		}
	}
	return out
}

// Globals declares the shared variables with their initial values.
func (n *Names) Globals(p *ir.Program) string {
	var b strings.Builder
	for _, v := range n.Shared(p) {
		fmt.Fprintf(&b, "%s %s%s;\n", Type(v.Type), n.names[v], initial(v))
	}
	return b.String()
}

// AnyGlobals returns the statements that give shared variables without an initial value
// any.
func (n *Names) AnyGlobals(p *ir.Program) []string {
	var out []string
	for _, v := range n.Shared(p) {
		if v.Init == nil {
			out = append(out, n.Any(v)...)
		}
	}
	return out
}

// Locals declares a thread's variables, in lines with this prefix, and returns the
// statements that give those without an initial value any.
func (n *Names) Locals(p *ir.Program, t *ir.Thread, prefix string) (decls string, start []string) {
	var b strings.Builder
	for _, v := range p.Vars {
		if v.Thread != t.Index || n.unread[v] {
			continue
		}
		if v.Init == nil {
			start = append(start, n.Any(v)...)
		}
		fmt.Fprintf(&b, "  %s%s %s%s;\n", prefix, Type(v.Type), n.names[v], initial(v))
	}
	return b.String(), start
}

// initial writes the initialiser of a static variable; none is zero.
func initial(v *ir.Var) string {
	if v.Init == nil || v.Init.Sign() == 0 {
		return ""
	}
	return " = " + Value(*v.Init)
}
