package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Feature is a set of things a program may contain.
type Feature uint64

// The features.
const (
	Locks      Feature = 1 << iota // mutexes
	Atomics                        // __VERIFIER_atomic_begin and _end
	Inputs                         // __VERIFIER_nondet_bool
	Awaits                         // loops that wait for another thread
	Loops                          // loops that run two or three times
	Assumes                        // __VERIFIER_assume
	Servers                        // loops with side effects that may run forever
	Wraps                          // an unsigned char that wraps around
	Arrays                         // an array indexed by a flag
	Calls                          // a helper function several threads call
	Builtins                       // __sync builtins
	Pointers                       // pointers to globals, shared and local
	Indexes                        // an array with a shared variable as index
	Conditions                     // condition variables
	Stdatomic                      // C11 atomics
	Semaphores                     // POSIX semaphores
	Jumps                          // break and continue, do-while, nested loops
	Crowds                         // one to four threads beside main, instead of one or two
	Retargets                      // pointers move between targets; needs Pointers

	// The features of More.
	Barriers       // barriers
	ReadWrites     // read-write locks
	Onces          // pthread_once
	Tries          // pthread_mutex_trylock
	MutexKinds     // recursive and error-checking mutexes
	Spawners       // threads that create and join threads
	ThreadLocals   // _Thread_local variables
	ThreadKeys     // pthread_setspecific
	Copies         // structs that are copied while others change them
	MemoryBlocks   // memset, memcpy and memmove
	Strings        // strings in shared arrays
	Recursions     // functions that call themselves
	Switches       // switch
	Arithmetic     // unsigned and narrow integers
	Choices        // pointers with several targets, and arrays of them
	Lists          // lists of nodes from malloc
	Handovers      // nodes from malloc that one thread gives to another
	FunctionTables // pointers to several functions
	Cells          // structs with a mutex of their own

	// Basic is what every front end should understand from the start.
	Basic = Locks | Atomics | Inputs | Awaits | Loops | Assumes
	// All is what is there without the features that make programs larger or
	// bring objects of their own; the programs of a seed stay the same.
	All = Basic | Servers | Wraps | Arrays | Calls | Builtins
	// More is what brings objects of its own, of which a program has one to four.
	More = Barriers | ReadWrites | Onces | Tries | MutexKinds | Spawners | ThreadLocals | ThreadKeys | Copies | MemoryBlocks |
		Strings | Recursions | Switches | Arithmetic | Choices | Lists | Handovers | FunctionTables | Cells
	// Full is everything.
	Full = All | Pointers | Indexes | Conditions | Stdatomic | Semaphores | Jumps | Crowds | Retargets | More
)

// Options says what programs to make. The zero value means the defaults.
type Options struct {
	Threads       int     // created by main; 0 means 1 or 2
	MaxStatements int     // in each thread, nested ones included; 0 means 6
	Features      Feature // 0 means Basic
}

// Generate returns the C text of the program with that seed.
func Generate(seed uint64, opts Options) string { return New(seed, opts).String() }

// New returns the program with that seed.
func New(seed uint64, opts Options) *Program {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0x636f6d7573)), opts: opts}
	if g.opts.Features == 0 {
		g.opts.Features = Basic
	}
	if g.opts.Threads == 0 {
		most := 2
		if g.has(Crowds) {
			most = 4
		}
		g.opts.Threads = 1 + g.r.IntN(most)
	}
	if g.opts.MaxStatements == 0 {
		g.opts.MaxStatements = []int{6, 6, 6, 4, 3}[min(g.opts.Threads, 4)]
		if !g.has(Crowds) {
			g.opts.MaxStatements = 6
		}
	}
	g.p = &Program{title: fmt.Sprintf("randprog, seed %d", seed)}
	g.globals()
	g.functions()
	g.main()
	return g.p
}

// generator makes one program.
type generator struct {
	r       *rand.Rand
	opts    Options
	p       *Program
	ints    []string // shared variables, by what they can hold
	flags   []string
	bytes   []string
	array   string
	objects objects
	mutexes []string
	calls   []string       // call statements
	parts   [][]*node      // an idiom's part of each thread
	final   *node          // an assertion for after the joins, or nil
	hot     map[string]int // the constant that a variable meets most
	asserts int

	active    []extra // what More brings
	setup     []*node // what main starts with
	spawned   int     // statements that create threads, in threads other than main too
	recursive bool    // MutexKinds: which kind
	counted   bool    // ThreadLocals: there is count
	keyed     bool    // ThreadKeys: the values are addresses
	noded     bool    // struct node is declared
	careful   bool    // Lists: everybody uses the lock
}

func (g *generator) has(f Feature) bool { return g.opts.Features&f != 0 }

