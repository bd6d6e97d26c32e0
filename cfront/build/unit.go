package build

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// Unit is a translation unit in cir, with what the linker has to know of it. Instructions refer to the
// unit's own globals and functions; package cfront/link puts other units' definitions in the place of those that are
// only declared.
type Unit struct {
	File     string
	Model    cir.Model
	Symbols  []*Symbol // in the order of the source; string literals and the like at the end
	Warnings []string
	Library  bool // the caller may set it: a model of library functions, linked when called for
}

// Symbol is a function or object of a unit.
type Symbol struct {
	Name      string      // what the linker knows it by; "" of objects without a name
	Value     cir.Symbol  // *cir.Global or *cir.Func
	Type      *types.Type // nil if there is none: literals, temporaries
	Internal  bool        // no other unit sees it
	Defined   bool        // not only declared
	Tentative bool        // a definition that another one may replace
	Weak      bool
	System    bool   // the caller may set it: a header of the system declares it
	Inline    bool   // an inline definition: stands in if there is no other one
	Alias     string // the name of a symbol of the unit of which this is another name
	// Ctor and Dtor are the priorities of constructors and destructors.
	Ctor, Dtor *int
	Pos        cir.Pos
}

// unit builds a Unit.
type unit struct {
	tree        *tree.Unit
	out         *Unit
	model       cir.Model
	globals     map[*tree.Var]*cir.Global
	funcs       map[*tree.Func]*cir.Func
	named       map[string]*tree.Func
	literals    map[string]*cir.Global // equal ones are one object, as gcc makes them
	labels      map[*tree.Label]uint64
	shapes      map[*types.Type]*cir.Shape
	nested      map[*tree.Func]*nesting
	nestedFuncs map[*cir.Func]*tree.Func // functions that have a hidden parameter
	closures    map[*cir.Func]*closure
	bigEndian   map[*types.Record]bool // which records have big-endian ones in them
	effects     *effects
	pending     []*tree.Var // objects whose data has to be built still
	errs        []error
	temps       int
}

// refusal is what cannot be built: a panic that ends a function.
type refusal struct {
	pos types.Pos
	msg string
}

// Error returns "file:line:col: message".
func (r refusal) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", r.pos.File, r.pos.Line, r.pos.Col, r.msg)
}

// refuse gives up the function or object that is being built.
func refuse(site *tree.Site, format string, args ...any) {
	var pos types.Pos
	if site != nil {
		pos = site.Pos
	}
	panic(refusal{pos, fmt.Sprintf(format, args...)})
}

// Build makes the cir of a checked unit. The error joins a line "file:line:col: message" for each thing that cir
// cannot say.
func Build(t *tree.Unit) (*Unit, error) {
	bits := t.Flags.PointerBits
	if bits == 0 {
		bits = 64
	}
	u := &unit{
		tree:        t,
		model:       cir.Model{PointerBits: bits},
		globals:     map[*tree.Var]*cir.Global{},
		funcs:       map[*tree.Func]*cir.Func{},
		named:       map[string]*tree.Func{},
		literals:    map[string]*cir.Global{},
		labels:      map[*tree.Label]uint64{},
		shapes:      map[*types.Type]*cir.Shape{},
		nested:      map[*tree.Func]*nesting{},
		nestedFuncs: map[*cir.Func]*tree.Func{},
		closures:    map[*cir.Func]*closure{},
		bigEndian:   map[*types.Record]bool{},
	}
	u.out = &Unit{File: t.File, Model: u.model, Warnings: t.Warns}
	u.effects = newEffects(u)
	for _, f := range t.Funcs {
		if f.Body != nil && f.Inline && packsArguments(f) {
			f.Body = nil // glibc's fortified printf and the like: the function itself is meant
		}
		u.named[f.Name] = f
	}
	// What is only declared gets a symbol when it is used.
	for _, v := range t.Vars {
		if v.Defined {
			u.global(v)
		}
	}
	for _, f := range t.Funcs {
		if f.Body != nil {
			u.fun(f)
		}
	}
	for _, f := range t.Funcs {
		if f.Body != nil && f.Outer == nil {
			u.guard(func() { u.body(f) })
		}
	}
	u.data()
	for _, a := range t.Aliases {
		u.alias(a)
	}
	for _, s := range t.Asm {
		if runsOutside.MatchString(s) {
			u.errs = append(u.errs, fmt.Errorf("%s:1:1: an asm statement outside of functions names a section of what runs before main or after the program, which is not supported", t.File))
			continue
		}
		u.out.Warnings = append(u.out.Warnings, fmt.Sprintf("%s:1:1: warning: an asm statement outside of functions is ignored: %.40q", t.File, s))
	}
	return u.out, errors.Join(u.errs...)
}

