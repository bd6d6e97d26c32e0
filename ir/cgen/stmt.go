package cgen

import (
	"fmt"
	"strings"
	"unicode"

	"comus/ir"
	"comus/logic"
)

// Step is what the code at a location does: a choice among branches.
type Step struct {
	// Before are statements that all branches begin with.
	Before []string
	// Cond decides between two branches: the first if it holds. "" if there is one
	// branch, or any of them may be taken.
	Cond     string
	Branches []Branch
}

// Branch is one edge, without what it has in common with the others.
type Branch struct {
	Stmts []string
	To    *ir.Loc
	Edge  *ir.Edge
}

// Step writes the edges that leave a location as statements.
func (n *Names) Step(l *ir.Loc) (Step, error) {
	var s Step
	common := 0
	if len(l.Out) > 1 {
		common = prefix(l.Out)
	}
	if len(l.Out) == 0 {
		return s, nil
	}
	var err error
	if common > 0 {
		if s.Before, err = n.Cmds(l.Out[0].Cmds[:common]); err != nil {
			return s, err
		}
	}
	skip := common
	if c := choice(l.Out, common); c != nil {
		if s.Cond, err = n.Expr(c); err != nil {
			return s, err
		}
		skip++
	}
	for _, e := range l.Out {
		b := Branch{To: e.To, Edge: e}
		if call := n.stub(e); call != nil && common == 0 && s.Cond == "" {
			b.Stmts = call
		} else if b.Stmts, err = n.Cmds(e.Cmds[skip:]); err != nil {
			return s, err
		}
		s.Branches = append(s.Branches, b)
	}
	return s, nil
}

// Line is a statement with a comment on it, which may be empty.
type Line struct{ Code, Comment string }

// Lines writes what happens at a location with edges: the statements of the branches,
// each with a jump at its end, which may be empty where last is set: the code is the last
// of the location.
func (n *Names) Lines(l *ir.Loc, jump func(to *ir.Loc, last bool) string) ([]Line, error) {
	s, err := n.Step(l)
	if err != nil {
		return nil, err
	}
	var out []Line
	for _, x := range s.Before {
		out = append(out, Line{x, ""})
	}
	for i, br := range s.Branches {
		last := i == len(s.Branches)-1
		code := strings.TrimSpace(strings.Join(append(br.Stmts, jump(br.To, last)), " "))
		switch {
		case last:
		case s.Cond != "":
			code = "if (" + s.Cond + ") { " + code + " }"
		default:
			code = "if (nondet_bool()) { " + code + " }"
		}
		if code != "" {
			out = append(out, Line{code, Comment(br.Edge)})
		}
	}
	return out, nil
}

// prefix returns how many commands all edges begin with in common.
func prefix(es []*ir.Edge) int {
	for k := 0; ; k++ {
		for _, e := range es {
			if k >= len(e.Cmds) || e.Cmds[k] != es[0].Cmds[k] {
				return k
			}
		}
	}
}

// choice returns the condition of the first of two edges if the commands after those
// in common are assumptions of it and of its negation.
func choice(es []*ir.Edge, common int) *logic.Term {
	if len(es) != 2 {
		return nil
	}
	for _, e := range es {
		if common >= len(e.Cmds) || e.Cmds[common].Kind != ir.Assume {
			return nil
		}
	}
	a, b := es[0].Cmds[common].Cond, es[1].Cmds[common].Cond
	if negates(a, b) {
		return a
	}
	return nil
}

// negates reports whether one condition is the negation of the other, by their form.
func negates(a, b *logic.Term) bool {
	if a.Op() == logic.OpNot {
		return a.Args()[0] == b
	}
	if b.Op() == logic.OpNot {
		return b.Args()[0] == a
	}
	if a.Op() == logic.OpLe && b.Op() == logic.OpLe { // s <= k and -s <= -k-1
		x, _ := linear(a.Args()[0])
		y, _ := linear(b.Args()[0])
		k, ok := a.Args()[1].Const()
		m, ok2 := b.Args()[1].Const()
		if !ok || !ok2 || len(x) != len(y) || k.Add(m) != logic.IntValue(-1) {
			return false
		}
		for t, c := range x {
			if y[t] != c.Neg() {
				return false
			}
		}
		return true
	}
	return false
}

// linear takes a sum apart: its terms with their coefficients, and its constant.
func linear(t *logic.Term) (map[*logic.Term]logic.Value, logic.Value) {
	parts := []*logic.Term{t}
	if t.Op() == logic.OpAdd {
		parts = t.Args()
	}
	m := map[*logic.Term]logic.Value{}
	k := logic.Value{}
	for _, p := range parts {
		if v, ok := p.Const(); ok {
			k = k.Add(v)
			continue
		}
		c := logic.IntValue(1)
		if p.Op() == logic.OpMul && len(p.Args()) == 2 {
			if f, ok := p.Args()[0].Const(); ok {
				c, p = f, p.Args()[1]
			}
		}
		m[p] = c
	}
	return m, k
}

