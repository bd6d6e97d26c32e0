package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
)

// mutation is one change of a file.
type mutation struct {
	file  string
	line  int
	kind  string
	edits []edit
}

// edit replaces the bytes from one offset to another.
type edit struct {
	from, to int
	text     string
}

func (m mutation) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.kind) }

// applied returns the text of the file with the change.
func (m mutation) applied(src []byte) []byte {
	edits := slices.Clone(m.edits)
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		src = slices.Concat(src[:e.from], []byte(e.text), src[e.to:])
	}
	return src
}

// collector finds the changes of a file.
type collector struct {
	file string
	fset *token.FileSet
	src  []byte
	list []mutation
}

// mutations returns the changes of a file.
func mutations(path string) ([]mutation, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, 0)
	if err != nil {
		return nil, err
	}
	c := &collector{file: path, fset: fset, src: src}
	ast.Inspect(f, func(n ast.Node) bool {
		c.visit(n)
		return true
	})
	return c.list, nil
}

func (c *collector) at(p token.Pos) int { return c.fset.Position(p).Offset }

func (c *collector) text(n ast.Node) string { return string(c.src[c.at(n.Pos()):c.at(n.End())]) }

func (c *collector) add(n ast.Node, kind string, edits ...edit) {
	c.list = append(c.list, mutation{c.file, c.fset.Position(n.Pos()).Line, kind, edits})
}

func (c *collector) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.CaseClause:
		c.caseOf(n)
	case *ast.IfStmt:
		cond := c.text(n.Cond)
		from, to := c.at(n.Cond.Pos()), c.at(n.Cond.End())
		c.add(n, "the condition is negated", edit{from, to, "!(" + cond + ")"})
		c.add(n, "the condition never holds", edit{from, to, "(" + cond + ") && len(\"\") > 0"})
		c.add(n, "the condition always holds", edit{from, to, "(" + cond + ") || len(\"\") == 0"})
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			c.call(n, call)
		}
	case *ast.RangeStmt:
		if len(n.Body.List) > 0 {
			end := c.at(n.Body.Rbrace)
			c.add(n, "only the first one is looked at", edit{end, end, "\nbreak\n"})
		}
	case *ast.AssignStmt:
		c.assignment(n)
	case *ast.BinaryExpr:
		if n.Op == token.LOR || n.Op == token.LAND {
			c.add(n, fmt.Sprintf("what is behind %s is left out", n.Op), edit{c.at(n.X.End()), c.at(n.Y.End()), ""})
		}
	case *ast.FuncDecl:
		if n.Body != nil && n.Type.Results == nil && len(n.Body.List) > 1 {
			start := c.at(n.Body.Lbrace) + 1
			c.add(n, n.Name.Name+" does nothing", edit{start, start, "\nif len(\"\") == 0 { return }\n"})
		}
	}
}

// caseOf empties a case of a switch.
func (c *collector) caseOf(n *ast.CaseClause) {
	if len(n.Body) == 0 {
		return
	}
	from, to := c.at(n.Body[0].Pos()), c.at(n.Body[len(n.Body)-1].End())
	name := "default"
	if n.List != nil {
		name = string(bytes.Join(bytes.Fields(c.src[c.at(n.List[0].Pos()):c.at(n.List[len(n.List)-1].End())]), []byte(" ")))
	}
	c.add(n, "the case "+name+" does nothing", edit{from, to, ""})
}

// call leaves a call out, but for its arguments.
func (c *collector) call(n *ast.ExprStmt, call *ast.CallExpr) {
	if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "panic" || id.Name == "delete" || id.Name == "close") {
		return
	}
	text := ""
	for _, a := range call.Args {
		if _, ok := a.(*ast.FuncLit); !ok {
			text += "_ = " + c.text(a) + "; "
		}
	}
	c.add(n, c.text(call.Fun)+" is not called", edit{c.at(n.Pos()), c.at(n.End()), text})
}

// assignment leaves out that something is noted in a struct or a table.
func (c *collector) assignment(n *ast.AssignStmt) {
	if len(n.Lhs) != 1 || n.Tok == token.DEFINE {
		return
	}
	switch n.Lhs[0].(type) {
	case *ast.SelectorExpr, *ast.IndexExpr:
		c.add(n, c.text(n.Lhs[0])+" is not assigned", edit{c.at(n.Pos()), c.at(n.End()), "_ = " + c.text(n.Rhs[0])})
	}
}
