package randapp

import (
	"fmt"
	"regexp"
	"strings"
)

// object is a struct that threads share.
type object struct {
	g       *gen
	name    string // of the struct, and of pointers to it
	members []member
	inits   []string // statements about p
	ends    []string // statements about p at its end
	lk      lock
	home    home
	inner   string // the member that holds others: see renest
	nested  map[string]bool
	tail    string // the last member, an array without a length
	extra   string // bytes for it
	uses    string // how main calls it
}

type member struct{ text, name string }

// home is where an object lies.
type home int

const (
	global    home = iota // a static variable
	pointer               // on the heap, a static pointer leads to it
	accessor              // a static variable of a function
	arrayOf               // an element of a static array, chosen by an input
	heap                  // on the heap, threads are given a pointer
	local                 // a variable of main, threads are given a pointer
	wrapped               // a member of something on the heap
	heapArray             // an element of an array on the heap, chosen by an input
	homes
)

// object begins a struct. Heap is where most of them lie.
func (g *gen) object(base string) *object {
	o := &object{g: g, name: g.name(base), nested: map[string]bool{}}
	most := homes
	if !g.passing.gives() {
		most = heap
	}
	o.home = home(g.IntN(int(most)))
	if g.chance(40) {
		o.home = pointer
		if g.passing.gives() {
			o.home = heap
		}
	}
	g.objects = append(g.objects, o)
	return o
}

// field adds a member, and its first value if that is not "".
func (o *object) field(typ, name, init string) {
	text := typ + " " + name + ";"
	if strings.Contains(typ, "%s") {
		text = fmt.Sprintf(typ, name) + ";"
	}
	o.members = append(o.members, member{text, name})
	if init != "" {
		o.inits = append(o.inits, fmt.Sprintf("p->%s = %s;", name, init))
	}
}

// array is a member with elements.
type array struct{ name, suffix string }

// at returns the text of an element, of the object p.
func (a array) at(index string) string { return fmt.Sprintf("p->%s[%s]%s", a.name, index, a.suffix) }

// array adds an array of numbers, or of structs with a number in each; its elements begin as init says.
func (o *object) array(name string, n int, init string) array {
	g := o.g
	a := array{name: name}
	typ := g.intType()
	switch g.IntN(4) {
	case 0:
		cell := g.name("cell")
		parts := []string{typ + " v;", g.one("char tag;", "short key;", "int other;", "char text[3];", "void *next;")}
		if g.chance(50) {
			parts[0], parts[1] = parts[1], parts[0]
		}
		g.cells = append(g.cells, fmt.Sprintf("struct %s {\n  %s\n  %s\n};", cell, parts[0], parts[1]))
		typ, a.suffix = "struct "+cell, ".v"
	case 1:
		if g.chance(30) {
			a.suffix = g.one("[0]", "[1]")
		}
	}
	dims := fmt.Sprintf("[%d]", n)
	if strings.HasPrefix(a.suffix, "[") {
		dims += "[2]"
	}
	o.members = append(o.members, member{typ + " " + name + dims + ";", name})
	o.inits = append(o.inits, fmt.Sprintf("for (int i = 0; i < %d; i++)\n  %s = %s;", n, a.at("i"), init))
	return a
}

// common are names of members of other structs, too.
var common = map[string]bool{"lock": true, "next": true, "data": true, "name": true, "used": true, "number": true, "read": true, "kind": true, "text": true}

// typeText is the declaration of the struct.
func (o *object) typeText() string {
	g := o.g
	list := o.members
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	pad := 0
	var out, in []string
	if g.chance(25) && len(list) > 1 {
		o.inner = g.name("in")
	}
	for _, m := range list {
		for g.chance(15) {
			out = append(out, fmt.Sprintf("%s;", fmt.Sprintf(g.one("char pad%d", "short gap%d", "char note%d[5]", "double rate%d", "void *user%d", "long long stamp%d", "int spare%d[3]"), pad)))
			pad++
		}
		if o.inner != "" && !common[m.name] && !strings.HasPrefix(m.name, "bits_") && g.chance(50) {
			o.nested[m.name] = true
			in = append(in, m.text)
			continue
		}
		out = append(out, m.text)
	}
	if len(in) > 0 {
		out = append(out, "struct {\n"+indented(in)+"} "+o.inner+";")
		if g.chance(50) {
			out[0], out[len(out)-1] = out[len(out)-1], out[0]
		}
	} else {
		o.inner = ""
	}
	if o.tail != "" {
		out = append(out, o.tail)
	}
	return fmt.Sprintf("struct %s {\n%s};", o.name, indented(out))
}

// renest gives members that are members of a member their full names. Names of members are those of one object only.
func (o *object) renest(text string) string {
	if o.inner == "" {
		return text
	}
	for name := range o.nested {
		text = regexp.MustCompile(`(->|\.)`+name+`\b`).ReplaceAllString(text, "${1}"+o.inner+"."+name)
	}
	return text
}

func (o *object) expand(text string) string {
	return strings.NewReplacer("$N", o.name, "$LOCK", o.lk.take, "$UNLOCK", o.lk.give).Replace(text)
}

// pointer is how a thread writes a pointer to the object.
func (o *object) pointer() string { return o.name }

