package randc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Program returns the program of a seed with some of the features. It is text for
// gcc, uses the headers of the C library and reads no input.
func Program(seed uint64, f Features) string { return program(seed, f, -1) }

// program is Program with one kind of chunks only, unless only is negative.
func program(seed uint64, f Features, only int) string {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 0x72616e6463)), has: f, once: map[string]bool{}, only: only}
	g.include("stdio.h")
	g.include("stdlib.h")
	g.include("string.h")
	g.include("stddef.h")
	g.helper("mix", "static unsigned long sum = %du;\nstatic void mix(unsigned long v) {\n  sum = (sum ^ v) * 1099511628211UL + (sum >> 29);\n}\n", g.IntN(1000))
	g.helper("fuel", "static int fuel = 400;\n")
	g.types()
	g.variables()
	for range 1 + g.IntN(2) {
		g.function(true)
	}
	for range 1 + g.IntN(3) {
		g.function(false)
	}
	g.main()
	var b strings.Builder
	fmt.Fprintf(&b, "// randc, seed %d, features %#x\n", seed, uint64(f))
	for _, h := range g.includes {
		fmt.Fprintf(&b, "#include <%s>\n", h)
	}
	return b.String() + "\n" + indent(g.decls.String())
}

// gen writes one program.
type gen struct {
	*rand.Rand
	has      Features
	includes []string
	once     map[string]bool // helpers written
	decls    strings.Builder // what is at file scope so far
	n        int             // names used
	only     int             // the index of the chunk to use, or -1

	enums   []*enum
	structs []*ctype // and unions
	globals []*variable
	vars    []*variable // those visible here
	pure    []*function // without effects
	funcs   []*function // others
	indexed int         // indices around
	depth   int         // statements around
	loops   int         // loops around
	isPure  bool        // the function that is being written has no effects
	static  bool        // an expression has to be constant
}

// function is a function of the program.
type function struct {
	name   string
	params []*ctype
	ret    *ctype
}

func (g *gen) pick(xs ...string) string          { return xs[g.IntN(len(xs))] }
func (g *gen) pickNumber(xs ...*number) *number  { return xs[g.IntN(len(xs))] }
func (g *gen) top(format string, args ...any)    { fmt.Fprintf(&g.decls, format, args...) }
func sp(format string, args ...any) string       { return fmt.Sprintf(format, args...) }
func containsAny(s, chars string) bool           { return strings.ContainsAny(s, chars) }
func words(s string) string                      { return strings.ReplaceAll(s, " ", "_") }
func (g *gen) chance(percent int) bool           { return g.IntN(100) < percent }
func (g *gen) with(f Features, percent int) bool { return g.has&f == f && g.chance(percent) }

// name returns a name that is used once.
func (g *gen) name(s string) string {
	g.n++
	return fmt.Sprintf("%s%d", s, g.n)
}

func (g *gen) include(h string) {
	if !slices.Contains(g.includes, h) {
		g.includes = append(g.includes, h)
	}
}

// helper writes something to file scope if that was not done before.
func (g *gen) helper(name, format string, args ...any) {
	if !g.once[name] {
		g.once[name] = true
		g.top(format, args...)
	}
}

// types declares enumerations, structs and unions.
func (g *gen) types() {
	if g.has&Enums != 0 {
		for range 1 + g.IntN(2) {
			g.enumType()
		}
	}
	for range g.IntN(3) + 1 {
		if g.has&Structs != 0 {
			g.structs = append(g.structs, g.structType(g.IntN(4) == 0))
		}
		if g.with(Unions, 40) {
			g.structs = append(g.structs, g.unionType())
		}
	}
}

// variables declares variables at file scope.
func (g *gen) variables() {
	for range 3 + g.IntN(5) {
		t := g.object(2)
		v := &variable{text: g.name("g"), t: t}
		class := g.pick("static ", "static ", "")
		if g.with(Qualifiers, 15) {
			class += "const "
			v.fixed = true
		}
		if g.with(Statics, 20) {
			g.top("%s%s;\n", class, t.declare(v.text))
		}
		if g.chance(80) {
			g.top("%s%s = %s;\n", class, t.declare(v.text), g.initial(t, true))
		} else {
			g.top("%s%s;\n", class, t.declare(v.text))
		}
		g.globals = append(g.globals, v)
	}
	g.vars = slices.Clone(g.globals)
}

// scoped calls f and forgets the variables it makes visible.
func (g *gen) scoped(f func() string) string {
	n := len(g.vars)
	defer func() { g.vars = g.vars[:n:n] }()
	return f()
}

// outside calls f for something at file scope.
func (g *gen) outside(f func()) {
	vars, depth, loops, indexed, pure := g.vars, g.depth, g.loops, g.indexed, g.isPure
	g.vars, g.depth, g.loops, g.indexed, g.isPure = slices.Clone(g.globals), 0, 0, 0, false
	f()
	g.vars, g.depth, g.loops, g.indexed, g.isPure = vars, depth, loops, indexed, pure
}

