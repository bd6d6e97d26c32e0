package query

import (
	"fmt"
	"strings"

	"comus/cutpoints"
	"comus/envmove"
	"comus/ir"
	"comus/logic"
)

// CText returns the level's program as C text in the manner of Fig. 3 of the
// CoMuS paper: the thread's code with calls of env_move at the cut-points and
// the promises of error asserted before them; in query mode, with calls of
// try_start and assertions that the goal is not reached. The functions env_move
// (see EnvMoveCText) and havoc_T are left out.
func (lv *Level) CText() string {
	c := &cWriter{lv: lv}
	c.printf("// P%d: thread %d (%s), %d refinements of env_move, %d promises\n", lv.Index+1, lv.Thread.Index, lv.Thread.Name,
		len(lv.move.Refinements), lv.promiseCount())
	c.declarations()
	if lv.query != nil {
		c.tryStart()
	}
	c.printf("\nvoid %s(void) {\n", strings.ReplaceAll(lv.Thread.Name, "#", "_"))
	c.anyValues()
	nodes := lv.nodesInOrder()
	c.findLabels(nodes)
	for i, n := range nodes {
		next := -1
		if i+1 < len(nodes) {
			next = nodes[i+1].Index
		}
		c.node(n, next)
	}
	c.printf("}\n")
	return c.b.String()
}

// EnvMoveCText returns the level's env_move as C text; see [envmove.EnvMove.CText].
func (lv *Level) EnvMoveCText() string {
	var cuts []int
	for _, n := range lv.graph.Cuts() {
		cuts = append(cuts, n.Index)
	}
	return lv.move.CText(lv.havocked(), cuts, lv.keep)
}

func (lv *Level) promiseCount() int {
	n := 0
	for _, ts := range lv.promises {
		n += len(ts)
	}
	return n
}

// nodesInOrder returns the nodes that are no errors, by index except that the
// entry comes first.
func (lv *Level) nodesInOrder() []*ir.Loc {
	var out []*ir.Loc
	for _, n := range lv.graph.Nodes {
		if !n.Error {
			out = append(out, n)
		}
	}
	return out
}

// cWriter prints a level's program as C.
type cWriter struct {
	b      strings.Builder
	lv     *Level
	labels map[int]bool
	remark string // the last statement named in a comment
}

