package validate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"comus/cfront/command"
	"comus/cfront/syntax"
	"comus/cfront/types"
	"comus/cfront/weave"
	"comus/comus"
	"comus/internal/deadline"
	"comus/ir"
	"comus/seqmc"
	"comus/specialise"
	"comus/witness"
)

// Invariants of a witness become a part of the program: each an assertion of its own, in a step of its own, where control comes by. Its ghost
// variables are variables of the program, and their updates are in one step with the statement that they belong to. What
// has been proved becomes an assumption, with which the property is proved then: that leaves out no execution.

// claims are the invariants and ghost variables of a witness on their way into a program.
type claims struct {
	file      string // of the witness
	begins    string
	list      []*invariant
	variables []witness.Variable
	updates   []*update

	mu     sync.Mutex // units are woven beside one another
	assume bool       // those that hold are assumed, and nothing is asserted
	only   int        // the number of the one that is asked about; 0: all that are open
}

// invariant is one invariant.
type invariant struct {
	witness.Invariant
	found  bool
	known  bool // whether it holds is known
	holds  bool
	wrong  string // why it does not
	unsure string // why that is not known
}

// update is an update of ghost variables.
type update struct {
	witness.Update
	found bool
}

// newClaims prepares the entries of a witness.
func newClaims(file, begins string, w witness.Witness) *claims {
	s := &claims{file: file, begins: begins}
	if begins == "" {
		s.begins = "main"
	}
	for _, e := range w {
		for _, i := range e.Invariants {
			always := i.Value == "1"
			s.list = append(s.list, &invariant{Invariant: i, known: always, holds: always})
		}
		s.variables = append(s.variables, e.Variables...)
		for _, u := range e.Updates {
			s.updates = append(s.updates, &update{Update: u})
		}
	}
	return s
}

// at returns an error at a place of the witness.
func (s *claims) at(at witness.At, format string, args ...any) error {
	return &witness.Error{File: s.file, At: at, Msg: fmt.Sprintf(format, args...)}
}

// The numbers of the lines that woven expressions are in: those of invariants begin with 1, of updates and variables with these.
const (
	updateLines   = 1_000_000
	variableLines = 2_000_000
)

// expression returns a C expression of the witness, with the number of its line.
func expression(c string, line int) []weave.Expression {
	return []weave.Expression{{C: c, At: types.Pos{File: "<witness expression>", Line: line}}}
}

// weave puts the invariants and ghosts of a unit into it.
func (s *claims) weave(in *syntax.Input, flags command.Flags) (*syntax.Input, error) {
	in.Dialect(flags.Strict())
	out, err := weave.New(in)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, i := range s.list {
		if err := s.put(out, i, n+1); err != nil {
			return nil, s.explain(err)
		}
	}
	for n, u := range s.updates {
		if err := s.ghost(out, u, updateLines+n); err != nil {
			return nil, s.explain(err)
		}
	}
	top := weave.Text{C: "void __comus_atomic_begin(void); void __comus_atomic_end(void); void __comus_assume(int); void __comus_assert(int, const char *);"}
	for n, v := range s.variables {
		top.C += fmt.Sprintf(" extern %s %s;", v.Type, v.Name)
		if out.Funcs[s.begins] != nil {
			top.Args = append(top.Args, expression(v.Initial.Value, variableLines+n)...)
			top.C += fmt.Sprintf(" %s %s = $%d;", v.Type, v.Name, len(top.Args))
		}
	}
	unit, err := out.Unit(top)
	return unit, s.explain(err)
}

// put puts an invariant into a unit, if its place is there.
func (s *claims) put(out *weave.Weaver, i *invariant, number int) error {
	text := weave.Text{C: `__comus_atomic_begin(); __comus_assert($1 != 0, "invariant"); __comus_atomic_end();`, Args: expression(i.Value, number), Line: number}
	switch {
	case s.assume && i.holds:
		text.C = "__comus_atomic_begin(); __comus_assume($1 != 0); __comus_atomic_end();"
	case s.assume || i.known && !i.holds || s.only != 0 && s.only != number:
		i.found = true
		return nil
	}
	at := placeOf(i.Location)
	if i.Type == witness.LoopInvariant {
		if c := out.LoopAt(at); c != nil {
			i.found = true
			return out.LoopHead(c, text)
		}
		return nil
	}
	if st := out.StatementAt(at); st != nil {
		i.found = true
		return out.Before(st, text)
	}
	if f := out.Closing(at); f != nil {
		i.found = true
		return out.End(f, text)
	}
	return nil
}

