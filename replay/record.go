package replay

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"comus/cir"
	"comus/cir/interp"
)

// mostRecorded bounds the accesses of a run that take turns.
const mostRecorded = 20_000_000

// recorder is told of a run, and records what it depends on in terms that mean something in C.
type recorder struct {
	*sharers
	keep  map[cir.Located]bool
	takes map[cir.Located]bool // gets a value of the run's

	log     []event
	inputs  []input
	section map[int]mark // of the threads that are in an atomic section: what was recorded when it began
	doing   map[int]int  // what a thread does: the number of an instruction
	last    int          // the thread that has begun something last
	begun   cir.Located  // and what
	several bool
	err     error

	argv    map[*interp.Object]int
	made    map[*interp.Object]int
	globals map[*interp.Object]*cir.Global
	used    []*cir.Global // of which the calls need the address
	calls   []*outside
	now     *outside
	beyond  map[*cir.Func]int // numbers of functions, as if they were instructions behind all others
}

// event is what takes a turn: a thread does something.
type event struct{ thread, n int }

// input is a value that a thread gets.
type input struct {
	event
	value uint64
	keep  bool // it is what the thread finds in memory
}

type mark struct{ log, inputs int }

// outside is a call of what has no body.
type outside struct {
	event
	known   bool
	args    []interp.Value
	effects []effect
	result  operand
}

// effect is what such a call does to memory.
type effect struct {
	kind  string
	at    operand
	bytes []byte
	to    operand // the pointer that is written
	n     int64
}

// operand is a number, or an address as a distance from where something begins that both programs know.
type operand struct {
	base  string
	index int
	off   uint64
}

func newRecorder(p *cir.Program, numbers map[cir.Located]int, first *sharers) *recorder {
	r := &recorder{sharers: first, keep: first.keeps(), takes: map[cir.Located]bool{}, section: map[int]mark{}, doing: map[int]int{},
		argv: map[*interp.Object]int{}, made: map[*interp.Object]int{}, globals: map[*interp.Object]*cir.Global{}, beyond: map[*cir.Func]int{}}
	for i, f := range p.Funcs {
		r.beyond[f] = len(numbers) + 1 + i
	}
	for in := range numbers {
		if first.takes(in) {
			r.takes[in] = true
		}
	}
	return r
}

// takes reports whether the result of an instruction is the run's, and not what C makes of it.
func (s *sharers) takes(in cir.Located) bool {
	switch in := in.(type) {
	case *cir.Load:
		return s.unset[in] && (in.Type.IsInt() && in.Type.Bits <= 64 || in.Type.IsPointer())
	case *cir.Intrinsic:
		if in.Dst == nil {
			return false
		}
		switch in.Op {
		case cir.Nondet, cir.IsSet, cir.IsConst, cir.Scan:
			return true
		}
	}
	return false
}

// Traces implements interp.Tracer.
func (r *recorder) Traces(*cir.Func) func(cir.Located) bool {
	return func(in cir.Located) bool { return r.keep[in] || r.takes[in] || havocs(in) }
}

// havocs reports whether an instruction writes bytes that come from outside.
func havocs(in cir.Located) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && i.Op == cir.HavocBytes
}

// Begins implements interp.Tracer.
func (r *recorder) Begins(thread int, in cir.Located) {
	r.doing[thread], r.last, r.begun = r.numbers[in], thread, in
	switch in := in.(type) {
	case *cir.Call: // the structs that are copied
		if r.keep[in] && hasStructs(in) {
			r.takesTurn(thread, r.numbers[in])
		}
	case *cir.Return:
		if r.keep[in] {
			r.takesTurn(thread, r.numbers[in])
		}
	case *cir.Intrinsic:
		if in.Op == cir.ThreadExit {
			delete(r.section, thread)
		}
		if in.Op == cir.ThreadExit || cir.Located(in) == r.fails {
			r.takesTurn(thread, r.numbers[in])
		}
	default:
		if in == r.fails { // it may not end
			r.takesTurn(thread, r.numbers[in])
		}
	}
}

// Ends implements interp.Tracer.
func (r *recorder) Ends(thread int, in cir.Located, result interp.Value, indeterminate bool) {
	n := r.numbers[in]
	r.doing[thread] = 0
	if r.takes[in] {
		_, load := in.(*cir.Load)
		r.inputs = append(r.inputs, input{event{thread, n}, result.Lo, load && !indeterminate})
		if result.Obj != nil && !load {
			r.fail("an input is a pointer")
		}
	}
	switch in.(type) {
	case *cir.Call, *cir.Return:
	default:
		if r.keep[in] && in != r.fails {
			r.takesTurn(thread, n)
		}
	}
	r.several = r.several || creates(in)
}

// takesTurn records what takes a turn: nothing does while there is one thread.
func (r *recorder) takesTurn(thread, n int) {
	if r.several {
		r.log = append(r.log, event{thread, n})
	}
	if len(r.log) > mostRecorded {
		r.fail("the run has too many accesses of what threads share")
		r.log = r.log[:0]
	}
}

