package validate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cfront/syntax"
	"comus/cfront/types"
	"comus/cfront/weave"
	"comus/comus"
	"comus/comus/involved"
	"comus/ir"
	"comus/ir/interp"
	"comus/seqmc"
	"comus/specialise"
	"comus/witness"
)

// Writer makes witnesses of results: it knows where the statements of the program are. Options.Source.Weave has to be
// its Look when the source is opened.
type Writer struct {
	Units    []command.Invocation
	Producer witness.Producer
	Now      func() time.Time // nil: time.Now

	mu       sync.Mutex
	outlines []*weave.Outline
}

// Look notes where the statements of a unit are, and leaves it as it is.
func (w *Writer) Look(in *syntax.Input, flags command.Flags) (*syntax.Input, error) {
	in.Dialect(flags.Strict())
	o, err := weave.OutlineOf(in)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outlines = append(w.outlines, o)
	return in, nil
}

// metadata returns what every entry begins with.
func (w *Writer) metadata(opts comus.Options, names []string) (witness.Metadata, error) {
	m := witness.Metadata{Producer: w.Producer, Task: witness.Task{Hashes: map[string]string{}, DataModel: "LP64", Language: "C", Specification: specification(names, opts.Source.Entry)}}
	if opts.Source.DataModel == cfront.ILP32 || opts.Source.DataModel == cfront.ByFlags && len(w.Units) > 0 && w.Units[0].Flags.ILP32 {
		m.Task.DataModel = "ILP32"
	}
	for _, u := range w.Units {
		text, err := os.ReadFile(u.Path())
		if err != nil {
			return m, err
		}
		sum := sha256.Sum256(text)
		m.Task.Files = append(m.Task.Files, u.File)
		m.Task.Hashes[u.File] = hex.EncodeToString(sum[:])
	}
	now := w.Now
	if now == nil {
		now = time.Now
	}
	m.Stamp("2.2", now())
	return m, nil
}

// ownSpecification begins the specification of properties that SV-COMP has no formula for.
const ownSpecification = "comus --check "

// formulas are those of properties in SV-COMP's language.
var formulas = map[string][]string{specialise.Assert: {"! call(reach_error())"}, specialise.Race: {"! data-race"}, specialise.Deadlock: {"! deadlock"},
	specialise.Memory: {"valid-deref", "valid-free"}, specialise.Leak: {"valid-memtrack"}, specialise.Cleanup: {"valid-memcleanup"}, specialise.Overflows: {"! overflow"}}

// specification returns what a witness about some properties says it is about.
func specification(names []string, entry string) string {
	var lines []string
	for _, n := range names {
		if formulas[n] == nil {
			return ownSpecification + strings.Join(names, ",")
		}
		for _, f := range formulas[n] {
			lines = append(lines, fmt.Sprintf("CHECK( init(%s()), LTL(G %s) )", cmp.Or(entry, "main"), f))
		}
	}
	return strings.Join(lines, "\n")
}

// Violation returns a witness of the execution that a result has for Unsafe.
func (w *Writer) Violation(res *comus.Result, opts comus.Options) (witness.Witness, error) {
	if res.Verdict != seqmc.Unsafe || res.Trace.Error == nil {
		return nil, fmt.Errorf("there is no violation")
	}
	m, err := w.metadata(opts, []string{comus.ViolatedAt(res.Trace.Error)})
	if err != nil {
		return nil, err
	}
	t := &telling{w: w, names: map[int]int{0: 0}, before: map[int]types.Pos{}}
	if model, weak := res.Certificate.Weak(); weak {
		t.weak = true
		m.Producer.Description = fmt.Sprintf("The memory model %s allows the execution, which is not sequentially consistent. The segments say nothing about the order in which threads go on.", model)
	}
	t.tell(res.Trace)
	return witness.Witness{{Type: witness.Violation, Metadata: m, Segments: t.segments}}, nil
}

// at returns the statement that a place is in, and the unit; nil if there is none.
func (w *Writer) at(p types.Pos) (*weave.Outline, *weave.Statement) {
	for _, o := range w.outlines {
		if s := o.StatementAround(p); s != nil {
			return o, s
		}
	}
	return nil, nil
}

// defines reports whether the program has a body for a function.
func (w *Writer) defines(name string) bool {
	for _, o := range w.outlines {
		if o.Funcs[name] != nil {
			return true
		}
	}
	return false
}

// telling makes segments of an execution. A thread's change to another one is told by a waypoint: the first statement that the thread that
// goes on begins. What is in the middle of a statement then cannot be told.
type telling struct {
	w         *Writer
	segments  []witness.Segment
	names     map[int]int       // of threads, by index
	before    map[int]types.Pos // where the statement begins that each thread is in
	running   int
	mentioned bool // of the running thread, since it goes on
	weak      bool // no order of all steps is one in which the threads can take turns
}

// maxSegments bounds what is told of an execution.
const maxSegments = 400

// tell makes the segments.
func (t *telling) tell(tr interp.Trace) {
	t.mentioned = true
	for _, s := range tr.Steps {
		if s.Thread.Index != t.running {
			t.running, t.mentioned = s.Thread.Index, false
		}
		t.step(s)
	}
	t.target(tr)
}

// add adds a segment with one waypoint of a thread.
func (t *telling) add(thread int, kind string, o types.Pos, fn string, c *witness.Constraint) {
	if len(t.segments) < maxSegments {
		t.segments = append(t.segments, witness.Segment{t.waypoint(thread, kind, o, fn, c)})
	}
}

