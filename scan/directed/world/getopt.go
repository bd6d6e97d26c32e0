package world

import (
	"strings"

	"comus/cir"
	"comus/cir/interp"
)

// options is glibc's state of getopt.
type options struct {
	first, last int64        // arguments that are no options, and have been passed over
	next        interp.Value // the rest of an argument with several short options
	inOrder     bool         // options end at the first argument that is none
	asOptions   bool         // other arguments are options with the number 1
}

// getopts is one call of getopt or getopt_long, by glibc's algorithm, with POSIXLY_CORRECT not set.
type getopts struct {
	*call
	*options
	optind interp.Value // where it is
	argc   int64
	argv   interp.Value
	short  string
	longs  interp.Value // null: none
	which  interp.Value
	i      int64 // the value of optind
	err    error
}

func getopt(c *call) (interp.Value, bool, error) {
	if c.opts == nil {
		c.opts = &options{}
	}
	g := &getopts{call: c, options: c.opts, argc: int64(int32(c.args[0].Int())), argv: c.args[1]}
	if len(c.args) > 3 {
		g.longs, g.which = c.args[3], c.args[4]
	}
	if g.short, g.err = c.m.String(c.args[2]); g.err != nil {
		return interp.Value{}, true, g.err
	}
	if strings.Contains(g.short, "W;") {
		return interp.Value{}, false, nil
	}
	for _, o := range strings.Trim(g.short, "+-:") {
		if o != ':' {
			want(&c.Wanted.Options, "-"+string(o))
		}
	}
	if g.optind, g.err = c.m.Global("optind"); g.err == nil {
		g.i = g.int(g.optind)
	}
	r := g.all()
	g.set("optind", g.i)
	if g.err != nil {
		return interp.Value{}, true, g.err
	}
	return number(r)
}

func (g *getopts) int(p interp.Value) int64 {
	b, err := g.m.Bytes(p, 4)
	if err != nil {
		g.err = err
		return 0
	}
	return int64(int32(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24))
}

// set sets an int of the library's.
func (g *getopts) set(name string, v int64) {
	p, err := g.m.Global(name)
	if err == nil {
		err = g.m.SetBytes(p, little(v, 4))
	}
	if g.err == nil {
		g.err = err
	}
}

// argument sets optarg.
func (g *getopts) argument(p interp.Value) {
	at, err := g.m.Global("optarg")
	if err == nil {
		err = g.m.SetPointer(at, p)
	}
	if g.err == nil {
		g.err = err
	}
}

func (g *getopts) arg(i int64) interp.Value {
	p, err := g.m.Pointer(g.argv.Plus(i * g.m.Model().SizeOf(g.m.Model().Pointer())))
	if err != nil && g.err == nil {
		g.err = err
	}
	return p
}

func (g *getopts) text(p interp.Value) string {
	if g.err != nil || p.IsNull() {
		return ""
	}
	s, err := g.m.String(p)
	if err != nil {
		g.err = err
	}
	return s
}

// isNone reports whether an argument is no option.
func (g *getopts) isNone(i int64) bool {
	s := g.text(g.arg(i))
	return len(s) < 2 || s[0] != '-'
}

// exchange moves options in front of the arguments that are none.
func (g *getopts) exchange() {
	var none, opts []interp.Value
	for i := g.first; i < g.last; i++ {
		none = append(none, g.arg(i))
	}
	for i := g.last; i < g.i; i++ {
		opts = append(opts, g.arg(i))
	}
	for k, p := range append(opts, none...) {
		if err := g.m.SetPointer(g.argv.Plus((g.first+int64(k))*g.m.Model().SizeOf(g.m.Model().Pointer())), p); err != nil && g.err == nil {
			g.err = err
		}
	}
	g.first += g.i - g.last
	g.last = g.i
}

// begin looks at the first characters of the short options.
func (g *getopts) begin() {
	if g.i == 0 || g.first == 0 {
		if g.i == 0 {
			g.i = 1
		}
		g.first, g.last, g.next = g.i, g.i, interp.Value{}
		g.inOrder, g.asOptions = strings.HasPrefix(g.short, "+"), strings.HasPrefix(g.short, "-")
	}
	if g.short != "" && strings.ContainsRune("+-", rune(g.short[0])) {
		g.short = g.short[1:]
	}
}

// missing is the result where an argument is missing.
func (g *getopts) missing() int64 {
	if strings.HasPrefix(g.short, ":") {
		return ':'
	}
	return '?'
}

func (g *getopts) all() int64 {
	if g.argc < 1 {
		return -1
	}
	g.argument(null())
	g.begin()
	if g.text(g.next) == "" {
		if r, done := g.element(); done {
			return r
		}
	}
	return g.letter()
}