func (r *recorder) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// Accesses implements interp.Tracer.
func (r *recorder) Accesses(int, *interp.Object, int64, int64, bool) {}

// Section implements interp.Tracer.
func (r *recorder) Section(thread int, begins bool) {
	if begins {
		r.section[thread] = mark{len(r.log), len(r.inputs)}
	} else {
		delete(r.section, thread)
	}
}

// Again implements interp.Tracer. Nobody else does anything in an atomic section.
func (r *recorder) Again(thread int) {
	if m, ok := r.section[thread]; ok {
		r.log, r.inputs = r.log[:m.log], r.inputs[:m.inputs]
		delete(r.section, thread)
	} else if n := r.doing[thread]; n == 0 {
		r.fail("a thread waits in a way that C does not know")
	}
}

// Argument implements interp.Tracer.
func (r *recorder) Argument(i int, o *interp.Object) { r.argv[o] = i }

// Global implements interp.Tracer.
func (r *recorder) Global(g *cir.Global, o *interp.Object) { r.globals[o] = g }

// mostArgs and mostGlobals are how many arguments and variables the runtime is told of in a call.
const mostArgs, mostGlobals = 8, 8

// Calls implements interp.Tracer.
func (r *recorder) Calls(thread int, f *cir.Func, direct bool, args []interp.Value) {
	if !r.outside[f] && len(f.Blocks) > 0 {
		r.now = nil
		return
	}
	n := r.beyond[f]
	if len(f.Blocks) == 0 && !direct {
		r.fail("'%s', which has no body, is called through a pointer", f.Source)
	}
	r.now = &outside{event: event{thread, n}, args: args}
	r.doing[thread], r.last, r.begun = n, thread, nil
}

// Called implements interp.Tracer.
func (r *recorder) Called(thread int, known bool, result interp.Value) {
	if r.now == nil {
		return
	}
	if r.now.known = known; known {
		r.now.result = r.operand(result)
		r.takesTurn(thread, r.now.n)
	} else {
		r.now.effects = nil
	}
	r.calls = append(r.calls, r.now)
	r.now = nil
	r.doing[thread] = 0
}

// operand names a value.
func (r *recorder) operand(v interp.Value) operand {
	if v.Obj == nil {
		if isAddress(v.Lo) {
			r.fail("an address is a number outside")
		}
		return operand{"NUMBER", 0, v.Lo}
	}
	if i, ok := r.argv[v.Obj]; ok {
		return operand{"ARGV", i, v.Lo}
	}
	if i, ok := r.made[v.Obj]; ok {
		return operand{"MADE", i, v.Lo}
	}
	if g := r.globals[v.Obj]; g != nil {
		i := slices.Index(r.used, g)
		if i < 0 {
			i = len(r.used)
			if r.used = append(r.used, g); i >= mostGlobals {
				r.fail("too many variables are changed outside")
			}
		}
		return operand{"GLOBAL", i, v.Lo}
	}
	if r.now != nil {
		for i, a := range r.now.args {
			if a.Obj == v.Obj && i < mostArgs {
				return operand{"ARGUMENT", i, v.Lo - a.Lo}
			}
		}
	}
	r.fail("a function without a body makes use of %s, which is none of its arguments", v.Obj.Name())
	return operand{}
}

func (r *recorder) effect(e effect) {
	if r.now != nil {
		r.now.effects = append(r.now.effects, e)
	}
}

// Reads implements interp.Tracer.
func (r *recorder) Reads(p interp.Value, n int64) {
	if r.now != nil && p.Obj != nil && n > 0 && slices.ContainsFunc(r.now.args, func(a interp.Value) bool { return a.Obj == p.Obj }) {
		r.effect(effect{kind: "READS", at: r.operand(p), n: n})
	}
}

// Writes implements interp.Tracer.
func (r *recorder) Writes(p interp.Value, b []byte, pointer interp.Value) {
	switch {
	case r.now == nil && havocs(r.begun):
		r.calls = append(r.calls, &outside{event: event{r.last, r.numbers[r.begun]}, known: true,
			effects: []effect{{kind: "WRITES", at: operand{base: "ARGUMENT"}, bytes: slices.Clone(b), n: int64(len(b))}}})
	case r.now == nil:
	case len(b) > 0:
		r.effect(effect{kind: "WRITES", at: r.operand(p), bytes: slices.Clone(b), n: int64(len(b))})
	default:
		r.effect(effect{kind: "POINTS", at: r.operand(p), to: r.operand(pointer), n: 8})
	}
}

// Makes implements interp.Tracer.
func (r *recorder) Makes(p interp.Value, n int64) {
	if r.now != nil {
		r.made[p.Obj] = len(r.made)
		r.effect(effect{kind: "MAKES", at: r.operand(p), n: n})
	}
}

// finish makes sure that the last turn is that of the race's second access, or of the assertion that fails, if there are turns.
func (r *recorder) finish() {
	if r.fails != nil && !r.several {
		return
	}
	if k := len(r.log); k == 0 || r.log[k-1].thread != r.last {
		r.fail("the last access of the run is none that is known in C")
	}
}

