package build

import "comus/cfront/tree"

// children calls f with the expressions directly below e; statements of statement expressions go to s.
func children(e tree.Expr, f func(tree.Expr), s func(tree.Stmt)) {
	switch e := e.(type) {
	case *tree.Load:
		f(e.L)
	case *tree.Decay:
		f(e.L)
	case *tree.AddrOf:
		f(e.L)
	case *tree.Deref:
		f(e.P)
	case *tree.Member:
		f(e.L)
	case *tree.Part:
		f(e.L)
	case *tree.Element:
		f(e.L)
		f(e.Index)
	case *tree.Convert:
		f(e.V)
	case *tree.Unary:
		f(e.V)
	case *tree.VaArg:
		f(e.Ap)
	case *tree.CompoundLit:
		initChildren(e.Init, f)
	case *tree.StmtExpr:
		s(e.Body)
		if e.Last != nil {
			f(e.Last)
		}
	default:
		operands(e, f)
	}
}

// operands is children of the expressions with several operands.
func operands(e tree.Expr, f func(tree.Expr)) {
	each := func(es []tree.Expr) {
		for _, x := range es {
			f(x)
		}
	}
	switch e := e.(type) {
	case *tree.Binary:
		f(e.L)
		f(e.R)
	case *tree.PtrAdd:
		f(e.P)
		f(e.N)
	case *tree.PtrDiff:
		f(e.L)
		f(e.R)
	case *tree.Logic:
		f(e.L)
		f(e.R)
	case *tree.Cond:
		f(e.C)
		if e.Then != nil {
			f(e.Then)
		}
		f(e.Else)
	case *tree.Comma:
		f(e.L)
		f(e.R)
	case *tree.Assign:
		f(e.L)
		f(e.R)
	case *tree.AssignOp:
		f(e.L)
		f(e.R)
	case *tree.IncDec:
		f(e.L)
	case *tree.Call:
		f(e.F)
		each(e.Args)
	case *tree.Builtin:
		each(e.Args)
	case *tree.VectorLit:
		each(e.Elems)
	}
}

// initChildren calls f with the values of an initialiser.
func initChildren(init *tree.Init, f func(tree.Expr)) {
	if init == nil {
		return
	}
	for _, it := range init.Items {
		f(it.X)
	}
}

// walker visits a function's body: statements and expressions, outer ones first.
type walker struct {
	expr func(tree.Expr)
	stmt func(tree.Stmt)
}

// visit walks an expression.
func (w *walker) visit(e tree.Expr) {
	if e == nil {
		return
	}
	if w.expr != nil {
		w.expr(e)
	}
	children(e, w.visit, w.walk)
}

// walk walks a statement.
func (w *walker) walk(s tree.Stmt) {
	if s == nil {
		return
	}
	if w.stmt != nil {
		w.stmt(s)
	}
	switch s := s.(type) {
	case *tree.Block:
		if s == nil {
			return
		}
		for _, x := range s.Stmts {
			w.walk(x)
		}
	case *tree.Decl:
		initChildren(s.Init, w.visit)
	case *tree.EvalVLA:
		w.visit(s.N)
	case *tree.ExprStmt:
		w.visit(s.X)
	case *tree.If:
		w.visit(s.C)
		w.walk(s.Then)
		w.walk(s.Else)
	case *tree.Loop:
		w.walk(s.Init)
		w.visit(s.C)
		w.walk(s.Body)
		w.visit(s.Post)
	case *tree.Switch:
		w.visit(s.X)
		w.walk(s.Body)
	case *tree.Case:
		w.walk(s.Body)
	case *tree.Default:
		w.walk(s.Body)
	case *tree.Labeled:
		w.walk(s.Body)
	default:
		w.walkRare(s)
	}
}

// walkRare walks statements that are seldom.
func (w *walker) walkRare(s tree.Stmt) {
	switch s := s.(type) {
	case *tree.GotoPtr:
		w.visit(s.X)
	case *tree.Return:
		w.visit(s.X)
	case *tree.Asm:
		for _, o := range s.Outputs {
			w.visit(o.X)
		}
		for _, i := range s.Inputs {
			w.visit(i.X)
		}
	}
}