// setUp returns what main does to have the object, and declares what that needs. It sets uses.
func (o *object) setUp() []string {
	g, n := o.g, o.name
	var lines []string
	p := ""
	switch o.home {
	case global:
		g.declare(fmt.Sprintf("static struct %s the_%s;", n, n))
		p = "&the_" + n
	case accessor:
		g.helper(fmt.Sprintf("static struct %s *the_%s(void) {\n  static struct %s it;\n  return &it;\n}", n, n, n))
		p = "the_" + n + "()"
	case pointer:
		g.declare(fmt.Sprintf("static struct %s *the_%s;", n, n))
		lines, p = o.allocate("the_"+n, true), "the_"+n
	case heap:
		lines, p = o.allocate(n, false), n
	case local:
		lines, p = []string{fmt.Sprintf("struct %s its_%s;", n, n)}, "&its_"+n
	case arrayOf:
		g.declare(fmt.Sprintf("static struct %s some_%s[2];", n, n))
		g.declare(fmt.Sprintf("static struct %s *the_%s;", n, n))
		lines, p = []string{fmt.Sprintf("the_%s = &some_%s[%s];", n, n, g.index(2))}, "the_"+n
	case heapArray:
		lines = []string{fmt.Sprintf("struct %s *some_%s = calloc(2, sizeof *some_%s);\nif (!some_%s)\n  abort();", n, n, n, n),
			fmt.Sprintf("struct %s *%s = some_%s + %s;", n, n, n, g.index(2))}
		g.atEnd = append(g.atEnd, fmt.Sprintf("free(some_%s);", n))
		p = n
	case wrapped:
		w := g.name("outer")
		g.types = append(g.types, fmt.Sprintf("struct %s {\n  %s\n  struct %s it;\n  %s\n};", w, g.one("char kind;", "int id;", "char name[6];", "double score;"), n, g.one("int after;", "char last;", "void *link;")))
		lines = []string{fmt.Sprintf("struct %s *%s = %s;\nif (!%s)\n  abort();", w, w, g.one("malloc(sizeof *"+w+")", "calloc(1, sizeof(struct "+w+"))"), w)}
		g.atEnd = append(g.atEnd, fmt.Sprintf("free(%s);", w))
		p = "&" + w + "->it"
	}
	o.uses = p
	return append(lines, o.begin(p)...)
}

// begin returns what gives the object its first values.
func (o *object) begin(p string) []string {
	if o.g.chance(70) {
		o.g.funcs = append(o.g.funcs, fmt.Sprintf("static void %s_init(struct %s *p) {\n%s}", o.name, o.name, indented(o.inits)))
		return []string{fmt.Sprintf("%s_init(%s);", o.name, p)}
	}
	return o.about(p, o.inits)
}

var ofP = regexp.MustCompile(`\bp\b(->)?`)

// about returns statements about p as statements about another pointer.
func (o *object) about(p string, lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, ofP.ReplaceAllStringFunc(l, func(m string) string {
			switch {
			case m == "p":
				return p
			case strings.HasPrefix(p, "&") && !strings.Contains(p, ">"):
				return p[1:] + "."
			case strings.HasPrefix(p, "&"):
				return p[1:] + "."
			}
			return p + "->"
		}))
	}
	return out
}

// allocate returns statements that allocate the object.
func (o *object) allocate(to string, declared bool) []string {
	g, n := o.g, o.name
	size := "sizeof *" + to
	decl := fmt.Sprintf("struct %s *", n)
	if declared {
		decl = ""
	}
	if o.extra != "" {
		size += " + " + o.extra
	}
	g.atEnd = append(g.atEnd, fmt.Sprintf("free(%s);", to))
	check := fmt.Sprintf("if (!%s)\n  %s;", to, g.one("abort()", "return 1", "exit(1)"))
	align := g.one("32", "64", "128", "128", "256", "4096")
	switch k := g.IntN(12); {
	case k < 4:
		out := []string{fmt.Sprintf("%s%s = malloc(%s);", decl, to, size), check}
		if g.chance(40) {
			out = append(out, fmt.Sprintf("memset(%s, 0, %s);", to, size))
		}
		return out
	case k < 7:
		return []string{fmt.Sprintf("%s%s = calloc(1, %s);", decl, to, size), check}
	case k < 8:
		return []string{fmt.Sprintf("%s%s = aligned_alloc(%s, (%s + %s - 1) / %s * %s);", decl, to, align, size, align, align, align), check}
	case k < 9:
		var first []string
		if !declared {
			first = []string{fmt.Sprintf("struct %s *%s;", n, to)}
		}
		return append(first, fmt.Sprintf("if (posix_memalign((void **)&%s, %s, %s))\n  return 1;", to, align, size))
	case k < 10:
		return []string{fmt.Sprintf("%s%s = realloc(NULL, %s);", decl, to, size), check}
	}
	g.helper("static void *xmalloc(size_t n) {\n  void *p = malloc(n);\n  if (!p)\n    abort();\n  return p;\n}")
	return []string{fmt.Sprintf("%s%s = xmalloc(%s);", decl, to, size)}
}

// tearDown returns what main does at the end.
func (o *object) tearDown() []string { return o.about(o.uses, o.ends) }
