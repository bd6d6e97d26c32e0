package randapp

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"comus/specialise"
)

// Program is a random program.
type Program struct {
	Seed uint64
	Text string
	// Idioms are the names of what it is made of.
	Idioms []string
	// Bug says what is wrong with it, on purpose; "" if nothing is.
	Bug string
	// Violates is the property that the bug violates, one of [specialise.CheckNames].
	Violates string
}

// Claim is what is known of a property by the way the program is made: "SAFE", "UNSAFE", or "" where nothing is.
// A right program has no violation of any kind; of one with a bug only the property that it violates is claimed.
func (p *Program) Claim(property string) string {
	switch {
	case p.Bug == "":
		return "SAFE"
	case p.Violates == property:
		return "UNSAFE"
	case p.Violates == specialise.Assert && property != specialise.Leak: // nothing but the expected value is wrong
		return "SAFE"
	}
	return ""
}

// Options change what programs are like.
type Options struct {
	Right  bool     // no bugs
	Idioms []string // none but these
}

// New returns the program of a seed.
func New(seed uint64, opt Options) *Program {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 28)), once: map[string]bool{}, used: map[string]int{}}
	g.threads = 2
	if g.chance(10) {
		g.threads = 3
	}
	g.bodies = make([][]string, g.threads)
	g.passing = passing(g.IntN(int(passings)))
	if !opt.Right && g.chance(60) {
		g.wanted = g.one(bugKinds...)
	}
	p := &Program{Seed: seed}
	list := slices.DeleteFunc(slices.Clone(idioms), func(x idiom) bool { return len(opt.Idioms) > 0 && !slices.Contains(opt.Idioms, x.name) })
	count := 1
	if g.chance(30) {
		count = 2
	}
	g.several = count > 1
	for range count {
		x := g.weighted(list)
		x.write(g)
		p.Idioms = append(p.Idioms, x.name)
	}
	p.Text = g.program()
	p.Bug, p.Violates = g.bugText, g.violates
	return p
}

// idiom is something that programs do, with objects, functions and steps of threads of its own.
type idiom struct {
	name   string
	weight int
	write  func(*gen)
}

var bugKinds = []string{specialise.Assert, specialise.Assert, specialise.Race, specialise.Deadlock, specialise.Deadlock, specialise.Memory, specialise.Memory, specialise.Leak}

// gen writes a program.
type gen struct {
	*rand.Rand
	threads int
	passing passing
	several bool   // idioms
	wanted  string // the property to violate
	bugText string
	// violates is wanted once there is a bug.
	violates string

	once     map[string]bool // declarations that are there
	used     map[string]int  // names
	cells    []string        // types that objects have in them
	types    []string
	globals  []string
	funcs    []string
	objects  []*object
	bodies   [][]string // the steps of each thread
	early    []string   // what main does first
	during   []mainStep // while threads run
	after    []mainStep // after they are joined
	atEnd    []string   // what gives back what is left
	results  string     // what a thread returns; "" for null
	prologue string     // what a thread does first, if it returns something
	joined   []string   // what main does with r, which thread i has returned
}

func (g *gen) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

func (g *gen) weighted(list []idiom) idiom {
	sum := 0
	for _, x := range list {
		sum += x.weight
	}
	k := g.IntN(sum)
	for _, x := range list {
		if k -= x.weight; k < 0 {
			return x
		}
	}
	panic("randapp: no idiom")
}

// bug reports whether this is the place to do something wrong that violates a property.
func (g *gen) bug(property, what string) bool {
	if g.wanted != property || g.bugText != "" || !g.chance(60) {
		return false
	}
	g.bugText, g.violates = what, property
	return true
}

// expect returns the text of a number that an assertion asks for, or another one.
func (g *gen) expect(n int) string {
	if g.bug(specialise.Assert, "the expected value is wrong") {
		n += 1 + g.IntN(2)
	}
	return fmt.Sprint(n)
}

// name returns a name that no other has.
func (g *gen) name(base string) string {
	g.used[base]++
	if n := g.used[base]; n > 1 {
		return fmt.Sprintf("%s%d", base, n)
	}
	return base
}

// declare adds a declaration of file scope once.
func (g *gen) declare(text string) {
	if !g.once[text] {
		g.once[text] = true
		g.globals = append(g.globals, text)
	}
}

// helper adds a function once.
func (g *gen) helper(text string) {
	if !g.once[text] {
		g.once[text] = true
		g.funcs = append(g.funcs, text)
	}
}

// intType is an integer type that holds 0 to 100.
func (g *gen) intType() string {
	return g.one("int", "int", "int", "unsigned", "long", "short", "unsigned char", "signed char", "unsigned short", "size_t", "int64_t", "uint8_t", "long long", "uint32_t")
}

