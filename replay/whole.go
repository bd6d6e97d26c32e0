package replay

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"comus/cir"
	"comus/cir/cgen"
	"comus/cir/interp"
)

// A run of a program as a whole, in the interpreter, has no steps of an ir.Program: its schedule is whose turn it was for how many instructions, which mean nothing
// in C. So it is made twice more. At first it is found out which instructions access what several threads use (sharers), then in which order
// these are performed (recorder, record.go), and what comes from outside: inputs, and what functions without a body do to memory. In C a thread takes a turn for
// a number of such instructions (folder runtime, comus_whole.c). Functions that the run does not come to are left out.

// Perform makes a run, once more in each call, with the options of the interpreter as they are adjusted. It ends with a race, with an assertion that fails, or with threads that wait
// for one another's locks.
type Perform func(ctx context.Context, adjust func(*interp.Options)) (*interp.Result, error)

// Given is what a program is given when it begins.
type Given struct {
	Args  []string
	Stdin string
}

// Whole is a program in C that makes a run of the program as a whole.
type Whole struct {
	Files []File
	// Race is what the run ends with, if Fails and Waits are nil: those are the assertion that fails, and the threads that wait: in a circle, each for a lock
	// that the next one holds, or all of them. Errs is, in place of them, the access that is an error.
	Race  interp.Race
	Fails *interp.Side
	Waits []interp.Wait
	Errs  *interp.Side
	// Freed says that the access that is an error is one of memory that was freed.
	Freed bool
	// Name is that of the files that have the program.
	Name string
	// Wraps are what the linker is told of functions that synchronise.
	Wraps []string
	// Between is how many accesses of the bytes of the race there are between its two, or more: ThreadSanitizer keeps few.
	Between int
	// Outside says that one of the two accesses is made by a function without a body.
	Outside bool
	// Detaches says that the program detaches threads: what they accessed is forgotten when they end.
	Detaches bool
}

// Run is a run of a program as a whole that is to become C.
type Run struct {
	p       *cir.Program
	numbers map[cir.Located]int
	first   *sharers
}

// NewRun begins with a program.
func NewRun(p *cir.Program) *Run {
	numbers := cir.Number(p)
	return &Run{p, numbers, newSharers(numbers)}
}

// Tracer has to be told of the run, once.
func (r *Run) Tracer() interp.Tracer { return r.first }

// Weave returns the C program that makes the run, whose result is res: it ends in a data race, with an assertion that fails, or in a
// deadlock, and is performed once more.
func (r *Run) Weave(ctx context.Context, given Given, res *interp.Result, perform Perform) (*Whole, error) {
	p := r.p
	switch {
	case p.Model.PointerBits != 64:
		return nil, errors.New("cannot replay: the execution is not one with the data model of the machine, LP64")
	case res.Outcome == interp.Deadlock && interp.Stuck(res) == nil:
		return nil, errors.New("cannot replay: the threads wait, but not for good")
	case res.Interrupted:
		return nil, errInterrupts
	case res.Outcome == interp.Undefined && !accessIn(res):
		return nil, fmt.Errorf("cannot replay: what is undefined is no access to memory in the program's own code: %s", res.Why)
	case res.Outcome != interp.Raced && res.Outcome != interp.Deadlock && res.Outcome != interp.Undefined && (res.Outcome != interp.AssertFails || res.Failed == nil):
		return nil, fmt.Errorf("cannot replay: it does not end with a race, an error, or an assertion that fails, nor in a circle of locks, but so: %s", res)
	}
	first := r.first
	if first.fails = nil; res.Outcome == interp.AssertFails || res.Outcome == interp.Undefined {
		first.fails = first.doing[res.Failed.Thread]
	}
	rec := newRecorder(p, r.numbers, first)
	if err := repeated(ctx, perform, rec, res.Steps); err != nil {
		return nil, err
	}
	if res.Outcome != interp.Deadlock {
		rec.finish()
	}
	if rec.err != nil {
		return nil, fmt.Errorf("cannot replay: %w", rec.err)
	}
	w := &Whole{Outside: first.atCall, Detaches: slices.ContainsFunc(p.Funcs, detaches)}
	what := ""
	switch {
	case res.Outcome == interp.Undefined:
		w.Errs, w.Freed = res.Failed, res.About != nil && res.About.Freed != nil
		what = "an error: " + sideText(w.Errs)
	case res.Outcome == interp.AssertFails:
		w.Fails = res.Failed
		what = "an assertion fails: " + sideText(w.Fails)
	case res.Outcome == interp.Deadlock:
		w.Waits = interp.Stuck(res)
		what = whatWaits(w.Waits)
	default:
		w.Race, w.Between = res.Races[len(res.Races)-1], first.between()
		what = whatRaces(&w.Race)
	}
	file := "program.c"
	if len(p.Files) > 0 {
		file = p.Files[0]
	}
	w.Name, w.Wraps = safeName(file), wraps(p)
	woven := instrumentRun(p, rec)
	if err := woven.Check(); err != nil {
		return nil, fmt.Errorf("cannot replay: internal error: %w", err)
	}
	printed, err := cgen.Print(woven, cgen.Options{Name: w.Name, Path: absolute, Quiet: synchronises})
	if err != nil {
		return nil, fmt.Errorf("cannot replay: %w", err)
	}
	for _, f := range printed {
		w.Files = append(w.Files, File{f.Name, Marked(f.Text)})
	}
	for _, f := range []string{"comus_replay.h", "comus_whole.h", "comus_whole.c", "comus_real.c"} {
		text, err := runtimeFiles.ReadFile("runtime/" + f)
		if err != nil {
			return nil, err
		}
		w.Files = append(w.Files, File{f, Marked(text)})
	}
	w.Files = append(w.Files, File{"schedule.c", Marked([]byte(rec.schedule(given, what, w.Waits, res.Threads)))},
		File{"Makefile", []byte(makefile(w.Name, p, "comus_whole"))})
	return w, nil
}

