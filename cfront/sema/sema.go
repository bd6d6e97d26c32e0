package sema

import (
	"fmt"
	"math/big"
	"os"

	"comus/cfront/command"
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// checker is the state of [Check].
type checker struct {
	in    *syntax.Input
	flags command.Flags
	t     *types.Target
	unit  *tree.Unit
	scope *scope
	file  *scope
	seen  *[]*scope // where all scopes are noted as they are opened; nil: nowhere
	// externs are the objects and functions with linkage, wherever they were declared.
	externs map[string]*symbol
	fn      *function
	stmts   *[]tree.Stmt // what is being added to; nil at file scope
	vlas    []tree.Stmt  // EvalVLA of the declarator or type name that is being checked
	// unevaluated counts the operands of sizeof and the like around.
	unevaluated int
	funcParts   map[*syntax.Part]*params
	ids         int
	lastSite    *tree.Site
	lastSpan    syntax.Span
	tentative   []*symbol
	aliases     []*pendingAlias
	attrWeak    map[string]bool
	renamed     map[string]string
	libs        map[string]*types.Type
	blk         *tree.Block
	loose       int // whether 0*x is 0: in initialisers and lengths of arrays
	constVars   int // whether constant variables have values: in initialisers
	gnuInline   map[*tree.Func]bool
	funcAlign   map[*tree.Func]int64
	failed      *failures
}

// Check checks a unit.
func Check(in *syntax.Input, flags command.Flags) (u *tree.Unit, err error) {
	c := newChecker(in, flags)
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*syntax.Error)
			switch {
			case ok:
				c.note(e)
			case c.failed.any(): // it may come of what was left out
			default:
				if os.Getenv("COMUS_SEMA_PANIC") != "" {
					panic(r)
				}
				e = &syntax.Error{Pos: types.Pos{File: in.File}, Msg: fmt.Sprintf("bug in comus: sema: %v", r)}
				if c.lastSite != nil {
					e.Pos = c.lastSite.Pos
				}
				c.note(e)
			}
			u, err = nil, c.failed.err()
		}
	}()
	in.Dialect(flags.Strict())
	ast, err := syntax.Parse(in)
	if err != nil {
		return nil, err
	}
	c.pragmaLines(ast.Pragmas)
	for _, it := range ast.Items {
		c.attempt(it, func() { c.external(it) })
	}
	if c.failed.any() {
		return nil, c.failed.err()
	}
	c.finish()
	return c.unit, nil
}

func newChecker(in *syntax.Input, flags command.Flags) *checker {
	m := types.Model{PointerBits: 64, CharUnsigned: flags.CharUnsigned, ShortEnums: flags.ShortEnums}
	if flags.ILP32 {
		m.PointerBits = 32
	}
	c := &checker{
		in: in, flags: flags, t: types.NewTarget(m), externs: map[string]*symbol{}, funcParts: map[*syntax.Part]*params{},
		failed:   &failures{lost: map[string]bool{}, said: map[string]bool{}},
		attrWeak: map[string]bool{}, renamed: map[string]string{}, libs: map[string]*types.Type{},
	}
	if flags.ShortWchar {
		c.t.WChar = c.t.UShort
	}
	c.unit = &tree.Unit{File: in.File, Flags: tree.Flags{PointerBits: m.PointerBits, CharUnsigned: m.CharUnsigned,
		Wrapv: flags.Wrapv, ShortEnums: m.ShortEnums}}
	c.file = &scope{}
	c.scope = c.file
	c.typedef("__builtin_va_list", c.t.VaList)
	c.typedef("__builtin_ms_va_list", c.t.VaList)
	c.typedef("__builtin_sysv_va_list", c.t.VaList)
	c.typedef("__float80", c.t.LongDouble)
	if c.t.Int128 != nil {
		c.typedef("__int128_t", c.t.Int128)
		c.typedef("__uint128_t", c.t.UInt128)
	}
	return c
}

