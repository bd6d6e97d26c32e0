package external

import (
	"fmt"
	"strings"

	"comus/ir/cgen"
	"comus/seqmc"
)

// Text writes a sequential program as C. Nodes are labels, edges are jumps; at a node
// with several edges nondet_choice() tells the one to take, by its place in Node.Out. The
// error is for arithmetic that C cannot express.
func Text(p *seqmc.Program, target cgen.Target) (string, error) {
	n := cgen.NewNames(p.Vars, "nondet_choice")
	n.For(target)
	var body strings.Builder
	for _, v := range p.Vars {
		fmt.Fprintf(&body, "  %s %s;\n", cgen.Type(v.Type), n.Of(v))
	}
	for _, v := range p.Vars {
		for _, s := range n.Any(v) {
			fmt.Fprintf(&body, "  %s\n", s)
		}
	}
	init, err := n.Expr(p.Init)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&body, "  assume(%s);\n  goto N%d;\n", init, p.Entry.Index)
	for _, node := range p.Nodes {
		if err := writeNode(&body, n, node); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s */\n%s%s", cgen.InComment(p.Name), target.Header(), n.Prelude(target))
	if target == cgen.Generic {
		b.WriteString("#define nondet_choice __VERIFIER_nondet_int\n")
	}
	b.WriteString("extern int nondet_choice(void);\n\nint main(void) {\n")
	b.WriteString(body.String() + "stop:\n  return 0;\n}\n")
	return b.String(), nil
}

// writeNode writes the code at a node.
func writeNode(b *strings.Builder, n *cgen.Names, node *seqmc.Node) error {
	fmt.Fprintf(b, "N%d:; /* %s */\n", node.Index, cgen.InComment(node.Name))
	if node.Error {
		b.WriteString("  error();\n  goto stop;\n")
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
		b.WriteString("  default: goto stop;\n  }\n")
	}
	if len(node.Out) == 0 {
		b.WriteString("  goto stop;\n")
	}
	return nil
}
