package replay

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	cfront "comus/internal/oldfront"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// kind is what an access does, with the values of the runtime's constants.
type kind int

const (
	read kind = 1 << iota
	write
	lock
	unlock
	create
	join
)

// cell is a scalar in shared memory that the execution touches.
type cell struct {
	v      *ir.Var
	lvalue string // "S[1][2]"
	root   string // "S"
	fn     string // the function that declares it, "" for a global
	thread int    // whose local variable it is, -1 for one of static duration
}

// access is one access of a turn. target is the index of a cell, or the thread
// created or joined.
type access struct {
	kind   kind
	target int
	value  logic.Value
}

// turn is what a thread does before the next one may go on.
type turn struct {
	thread   int
	line     int
	accesses []access
	optional bool // C may get along without it: nothing but reads, under conditions
}

// input is a value that a thread gets at a place.
type input struct {
	thread, site int
	value        logic.Value
}

// schedule is an execution as the runtime plays it.
type schedule struct {
	cells   []cell
	turns   []turn
	inputs  []input
	sites   map[string]int // by [inputKey] or [anyKey]
	threads int
	ended   []bool // by thread: whether it comes to its end
	failing int

	blocks   []block
	names    source
	literals map[*ir.Var]int // how often the execution writes cells of literals
	refused  *cfront.Error

	index  map[*ir.Var]int // of cells
	byName map[string]bool // the roots of the cells
	vals   map[*logic.Term]logic.Value
	tab    ir.SymTable
}

// inputKey names the place of a call that gives an input.
func inputKey(line, col int) string { return fmt.Sprintf("%d:%d", line, col) }

// anyKey names a scalar of a variable that is declared without a value.
func anyKey(line, col int, lvalue string) string { return fmt.Sprintf("%d:%d %s", line, col, lvalue) }

// newSchedule extracts the schedule from an execution of the program.
func newSchedule(p *ir.Program, tr interp.Trace, names source) *schedule {
	s := &schedule{names: names, literals: map[*ir.Var]int{}, sites: map[string]int{}, threads: len(p.Threads), ended: make([]bool, len(p.Threads)), failing: tr.Error.Thread.Index,
		index: map[*ir.Var]int{}, byName: map[string]bool{}, vals: map[*logic.Term]logic.Value{}, tab: p.Symbols()}
	for _, v := range p.Vars {
		s.vals[v.Sym] = tr.Initial.Value(v)
	}
	var open *turn // of an atomic section
	weak := s.findWeak(tr)
	errnos := errnoInputs(tr)
	for i, st := range tr.Steps {
		weak.step(st)
		if errnos[i] {
			st.Edge = withoutInputs(st.Edge)
		}
		t := turn{thread: st.Thread.Index, line: st.Pos.Line, optional: true}
		s.step(st, &t)
		if open != nil {
			open.accesses = append(open.accesses, t.accesses...)
			open.optional = open.optional && t.optional
		} else {
			open = &t
		}
		if !st.Edge.To.Atomic {
			s.add(*open)
			open = nil
		}
		for _, c := range st.Changes {
			s.vals[c.Var.Sym] = c.New
		}
	}
	if open != nil { // it fails within the section
		s.add(*open)
	}
	return s
}

// add appends a turn with the values that it leaves behind.
func (s *schedule) add(t turn) {
	if len(t.accesses) == 0 {
		return
	}
	last := map[int]logic.Value{}
	for _, a := range t.accesses {
		if a.kind == write {
			last[a.target] = a.value
		}
	}
	for i, a := range t.accesses {
		if v, ok := last[a.target]; ok && a.kind == write {
			t.accesses[i].value = v
		}
	}
	s.turns = append(s.turns, t)
}