func (c *cWriter) printf(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// line prints a line of code at a depth of nesting.
func (c *cWriter) line(depth int, format string, args ...any) {
	c.b.WriteString(strings.Repeat("    ", depth))
	c.printf(format+"\n", args...)
}

// declarations prints the program's variables, those of the same type and value
// one after another.
func (c *cWriter) declarations() {
	lv := c.lv
	for _, v := range lv.h.P.Vars {
		if !lv.tracked[v] {
			continue
		}
		init := ""
		if v.Init != nil && !lv.isCallers(v) {
			init = " = " + v.Init.String()
		}
		c.printf("%s %s%s;\n", envmove.CType(v.Type), envmove.CName(v.Sym), init)
	}
	for _, j := range lv.move.Env {
		t := lv.h.P.Threads[j]
		c.printf("int %s = %d;  // where thread %d (%s) is\n", envmove.CName(t.PC), t.Entry.Index, j, t.Name)
	}
}

// anyValues starts the variables that have no initial value.
func (c *cWriter) anyValues() {
	for _, v := range c.lv.h.P.Vars {
		if c.lv.tracked[v] && (v.Init == nil || c.lv.isCallers(v)) {
			c.line(1, "%s = %s;", envmove.CName(v.Sym), envmove.CHavoc(v.Type))
		}
	}
}

// tryStart prints the function that may start the query (CoMuS paper, section 5).
func (c *cWriter) tryStart() {
	lv := c.lv
	c.printf("bool started = false;\n\n// before the query's start: steps of the callers and of the environment, then perhaps the start\n")
	c.printf("void try_start(int at) {\n")
	c.line(1, "while (!started && havoc_bool()) {")
	if len(lv.move.Env) > 0 {
		c.line(2, "env_move(at);")
	}
	for _, v := range lv.h.P.Vars {
		if lv.tracked[v] && v.Thread == ir.Shared && lv.callersWrite(v) {
			c.line(2, "if (havoc_bool()) %s = %s;", envmove.CName(v.Sym), envmove.CHavoc(v.Type))
		}
	}
	if lv.move.Seeded() {
		c.line(2, "assume_facts(at);  // what holds in every reachable state")
	}
	c.line(1, "}")
	c.line(1, "if (!started && havoc_bool()) {")
	here := lv.h.P.L.Subst(lv.h.P.L.And(lv.query.Alpha...), map[*logic.Term]*logic.Term{lv.Thread.PC: lv.h.P.L.Var("at", logic.Int)})
	c.line(2, "assume(%s);", envmove.CExpr(here))
	c.line(2, "started = true;")
	c.line(1, "}\n}")
}

// findLabels finds the nodes that need a label: all that a block leads to other
// than by falling through.
func (c *cWriter) findLabels(nodes []*ir.Loc) {
	c.labels = map[int]bool{}
	for i, n := range nodes {
		next := -1
		if i+1 < len(nodes) {
			next = nodes[i+1].Index
		}
		out := c.lv.graph.Out[n]
		for _, b := range out {
			if !b.To.Error && (b.To.Index != next || len(out) > 1) {
				c.labels[b.To.Index] = true
			}
		}
	}
}

// node prints a node: what is checked and called there, then its blocks.
func (c *cWriter) node(n *ir.Loc, next int) {
	where := ""
	if n.Pos.Line > 0 {
		where = "  // " + n.Pos.String()
	}
	if c.labels[n.Index] {
		c.printf("L%d:%s\n", n.Index, where)
	} else if where != "" && c.lv.graph.Cut[n.Index] {
		c.line(1, "// L%d %s", n.Index, strings.TrimPrefix(where, "  // "))
	}
	if c.lv.graph.Cut[n.Index] {
		c.cut(n)
	}
	out := c.lv.graph.Out[n]
	if len(out) == 0 {
		c.line(1, "return;")
		return
	}
	c.tree(1, out, 0, 0, next)
}

// cut prints what happens at a cut-point.
func (c *cWriter) cut(n *ir.Loc) {
	lv := c.lv
	l := lv.h.P.L
	guard := ""
	var goal *logic.Term
	if lv.query != nil {
		guard = "!started || "
		c.line(1, "try_start(%d);", n.Index)
		goal = lv.at(lv.goal.Cond, n.Index)
	}
	check := func(f *logic.Term, what string) {
		if f != nil && !f.IsFalse() {
			c.line(1, "assert(%s!(%s));%s", guard, envmove.CExpr(f), what)
		}
	}
	check(goal, "  // goal")
	for _, t := range lv.promises[n.Index] {
		check(l.And(lv.at(t.Cond, n.Index)), "  // promise of error")
	}
	if len(lv.move.Env) == 0 {
		return
	}
	arg := ""
	if lv.move.Seeded() {
		arg = fmt.Sprint(n.Index)
	}
	c.line(1, "env_move(%s);", arg)
	check(goal, "  // goal")
}

// tree prints blocks that agree on their first edges, of which depth are printed
// already; skip is how many commands of the next edge are.
func (c *cWriter) tree(indent int, blocks []*cutpoints.Block, depth, skip, next int) {
	if len(blocks) == 1 && depth == len(blocks[0].Edges) {
		c.leave(indent, blocks[0].To, next)
		return
	}
	groups := groupByEdge(blocks, depth)
	if len(groups) == 1 {
		c.edge(indent, blocks[0].Edges[depth], skip)
		c.tree(indent, blocks, depth+1, 0, next)
		return
	}
	// The branch printed last may fall through to the next node.
	last := len(groups) - 1
	for i, g := range groups {
		if len(g) == 1 && g[0].To.Index == next && !g[0].To.Error {
			groups[i], groups[last] = groups[last], groups[i]
			break
		}
	}
	first, lastEdge := groups[0][0].Edges[depth], groups[last][0].Edges[depth]
	exclusive := len(groups) == 2 && complementary(c.lv.h.P.L, first, lastEdge)
	for i, g := range groups[:last] {
		cond, done := "havoc_bool()", 0
		if exclusive && i == 0 {
			cond, done = envmove.CExpr(first.Cmds[0].Cond), 1
		}
		c.line(indent, "if (%s) {", cond)
		c.tree(indent+1, g, depth, done, -1)
		c.line(indent, "}")
	}
	done := 0
	if exclusive {
		done = 1
	}
	c.tree(indent, groups[last], depth, done, next)
}

// groupByEdge splits blocks by their edge at a depth.
func groupByEdge(blocks []*cutpoints.Block, depth int) [][]*cutpoints.Block {
	var groups [][]*cutpoints.Block
	index := map[*ir.Edge]int{}
	for _, b := range blocks {
		var e *ir.Edge
		if depth < len(b.Edges) {
			e = b.Edges[depth]
		}
		i, ok := index[e]
		if !ok {
			i = len(groups)
			index[e] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], b)
	}
	return groups
}

// complementary reports whether one edge starts by assuming a condition and the
// other by assuming its opposite.
func complementary(l *logic.Store, a, b *ir.Edge) bool {
	if a == nil || b == nil || len(a.Cmds) == 0 || len(b.Cmds) == 0 {
		return false
	}
	x, y := a.Cmds[0], b.Cmds[0]
	return x.Kind == ir.Assume && y.Kind == ir.Assume && x.Cond == l.Not(y.Cond)
}

// edge prints the commands of an edge, with its statement as a remark.
func (c *cWriter) edge(indent int, e *ir.Edge, skip int) {
	remark := ""
	if e.Text != "" {
		remark = "  // " + e.Text
		if e.Pos.Line > 0 {
			remark = fmt.Sprintf("  // %d: %s", e.Pos.Line, e.Text)
		}
	}
	for _, cmd := range e.Cmds[skip:] {
		text := cText(cmd)
		if text == "" {
			continue
		}
		if remark == c.remark {
			remark = ""
		}
		c.line(indent, "%s%s", text, remark)
		if remark != "" {
			c.remark = remark
		}
	}
}

// cText returns a command as a C statement; "" if it does nothing.
func cText(cmd ir.Cmd) string {
	switch cmd.Kind {
	case ir.Assume:
		if cmd.Cond.IsTrue() {
			return ""
		}
		return "assume(" + envmove.CExpr(cmd.Cond) + ");"
	case ir.Assign:
		return envmove.CName(cmd.Var.Sym) + " = " + envmove.CExpr(cmd.Expr) + ";"
	}
	return envmove.CName(cmd.Var.Sym) + " = " + envmove.CHavoc(cmd.Var.Type) + ";"
}

// leave prints the jump to a block's end.
func (c *cWriter) leave(indent int, to *ir.Loc, next int) {
	switch {
	case to.Error && c.lv.query != nil:
		c.line(indent, "assume(false);  // an error of this thread is not the question")
	case to.Error && to.Text != "":
		c.line(indent, "assert(false);  // %s", to.Text)
	case to.Error:
		c.line(indent, "assert(false);")
	case to.Index != next:
		c.line(indent, "goto L%d;", to.Index)
	}
}