// runsOutside matches sections with pointers to functions that run before main or at the end of a program.
var runsOutside = regexp.MustCompile(`\.(preinit_array|init_array|fini_array|ctors|dtors)\b`)

// packsArguments tells whether a function passes its variable arguments on, which only an inliner can do.
func packsArguments(f *tree.Func) bool {
	found := false
	w := &walker{expr: func(e tree.Expr) {
		if b, ok := e.(*tree.Builtin); ok && strings.HasPrefix(b.Name, "va_arg_pack") {
			found = true
		}
	}}
	w.walk(f.Body)
	return found
}

// guard runs f and keeps its refusal, if it panics with one.
func (u *unit) guard(f func()) {
	defer func() {
		if r := recover(); r != nil {
			ref, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			u.errs = append(u.errs, ref)
		}
	}()
	f()
}

// symbolName is what the linker calls a thing of this name.
func symbolName(name, asm string) string {
	if asm != "" {
		return asm
	}
	return name
}

// global returns the object of a variable with static storage duration. Its data is built later.
func (u *unit) global(v *tree.Var) *cir.Global {
	if g := u.globals[v]; g != nil {
		return g
	}
	size := v.Type.Size
	if size < 0 {
		size = 0
	}
	if v.Init != nil {
		// A flexible array member's initialiser makes the object larger.
		for _, it := range v.Init.Items {
			size = max(size, it.Offset+max(it.Type.Size, 0))
		}
	}
	g := &cir.Global{
		Name:        symbolName(v.Name, v.AsmName),
		Source:      v.Name,
		Size:        size,
		Align:       max(v.Align, v.Type.Align, 1),
		Shape:       u.shape(v.Type),
		ThreadLocal: v.Storage == tree.ThreadLocal,
		Const:       isConst(v.Type),
		External:    !v.Defined && v.Linkage == tree.External,
		Weak:        v.Weak,
		Pos:         cir.Pos(v.Site.Pos),
	}
	if v.Func != nil && v.Name != "" {
		g.Name = v.Func.Name + "." + v.Name
	}
	u.globals[v] = g
	sym := &Symbol{
		Name:      g.Name,
		Value:     g,
		Type:      v.Type,
		Internal:  v.Linkage != tree.External,
		Defined:   v.Defined || v.Linkage != tree.External,
		Tentative: v.Tentative || v.Common,
		Weak:      v.Weak,
		Pos:       g.Pos,
	}
	if v.Name == "" {
		u.temps++
		sym.Name = fmt.Sprintf(".compound.%d", u.temps)
		g.Name = sym.Name
	}
	u.out.Symbols = append(u.out.Symbols, sym)
	if v.Init != nil {
		u.pending = append(u.pending, v)
	}
	return g
}

// isConst tells whether objects of type t may not be written, as a whole.
func isConst(t *types.Type) bool {
	for t.Kind == types.Array {
		if t.Quals&types.Const != 0 {
			return true
		}
		t = t.Elem
	}
	return t.Quals&types.Const != 0 && t.Quals&types.Volatile == 0
}

// data builds the contents of the objects that were asked for; that may ask for more.
func (u *unit) data() {
	for len(u.pending) > 0 {
		v := u.pending[0]
		u.pending = u.pending[1:]
		u.guard(func() {
			d := &data{u: u}
			d.init(0, v.Type, v.Init)
			g := u.globals[v]
			g.Data, g.Relocs = d.finish()
		})
	}
}

// literal returns the object of a string literal.
func (u *unit) literal(s *tree.String) *cir.Global {
	key := fmt.Sprintf("%v %s", s.Typ, s.Data)
	if g := u.literals[key]; g != nil {
		return g
	}
	g := u.constant(s.Typ, s.Data, nil)
	g.Literal = true
	u.literals[key] = g
	return g
}

