package validate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"comus/cfront/command"
	"comus/cfront/syntax"
	"comus/cfront/types"
	"comus/cfront/weave"
	"comus/ir"
	"comus/logic"
	"comus/replay"
	"comus/specialise"
	"comus/witness"
)

// A witness of a violation is checked on a program of which it is a part: in C, a count of the segments that an
// execution has passed (__comus_segment), which each waypoint counts on in a step of its own. The names of the format's threads are
// numbers in the order in which threads are created on the way, by the waypoints that enter pthread_create; witness.threadN is the thread that
// has the name N. What is an error of that program is one at the target, by the thread that the target names, when all other segments have been
// passed, and nothing else.

// waypoints is a witness of a violation on its way into a program.
type waypoints struct {
	file    string // of the witness
	entry   *witness.Entry
	begins  string // the function that the program begins with
	check   specialise.Checks
	list    []*waypoint
	threads int // names that waypoints use, 0 aside

	mu    sync.Mutex      // units are woven beside one another
	files map[string]bool // the program's own
	named bool            // the threads that are created have names
	begun bool            // the definitions are in a unit
}

// waypoint is one waypoint.
type waypoint struct {
	*witness.Waypoint
	number  int // in the witness, from 1
	segment int
	creates bool
	names   int // the name of the thread that it creates; 0: it creates none
	found   bool
	region  map[types.Pos]bool // of a target: the places in its statement
}

// newWaypoints prepares a witness that has been read.
func newWaypoints(file string, e *witness.Entry, begins string, check specialise.Checks) *waypoints {
	w := &waypoints{file: file, entry: e, begins: cmp.Or(begins, "main"), check: check, files: map[string]bool{}}
	for k, s := range e.Segments {
		for i := range s {
			p := &waypoint{Waypoint: &s[i], number: len(w.list) + 1, segment: k}
			if p.Type == witness.Target {
				p.region = map[types.Pos]bool{}
			}
			if p.Thread != nil {
				w.threads = max(w.threads, *p.Thread)
			}
			w.list = append(w.list, p)
		}
	}
	return w
}

// errorf returns an error at a waypoint of the witness.
func (w *waypoints) errorf(p *waypoint, format string, args ...any) error {
	return &witness.Error{File: w.file, At: p.At, Msg: fmt.Sprintf(format, args...)}
}

// maxThreadNames bounds the names of threads.
const maxThreadNames = 1000

// look surveys a unit and leaves it as it is.
func (w *waypoints) look(in *syntax.Input, flags command.Flags) (*syntax.Input, error) {
	in.Dialect(flags.Strict())
	out, err := weave.New(in)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.survey(out)
	return in, nil
}

// weave puts the waypoints of a unit into it.
func (w *waypoints) weave(in *syntax.Input, flags command.Flags) (*syntax.Input, error) {
	in.Dialect(flags.Strict())
	out, err := weave.New(in)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.Copy(w.files, out.Files)
	if !w.named { // the only unit
		w.survey(out)
		if err := w.surveyed(); err != nil {
			return nil, err
		}
	}
	for i, p := range w.list {
		if slices.ContainsFunc(w.list[:i], func(q *waypoint) bool { return samePlace(p, q) }) {
			continue // with the first one there
		}
		var here []*waypoint
		for _, q := range w.list[i:] {
			if samePlace(p, q) {
				here = append(here, q)
			}
		}
		if err := w.put(out, here); err != nil {
			return nil, w.explain(err)
		}
	}
	unit, err := out.Unit(weave.Text{C: w.declarations(out)})
	return unit, w.explain(err)
}

// samePlace reports whether two waypoints are put into the program together.
func samePlace(p, q *waypoint) bool {
	return p.Type == q.Type && p.Location.Line == q.Location.Line && p.Location.Column == q.Location.Column && p.Location.File == q.Location.File
}

// placeOf returns the place that a location of a witness means.
func placeOf(l witness.Location) types.Pos {
	return types.Pos{File: l.File, Line: l.Line, Col: l.Column}
}

// creators are the functions that create threads.
var creators = map[string]bool{"pthread_create": true, "thrd_create": true}

// survey finds the calls in a unit that create threads.
func (w *waypoints) survey(out *weave.Weaver) {
	for _, p := range w.list {
		if p.Type == witness.FunctionEnter && p.Action == witness.Follow {
			if c := out.CallAt(placeOf(p.Location)); c != nil && creators[c.Name] {
				p.creates = true
			}
		}
	}
}