// chance reports true in percent of the cases.
func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *generator, from []T) T { return from[g.r.IntN(len(from))] }

// globals chooses and declares the shared variables.
func (g *generator) globals() {
	p := g.p
	for _, e := range []struct {
		needs Feature
		text  string
	}{
		{Inputs, "extern _Bool __VERIFIER_nondet_bool(void);"},
		{Assumes, "extern void __VERIFIER_assume(int);"},
		{Atomics, "extern void __VERIFIER_atomic_begin(void);"},
		{Atomics, "extern void __VERIFIER_atomic_end(void);"},
	} {
		if g.has(e.needs) {
			p.externs = append(p.externs, e.text)
		}
	}
	g.hot = map[string]int{}
	g.ints = []string{"x", "y", "z"}[:1+g.r.IntN(3)]
	g.flags = []string{"f", "g"}[:g.r.IntN(3)]
	if g.has(Locks) && g.chance(60) {
		g.mutexes = []string{"m", "n"}[:1+g.r.IntN(2)]
	}
	for _, v := range g.ints {
		g.hot[v] = 1 + g.r.IntN(2)
		p.globals = append(p.globals, fmt.Sprintf("int %s = %d;", v, g.r.IntN(5)/3))
	}
	if len(g.flags) > 0 {
		p.globals = append(p.globals, "_Bool "+strings.Join(g.flags, ", ")+";")
	}
	if g.has(Wraps) && g.chance(40) {
		g.bytes = []string{"u"}
		p.globals = append(p.globals, fmt.Sprintf("unsigned char u = %d;", pick(g, []int{0, 1, 254, 255})))
	}
	if g.has(Arrays) && len(g.flags) > 0 && g.chance(50) {
		g.array = "v"
		p.globals = append(p.globals, "int v[2];")
	}
	g.moreGlobals()
	g.chooseIdiom()
	g.p.observed = append(g.p.observed, g.ints...)
	g.chooseExtras()
	for _, m := range g.mutexes {
		p.globals = append(p.globals, "pthread_mutex_t "+m+" = PTHREAD_MUTEX_INITIALIZER;")
	}
}

// functions makes the threads' functions and the helpers they call.
func (g *generator) functions() {
	if g.has(Calls) && g.chance(60) {
		s := g.scope(2, "k")
		s.locals = []string{"k"}
		s.inner = true
		f := &function{header: "static void helper(int k)", body: s.statements(0)}
		g.p.helpers = append(g.p.helpers, f)
		g.calls = []string{"helper(0);", "helper(1);"}
	}
	for i := range g.opts.Threads {
		s := g.scope(g.budget(i+1), "a", "b")
		f := &function{header: fmt.Sprintf("static void *worker%d(void *arg)", i+1), last: "return 0;"}
		f.body = g.merge(s.statements(0), g.parts[i+1])
		f.locals = s.declarations()
		g.p.threads = append(g.p.threads, f)
	}
}

// budget returns how many random statements a thread may have beside its part
// of an idiom.
func (g *generator) budget(thread int) int {
	most := max(0, g.opts.MaxStatements-len(g.parts[thread]))
	least := most / 2
	if thread == 0 {
		least = 0
	}
	return least + g.r.IntN(most-least+1)
}

// main makes the main function: create the threads, work, join, assert.
func (g *generator) main() {
	s := g.scope(g.budget(0), "a", "b")
	f := &function{header: "int main(void)", last: "return 0;"}
	f.body = append(f.body, g.setup...)
	if s.objects.semaphore {
		f.body = append(f.body, line("sem_init(&s, 0, %d);", g.r.IntN(2)))
	}
	if g.chance(20) {
		s.alone = true
		f.body = append(f.body, s.statements(s.budget-1)...)
		s.alone = false
	}
	var ids []string
	for i := range g.opts.Threads {
		id := fmt.Sprintf("t%d", i+1)
		ids = append(ids, id)
		f.body = append(f.body, line("pthread_create(&%s, 0, worker%d, 0);", id, i+1))
		if g.chance(20) && s.budget > 0 {
			f.body = append(f.body, s.statements(s.budget-1)...)
		}
	}
	f.body = append(f.body, g.merge(s.statements(0), g.parts[0])...)
	joinAll := g.final != nil || g.chance(70)
	for _, id := range ids {
		if joinAll || g.chance(40) {
			f.body = append(f.body, line("pthread_join(%s, 0);", id))
		}
	}
	if g.final != nil {
		f.body = append(f.body, g.final)
	}
	if g.asserts == 0 || g.chance(55) {
		f.body = append(f.body, s.assertion())
	}
	f.locals = append([]string{"pthread_t " + strings.Join(ids, ", ") + ";"}, s.declarations()...)
	g.p.threads = append(g.p.threads, f)
}