// constant returns a new object without a name that holds data.
func (u *unit) constant(t *types.Type, bytes []byte, relocs []cir.Reloc) *cir.Global {
	u.temps++
	g := &cir.Global{
		Name:   fmt.Sprintf(".data.%d", u.temps),
		Size:   t.Size,
		Align:  max(t.Align, 1),
		Shape:  u.shape(t),
		Data:   trim(bytes),
		Relocs: relocs,
		Const:  true,
	}
	u.out.Symbols = append(u.out.Symbols, &Symbol{Name: g.Name, Value: g, Internal: true, Defined: true})
	return g
}

// trim drops zeros at the end.
func trim(b []byte) []byte {
	n := len(b)
	for n > 0 && b[n-1] == 0 {
		n--
	}
	return b[:n:n]
}

// fun returns the function of a declaration; its body is built by [unit.body].
func (u *unit) fun(t *tree.Func) *cir.Func {
	if f := u.funcs[t]; f != nil {
		return f
	}
	f := &cir.Func{
		Name:     symbolName(t.Name, t.AsmName),
		Source:   t.Name,
		Result:   u.result(t.Type.Elem),
		Variadic: t.Type.Variadic,
		NoProto:  t.Type.NoProto,
		NoReturn: t.NoReturn,
		Atomic:   len(t.Name) > 18 && t.Name[:18] == "__VERIFIER_atomic_",
		Weak:     t.Weak,
		Pos:      cir.Pos(t.Site.Pos),
	}
	if t.Outer != nil {
		f.Name = u.fun(t.Outer).Name + "." + t.Name
		u.nestedFuncs[f] = t
	}
	if f.Name == "__VERIFIER_atomic_begin" || f.Name == "__VERIFIER_atomic_end" {
		f.Atomic = false
	}
	u.funcs[t] = f
	if t.Body == nil {
		u.prototype(f, t)
	}
	u.out.Symbols = append(u.out.Symbols, &Symbol{
		Name:     f.Name,
		Value:    f,
		Type:     t.Type,
		Internal: t.Linkage != tree.External,
		Defined:  t.Body != nil,
		Weak:     t.Weak,
		Inline:   t.Inline,
		Ctor:     t.Ctor,
		Dtor:     t.Dtor,
		Pos:      f.Pos,
	})
	return f
}

// prototype gives an external function the parameters of its type.
func (u *unit) prototype(f *cir.Func, t *tree.Func) {
	for i, pt := range t.Type.Params {
		p := u.param(f, pt)
		if i < len(t.Params) && t.Params[i] != nil {
			p.Name = t.Params[i].Name
		}
		f.Params = append(f.Params, p)
	}
}

// param makes a parameter of a type, with its register.
func (u *unit) param(f *cir.Func, t *types.Type) cir.Param {
	p := cir.Param{}
	t = passedAs(t)
	rt := u.model.Pointer()
	if inMemory(t) {
		p.ByVal, p.Align = u.shape(t), max(t.Align, 1)
	} else {
		rt = u.scalar(t)
	}
	p.Reg = &cir.Reg{Index: f.NumRegs, Type: rt}
	f.NumRegs++
	return p
}

// result says what a function that returns t returns.
func (u *unit) result(t *types.Type) cir.Result {
	switch {
	case t == nil || t.Kind == types.Void:
		return cir.Result{}
	case inMemory(t):
		return cir.Result{Shape: u.shape(t)}
	}
	return cir.Result{Type: u.scalar(t)}
}

// alias adds a symbol that is another name of one of the unit.
func (u *unit) alias(a tree.Alias) {
	for _, s := range u.out.Symbols {
		if s.Name == a.Name && !s.Defined {
			s.Alias, s.Weak, s.Pos, s.Defined = a.Target, s.Weak || a.Weak, cir.Pos(a.Pos), true
			s.Internal = s.Internal || a.Static
			return
		}
	}
	u.out.Symbols = append(u.out.Symbols, &Symbol{Name: a.Name, Alias: a.Target, Weak: a.Weak, Internal: a.Static, Defined: true, Pos: cir.Pos(a.Pos)})
}

// sortRelocs brings relocations into the order of their offsets.
func sortRelocs(r []cir.Reloc) {
	sort.SliceStable(r, func(i, j int) bool { return r[i].Offset < r[j].Offset })
}