// accessIn reports whether a run ends with an access to memory that is an error, in the program's own code: the library's is not sanitized.
func accessIn(res *interp.Result) bool {
	return res.Check == interp.CheckMemory && res.Failed != nil && res.Failed.Via == "" && res.Failed.Site != nil
}

// detaches reports whether a function detaches threads.
func detaches(f *cir.Func) bool {
	return slices.Contains([]string{"pthread_detach", "pthread_attr_setdetachstate", "thrd_detach"}, f.Source)
}

// repeated makes the run once more, up to the step that the race was found in: nobody looks for races.
func repeated(ctx context.Context, perform Perform, tr interp.Tracer, steps int64) error {
	res, err := perform(ctx, func(o *interp.Options) {
		o.Tracer, o.Races, o.StopAt, o.MaxSteps, o.Abrupt = tr, false, nil, steps, true
	})
	switch {
	case err != nil:
		return err
	case res.Steps != steps:
		return fmt.Errorf("cannot replay: the run is not the same again (%d steps instead of %d): %s", res.Steps, steps, res)
	}
	return nil
}

// whatRaces describes a race.
func whatRaces(r *interp.Race) string {
	return fmt.Sprintf("a data race: %s, %s", sideText(&r.First), sideText(&r.Second))
}

// whatWaits describes a deadlock.
func whatWaits(waits []interp.Wait) string {
	var list []string
	for i := range waits {
		s := waits[i].Side()
		list = append(list, sideText(&s))
	}
	return "a deadlock: " + strings.Join(list, ", ")
}

// sideText says which thread does what where.
func sideText(s *interp.Side) string {
	if s.Site == nil {
		return fmt.Sprintf("thread %d in %s", s.Thread, s.Func)
	}
	return fmt.Sprintf("thread %d at %s", s.Thread, placeText(s))
}

// placeText is where and what it is.
func placeText(s *interp.Side) string {
	if s.Site == nil {
		return s.Func
	}
	return fmt.Sprintf("%s:%d: %s", filepath.Base(s.Site.Pos.File), s.Site.Pos.Line, s.Site.Text)
}

// sharers is told of a run, and finds out which instructions access what several threads use, and what else has to be known of the program before the run is recorded.
type sharers struct {
	noTracer
	numbers map[cir.Located]int
	several bool
	doing   []cir.Located // by thread
	uses    map[*interp.Object]*use
	unset   map[cir.Located]bool // loads that have read what nobody has written
	calling *cir.Func
	atCall  bool               // somebody is in a call of what is performed outside
	outside map[*cir.Func]bool // what is performed outside, at least once
	entered map[*cir.Func]bool
	recent  [4]touch // by what is accessed there, to be fast
	last    touch
	fails   cir.Located // the assertion, or access, that the run ends with; nil: it ends with a race
}

// use is what accesses an object.
type use struct {
	by     int // a thread
	common bool
	at     map[cir.Located]bool
	log    []touch // the last accesses of each few bytes
}

// touch is an access.
type touch struct {
	o      *interp.Object
	off, n int64
	thread int
	at     cir.Located
}

func newSharers(numbers map[cir.Located]int) *sharers {
	return &sharers{numbers: numbers, uses: map[*interp.Object]*use{}, unset: map[cir.Located]bool{}, outside: map[*cir.Func]bool{}, entered: map[*cir.Func]bool{}}
}

