package external

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/ir/cgen"
	"comus/logic"
	"comus/seqmc"
)

// Text writes a sequential program as C. Nodes are labels, edges are jumps; at a node
// with several edges nondet_choice() tells the one to take, by its place in Node.Out.
// What no execution gets to, or depends on, is left out: compilers warn of it. The error
// is for arithmetic that C cannot express.
func Text(p *seqmc.Program, target cgen.Target) (string, error) {
	n := cgen.NewNames(p.Vars, "nondet_choice")
	n.For(target)
	reached := reachable(p)
	cmds := []ir.Cmd{ir.AssumeCmd(p.Init)}
	for _, node := range reached {
		for _, e := range node.Out {
			cmds = append(cmds, e.Cmds...)
		}
	}
	n.Drop(p.Vars, cmds)
	var body strings.Builder
	for _, v := range p.Vars {
		if !n.Unread(v) {
			fmt.Fprintf(&body, "  %s %s;\n", cgen.Type(v.Type), n.Of(v))
		}
	}
	start, live := logic.FreeVars(p.Init), p.Live()[p.Entry.Index]
	for _, v := range p.Vars {
		if n.Unread(v) || !live[v] && !slices.Contains(start, v.Sym) {
			continue // it is assigned before it is read
		}
		for _, s := range n.Any(v) {
			fmt.Fprintf(&body, "  %s\n", s)
		}
	}
	init, err := n.Expr(p.Init)
	if err != nil {
		return "", err
	}
	if init != "1" {
		fmt.Fprintf(&body, "  assume(%s);\n", init)
	}
	fmt.Fprintf(&body, "  goto N%d;\n", p.Entry.Index)
	for _, node := range reached {
		if err := writeNode(&body, n, node); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s */\n%s%s", cgen.InComment(p.Name), target.Header(), n.Prelude(target))
	if target == cgen.Generic {
		b.WriteString("#define nondet_choice __VERIFIER_nondet_int\n")
	}
	b.WriteString("extern int nondet_choice(void);\n\nint main(void) {\n" + body.String() + "}\n")
	return b.String(), nil
}

// reachable returns the nodes that edges lead to from the entry, it first.
func reachable(p *seqmc.Program) []*seqmc.Node {
	nodes := []*seqmc.Node{p.Entry}
	seen := map[*seqmc.Node]bool{p.Entry: true}
	for i := 0; i < len(nodes); i++ {
		if nodes[i].Error {
			continue
		}
		for _, e := range nodes[i].Out {
			if !seen[e.To] {
				seen[e.To] = true
				nodes = append(nodes, e.To)
			}
		}
	}
	return nodes
}

// writeNode writes the code at a node.
func writeNode(b *strings.Builder, n *cgen.Names, node *seqmc.Node) error {
	fmt.Fprintf(b, "N%d:; /* %s */\n", node.Index, cgen.InComment(node.Name))
	if node.Error {
		b.WriteString("  error();\n  return 0;\n")
		return nil
	}
	if len(node.Out) > 1 {
		b.WriteString("  switch (nondet_choice()) {\n")
	}
	for i, e := range node.Out {
		stmts, err := n.Cmds(e.Cmds)
		if err != nil {
			return err
		}
		if len(node.Out) > 1 {
			fmt.Fprintf(b, "  case %d:\n", i)
		}
		for _, s := range stmts {
			fmt.Fprintf(b, "    %s\n", s)
		}
		fmt.Fprintf(b, "    goto N%d;\n", e.To.Index)
	}
	if len(node.Out) > 1 {
		b.WriteString("  default: return 0;\n  }\n")
	}
	if len(node.Out) == 0 {
		b.WriteString("  return 0;\n")
	}
	return nil
}
