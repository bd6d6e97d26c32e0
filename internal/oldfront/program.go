package cfront

import (
	"reflect"
	"strings"
	"sync"

	"modernc.org/cc/v4"
)

// program is what lowering needs to know about the whole translation unit.
type program struct {
	funcs    map[string]*cc.FunctionDefinition
	globals  map[string]*globalDecl
	order    []string           // names of globals in order of declaration
	info     map[string]*fnInfo // of functions, by name
	assigned map[any]int        // assignments, by varKey
	exposed  map[any]bool       // variables whose address is taken, by varKey
	mainOnly map[string]bool    // globals that only the main thread uses
	// Static locals: their initialisers and the functions they belong to.
	staticInits map[*cc.Declarator]*cc.Initializer
	staticIn    map[*cc.Declarator]string
	refs        []string         // functions whose address is taken
	creating    map[cc.Node]bool // loops that turned out to create threads
	// What turned out about mutexes: their kinds by mutexKey, and the names of the
	// variables of those that threads count.
	mutexKinds map[string]mutexKind
	counted    map[string]bool
	crowded    map[string]bool // barriers that more threads use than wait, by mutexKey
	keys       int             // the number of thread keys
	// destructors are the names of the keys' destructors, "" for none.
	destructors []string
	named       []semType // the names of semaphores
	atomics     *Atomics
}

type globalDecl struct {
	decl *cc.Declarator
	init *cc.Initializer
}

// fnInfo is what one function, or one statement, does itself.
type fnInfo struct {
	calls    map[string]bool // functions called by name
	refs     map[string]bool // functions whose address is taken
	globals  map[string]bool // globals mentioned
	writes   map[any]bool    // variables assigned, by varKey
	indirect bool            // calls through pointers
	creates  bool            // calls pthread_create
	labels   []*cc.LabeledStatement
	gotos    []*cc.JumpStatement
	order    map[cc.Node]int // labels, gotos and calls in order of the text
	returns  int
	jumps    *jumps // of functions, once needed
}

// varKey identifies a variable across redeclarations: the name of a global, the
// declarator of a local.
func varKey(d *cc.Declarator) any {
	if isGlobal(d) {
		return d.Name()
	}
	return d
}

// isGlobal reports whether d declares a variable or function of file scope.
func isGlobal(d *cc.Declarator) bool { return d.Linkage() != cc.None }

// collect analyses the translation unit.
func collect(ast *cc.AST) *program {
	p := &program{
		atomics: FindAtomics(ast),
		funcs:   map[string]*cc.FunctionDefinition{}, globals: map[string]*globalDecl{}, info: map[string]*fnInfo{},
		assigned: map[any]int{}, exposed: map[any]bool{}, mainOnly: map[string]bool{},
		staticInits: map[*cc.Declarator]*cc.Initializer{}, staticIn: map[*cc.Declarator]string{},
		creating: map[cc.Node]bool{}, mutexKinds: map[string]mutexKind{}, counted: map[string]bool{}, crowded: map[string]bool{},
	}
	unit := newInfo() // what initialisers refer to
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		switch x := tu.ExternalDeclaration; x.Case {
		case cc.ExternalDeclarationFuncDef:
			f := x.FunctionDefinition
			name := f.Declarator.Name()
			if _, ok := f.Declarator.Type().(*cc.FunctionType); !ok { // cc takes f { } for a definition
				panic(errorf(position(f), "'%s' has a body but is no function", name))
			}
			if old := p.funcs[name]; old != nil && !(old.Declarator.IsExtern() && old.Declarator.IsInline()) { // GNU: an alternative for inlining
				panic(errorf(position(f), "'%s' is defined at %s already", name, position(old)))
			}
			p.funcs[name] = f
			p.info[name] = p.analyse(f.CompoundStatement)
			for d := range p.staticInits {
				if p.staticIn[d] == "" {
					p.staticIn[d] = name
				}
			}
		case cc.ExternalDeclarationDecl:
			p.declare(x.Declaration, unit)
		}
	}
	p.findMainOnly(unit)
	return p
}

func (p *program) declare(d *cc.Declaration, unit *fnInfo) {
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		i := l.InitDeclarator
		if i == nil || i.Declarator.IsTypename() || i.Declarator.Type().Kind() == cc.Function {
			continue
		}
		name := i.Declarator.Name()
		g := p.globals[name]
		if g == nil {
			g = &globalDecl{decl: i.Declarator}
			p.globals[name] = g
			p.order = append(p.order, name)
		}
		if t := g.decl.Type(); t.IsIncomplete() || g.decl.IsExtern() {
			g.decl = i.Declarator
		}
		if i.Initializer != nil {
			g.decl, g.init = i.Declarator, i.Initializer
			p.walk(i.Initializer, unit)
		}
	}
}