// Traces implements interp.Tracer.
func (s *sharers) Traces(f *cir.Func) func(cir.Located) bool {
	s.entered[f] = true
	return mayTouch
}

// mayTouch reports whether an instruction may access memory, or does what is told of.
func mayTouch(in cir.Located) bool {
	switch in.(type) {
	case *cir.Load, *cir.Store, *cir.Copy, *cir.Fill, *cir.RMW, *cir.CmpXchg, *cir.Intrinsic, *cir.Call, *cir.Return, *cir.VaArg:
		return true
	}
	return false
}

// Begins implements interp.Tracer.
func (s *sharers) Begins(thread int, in cir.Located) {
	for thread >= len(s.doing) {
		s.doing = append(s.doing, nil)
	}
	s.doing[thread] = in
}

// Ends implements interp.Tracer.
func (s *sharers) Ends(_ int, in cir.Located, _ interp.Value, indeterminate bool) {
	if indeterminate {
		if _, load := in.(*cir.Load); load {
			s.unset[in] = true
		}
	}
	s.several = s.several || creates(in)
}

// creates reports whether an instruction creates a thread.
func creates(in cir.Located) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && i.Op == cir.ThreadCreate
}

// Accesses implements interp.Tracer.
func (s *sharers) Accesses(thread int, o *interp.Object, off, n int64, _ bool) {
	if !s.several || thread >= len(s.doing) {
		return
	}
	now := touch{o, off, n, thread, s.doing[thread]}
	s.last = now
	if k := &s.recent[thread%len(s.recent)]; *k == now {
		return
	} else {
		*k = now
	}
	u := s.uses[o]
	if u == nil {
		u = &use{by: thread, at: map[cir.Located]bool{}}
		s.uses[o] = u
	}
	u.at[now.at] = true
	u.common = u.common || u.by != thread
	if len(u.log) < mostLog {
		u.log = append(u.log, now)
	} else {
		copy(u.log, u.log[1:])
		u.log[mostLog-1] = now
	}
}

// mostLog is how many accesses of an object are kept.
const mostLog = 24

// between returns how many accesses of the same eight bytes there are between the two of the race, as far as is known; the last access is the second of them.
func (s *sharers) between() int {
	u := s.uses[s.last.o]
	if u == nil {
		return 0
	}
	n := 0
	for _, x := range slices.Backward(u.log[:max(len(u.log)-1, 0)]) {
		if x.off/8 <= (s.last.off+s.last.n-1)/8 && s.last.off/8 <= (x.off+x.n-1)/8 {
			n++
		}
	}
	return n
}

// Calls implements interp.Tracer.
func (s *sharers) Calls(_ int, f *cir.Func, _ bool, _ []interp.Value) { s.calling, s.atCall = f, true }

// Called implements interp.Tracer.
func (s *sharers) Called(_ int, known bool, _ interp.Value) {
	s.outside[s.calling] = s.outside[s.calling] || known
	s.atCall = false
}

// keeps returns the instructions that take turns: those that access what several threads use, or concern threads and locks.
func (s *sharers) keeps() map[cir.Located]bool {
	keep := map[cir.Located]bool{}
	for _, u := range s.uses {
		if u.common {
			for in := range u.at {
				keep[in] = true
			}
		}
	}
	for in := range s.numbers {
		if i, ok := in.(*cir.Intrinsic); ok && always(i.Op) {
			keep[in] = true
		}
	}
	if s.fails != nil {
		keep[s.fails] = true
	} else {
		keep[s.last.at] = true
	}
	delete(keep, nil)
	return keep
}

// always reports whether an intrinsic takes a turn whatever it accesses.
func always(op cir.IntrinsicOp) bool {
	switch op {
	case cir.Lock, cir.Unlock, cir.ThreadCreate, cir.ThreadEnded, cir.ThreadCount, cir.ThreadAlone, cir.ThreadExit, cir.ReadIn, cir.ReadLine:
		return true
	}
	return false
}

// noTracer is told nothing that it wants to know.
type noTracer struct{}

func (noTracer) Again(int)                                 {}
func (noTracer) Section(int, bool)                         {}
func (noTracer) Argument(int, *interp.Object)              {}
func (noTracer) Global(*cir.Global, *interp.Object)        {}
func (noTracer) Reads(interp.Value, int64)                 {}
func (noTracer) Writes(interp.Value, []byte, interp.Value) {}
func (noTracer) Makes(interp.Value, int64)                 {}

// cString quotes bytes for C.
func cString(b []byte) string {
	var s strings.Builder
	s.WriteByte('"')
	for _, c := range b {
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '?' {
			s.WriteByte(c)
		} else {
			fmt.Fprintf(&s, "\\%03o", c)
		}
	}
	s.WriteByte('"')
	return s.String()
}