// step adds what a step does to a turn, and the inputs it gets.
func (s *schedule) step(st interp.TraceStep, t *turn) {
	e := st.Edge
	s.takeInputs(st)
	add := func(k kind, target int, v logic.Value) {
		t.accesses = append(t.accesses, access{k, target, v})
		t.optional = t.optional && k == read
	}
	switch e.Kind {
	case ir.Create:
		add(create, e.Thread, logic.Value{})
	case ir.Join:
		add(join, e.Thread, logic.Value{})
	case ir.End:
		s.ended[st.Thread.Index] = true
	case ir.Lock, ir.Unlock:
		if c := s.cellOf(e.Mutex); c >= 0 {
			add(map[ir.EdgeKind]kind{ir.Lock: lock, ir.Unlock: unlock}[e.Kind], c, logic.Value{})
		}
		return
	}
	reads := map[*ir.Var]bool{} // whether it is certain
	for _, c := range e.Cmds {
		switch c.Kind {
		case ir.Assume:
			s.reads(c.Cond, false, reads)
		case ir.Assign:
			if s.isWrite(c) {
				s.reads(s.stored(c), false, reads)
			}
		}
	}
	for _, v := range sorted(reads) {
		if c := s.cellOf(v); c >= 0 {
			add(read, c, s.vals[v.Sym])
			t.optional = t.optional && !reads[v]
		}
	}
	after := map[*ir.Var]logic.Value{}
	for _, c := range st.Changes {
		after[c.Var] = c.New
	}
	for _, c := range e.Cmds {
		if c.Kind == ir.Assume || !s.isWrite(c) {
			continue
		}
		s.literalWrite(st, c.Var)
		if i := s.cellOf(c.Var); i >= 0 && c.Kind == ir.Assign {
			add(write, i, after[c.Var])
		}
	}
}

func sorted(m map[*ir.Var]bool) []*ir.Var {
	var out []*ir.Var
	for v := range m {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b *ir.Var) int { return a.Index - b.Index })
	return out
}

// takeInputs notes the values that havoc commands take.
func (s *schedule) takeInputs(st interp.TraceStep) {
	after := map[*ir.Var]logic.Value{}
	for _, c := range st.Changes {
		after[c.Var] = c.New
	}
	for _, c := range st.Edge.Cmds {
		if c.Kind != ir.Havoc {
			continue
		}
		key := inputKey(st.Pos.Line, st.Pos.Col)
		if c.Var.Source != "" {
			key = anyKey(st.Pos.Line, st.Pos.Col, c.Var.Source)
		}
		s.note(key, st.Thread, after[c.Var])
	}
	s.noteErrno(st, after)
	if strings.HasPrefix(st.Text, "pthread_mutex_destroy(") {
		s.note(destroyed(st.Pos.Line, st.Pos.Col), st.Thread, logic.Value{})
	}
	for _, f := range []string{"pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np"} {
		if strings.HasPrefix(st.Text, f) {
			var v logic.Value
			if st.Edge.Kind != ir.Join {
				v = logic.IntValue(1)
			}
			s.note(inputKey(st.Pos.Line, st.Pos.Col), st.Thread, v)
		}
	}
}

// isWrite reports whether an assignment writes its variable, and not another
// element of an array: a[i] = e is a command for each element.
func (s *schedule) isWrite(c ir.Cmd) bool {
	if c.Kind != ir.Assign || c.Expr.Op() != logic.OpIte {
		return true
	}
	args := c.Expr.Args()
	return args[2] != c.Var.Sym || s.holds(args[0])
}

// stored returns the term whose value an assignment stores.
func (s *schedule) stored(c ir.Cmd) *logic.Term {
	if c.Expr.Op() == logic.OpIte && c.Expr.Args()[2] == c.Var.Sym {
		return c.Expr.Args()[1]
	}
	return c.Expr
}

func (s *schedule) holds(t *logic.Term) bool {
	return logic.Eval(t, func(v *logic.Term) logic.Value { return s.vals[v] }).Bool()
}