// ghost puts an update into a unit, if its place is there.
func (s *claims) ghost(out *weave.Weaver, u *update, number int) error {
	st := out.StatementAt(placeOf(u.Location))
	if st == nil {
		return nil
	}
	u.found = true
	after := weave.Text{Line: number}
	for _, x := range u.Updates {
		if !slices.ContainsFunc(s.variables, func(v witness.Variable) bool { return v.Name == x.Variable }) {
			return s.at(u.At, "%q is no ghost variable of the witness", x.Variable)
		}
		after.Args = append(after.Args, expression(x.Value, number)...)
		after.C += fmt.Sprintf(" %s = $%d;", x.Variable, len(after.Args))
	}
	after.C += " __comus_atomic_end();"
	return out.Around(st, weave.Text{C: "__comus_atomic_begin();", Line: number}, after)
}

// wovenAt returns the place and the message of an error of the front end, if it is about what was woven in.
func wovenAt(err error) (at types.Pos, msg string, ok bool) {
	var woven *weave.Error
	var front *syntax.Error
	switch {
	case errors.As(err, &woven):
		return woven.At, woven.Msg, true
	case errors.As(err, &front) && weave.IsWoven(front.Pos):
		return front.Pos, front.Msg, true
	}
	return at, "", false
}

// explain names the part of the witness that an error is about.
func (s *claims) explain(err error) error {
	at, msg, ok := wovenAt(err)
	if !ok {
		return err
	}
	switch n := at.Line; {
	case n >= variableLines && n-variableLines < len(s.variables):
		v := s.variables[n-variableLines]
		return s.at(v.At, "the ghost variable %s has no meaning: %s", v.Name, msg)
	case n >= updateLines && n-updateLines < len(s.updates):
		u := s.updates[n-updateLines]
		return s.at(u.At, "the update has no meaning at %s: %s", oneLine(u.Location.String()), msg)
	case n >= 1 && n <= len(s.list):
		i := s.list[n-1]
		return s.at(i.At, "the invariant %s has no meaning at %s: %s", oneLine(i.Value), oneLine(i.Location.String()), msg)
	}
	return &witness.Error{File: s.file, Msg: "the witness has no meaning in the program: " + msg}
}

// placed returns an error unless all parts have been put into the program.
func (s *claims) placed() error {
	for _, i := range s.list {
		if !i.found {
			what := map[string]string{witness.LoopInvariant: "loop"}[i.Type]
			if what == "" {
				what = "statement"
			}
			return s.at(i.At, "there is no %s at %s", what, oneLine(i.Location.String()))
		}
	}
	for _, u := range s.updates {
		if !u.found {
			return s.at(u.At, "there is no statement at %s", oneLine(u.Location.String()))
		}
	}
	return nil
}

// restrict leaves only those errors that are invariants which are asked about, or updates without a meaning.
func (s *claims) restrict(p *ir.Program) {
	for _, t := range p.Threads {
		for _, l := range t.Locs {
			n := l.Pos.Line
			asked := n >= 1 && n <= len(s.list) && !s.list[n-1].known && (s.only == 0 || s.only == n)
			l.Error = l.Error && weave.IsWoven(types.Pos(l.Pos)) && (asked || n >= updateLines && n-updateLines < len(s.updates))
		}
	}
}

// open returns the numbers of the invariants of which it is not known whether they hold.
func (s *claims) open() []int {
	var out []int
	for n, i := range s.list {
		if !i.known {
			out = append(out, n+1)
		}
	}
	return out
}

// checks returns what is asked about expressions: that they are true, and have a meaning.
func (s *claims) checks() specialise.Checks {
	var c specialise.Checks
	of := func(value string) {
		c.Overflow = c.Overflow || strings.ContainsAny(value, "+-*/%") || strings.Contains(value, "<<") || strings.Contains(value, ">>")
		c.Memory = c.Memory || strings.ContainsAny(value, "*[") || strings.Contains(value, "->")
	}
	for _, i := range s.list {
		of(i.Value)
	}
	for _, u := range s.updates {
		for _, x := range u.Updates {
			of(x.Value)
		}
	}
	return c
}