// stub writes an edge that is one operation on threads or mutexes as a call of its
// stub, or returns nil.
func (n *Names) stub(e *ir.Edge) []string {
	me := e.From.Thread.Index
	switch c := e.Cmds; {
	case e.Kind == ir.Lock && len(c) == 2 && holds(c[0], e.Mutex, 0) && sets(c[1], e.Mutex, int64(me+1)):
		return []string{fmt.Sprintf("seq_mutex_lock(&%s, %d);", n.names[e.Mutex], me)}
	case e.Kind == ir.Unlock && len(c) == 2 && holds(c[0], e.Mutex, int64(me+1)) && sets(c[1], e.Mutex, 0):
		return []string{fmt.Sprintf("seq_mutex_unlock(&%s, %d);", n.names[e.Mutex], me)}
	}
	return nil
}

// holds recognises the assumption that a variable has a value.
func holds(c ir.Cmd, v *ir.Var, k int64) bool {
	if c.Kind != ir.Assume || c.Cond.Op() != logic.OpEq || c.Cond.Args()[0] != v.Sym {
		return false
	}
	x, ok := c.Cond.Args()[1].Const()
	return ok && x == logic.IntValue(k)
}

// sets recognises the assignment of a value to a variable.
func sets(c ir.Cmd, v *ir.Var, k int64) bool {
	if c.Kind != ir.Assign || c.Var != v {
		return false
	}
	x, ok := c.Expr.Const()
	return ok && x == logic.IntValue(k)
}

// Stubs are the functions of mutexes (Inverso et al., Fig. 5), which wait where comus
// waits. A mutex is 0 if it is free, and else one more than the number of the thread
// that holds it.
const Stubs = `static inline void seq_mutex_lock(int *m, int t) { assume(*m == 0); *m = t + 1; }
static inline void seq_mutex_unlock(int *m, int t) { assume(*m == t + 1); *m = 0; }
`

// Cmds writes commands as statements.
func (n *Names) Cmds(cs []ir.Cmd) ([]string, error) {
	var out []string
	for _, c := range cs {
		s, err := n.cmd(c)
		if err != nil {
			return nil, err
		}
		out = append(out, s...)
	}
	return out, nil
}

func (n *Names) cmd(c ir.Cmd) ([]string, error) {
	switch c.Kind {
	case ir.Assume:
		s, err := n.Expr(c.Cond)
		if s == "1" {
			return nil, err
		}
		return []string{"assume(" + s + ");"}, err
	case ir.Assign:
		if c.Var == nil || n.unread[c.Var] || c.Expr == c.Var.Sym {
			return nil, nil
		}
		s, err := n.Expr(c.Expr)
		return []string{n.names[c.Var] + " = " + s + ";"}, err
	}
	if n.unread[c.Var] {
		return nil, nil
	}
	return n.Any(c.Var), nil
}

// Any writes statements that give a variable any value of its type.
func (n *Names) Any(v *ir.Var) []string {
	if n.ranged && v.Type.Bits <= 32 {
		lo, hi := v.Type.Range()
		return []string{fmt.Sprintf("{ long long seq_any = %s; assume(seq_any >= %s && seq_any <= %s); %s = seq_any; }",
			n.Nondet(ir.Type{Bits: 64, Signed: true}), lo, hi, n.names[v])}
	}
	out := []string{n.names[v] + " = " + n.Nondet(v.Type) + ";"}
	if c := cTypes[fit(v.Type)]; c.bits != v.Type.Bits {
		lo, hi := v.Type.Range()
		out = append(out, fmt.Sprintf("assume(%s >= %s && %s <= %s);", n.names[v], lo, n.names[v], hi))
	}
	return out
}

// Value writes a constant, a variable's initial value.
func Value(v logic.Value) string {
	if v.Sign() < 0 {
		return "-" + constant(v.Neg())
	}
	return constant(v)
}

// InComment returns a text as it can stand in a comment of C: on one line, and so that
// the comment does not end early.
func InComment(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.ReplaceAll(strings.ReplaceAll(s, "/*", "/ *"), "*/", "* /")
}

// Comment writes what an edge is in the source: its line and statement.
func Comment(e *ir.Edge) string {
	text := InComment(e.Text)
	if text == "" || e.Pos.Line == 0 {
		return ""
	}
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return fmt.Sprintf("/* %d: %s */", e.Pos.Line, text)
}

// Approximations writes what a translation does beyond the program, a comment each.
func Approximations(p *ir.Program) string {
	var b strings.Builder
	for _, a := range p.Approximations() {
		fmt.Fprintf(&b, "/* Approximated: %s. */\n", InComment(a.String()))
	}
	return b.String()
}