func newInfo() *fnInfo {
	return &fnInfo{calls: map[string]bool{}, refs: map[string]bool{}, globals: map[string]bool{}, writes: map[any]bool{}, order: map[cc.Node]int{}}
}

// analyse collects what a piece of code does.
func (p *program) analyse(n any) *fnInfo {
	i := newInfo()
	p.walk(n, i)
	return i
}

// walk visits the nodes below n.
func (p *program) walk(n any, i *fnInfo) {
	children(n, func(c cc.Node) bool { return p.visit(c, i) })
}

// visit notes what one node does and reports whether to go on below it.
func (p *program) visit(n cc.Node, i *fnInfo) bool {
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionIdent {
			p.mention(x, i)
		}
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			p.write(x.UnaryExpression, i)
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			p.write(x.UnaryExpression, i)
		case cc.UnaryExpressionAddrof:
			if d := rootOf(x.CastExpression); d != nil {
				p.exposed[varKey(d)] = true
			}
		case cc.UnaryExpressionSizeofExpr:
			return false
		}
	case *cc.PostfixExpression:
		return p.visitPostfix(x, i)
	case *cc.LabeledStatement:
		if x.Case == cc.LabeledStatementLabel {
			i.order[x] = len(i.order)
			i.labels = append(i.labels, x)
		}
	case *cc.JumpStatement:
		switch x.Case {
		case cc.JumpStatementGoto:
			i.order[x] = len(i.order)
			i.gotos = append(i.gotos, x)
		case cc.JumpStatementReturn:
			i.returns++
		}
	case *cc.InitDeclarator:
		if d := x.Declarator; d != nil && d.IsStatic() && !isGlobal(d) {
			p.staticInits[d] = x.Initializer
			return true // initialised once, before the program starts
		}
		if x.Declarator != nil && !x.Declarator.IsTypename() {
			i.writes[varKey(x.Declarator)] = true
		}
	}
	return true
}

func (p *program) visitPostfix(x *cc.PostfixExpression, i *fnInfo) bool {
	switch x.Case {
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		p.write(x.PostfixExpression, i)
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect:
		p.expose(x) // if it is an array
		p.part(x, i)
		return false
	case cc.PostfixExpressionCall:
		return p.visitCall(x, i)
	}
	return true
}

// part visits an lvalue that is used itself, or of which a part is used: if it is
// an array, it does not become a pointer.
func (p *program) part(n cc.ExpressionNode, i *fnInfo) {
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionIdent {
			p.name(x, i)
			return
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionIndex:
			p.part(x.PostfixExpression, i)
			p.walk(&wrapper{x.ExpressionList}, i)
			return
		case cc.PostfixExpressionSelect:
			p.part(x.PostfixExpression, i)
			return
		}
	}
	p.walk(&wrapper{n}, i)
}

// expose notes that an array became a pointer, by which it may be written.
func (p *program) expose(n cc.ExpressionNode) {
	if d := rootOf(n); d != nil && isArray(n) {
		p.exposed[varKey(d)] = true
	}
}

// isArray reports whether an expression denotes an array, which becomes a pointer
// when it is used.
func isArray(n cc.ExpressionNode) bool {
	n = unparen(n)
	if x, ok := n.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent {
		d, ok := x.ResolvedTo().(*cc.Declarator)
		return ok && !d.IsParam() && d.Type().Kind() == cc.Array
	}
	return n.Type().Undecay().Kind() == cc.Array
}

// visitCall notes a call. The address of a variable given to a pthread function
// is not exposed by that, but the variable is written.
func (p *program) visitCall(x *cc.PostfixExpression, i *fnInfo) bool {
	name := calleeName(x)
	i.order[x] = len(i.order)
	if name == "" {
		i.indirect = true
		return true
	}
	i.calls[name] = true
	if changesErrno(name) {
		i.writes[errnoName] = true
		p.assigned[errnoName]++
	}
	if name == "pthread_once" || name == "__comus_cleanup_pop" { // calls its second argument, or a handler
		i.indirect = true
	}
	if name == "pthread_create" {
		i.creates = true
	}
	k := 0
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		arg := unparen(l.AssignmentExpression)
		k++
		u, ok := arg.(*cc.UnaryExpression)
		if ok && u.Case == cc.UnaryExpressionAddrof && libraryWrites(name, k) {
			if d := rootOf(u.CastExpression); d != nil {
				i.writes[varKey(d)] = true
				p.assigned[varKey(d)]++
				p.walk(&wrapper{u.CastExpression}, i)
				continue
			}
		}
		if a, offset := arrayOf(arg); a != nil && libraryWrites(name, k) {
			p.write(a, i)
			p.part(a, i)
			p.walk(&wrapper{offset}, i)
			continue
		}
		p.walk(&wrapper{l.AssignmentExpression}, i)
	}
	return false
}