// surveyed names the threads when all units have been surveyed.
func (w *waypoints) surveyed() error {
	n := 0
	w.named = true
	for _, p := range w.list {
		if p.creates {
			n++
			p.names = n
		}
	}
	if w.threads = max(w.threads, n); w.threads > maxThreadNames {
		return &witness.Error{File: w.file, Msg: fmt.Sprintf("more than %d names of threads", maxThreadNames)}
	}
	return nil
}

// declarations returns what the waypoints need in each unit; the one with the function that the program begins with has the definitions.
func (w *waypoints) declarations(out *weave.Weaver) string {
	var b strings.Builder
	b.WriteString(`void __comus_atomic_begin(void); void __comus_atomic_end(void); void __comus_assume(int); unsigned long __comus_thread_self(void);
_Bool __comus_nondet_bool(void); extern int __comus_segment;`)
	for i := range w.threads {
		fmt.Fprintf(&b, " extern unsigned long __comus_thread%d; unsigned long %s(void);", i+1, mark(i+1))
	}
	if out.Funcs[w.begins] == nil || w.begun {
		return b.String()
	}
	w.begun = true
	b.WriteString(" int __comus_segment = 0;")
	for i := range w.threads {
		fmt.Fprintf(&b, " unsigned long __comus_thread%d = 0;", i+1)
	}
	return b.String()
}

// targets counts the targets.
func (w *waypoints) targets() int {
	n := 0
	for _, p := range w.list {
		if p.region != nil {
			n++
		}
	}
	return n
}

// put puts the waypoints of one place into a unit, if the place is in it.
func (w *waypoints) put(out *weave.Weaver, list []*waypoint) error {
	at := placeOf(list[0].Location)
	found := func() {
		for _, p := range list {
			p.found = true
		}
	}
	switch list[0].Type {
	case witness.FunctionEnter, witness.FunctionReturn:
		c := out.CallAt(at)
		if c == nil {
			return nil
		}
		found()
		return w.call(out, c, list)
	case witness.Branching:
		c := out.BranchAt(at)
		if c == nil {
			return nil
		}
		found()
		text, err := w.monitor(list, c.Switch)
		if err != nil {
			return err
		}
		return out.Branch(c, text)
	case witness.Target:
		w.region(out, at, list)
		return nil
	}
	text, err := w.monitor(list, false)
	if err != nil {
		return err
	}
	if s := out.StatementAt(at); s != nil {
		found()
		return out.Before(s, text)
	}
	if f := out.Closing(at); f != nil {
		found()
		return out.End(f, text)
	}
	return nil
}

// region notes the places of the statement that is a target, or of the end of a function.
func (w *waypoints) region(out *weave.Weaver, at types.Pos, list []*waypoint) {
	places := map[types.Pos]bool{}
	if s := out.StatementAt(at); s != nil {
		places = out.Places(s)
	} else if f := out.Closing(at); f != nil {
		places[out.EndOf(f)], places[f.Pos] = true, true
	}
	for _, p := range list {
		maps.Copy(p.region, places)
		p.found = p.found || len(places) > 0
	}
}

// call puts waypoints around a call. One that creates a thread is made in one step with the naming of the thread.
func (w *waypoints) call(out *weave.Weaver, c *weave.Call, list []*waypoint) error {
	text, err := w.monitor(list, false)
	if err != nil {
		return err
	}
	if list[0].Type == witness.FunctionReturn {
		return out.AroundCall(c, weave.Text{}, text)
	}
	if creators[c.Name] {
		if err := out.AroundCall(c, weave.Text{C: "__comus_atomic_begin();"}, weave.Text{C: "__comus_atomic_end();"}); err != nil {
			return err
		}
	}
	return out.Arguments(c, text)
}

// monitor returns the statements of some waypoints at one place.
func (w *waypoints) monitor(list []*waypoint, isSwitch bool) (weave.Text, error) {
	var b strings.Builder
	out := weave.Text{}
	argument := func(p *waypoint) string {
		x := weave.Expression{C: p.Constraint.Value, At: types.Pos{File: "<witness expression>", Line: p.number}}
		if p.Type == witness.FunctionReturn {
			x.Result = "__comus_result"
		}
		out.Args = append(out.Args, x)
		return fmt.Sprintf("$%d", len(out.Args))
	}
	b.WriteString("__comus_atomic_begin(); { int __comus_now = __comus_segment;")
	for _, avoid := range []bool{true, false} {
		for _, p := range list {
			if avoid != (p.Action == witness.Avoid) {
				continue
			}
			cond := "1"
			switch {
			case p.Constraint == nil:
			case p.Type == witness.Branching:
				value, err := w.branch(p, isSwitch)
				if err != nil {
					return out, err
				}
				cond = "__comus_condition == " + value
			default:
				cond = argument(p)
			}
			fmt.Fprintf(&b, " if (__comus_now == %d && %s) {%s}", p.segment, w.byThread(p), w.passing(p, cond))
			if !avoid {
				b.WriteString(" else")
			}
		}
		b.WriteString(" ;")
	}
	b.WriteString(" ; } __comus_atomic_end();")
	out.C = b.String()
	return out, nil
}