// schedule returns the run as C.
func (r *recorder) schedule(given Given, what string, waits []interp.Wait, threads int) string {
	var b strings.Builder
	b.WriteString("#include \"comus_whole.h\"\nconst struct comus_slice comus_slices[] = {\n")
	turns := 0
	for i := 0; i < len(r.log); {
		k, hash := i, uint32(0)
		for ; k < len(r.log) && r.log[k].thread == r.log[i].thread; k++ {
			hash = hash*31 + uint32(r.log[k].n)
		}
		fmt.Fprintf(&b, "{%d, %d, %du},\n", r.log[i].thread, k-i, hash)
		turns++
		i = k
	}
	b.WriteString("{0, 0, 0}};\nconst struct comus_value comus_values[] = {\n")
	values := 0
	slices.SortStableFunc(r.inputs, func(x, y input) int { return x.thread - y.thread })
	for i := 0; i < len(r.inputs); values++ {
		in, k := r.inputs[i], i+1
		keep := 0
		if in.keep {
			keep, in.n, in.value = 1, 0, 0
		}
		for k < len(r.inputs) && r.inputs[k].thread == in.thread && r.inputs[k].keep == in.keep && (in.keep || r.inputs[k] == in) {
			k++
		}
		fmt.Fprintf(&b, "{%d, %d, %d, %d, %#xul},\n", in.thread, in.n, k-i, keep, in.value)
		i = k
	}
	b.WriteString("{0, 0, 0, 0, 0}};\nconst struct comus_effect comus_effects[] = {\n")
	effects := 0
	for _, c := range r.calls {
		for _, e := range c.effects {
			bytes := "0"
			if e.bytes != nil {
				bytes = cString(e.bytes)
			}
			fmt.Fprintf(&b, "{COMUS_%s, %s, %s, %d, %s},\n", e.kind, e.at, e.to, e.n, bytes)
		}
	}
	b.WriteString("{0, {0, 0, 0}, {0, 0, 0}, 0, 0}};\nconst struct comus_call comus_calls[] = {\n")
	for _, c := range r.calls {
		known := 0
		if c.known {
			known = 1
		}
		fmt.Fprintf(&b, "{%d, %d, %d, %d, %d, %s},\n", c.thread, c.n, known, effects, effects+len(c.effects), c.result)
		effects += len(c.effects)
	}
	b.WriteString("{0, 0, 0, 0, 0, {0, 0, 0}}};\nconst struct comus_site comus_sites[] = {\n")
	sites := 0
	for in := range r.keep {
		if s := in.Meta().Site; s != nil {
			fmt.Fprintf(&b, "{%d, %q},\n", r.numbers[in], strings.ToValidUTF8(fmt.Sprintf("%s:%d: %s", filepath.Base(s.Pos.File), s.Pos.Line, s.Text), "?"))
			sites++
		}
	}
	for f, n := range r.beyond {
		if len(f.Blocks) == 0 || r.outside[f] {
			fmt.Fprintf(&b, "{%d, \"%s\"},\n", n, f.Source)
			sites++
		}
	}
	fmt.Fprintf(&b, "{0, 0}};\nconst unsigned comus_nturns = %d, comus_nvalues = %d, comus_ncalls = %d, comus_nsites = %d, comus_nmade = %d, comus_nthreads = %d;\n",
		turns, values, len(r.calls), sites, len(r.made), threads)
	fmt.Fprintf(&b, "const unsigned comus_fails = %d;\n", r.numbers[r.fails])
	b.WriteString("const struct comus_stop comus_stops[] = {\n")
	for i := range waits {
		s := waits[i].Side()
		fmt.Fprintf(&b, "{%d, 0, %s},\n", s.Thread, cString([]byte(placeText(&s))))
	}
	circle := 0
	if interp.Circle(waits) != nil {
		circle = 1
	}
	fmt.Fprintf(&b, "{0, 0, 0}};\nconst unsigned comus_nstops = %d, comus_circle = %d;\n", len(waits), circle)
	if len(waits) > 0 { // as directed.findCircles has it
		b.WriteString("int comus_wakes = 1;\n")
	}
	fmt.Fprintf(&b, "const char *const comus_what = %s;\nconst char comus_stdin[] = %s;\nconst unsigned long comus_nstdin = %d;\nchar *comus_args[] = {",
		cString([]byte(what)), cString([]byte(given.Stdin)), len(given.Stdin))
	args := given.Args
	if len(args) == 0 {
		args = []string{"program"}
	}
	for _, a := range args {
		fmt.Fprintf(&b, "(char[]){%s}, ", cString([]byte(a)))
	}
	b.WriteString("0};\n")
	return b.String()
}

// String is an operand in C.
func (s operand) String() string {
	if s.base == "" {
		return "{0, 0, 0}"
	}
	return fmt.Sprintf("{COMUS_%s, %d, %#xul}", s.base, s.index, s.off)
}