// prove finds out which invariants hold in a program: of each question, only those are a part that are asked about.
func (s *claims) prove(ctx context.Context, units []command.Invocation, opts comus.Options) error {
	opts.Question.Check = s.checks()
	opts.Source.Weave = s.weave
	ask := func(part context.Context) (*comus.Result, error) {
		source, err := comus.Open(part, units, opts.Source)
		if err != nil {
			return unread(part, err)
		}
		source.Restrict(s.restrict)
		res, err := source.Ask(part, opts)
		if err == nil && res.Verdict == seqmc.Unsafe && res.Trace.Error != nil {
			n := res.Trace.Error.Pos.Line
			if n >= updateLines {
				u := s.updates[n-updateLines]
				return nil, s.at(u.At, "the update at %s is undefined: %s", oneLine(u.Location.String()), res.Trace.Error.Text)
			}
			i := s.list[n-1]
			i.known, i.wrong = true, "an execution comes there with another value"
			if res.Trace.Error.Check != "" && res.Trace.Error.Check != specialise.Assert {
				i.wrong = "its evaluation is undefined: " + res.Trace.Error.Text
			}
		}
		return res, err
	}
	for len(s.open()) > 0 { // all together, again after each that is wrong
		part, stop := deadline.Share(ctx, 2, 0)
		res, err := ask(part)
		stop()
		if err != nil {
			return err
		}
		if res.Verdict == seqmc.Safe {
			for _, n := range s.open() {
				s.list[n-1].known, s.list[n-1].holds = true, true
			}
		}
		if res.Verdict == seqmc.Unknown {
			break
		}
	}
	open := s.open()
	defer func() { s.only = 0 }()
	for k, n := range open {
		s.only = n
		part, stop := deadline.Share(ctx, 2*(len(open)-k), 0)
		res, err := ask(part)
		stop()
		if err != nil {
			return err
		}
		i := s.list[n-1]
		if i.known = res.Verdict != seqmc.Unknown; !i.known {
			i.unsure = res.Reason
		}
		i.holds = res.Verdict == seqmc.Safe
	}
	return nil
}

// checkInvariants proves the invariants of a witness of correctness, and with them what it is about.
func checkInvariants(ctx context.Context, units []command.Invocation, file string, w witness.Witness, opts comus.Options) (*comus.Result, error) {
	s := newClaims(file, opts.Source.Entry, w)
	res, err := s.run(ctx, units, opts)
	if err != nil {
		return nil, err
	}
	for _, i := range s.list {
		l := oneLine(i.Location.String())
		switch {
		case i.wrong != "":
			res.Warnings = append(res.Warnings, fmt.Sprintf("%v", s.at(i.At, "the invariant %s does not hold at %s: %s", oneLine(i.Value), l, i.wrong)))
		case !i.holds:
			res.Warnings = append(res.Warnings, fmt.Sprintf("%v", s.at(i.At, "the invariant %s at %s could not be proved: %s", oneLine(i.Value), l, i.unsure)))
		}
	}
	if res.Verdict == seqmc.Unsafe {
		return res, nil
	}
	wrong, unsure := 0, 0
	for _, i := range s.list {
		if i.wrong != "" {
			wrong++
		} else if !i.holds {
			unsure++
		}
	}
	reason := ""
	switch {
	case wrong > 0:
		reason = fmt.Sprintf("the witness was rejected: %d of its %d invariants do not hold", wrong, len(s.list))
	case unsure > 0 && res.Verdict == seqmc.Safe:
		reason = fmt.Sprintf("%d of the %d invariants of the witness could not be proved", unsure, len(s.list))
	}
	if reason != "" {
		res.Verdict, res.Reason, res.Assumptions, res.Proved, res.Properties = seqmc.Unknown, reason, nil, nil, nil
	}
	return res, nil
}

// keptByWeaving reports whether a program with invariants and ghosts woven in violates the properties if the program does. Those of values it does:
// what is one step in it is one step of the program. But a step that is made atomic waits for nobody and races with nothing any more.
func keptByWeaving(c specialise.Checks) bool {
	return !c.Race && !c.Deadlock && !c.Locks && !c.Leak && !c.Cleanup
}

// run proves the invariants and, with those that hold, the property; if that gives no answer, the property of the program as it is.
func (s *claims) run(ctx context.Context, units []command.Invocation, opts comus.Options) (*comus.Result, error) {
	opts.Strategy, opts.Engine = comus.Auto, nil
	with := opts
	with.Source.Weave = s.weave
	woven, err := comus.Open(ctx, units, with.Source)
	if err != nil {
		return unread(ctx, witnessError(s.explain(err)))
	}
	if err := cmp.Or(s.placed(), s.single(woven.Program())); err != nil {
		return nil, err
	}
	if err := s.prove(ctx, units, with); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(s.list, func(i *invariant) bool { return i.wrong != "" }) {
		return (&comus.Result{Engine: "check"}), nil
	}
	trivial := !slices.ContainsFunc(s.list, func(i *invariant) bool { return i.holds && i.Value != "1" })
	if !trivial && keptByWeaving(opts.Question.Check) {
		s.assume = true
		source, err := comus.Open(ctx, units, with.Source)
		if err != nil {
			return unread(ctx, err)
		}
		part, stop := deadline.Share(ctx, 2, 0)
		res, err := source.Verify(part, with)
		stop()
		if err != nil || res.Verdict == seqmc.Safe {
			return res, err
		}
	}
	source, err := comus.Open(ctx, units, opts.Source)
	if err != nil {
		return unread(ctx, err)
	}
	return source.Verify(ctx, opts)
}