// passing returns what happens where a waypoint is evaluated in its segment. From format 2.1 on, a waypoint to follow is passed whenever
// it is evaluated; before, control may come by without.
func (w *waypoints) passing(p *waypoint, cond string) string {
	if p.Action == witness.Avoid {
		return fmt.Sprintf("__comus_assume(!(%s));", cond)
	}
	then := fmt.Sprintf("__comus_segment = %d;", p.segment+1)
	if p.names > 0 {
		then += fmt.Sprintf(" unsigned long __comus_id = %s(); __comus_assume(__comus_id != 0); __comus_thread%d = __comus_id;", mark(p.names), p.names)
	}
	if w.entry.Metadata.Version == "2.0" {
		return fmt.Sprintf("if (%s) {%s}", cond, then)
	}
	return fmt.Sprintf("__comus_assume((%s) != 0); %s", cond, then)
}

// branch returns the value that the constraint of a branching waypoint stands for.
func (w *waypoints) branch(p *waypoint, isSwitch bool) (string, error) {
	switch v := p.Constraint.Value; {
	case v == "default":
		return "", w.errorf(p, "a branch to default cannot be checked")
	case v == "true" && !isSwitch:
		return "1", nil
	case v == "false" && !isSwitch:
		return "0", nil
	case v == "true" || v == "false":
		return "", w.errorf(p, "the constraint of a switch is a number or default, not %s", v)
	case !isSwitch && v != "0" && v != "1":
		return "", w.errorf(p, "the constraint of a branch is true or false, not %s", v)
	default:
		return "(" + strings.TrimPrefix(v, "+") + ")", nil
	}
}

// byThread returns the condition that the thread is the one that a waypoint is about. A name that no waypoint gives is that of any one thread.
func (w *waypoints) byThread(p *waypoint) string {
	switch {
	case p.Thread == nil:
		return "1"
	case *p.Thread == 0:
		return "__comus_thread_self() == 0"
	}
	own := fmt.Sprintf("__comus_thread%d", *p.Thread)
	if slices.ContainsFunc(w.list, func(q *waypoint) bool { return q.names == *p.Thread }) {
		return fmt.Sprintf("(%s != 0 && %s == __comus_thread_self())", own, own)
	}
	free := "__comus_thread_self() != 0 && __comus_nondet_bool()"
	for i := 1; i <= w.threads; i++ {
		if i != *p.Thread {
			free += fmt.Sprintf(" && __comus_thread%d != __comus_thread_self()", i)
		}
	}
	return fmt.Sprintf("(%s != 0 ? %s == __comus_thread_self() : %s && (%s = __comus_thread_self(), 1))", own, own, free, own)
}

// explain names the waypoint whose expression an error is about.
func (w *waypoints) explain(err error) error {
	at, msg, ok := wovenAt(err)
	if !ok {
		return err
	}
	if at.File == weave.Monitor || at.Line < 1 || at.Line > len(w.list) {
		return &witness.Error{File: w.file, Msg: "a waypoint cannot be checked where it stands: " + msg}
	}
	p := w.list[at.Line-1]
	return w.errorf(p, "the constraint %s has no meaning at %s: %s", oneLine(p.Constraint.Value), p.Location, msg)
}

// oneLine keeps a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// placed returns an error unless all waypoints have been put into the program.
func (w *waypoints) placed() error {
	for _, p := range w.list {
		if !p.found {
			what := map[string]string{witness.FunctionEnter: "no call", witness.FunctionReturn: "no call", witness.Branching: "nothing that branches"}[p.Type]
			return w.errorf(p, "there is %s at %s", cmp.Or(what, "no statement"), oneLine(p.Location.String()))
		}
	}
	return nil
}

// mark returns the name of an input that is none: the thread that is created then is found by it ([waypoints.restrict]).
func mark(n int) string { return fmt.Sprintf("%s%d", markPrefix, n) }