// element goes to the next argument that is an option. It is done if this one tells the result.
func (g *getopts) element() (r int64, done bool) {
	g.last, g.first = min(g.last, g.i), min(g.first, g.i)
	if !g.inOrder && !g.asOptions {
		if g.first != g.last && g.last != g.i {
			g.exchange()
		} else if g.last != g.i {
			g.first = g.i
		}
		for g.i < g.argc && g.isNone(g.i) && g.err == nil {
			g.i++
		}
		g.last = g.i
	}
	if g.i != g.argc && g.text(g.arg(g.i)) == "--" {
		g.i++
		if g.first != g.last && g.last != g.i {
			g.exchange()
		} else if g.first == g.last {
			g.first = g.i
		}
		g.last, g.i = g.argc, g.argc
	}
	if g.i == g.argc {
		if g.first != g.last {
			g.i = g.first
		}
		return -1, true
	}
	if g.isNone(g.i) {
		if g.inOrder {
			return -1, true
		}
		g.argument(g.arg(g.i))
		g.i++
		return 1, true
	}
	if s := g.text(g.arg(g.i)); !g.longs.IsNull() && strings.HasPrefix(s, "--") {
		return g.long(g.arg(g.i).Plus(2), s[2:]), true
	}
	g.next = g.arg(g.i).Plus(1)
	return 0, false
}

// letter takes the next short option.
func (g *getopts) letter() int64 {
	s := g.text(g.next)
	if s == "" {
		return '?'
	}
	c := s[0]
	g.next = g.next.Plus(1)
	if len(s) == 1 {
		g.i++
	}
	at := strings.IndexByte(g.short, c)
	if at < 0 || c == ':' || c == ';' {
		g.set("optopt", int64(c))
		return '?'
	}
	rest := g.short[at+1:]
	switch {
	case !strings.HasPrefix(rest, ":"):
		return int64(c)
	case len(s) > 1:
		g.argument(g.next)
		g.i++
	case strings.HasPrefix(rest, "::"):
	case g.i == g.argc:
		g.set("optopt", int64(c))
		g.next = interp.Value{}
		return g.missing()
	default:
		g.argument(g.arg(g.i))
		g.i++
	}
	g.next = interp.Value{}
	return int64(c)
}

// longOption is a struct option, and its place.
type longOption struct {
	name         string
	takes, value int64
	flag         interp.Value
}

// table reads the long options.
func (g *getopts) table() []longOption {
	var all []longOption
	w := g.m.Model().SizeOf(g.m.Model().Pointer())
	for p := g.longs; g.err == nil; p = p.Plus(4 * w) { // name, has_arg, flag, val, each in a word
		name, err := g.m.Pointer(p)
		if err != nil || name.IsNull() {
			if g.err == nil {
				g.err = err
			}
			break
		}
		flag, err := g.m.Pointer(p.Plus(2 * w))
		if err != nil {
			g.err = err
			break
		}
		want(&g.Wanted.Options, "--"+g.text(name))
		all = append(all, longOption{g.text(name), g.int(p.Plus(w)), g.int(p.Plus(3 * w)), flag})
	}
	return all
}

// find returns the option that a name means: that of the name, or the only one that begins with it; -1 if there is none.
func find(all []longOption, name string) int {
	found, many := -1, false
	for i, o := range all {
		switch {
		case o.name == name:
			return i
		case !strings.HasPrefix(o.name, name):
		case found < 0:
			found = i
		case o.takes != all[found].takes || o.flag != all[found].flag || o.value != all[found].value:
			many = true
		}
	}
	if many {
		return -1
	}
	return found
}

// long takes a long option.
func (g *getopts) long(at interp.Value, s string) int64 {
	g.next = interp.Value{}
	name, value, has := strings.Cut(s, "=")
	all := g.table()
	k := find(all, name)
	g.i++
	if k < 0 || g.err != nil {
		g.set("optopt", 0)
		return '?'
	}
	o := all[k]
	switch {
	case has && o.takes == 0:
		g.set("optopt", o.value)
		return '?'
	case has:
		g.argument(at.Plus(int64(len(s) - len(value))))
	case o.takes == 1 && g.i == g.argc:
		g.set("optopt", o.value)
		return g.missing()
	case o.takes == 1:
		g.argument(g.arg(g.i))
		g.i++
	}
	g.store(g.which, int64(k))
	if o.flag.IsNull() {
		return o.value
	}
	g.store(o.flag, o.value)
	return 0
}

// store stores an int, if there is a place for it.
func (g *getopts) store(p interp.Value, v int64) {
	if p.IsNull() || g.err != nil {
		return
	}
	g.err = g.m.SetBytes(p, little(v, 4))
}

// null is a null pointer.
func null() interp.Value { return interp.Value{Type: cir.Type{}} }