// arrayOf recognises the arguments a and a + i, for an array a that is a variable
// or a part of one.
func arrayOf(n cc.ExpressionNode) (a, offset cc.ExpressionNode) {
	if x, ok := n.(*cc.AdditiveExpression); ok && x.Case == cc.AdditiveExpressionAdd {
		n, offset = unparen(x.AdditiveExpression), x.MultiplicativeExpression
	}
	if rootOf(n) != nil && isArray(n) {
		return n, offset
	}
	return nil, nil
}

// libraryWrites reports whether the k-th argument of a library function is a
// pointer that does not live on after the call.
func libraryWrites(name string, k int) bool {
	switch {
	case name == "pthread_create":
		return k == 1
	case strings.HasPrefix(name, "pthread_"):
		return name != "pthread_setspecific"
	case strings.HasPrefix(name, "__sync_"), strings.HasPrefix(name, "__atomic_"), strings.HasPrefix(name, "__comus_atomic_"):
		return k == 1 || k == 2 && swapsExpected[name] || byPointer[name]
	case strings.HasPrefix(name, "sem_"), name == "__comus_thrd_join":
		return true
	}
	return false
}

// swapsExpected are the atomic operations whose second argument points to the expected
// value, byPointer those that get all values by pointers.
var (
	swapsExpected = map[string]bool{"__comus_atomic_cas": true, "__comus_atomic_cas_weak": true, "__atomic_compare_exchange_n": true}
	byPointer     = map[string]bool{"__atomic_load": true, "__atomic_store": true, "__atomic_exchange": true, "__atomic_compare_exchange": true}
)

// calleeName returns the name of the function that is called, "" if that is not known.
func calleeName(x *cc.PostfixExpression) string {
	if id, ok := unparen(x.PostfixExpression).(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
		d, ok := id.ResolvedTo().(*cc.Declarator)
		if !ok || d.Type().Kind() == cc.Function {
			return LibraryName(id.Token.SrcStr())
		}
	}
	return ""
}

// name notes that an identifier is used.
func (p *program) name(x *cc.PrimaryExpression, i *fnInfo) *cc.Declarator {
	d, ok := x.ResolvedTo().(*cc.Declarator)
	if !ok {
		return nil
	}
	if d.Type().Kind() == cc.Function {
		i.refs[d.Name()] = true
		return nil
	}
	if isGlobal(d) {
		i.globals[d.Name()] = true
	}
	return d
}

// mention notes that an identifier is used other than as an indexed array.
func (p *program) mention(x *cc.PrimaryExpression, i *fnInfo) {
	p.name(x, i)
	p.expose(x)
}

func (p *program) write(n cc.ExpressionNode, i *fnInfo) {
	if d := rootOf(n); d != nil {
		i.writes[varKey(d)] = true
		p.assigned[varKey(d)]++
	}
}

// rootOf returns the variable that an lvalue is a part of, nil if it is reached
// through a pointer.
func rootOf(n cc.ExpressionNode) *cc.Declarator {
	for {
		switch x := unparen(n).(type) {
		case *cc.PrimaryExpression:
			if x.Case == cc.PrimaryExpressionIdent {
				if d, ok := x.ResolvedTo().(*cc.Declarator); ok && d.Type().Kind() != cc.Function {
					return d
				}
			}
			return nil
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionPrimary:
				n = x.PrimaryExpression
				continue
			case cc.PostfixExpressionIndex:
				if !isArray(x.PostfixExpression) {
					return nil
				}
				n = x.PostfixExpression
				continue
			case cc.PostfixExpressionSelect:
				n = x.PostfixExpression
				continue
			}
			return nil
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionPostfix {
				n = x.PostfixExpression
				continue
			}
			return nil
		case *cc.CastExpression:
			if x.Case == cc.CastExpressionUnary {
				n = x.UnaryExpression
				continue
			}
			return nil
		default:
			return nil
		}
	}
}

// findMainOnly finds the globals that only code of the main thread uses.
func (p *program) findMainOnly(unit *fnInfo) {
	var roots []string
	for r := range unit.refs {
		roots = append(roots, r)
	}
	for _, f := range p.info {
		for r := range f.refs {
			roots = append(roots, r)
		}
	}
	p.refs = roots
	others := p.reach(roots...)
	for g := range p.globals {
		p.mainOnly[g] = !p.exposed[g] && !unit.globals[g]
	}
	for f := range others {
		for g := range p.info[f].globals {
			p.mainOnly[g] = false
		}
	}
}