// function writes a function. A pure one writes only its own variables.
func (g *gen) function(pure bool) {
	f := &function{name: g.name("f"), ret: scalar(g.numType())}
	if pure {
		f.name = g.name("pf")
	}
	if !pure && g.with(ByValue, 30) {
		f.ret = g.anyStruct()
	}
	g.outside(func() {
		g.isPure = pure
		var params []string
		for range 1 + g.IntN(4) {
			t := scalar(g.numType())
			if g.with(ByValue, 20) {
				t = g.anyStruct()
			}
			p := g.name("p")
			f.params = append(f.params, t)
			params = append(params, t.declare(p))
			g.vars = append(g.vars, &variable{text: p, t: t})
		}
		body := ""
		if pure {
			for _, v := range g.globals {
				v.fixed, v.was = true, v.fixed
			}
		} else {
			body = sp("if (--fuel < 0) return %s;\n", g.someValue(f.ret))
		}
		body += g.locals(1+g.IntN(3)) + g.statements(2+g.IntN(4)) + sp("return %s;\n", g.valueFor(f.ret, 2))
		if pure {
			for _, v := range g.globals {
				v.fixed = v.was
			}
		}
		g.top("static %s%s {\n%s}\n", g.pick("", "", "", "inline ", "__attribute__((noinline)) "), f.ret.declare(f.name+"("+strings.Join(params, ", ")+")"), body)
	})
	if pure {
		g.pure = append(g.pure, f)
	} else {
		g.funcs = append(g.funcs, f)
	}
}

// someValue returns a value of a type that needs no variables.
func (g *gen) someValue(t *ctype) string {
	if t.num != nil {
		return sp("%d", g.IntN(9))
	}
	return sp("(%s)%s", t.typeName(), g.initial(t, true))
}

// valueFor returns an expression that can be assigned to an object of a type, which is
// no array.
func (g *gen) valueFor(t *ctype, depth int) string {
	switch {
	case t.num == nil:
		for range 4 {
			if v := g.visible(func(v *variable) bool { return v.t == t }); v != nil {
				return v.text
			}
		}
		return g.someValue(t)
	case t.num.float:
		return g.fits(g.floatOrInt(depth), t.num).s
	}
	e := g.int(depth)
	return e.s
}

// floatOrInt returns a number of any type.
func (g *gen) floatOrInt(depth int) expr {
	if g.chance(25) {
		e := g.int(depth)
		if e.t.bits <= 64 {
			e.most = e.size()
			return e
		}
	}
	return g.float(depth)
}

// fits returns f as a value that a variable of a floating type may hold.
func (g *gen) fits(f expr, t *number) expr {
	if f.most < limit {
		return f
	}
	n := f.t
	if !n.float {
		n = t
	}
	return expr{s: g.finite(n) + "(" + f.s + ")", prec: precPrimary, t: n, most: limit}
}

// locals declares variables of a function.
func (g *gen) locals(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(g.local(g.object(2)))
	}
	return b.String()
}

// local declares a variable.
func (g *gen) local(t *ctype) string {
	v := &variable{text: g.name("v"), t: t}
	s := sp("%s = %s;\n", t.declare(v.text), g.initial(t, false))
	switch {
	case t.num != nil && g.with(Qualifiers, 10):
		s = g.pick("register ", "auto ") + s
		v.register = true
	case g.with(Statics, 10) && !g.isPure:
		s = sp("static %s = %s;\n", t.declare(v.text), g.initial(t, true))
	}
	g.vars = append(g.vars, v)
	return s
}

// main writes the function main, which calls the others and prints the variables.
func (g *gen) main() {
	g.outside(func() {
		body := g.locals(2) + g.statements(8+g.IntN(5))
		for _, f := range g.funcs {
			body += g.callStatement(f)
		}
		for _, v := range g.globals {
			body += g.dump(v)
		}
		body += "printf(\"sum %lx\\n\", sum);\n"
		exit := g.pick("return", "return", "exit")
		g.top("int main(%s) {\n%s%s((int)(sum & %d));\n}\n", g.pick("void", "", "int argc, char **argv"), body, exit, []int{127, 63, 255, 0}[g.IntN(4)])
	})
}

// indent puts blanks before the lines inside of braces.
func indent(s string) string {
	var b strings.Builder
	depth := 0
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		d := depth
		if strings.HasPrefix(trimmed, "}") {
			d--
		}
		if strings.HasPrefix(trimmed, "#") {
			d = 0
		}
		b.WriteString(strings.Repeat("  ", max(d, 0)) + trimmed + "\n")
		depth += braces(trimmed)
	}
	return b.String()
}

// braces returns how many braces a line opens and does not close.
func braces(line string) int {
	n := 0
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			n++
		case c == '}':
			n--
		}
	}
	return n
}