// input returns an expression of main or a thread whose value below n depends on the arguments of the program.
func (g *gen) input(n int) string {
	g.declare("static unsigned start;")
	if !g.once["start ="] {
		g.once["start ="] = true
		g.early = append(g.early, g.one("start = argc;", "start = argc > 1 ? (unsigned)atoi(argv[1]) : 1;", "if (argc > 1)\n    start = argv[1][0];"))
	}
	if n&(n-1) == 0 && g.chance(50) {
		return fmt.Sprintf("(start & %d)", n-1)
	}
	return fmt.Sprintf("start %% %d", n)
}

// index returns an expression below n for the use of one thread or of main.
func (g *gen) index(n int) string {
	switch g.IntN(5) {
	case 0:
		return fmt.Sprint(g.IntN(n))
	case 1:
		return fmt.Sprintf("(%s + %d) %% %d", g.input(n), g.IntN(n), n)
	}
	return g.input(n)
}

// step adds statements to what a thread does.
func (g *gen) step(thread int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if g.several && declares.MatchString(text) {
		text = "{\n" + indented([]string{text}) + "}"
	}
	g.bodies[thread] = append(g.bodies[thread], text)
}

// declares matches the declaration of a variable.
var declares = regexp.MustCompile(`(?m)^(const |struct |int |long |char |void )`)

// all adds the same statements to each thread.
func (g *gen) all(format string, args ...any) {
	for i := range g.threads {
		g.step(i, format, args...)
	}
}

// mainStep is something that main does with an object, p.
type mainStep struct {
	o    *object
	text string
}

// check adds what main does with an object, p, after the threads have ended.
func (g *gen) check(o *object, format string, args ...any) {
	g.after = append(g.after, mainStep{o, o.expand(fmt.Sprintf(format, args...))})
}

// meanwhile adds what main does with an object, p, while threads run.
func (g *gen) meanwhile(o *object, format string, args ...any) {
	g.during = append(g.during, mainStep{o, o.expand(fmt.Sprintf(format, args...))})
}

// steps returns the statements of main.
func steps(list []mainStep) (out []string) {
	for _, s := range list {
		out = append(out, s.o.about(s.o.uses, []string{s.text})...)
	}
	return out
}

// fn adds a function of an object: $N stands for the object's name, $LOCK and $UNLOCK for what takes and gives its lock.
func (g *gen) fn(o *object, text string) { g.funcs = append(g.funcs, o.expand(text)) }

var headers = []struct{ header, uses string }{
	{"<assert.h>", `\bassert\(`},
	{"<errno.h>", `\berrno\b|\bE[A-Z]{3,}\b`},
	{"<limits.h>", `\b(INT|LONG|CHAR|SHRT|UINT|ULONG|LLONG)_(MAX|MIN)\b`},
	{"<pthread.h>", `pthread_`},
	{"<sched.h>", `sched_yield`},
	{"<semaphore.h>", `\bsem_`},
	{"<signal.h>", `\bsig|SIG`},
	{"<stdarg.h>", `va_start`},
	{"<stdatomic.h>", `\batomic_|memory_order|_Atomic`},
	{"<stdbool.h>", `\bbool\b`},
	{"<stddef.h>", `offsetof`},
	{"<stdint.h>", `int(8|16|32|64|ptr)_t|INTPTR|SIZE_MAX|U?INT64_M`},
	{"<stdio.h>", `printf|\bputs`},
	{"<stdlib.h>", `alloc|free|abort|ato[il]|memalign|exit|NULL|qsort|strtol`},
	{"<string.h>", `\b(str|mem)(cpy|len|ncmp|cmp|set|cat|ncpy|move|chr|dup)\(`},
	{"<sys/mman.h>", `MAP_`},
	{"<sys/wait.h>", `waitpid`},
	{"<time.h>", `timer_|clock_|nanosleep|itimerspec|timespec`},
	{"<unistd.h>", `\bfork\(|_exit|usleep|\bpipe\(|\bread\(|\bwrite\(|\bclose\(`},
}

// program puts the parts together.
func (g *gen) program() string {
	body := g.workers() // first, as it declares
	m := g.mainFunc()
	var objects []string
	for _, o := range g.objects {
		objects = append(objects, o.typeText())
	}
	text := strings.Join(slices.Concat(g.cells, objects, g.types, g.globals, g.funcs, []string{body, m}), "\n") + "\n"
	for _, o := range g.objects {
		text = o.renest(text)
	}
	var head strings.Builder
	head.WriteString("#define _GNU_SOURCE\n")
	for _, h := range headers {
		if regexp.MustCompile(h.uses).MatchString(text) {
			head.WriteString("#include " + h.header + "\n")
		}
	}
	return head.String() + text
}

// indented returns lines two or more blanks further in.
func indented(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		for part := range strings.Lines(l + "\n") {
			b.WriteString("  " + part)
		}
	}
	return b.String()
}