func (c *checker) typedef(name string, t *types.Type) {
	c.scope.names = put(c.scope.names, name, &symbol{kind: typedefSym, name: name, typ: t, scope: c.scope})
}

func put(m map[string]*symbol, name string, s *symbol) map[string]*symbol {
	if m == nil {
		m = map[string]*symbol{}
	}
	m[name] = s
	return m
}

// symKind is what a name stands for.
type symKind uint8

const (
	varSym symKind = iota
	funcSym
	typedefSym
	constSym
)

// symbol is a declared name.
type symbol struct {
	kind     symKind
	name     string
	typ      *types.Type
	v        *tree.Var
	f        *tree.Func
	val      *big.Int
	pos      types.Pos
	scope    *scope
	param    bool
	implicit bool // declared by a call
	library  bool // of a type that comus knows, not declared by the program
	defined  bool
}

// scope is a scope of names and tags.
type scope struct {
	up     *scope
	names  map[string]*symbol
	tags   map[string]*types.Type
	proto  bool                  // of a list of parameters
	labels map[string]*labelInfo // declared by __label__
}

func (c *checker) push() *scope { return c.enter(&scope{up: c.scope}) }

// enter opens a scope.
func (c *checker) enter(s *scope) *scope {
	if c.scope = s; c.seen != nil {
		*c.seen = append(*c.seen, s)
	}
	return s
}

func (c *checker) pop() { c.scope = c.scope.up }

// lookup finds what a name stands for.
func (c *checker) lookup(name string) *symbol {
	for s := c.scope; s != nil; s = s.up {
		if x := s.names[name]; x != nil {
			return x
		}
	}
	return nil
}

// lookupTag finds a tag's type, in this scope only if here.
func (c *checker) lookupTag(name string, here bool) *types.Type {
	for s := c.scope; s != nil; s = s.up {
		if x := s.tags[name]; x != nil {
			return x
		}
		if here {
			break
		}
	}
	return nil
}

// id returns a number that is unique in the unit.
func (c *checker) id() int { c.ids++; return c.ids }

// site is where a node stands.
func (c *checker) site(n syntax.Node) *tree.Site {
	s := n.At()
	if c.lastSite != nil && s == c.lastSpan {
		return c.lastSite
	}
	c.lastSpan, c.lastSite = s, &tree.Site{Pos: c.in.Pos(s.First), Text: c.in.TextOf(s)}
	return c.lastSite
}

func (c *checker) x(n syntax.Node, t *types.Type) tree.X { return tree.X{Typ: t, Site: c.site(n)} }

// fail ends the unit with an error at a node.
func (c *checker) fail(n syntax.Node, format string, args ...any) {
	failAt(c.in.Pos(n.At().First), format, args...)
}

func failAt(p types.Pos, format string, args ...any) {
	panic(&syntax.Error{Pos: p, Msg: fmt.Sprintf(format, args...)})
}

// failSite fails at a node of the checked tree.
func failSite(x tree.Expr, format string, args ...any) {
	var p types.Pos
	if s := x.At(); s != nil {
		p = s.Pos
	}
	failAt(p, format, args...)
}

// external checks an item of file scope.
func (c *checker) external(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Declaration:
		c.declaration(n)
	case *syntax.FuncDef:
		c.funcDef(n)
	case *syntax.StaticAssert:
		c.staticAssert(n)
	case *syntax.Asm:
		if s, ok := n.Text.(*syntax.StringExpr); ok {
			c.unit.Asm = append(c.unit.Asm, c.plain(s))
		}
	}
}

// staticAssert checks a _Static_assert.
func (c *checker) staticAssert(n *syntax.StaticAssert) {
	v, ok := c.evalInt(c.value(n.X))
	if !ok {
		c.fail(n.X, "expression in static assertion is not constant")
	}
	if v.Sign() == 0 {
		if n.Msg == "" {
			c.fail(n, "static assertion failed")
		}
		c.fail(n, "static assertion failed: \"%s\"", n.Msg)
	}
}
