package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
)

// mutation is one change of a file.
type mutation struct {
	file string
	line int
	kind string
}

func (m mutation) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.kind) }

// insertion is text that comes in at an offset. What closes there stands before what opens there; of what opens, the outer one is first, of
// what closes, the inner one.
type insertion struct {
	at     int
	text   string
	closes bool
	number int // in which order insertions were made: outer ones first
}

// collector finds the changes of a file, and writes all of them into it, each where its number is asked for.
type collector struct {
	file  string
	fset  *token.FileSet
	src   []byte
	first int // the number of the first change
	list  []mutation
	ins   []insertion
	tails map[ast.Stmt]bool // a function with results may end with these: they must not let go on behind them
}

// mutations returns the changes of a file, and its text with all of them. They are numbered from first on.
func mutations(path string, first int) ([]mutation, []byte, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, 0)
	if err != nil {
		return nil, nil, err
	}
	c := &collector{file: path, fset: fset, src: src, first: first, tails: map[ast.Stmt]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		if n != nil {
			c.visit(n)
		}
		return true
	})
	if len(c.list) > 0 {
		end := c.at(f.Name.End())
		c.ins = append(c.ins, insertion{at: end, text: "; import mutated \"" + switchPath + "\""})
	}
	return c.list, c.applied(), nil
}

// applied returns the text with all insertions.
func (c *collector) applied() []byte {
	slices.SortFunc(c.ins, func(x, y insertion) int {
		if d := cmp.Compare(x.at, y.at); d != 0 || x.closes != y.closes {
			if d == 0 && x.closes {
				return -1
			} else if d == 0 {
				return 1
			}
			return d
		}
		if x.closes {
			return y.number - x.number
		}
		return x.number - y.number
	})
	var out []byte
	done := 0
	for _, in := range c.ins {
		out = append(out, c.src[done:in.at]...)
		out = append(out, in.text...)
		done = in.at
	}
	return append(out, c.src[done:]...)
}

func (c *collector) at(p token.Pos) int { return c.fset.Position(p).Offset }

func (c *collector) text(n ast.Node) string { return string(c.src[c.at(n.Pos()):c.at(n.End())]) }

// around notes a change that puts something before and behind what is from one place to another; both are told by the condition that it is asked for.
func (c *collector) around(line token.Pos, from, to token.Pos, kind, before, behind string) {
	on := fmt.Sprintf("mutated.Is(%d)", c.first+len(c.list))
	c.list = append(c.list, mutation{c.file, c.fset.Position(line).Line, kind})
	put := func(p token.Pos, text string, closes bool) {
		if text != "" {
			c.ins = append(c.ins, insertion{c.at(p), string(bytes.ReplaceAll([]byte(text), []byte("$"), []byte(on))), closes, len(c.ins)})
		}
	}
	put(from, before, false)
	put(to, behind, true)
}

func (c *collector) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Body == nil {
			return
		}
		if n.Type.Results != nil {
			c.tail(n.Body.List)
		} else if len(n.Body.List) > 1 {
			c.before(n.Body.List[0], n.Name.Name+" does nothing", "if $ { return }; ")
		}
	case *ast.FuncLit:
		if n.Type.Results != nil {
			c.tail(n.Body.List)
		}
	case *ast.SwitchStmt:
		c.cases(n, n.Body, n.Tag == nil)
	case *ast.TypeSwitchStmt:
		c.cases(n, n.Body, false)
	case *ast.BlockStmt:
		c.statements(n.List)
	case *ast.CaseClause:
		c.statements(n.Body)
	case *ast.IfStmt:
		c.condition(n, n.Cond)
	case *ast.RangeStmt:
		if len(n.Body.List) > 0 {
			c.around(n.Pos(), n.Body.Rbrace, n.Body.Rbrace, "only the first one is looked at", "", "\nif $ { break }\n")
		}
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LOR:
			c.around(n.Y.Pos(), n.Y.Pos(), n.Y.End(), "what is behind || is left out: "+c.text(n.Y), "(!$ && (", "))")
		case token.LAND:
			c.around(n.Y.Pos(), n.Y.Pos(), n.Y.End(), "what is behind && is left out: "+c.text(n.Y), "($ || (", "))")
		}
	}
}

// tail notes the statements that a function with results ends with.
func (c *collector) tail(list []ast.Stmt) {
	if len(list) == 0 {
		return
	}
	last := list[len(list)-1]
	c.tails[last] = true
	switch s := last.(type) {
	case *ast.IfStmt:
		c.tail(s.Body.List)
		if b, ok := s.Else.(*ast.BlockStmt); ok {
			c.tail(b.List)
		} else if s.Else != nil {
			c.tail([]ast.Stmt{s.Else})
		}
	case *ast.SwitchStmt:
		c.tailCases(s.Body)
	case *ast.TypeSwitchStmt:
		c.tailCases(s.Body)
	}
}

func (c *collector) tailCases(b *ast.BlockStmt) {
	for _, s := range b.List {
		c.tail(s.(*ast.CaseClause).Body)
	}
}

// before notes a change that puts something before a statement.
func (c *collector) before(s ast.Stmt, kind, text string) {
	c.around(s.Pos(), s.Pos(), s.Pos(), kind, text, "")
}

// condition lets a condition never hold, or always.
func (c *collector) condition(n ast.Node, cond ast.Expr) {
	c.around(n.Pos(), cond.Pos(), cond.End(), "the condition never holds: "+c.text(cond), "(!$ && (", "))")
	c.around(n.Pos(), cond.Pos(), cond.End(), "the condition always holds: "+c.text(cond), "($ || (", "))")
}

// cases empties cases of a switch. Where one that a function ends with cannot be left, a condition that is the case never holds.
func (c *collector) cases(s ast.Stmt, body *ast.BlockStmt, conditions bool) {
	for _, x := range body.List {
		n := x.(*ast.CaseClause)
		switch {
		case len(n.Body) == 0:
		case !c.tails[s]:
			c.before(n.Body[0], "the case "+c.name(n)+" does nothing", "if $ { break }; ")
		case conditions:
			for _, x := range n.List {
				c.around(x.Pos(), x.Pos(), x.End(), "the case never holds: "+c.text(x), "(!$ && (", "))")
			}
		}
	}
}

// name returns what a case is for.
func (c *collector) name(n *ast.CaseClause) string {
	if n.List == nil {
		return "default"
	}
	return string(bytes.Join(bytes.Fields(c.src[c.at(n.List[0].Pos()):c.at(n.List[len(n.List)-1].End())]), []byte(" ")))
}

// statements leaves out calls, and that something is noted in a struct or a table.
func (c *collector) statements(list []ast.Stmt) {
	for _, s := range list {
		switch n := s.(type) {
		case *ast.ExprStmt:
			call, ok := n.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "panic" || id.Name == "close" || id.Name == "delete") {
				continue
			}
			c.around(n.Pos(), n.Pos(), n.End(), c.text(call.Fun)+" is not called", "if !$ { ", " }")
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || n.Tok == token.DEFINE {
				continue
			}
			switch n.Lhs[0].(type) {
			case *ast.SelectorExpr, *ast.IndexExpr:
				c.around(n.Pos(), n.Pos(), n.End(), c.text(n.Lhs[0])+" is not assigned", "if !$ { ", " }")
			case *ast.Ident:
				if n.Tok != token.ASSIGN {
					c.around(n.Pos(), n.Pos(), n.End(), c.text(n)+" is left out", "if !$ { ", " }")
				}
			}
		}
	}
}
