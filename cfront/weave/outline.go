package weave

import (
	"path/filepath"
	"reflect"

	"comus/cfront/syntax"
	"comus/cfront/types"
)

// Statement is a statement, or a declaration in a block.
type Statement struct {
	Node  syntax.Node
	Pos   types.Pos
	Func  string // the function it is in
	first int32
	last  int32
	head  int32 // the last token before the statements in it: all of it, if there are none
	body  bool  // it is all that another statement consists of: the body of a loop, say
	decl  bool  // nothing can be put around it
}

// Call is a call in an expression, or the condition of a statement.
type Call struct {
	Node        *syntax.Call
	Name        string // of the function; "" if it is no name
	Func        string // the function that it is in
	open, close int32  // its parentheses
}

// Condition is what a statement branches by.
type Condition struct {
	Stmt    *Statement // nil of X ? Y : Z
	Func    string
	Switch  bool
	Loop    bool
	at      int32 // the token that names it: if, while, for, do, switch, ?
	first   int32 // the expression; last < first if there is none: for (;;)
	last    int32
	useless bool // the condition cannot be found in the text
}

// Outline is where something can be put into a unit.
type Outline struct {
	in         *syntax.Input
	Statements []*Statement
	Calls      []*Call
	Conditions []*Condition
	Funcs      map[string]*Function // those that the unit defines
	Files      map[string]bool      // those that its tokens are in
}

// Function is a function with a body.
type Function struct {
	Name  string
	Pos   types.Pos
	open  int32 // the braces of its body
	close int32
}

// OutlineOf parses a unit.
func OutlineOf(in *syntax.Input) (*Outline, error) {
	u, err := syntax.Parse(in)
	if err != nil {
		return nil, err
	}
	o := &Outline{in: in, Funcs: map[string]*Function{}, Files: map[string]bool{}}
	for i := range in.Tokens {
		o.Files[in.Tokens[i].Pos.File] = true
	}
	for _, it := range u.Items {
		if f, ok := it.(*syntax.FuncDef); ok {
			o.function(f)
		}
	}
	return o, nil
}

// function adds what is in a function.
func (o *Outline) function(f *syntax.FuncDef) {
	b := f.Body.At()
	o.Funcs[f.Decl.Name] = &Function{f.Decl.Name, o.in.Pos(f.Decl.Ident), b.First, b.Last}
	o.block(f.Body, f.Decl.Name)
}

func (o *Outline) block(b *syntax.Block, fn string) {
	for _, it := range b.Items {
		o.item(it, fn, false)
	}
}

// item adds a statement or a declaration and what is in it. Within says that it is all that another statement consists of.
func (o *Outline) item(n syntax.Node, fn string, within bool) {
	at := n.At()
	s := &Statement{Node: n, Pos: o.in.Pos(at.First), Func: fn, first: at.First, last: at.Last, head: at.Last, body: within}
	add := func() { o.Statements = append(o.Statements, s) }
	body := func(b syntax.Node) {
		if b != nil {
			s.head = min(s.head, b.At().First-1)
			o.item(b, fn, true)
		}
	}
	switch n := n.(type) {
	case *syntax.Block:
		o.block(n, fn)
	case *syntax.FuncDef: // a nested one
		o.function(n)
	case *syntax.Labeled:
		o.item(n.Body, fn, true)
	case *syntax.Case:
		o.item(n.Body, fn, true)
	case *syntax.Default:
		o.item(n.Body, fn, true)
	case *syntax.If:
		add()
		o.condition(s, n.C, at.First, false, false)
		o.expressions(reflect.ValueOf(n.C), fn)
		body(n.Then)
		if n.Else != nil {
			o.item(n.Else, fn, true)
		}
	case *syntax.Switch:
		add()
		o.condition(s, n.X, at.First, true, false)
		o.expressions(reflect.ValueOf(n.X), fn)
		body(n.Body)
	case *syntax.While:
		add()
		o.condition(s, n.C, at.First, false, true)
		o.expressions(reflect.ValueOf(n.C), fn)
		body(n.Body)
	case *syntax.For:
		add()
		o.forCondition(s, n)
		for _, x := range []any{n.Decl, n.Init, n.C, n.Post} {
			o.expressions(reflect.ValueOf(x), fn)
		}
		body(n.Body)
	case *syntax.Declaration, *syntax.StaticAssert, *syntax.LabelDecl:
		s.decl = true
		add()
		o.expressions(reflect.ValueOf(n), fn)
	default:
		add()
		o.expressions(reflect.ValueOf(n), fn)
	}
}

// condition adds what a statement branches by.
func (o *Outline) condition(s *Statement, x syntax.Expr, at int32, isSwitch, loop bool) {
	c := &Condition{Stmt: s, Func: s.Func, Switch: isSwitch, Loop: loop, at: at, first: x.At().First, last: x.At().Last}
	o.Conditions = append(o.Conditions, c)
}

// forCondition adds the condition of a for statement, which may be missing.
func (o *Outline) forCondition(s *Statement, n *syntax.For) {
	c := &Condition{Stmt: s, Func: s.Func, Loop: true, at: s.first}
	o.Conditions = append(o.Conditions, c)
	if n.C != nil {
		c.first, c.last = n.C.At().First, n.C.At().Last
		return
	}
	depth, semis := 0, 0 // between the second semicolon and what is before it there is nothing
	for i := s.first; i < n.Body.At().First; i++ {
		t := &o.in.Tokens[i]
		if t.Kind != syntax.Punct {
			continue
		}
		switch t.Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ";":
			if depth == 1 {
				if semis++; semis == 2 {
					c.first, c.last = i, i-1
					return
				}
			}
		}
	}
	c.useless = true
}

// expressions adds the calls and conditions in a part of the tree, and the statements of statement expressions.
func (o *Outline) expressions(v reflect.Value, fn string) {
	walk(v, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Call:
			o.call(n, fn)
		case *syntax.Cond:
			if n.Then != nil {
				q := n.C.At().Last + 1
				o.Conditions = append(o.Conditions, &Condition{Func: fn, at: q, first: n.C.At().First, last: n.C.At().Last})
			}
		case *syntax.StmtExpr:
			o.block(n.Body, fn)
			return false
		case *syntax.SizeOf, *syntax.TypeName:
			return false
		}
		return true
	})
}

// call adds a call.
func (o *Outline) call(n *syntax.Call, fn string) {
	c := &Call{Node: n, Func: fn, close: n.Last, open: n.F.At().Last + 1}
	if name, ok := n.F.(*syntax.NameExpr); ok {
		c.Name = name.Name
	}
	o.Calls = append(o.Calls, c)
}

var nodeType = reflect.TypeFor[syntax.Node]()

// walk calls visit for each node in a part of the tree, as long as it returns true.
func walk(v reflect.Value, visit func(syntax.Node) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Type().Implements(nodeType) && !visit(v.Interface().(syntax.Node)) {
			return
		}
		walk(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}

// isFile reports whether a place is in a file that somebody names, perhaps by another path.
func isFile(p types.Pos, file string) bool {
	return p.File == file || filepath.Base(p.File) == filepath.Base(file)
}