// reach returns the defined functions that calls lead to.
func (p *program) reach(roots ...string) map[string]bool {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(f string) {
		i := p.info[f]
		if seen[f] || i == nil {
			return
		}
		seen[f] = true
		for c := range i.calls {
			visit(c)
		}
	}
	for _, r := range roots {
		visit(r)
	}
	return seen
}

// effects returns the variables that code may write, those of the functions it
// calls included; all is set if it may write any.
func (p *program) effects(i *fnInfo) (writes map[any]bool, all bool) {
	writes = map[any]bool{}
	add := func(i *fnInfo) {
		for w := range i.writes {
			writes[w] = true
		}
		all = all || i.indirect
	}
	add(i)
	for c := range i.calls {
		for f := range p.reach(c) {
			add(p.info[f])
		}
	}
	return writes, all
}

// changes reports whether a static variable may get another value than its
// initial one.
func (p *program) changes(d *cc.Declarator) bool {
	return p.assigned[varKey(d)] > 0 || p.exposed[varKey(d)]
}

// createsBetween reports whether threads may be created between two places of
// the function's text, nil for its begin and end.
func (p *program) createsBetween(i *fnInfo, from, to cc.Node) bool {
	for n, k := range i.order {
		c, ok := n.(*cc.PostfixExpression)
		if !ok || k < i.order[from] || to != nil && k > i.order[to] {
			continue
		}
		name := calleeName(c)
		fs := p.reach(name)
		indirect := name == ""
		for f := range fs {
			indirect = indirect || p.info[f].indirect
		}
		if indirect {
			fs = p.reach(append([]string{name}, p.refs...)...)
		}
		if name == "pthread_create" || p.anyCreates(fs) {
			return true
		}
	}
	return false
}

// mayCreate reports whether code may create threads.
func (p *program) mayCreate(i *fnInfo) bool {
	if i.creates {
		return true
	}
	for c := range i.calls {
		if p.anyCreates(p.reach(c)) {
			return true
		}
	}
	return false
}

func (p *program) anyCreates(fs map[string]bool) bool {
	for f := range fs {
		if p.info[f].creates {
			return true
		}
	}
	return false
}

// failing are the library functions that fail, or may.
var failing = []string{"reach_error", "__VERIFIER_error", "__VERIFIER_assert", "assert", "__assert_fail", "__assert_perror_fail", "__assert"}

// asserts reports whether the code of functions, and what it may call, contains an
// assertion.
func (p *program) asserts(roots ...string) bool {
	fs := p.reach(roots...)
	for f := range fs {
		if p.info[f].indirect {
			fs = p.reach(append(roots, p.refs...)...)
			break
		}
	}
	for f := range fs {
		i := p.info[f]
		for _, name := range failing {
			if i.calls[name] && (p.funcs[name] == nil || name == "reach_error" || name == "__VERIFIER_error") {
				return true
			}
		}
		for _, l := range i.labels {
			if l.Token.SrcStr() == "ERROR" {
				return true
			}
		}
	}
	return false
}

// wrapper makes an expression the child of a node, so that walk visits it.
type wrapper struct{ Expr cc.ExpressionNode }

// children calls f for each node below n, in order of the text where the fields
// are in that order; f tells whether to go on below.
func children(n any, f func(cc.Node) bool) {
	if w, ok := n.(*wrapper); ok {
		if w.Expr != nil && f(w.Expr) {
			children(w.Expr, f)
		}
		return
	}
	v := reflect.ValueOf(n)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for _, k := range childFields(v.Type()) {
		x := v.Field(k)
		if x.IsNil() {
			continue
		}
		if c, ok := x.Interface().(cc.Node); ok && f(c) {
			children(c, f)
		}
	}
}

// fieldsOf remembers childFields: to look through a type each time is slow.
var fieldsOf sync.Map

// childFields returns the indexes of the fields of a struct that may be nodes below it.
func childFields(t reflect.Type) []int {
	if known, ok := fieldsOf.Load(t); ok {
		return known.([]int)
	}
	var list []int
	for k := range t.NumField() {
		f := t.Field(k)
		kind := f.Type.Kind()
		if f.IsExported() && !strings.HasPrefix(f.Name, "Token") && (kind == reflect.Pointer || kind == reflect.Interface) {
			list = append(list, k)
		}
	}
	fieldsOf.Store(t, list)
	return list
}

// usesParam reports whether a parameter of main is mentioned.
func (p *program) usesParam(d *cc.Declarator) bool {
	return d.ReadCount()+d.WriteCount() > 0 || d.AddressTaken()
}