// reads collects the shared variables that the evaluation of a term reads. C may
// leave out those below connectives, which it evaluates in its own order.
func (s *schedule) reads(t *logic.Term, perhaps bool, out map[*ir.Var]bool) {
	switch t.Op() {
	case logic.OpVar:
		if v := s.tab[t]; v != nil && v.Thread == ir.Shared {
			out[v] = out[v] || !perhaps
		}
		return
	case logic.OpIte:
		args := t.Args()
		s.reads(args[0], perhaps, out)
		if s.holds(args[0]) {
			s.reads(args[1], true, out)
		} else {
			s.reads(args[2], true, out)
		}
		return
	case logic.OpAnd, logic.OpOr:
		perhaps = true
	}
	for _, a := range t.Args() {
		s.reads(a, perhaps, out)
	}
}

// localName matches the names of local variables: the thread, the functions
// called, and the variable.
var localName = regexp.MustCompile(`^t(\d+)\.(.*)$`)

var numbered = regexp.MustCompile(`_\d+$`)

// cellOf returns the index of a variable's cell, -1 if it has none.
func (s *schedule) cellOf(v *ir.Var) int {
	if v == nil || v.Thread != ir.Shared || v.Source == "" || s.isLiteral(v) {
		return -1
	}
	if i, ok := s.index[v]; ok {
		return i
	}
	name := v.Name
	if !strings.HasSuffix(name, v.Source) {
		name = numbered.ReplaceAllString(name, "")
	}
	root := v.Source
	if i := strings.IndexAny(root, ".["); i >= 0 {
		root = root[:i]
	}
	c := cell{v: v, lvalue: v.Source, root: root, thread: -1}
	path := strings.TrimSuffix(strings.TrimSuffix(name, v.Source), ".")
	if m := localName.FindStringSubmatch(name); m != nil {
		fmt.Sscan(m[1], &c.thread)
		_, path, _ = strings.Cut(path, ".")
		if path == "" {
			path = "." // the function that the thread runs
		}
	}
	c.fn = path[strings.LastIndex(path, ".")+1:]
	if path == "." {
		c.fn = "."
	}
	s.index[v] = len(s.cells)
	s.byName[root] = true
	s.cells = append(s.cells, c)
	return s.index[v]
}

// weakKey names a weak compare-exchange.
func weakKey(line, col int) string { return fmt.Sprintf("weak %d:%d", line, col) }

// spurious is what the text of a step ends with in which a weak compare-exchange
// fails without a reason.
const spurious = " fails spuriously"

// weakOps notes which executions of weak compare-exchanges fail without a reason.
type weakOps struct {
	s      *schedule
	at     map[ir.Pos]string // those that ever do, and their text
	failed map[*ir.Thread]bool
}

func (s *schedule) findWeak(tr interp.Trace) *weakOps {
	w := &weakOps{s, map[ir.Pos]string{}, map[*ir.Thread]bool{}}
	for _, st := range tr.Steps {
		if text, _, ok := strings.Cut(st.Text, spurious); ok {
			w.at[st.Pos] = text
		}
	}
	return w
}

// step notes the input of a compare-exchange that ends with the step.
func (w *weakOps) step(st interp.TraceStep) {
	text, ok := w.at[st.Pos]
	if !ok {
		return
	}
	t := st.Thread
	w.failed[t] = w.failed[t] || strings.Contains(st.Text, spurious)
	if st.Edge.To.Atomic || !st.Edge.From.Atomic && !strings.HasPrefix(st.Text, text) {
		return
	}
	var v logic.Value
	if w.failed[t] {
		v = logic.IntValue(1)
	}
	w.failed[t] = false
	w.s.note(weakKey(st.Pos.Line, st.Pos.Col), t, v)
}

// note adds an input of a thread at a place.
func (s *schedule) note(key string, t *ir.Thread, v logic.Value) {
	if _, ok := s.sites[key]; !ok {
		s.sites[key] = len(s.sites)
	}
	s.inputs = append(s.inputs, input{t.Index, s.sites[key], v})
}