// markPrefix begins the names of the functions that name threads.
const markPrefix = replay.NewThread

// marked returns the number of a mark.
func marked(input string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(input, markPrefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil
}

// restrict leaves only those errors that are violations at the target, and says which threads have which names.
func (w *waypoints) restrict(p *ir.Program) {
	names := w.threadNames(p)
	segment := progress(p)
	guard := func(t *ir.Thread, at ir.Pos, leak, last bool) ir.Cmd {
		cond := p.L.False()
		for _, x := range w.list {
			anywhere := leak || !w.files[at.File] && !weave.IsWoven(types.Pos(at)) // the end of the program is no place; nor is the library
			if x.region != nil && (anywhere || x.region[types.Pos(at)]) {
				cond = p.L.Or(cond, w.isThread(p, x, t, names))
			}
		}
		if last && segment != nil {
			cond = p.L.And(cond, p.L.Eq(segment.Sym, p.L.Int(int64(len(w.entry.Segments)-1))))
		}
		return ir.AssumeCmd(cond)
	}
	both := w.targets() > 1
	for _, t := range p.Threads {
		for _, l := range t.Locs {
			if !l.Error {
				continue
			}
			g := guard(t, userPos(l), specialise.AtEnd(l.Check), true)
			l.Error = !g.Cond.IsFalse()
			for _, e := range l.In {
				e.Cmds = append(e.Cmds[:len(e.Cmds):len(e.Cmds)], g)
			}
		}
		t.Edges(func(e *ir.Edge) {
			if e.Tells != nil && (both || weave.IsWoven(types.Pos(e.Tells.Pos))) {
				e.Cmds = append(e.Cmds[:len(e.Cmds):len(e.Cmds)], guard(t, e.Tells.Pos, false, false))
			}
		})
	}
}

// threadNames makes the variables that have the threads with names. A replicated thread stands for many: which one is created is any.
func (w *waypoints) threadNames(p *ir.Program) map[int]*ir.Var {
	names := map[int]*ir.Var{}
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) {
			e.Cmds = slices.Clone(e.Cmds)
			for i, c := range e.Cmds {
				n, ok := marked(c.Input)
				if !ok {
					continue
				}
				id, ok := createdAfter(e)
				if !ok || p.Threads[id].Replicated {
					continue
				}
				if names[n] == nil {
					zero := logic.IntValue(0)
					names[n] = p.NewVar(fmt.Sprintf("witness.thread%d", n), ir.Type{Bits: 32}, ir.Shared)
					names[n].Source, names[n].Init = "", &zero
				}
				e.Cmds[i] = ir.AssignCmd(c.Var, p.L.Int(int64(id)))
				e.Cmds = append(e.Cmds, ir.AssignCmd(names[n], p.L.Int(int64(id))))
			}
		})
	}
	return names
}

// isThread returns the condition that a thread is the one that a target is about.
func (w *waypoints) isThread(p *ir.Program, x *waypoint, t *ir.Thread, names map[int]*ir.Var) *logic.Term {
	switch {
	case x.Thread == nil || t.Replicated:
		return p.L.True()
	case *x.Thread == 0:
		if t.Index == 0 {
			return p.L.True()
		}
		return p.L.False()
	}
	if v := names[*x.Thread]; v != nil {
		return p.L.Eq(v.Sym, p.L.Int(int64(t.Index)))
	}
	if t.Index == 0 {
		return p.L.False()
	}
	for _, v := range p.Vars { // a name that no waypoint gives
		if v.Source == fmt.Sprintf("__comus_thread%d", *x.Thread) {
			return p.L.Or(p.L.Eq(v.Sym, p.L.Int(0)), p.L.Eq(v.Sym, p.L.Int(int64(t.Index))))
		}
	}
	return p.L.True()
}

// createdAfter returns the thread that is created after an edge, in the same atomic section.
func createdAfter(e *ir.Edge) (thread int, ok bool) {
	for range 1000 {
		switch {
		case e.Kind == ir.Create:
			return e.Thread, true
		case !e.To.Atomic || len(e.To.Out) == 0:
			return 0, false
		}
		e = e.To.Out[0]
	}
	return 0, false
}

// progress returns the count of segments in a program; nil if it is not there.
func progress(p *ir.Program) *ir.Var {
	for _, v := range p.Vars {
		if v.Source == "__comus_segment" {
			return v
		}
	}
	return nil
}