// waypoint returns a waypoint to follow.
func (t *telling) waypoint(thread int, kind string, at types.Pos, fn string, c *witness.Constraint) witness.Waypoint {
	p := witness.Waypoint{Type: kind, Action: witness.Follow, Constraint: c, Location: witness.Location{File: at.File, Line: at.Line, Column: at.Col, Function: fn}}
	if name, ok := t.names[thread]; ok {
		p.Thread = &name
	}
	return p
}

// step tells of a step, if there is something to tell.
func (t *telling) step(s interp.TraceStep) {
	pos := types.Pos(s.Pos)
	o, stmt := t.w.at(pos)
	if stmt == nil {
		return
	}
	thread := s.Thread.Index
	begins := t.before[thread] != stmt.Pos
	t.before[thread] = stmt.Pos
	if begins && !t.mentioned && !t.weak && s.Edge.Kind != ir.Start && s.Edge.Kind != ir.End && stmt.IsSimple() && !o.CallsAny(stmt, t.w.defines) {
		t.mentioned = true
		t.add(thread, witness.Assumption, stmt.Pos, stmt.Func, &witness.Constraint{Value: "1", Format: witness.CExpression})
	}
	if s.Edge.Kind == ir.Create && s.Edge.Thread >= 0 {
		if c := o.CallIn(stmt, pos, func(name string) bool { return creators[name] }); c != nil && len(t.segments) < maxSegments {
			t.add(thread, witness.FunctionEnter, o.Close(c), stmt.Func, nil)
			t.names[s.Edge.Thread] = len(t.names)
		}
	}
	for _, in := range s.Inputs {
		if !strings.Contains(in.Name, "nondet") {
			continue
		}
		if c := o.CallIn(stmt, pos, func(name string) bool { return name == in.Name }); c != nil {
			t.add(thread, witness.FunctionReturn, o.Close(c), stmt.Func, &witness.Constraint{Value: `\result == ` + constant(in.Value.String()), Format: witness.ExtCExpression})
		}
	}
}

// constant returns a number as C has it.
func constant(n string) string {
	digits := strings.TrimPrefix(n, "-")
	switch {
	case n == "-2147483648":
		return "(-2147483647 - 1)"
	case n == "-9223372036854775808":
		return "(-9223372036854775807LL - 1)"
	case len(digits) > 19 || len(digits) == 19 && digits > "9223372036854775807":
		return n + "ULL"
	case len(digits) > 10 || len(digits) == 10 && digits > "2147483647":
		return n + "LL"
	}
	return n
}

// target tells where the execution violates the property: of a data race, both accesses.
func (t *telling) target(tr interp.Trace) {
	var last witness.Segment
	add := func(thread *ir.Thread, at types.Pos, fn string) {
		if _, s := t.w.at(at); s != nil {
			last = append(last, t.waypoint(thread.Index, witness.Target, s.Pos, s.Func, nil))
			return
		}
		for _, o := range t.w.outlines { // what happens when a function ends
			if f := o.Funcs[fn]; f != nil {
				last = append(last, t.waypoint(thread.Index, witness.Target, o.EndOf(f), fn, nil))
				return
			}
		}
	}
	if tr.Error.Check == specialise.Race {
		for _, x := range involved.In(tr) {
			add(x.Thread, types.Pos(x.Pos), "")
		}
	} else {
		fn := "main"
		if tr.Error.Frame != nil {
			fn = tr.Error.Frame.Func
		}
		add(tr.Error.Thread, types.Pos(t.violated(tr)), fn)
	}
	if len(last) == 0 { // the program has ended
		for _, o := range t.w.outlines {
			if f := o.Funcs["main"]; f != nil {
				last = append(last, t.waypoint(tr.Error.Thread.Index, witness.Target, o.EndOf(f), "main", nil))
			}
		}
	}
	t.segments = append(t.segments, last)
}

// Witness returns a witness of a result: of the violation that decides, or of correctness; nil if there is no verdict.
func (w *Writer) Witness(ctx context.Context, res *comus.Result, opts comus.Options) (witness.Witness, error) {
	switch res.Verdict {
	case seqmc.Unsafe:
		return w.Violation(res, opts)
	case seqmc.Safe:
		return w.Correctness(ctx, res, opts)
	}
	return nil, nil
}

// violated returns where an execution violates the property: where that is no statement, in the library or at the end of the program, the last
// one before.
func (t *telling) violated(tr interp.Trace) ir.Pos {
	pos := userPos(tr.Error)
	if _, s := t.w.at(types.Pos(pos)); s != nil || t.w.knows(pos.File) && !specialise.AtEnd(tr.Error.Check) {
		return pos
	}
	for _, s := range slices.Backward(tr.Steps) {
		if _, stmt := t.w.at(types.Pos(s.Pos)); stmt != nil && s.Thread == tr.Error.Thread {
			return s.Pos
		}
	}
	return pos
}

// knows reports whether a file is one of the program's own.
func (w *Writer) knows(file string) bool {
	return slices.ContainsFunc(w.outlines, func(o *weave.Outline) bool { return o.Files[file] })
}

// userPos returns the place of an error in the user's program: where a function of the library is called that it is in.
func userPos(l *ir.Loc) ir.Pos {
	if l.Frame != nil {
		calls, _ := l.Frame.Stack(l.Pos)
		for _, c := range calls {
			if c.Pos != (ir.Pos{}) {
				return c.Pos
			}
		}
	}
	return l.Pos
}
