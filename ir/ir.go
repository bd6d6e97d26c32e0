package ir

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"comus/logic"
)

// Pos is a place in the user's source. The zero Pos is "no place".
type Pos struct {
	File string
	Line int
	Col  int
}

// Type is the type of a variable: an integer of some width. A one-bit unsigned
// Type is _Bool and the type of flags.
type Type struct {
	Bits   int
	Signed bool
}

// Flag is the type of a variable that is 0 or 1.
var Flag = Type{Bits: 1}

// Range returns the smallest and largest value of the type.
func (t Type) Range() (lo, hi logic.Value) {
	one := big.NewInt(1)
	if t.Signed {
		m := new(big.Int).Lsh(one, uint(t.Bits-1))
		return logic.BigValue(new(big.Int).Neg(m)), logic.BigValue(new(big.Int).Sub(m, one))
	}
	return logic.Value{}, logic.BigValue(new(big.Int).Sub(new(big.Int).Lsh(one, uint(t.Bits)), one))
}

// Contains reports whether v is a value of the type.
func (t Type) Contains(v logic.Value) bool {
	lo, hi := t.Range()
	return lo.Cmp(v) <= 0 && v.Cmp(hi) <= 0
}

// Shared is the [Var.Thread] of a variable every thread may access.
const Shared = -1

// Var is a variable of the program.
type Var struct {
	Index  int         // its place in Program.Vars
	Name   string      // unique in the program
	Source string      // the name a user knows it by; "" for a temporary
	Shown  string      // how people are shown it, if not by that; see [Var.Label]
	Inner  bool        // the library's own: people are not shown it
	Points bool        // a pointer: its values are addresses; see Program.Objects
	Sym    *logic.Term // the variable in formulas: an Int variable named Name
	Type   Type
	Thread int          // the only thread that accesses it, or Shared
	Init   *logic.Value // initial value; nil for any value of the type
	Pos    Pos          // of memory on the heap: where it was allocated
	Holder Holder
	Cell   CellRole
	// Words are how people are shown some of its values: enumerators, characters, what is no integer.
	Words map[int64]string
	// Stale is the variable that this one is an older value of, which a thread reads although it was written again: what a weak memory model lets it do. Else nil.
	Stale *Var
}

// Label returns the name that people are shown; "" for a variable that is none of theirs.
func (v *Var) Label() string {
	if v.Inner {
		return ""
	}
	return cmp.Or(v.Shown, v.Source)
}

// Object is something in memory.
type Object struct {
	At, Size int64
	Name     string // "table", "job (malloc at f.c:12)"
}

// Value returns how people are shown a value of a variable: of a pointer, what it points to.
func (p *Program) Value(v *Var, x logic.Value) string {
	at, ok := x.Int64()
	if word, known := v.Words[at]; ok && known {
		return word
	}
	if ok && v.Type.Bits == 8 && v.Type.Signed && at >= ' ' && at <= '~' { // a char
		return "'" + string(rune(at)) + "'"
	}
	if !v.Points || !ok {
		return x.String()
	}
	if at == 0 {
		return "NULL"
	}
	i, found := slices.BinarySearchFunc(p.Objects, at, func(o Object, at int64) int { return cmp.Compare(o.At, at) })
	if !found {
		i--
	}
	if i < 0 || at > p.Objects[i].At+p.Objects[i].Size {
		return x.String()
	}
	o := p.Objects[i]
	if at == o.At {
		return "&" + o.Name
	}
	return fmt.Sprintf("&%s+%d", o.Name, at-o.At)
}

// Holder is what a variable tells about a lock: who holds it.
type Holder uint8

// The kinds of holders.
const (
	NoLock      Holder = iota
	OneThread          // a positive number: one thread holds it
	ReadOrWrite        // a positive number: as many hold it as readers; a negative one: one does as a writer
)

// CmdKind tells what a command does.
type CmdKind uint8

// The kinds of commands.
const (
	Assume CmdKind = iota // go on only if Cond holds
	Assign                // Var = Expr
	Havoc                 // Var = any value of its type
)

// Cmd is one command of an edge.
type Cmd struct {
	Kind CmdKind
	Cond *logic.Term // Assume: a formula
	Var  *Var        // Assign, Havoc
	Expr *logic.Term // Assign: an integer term within Var's type
	// Input names the source of a havocked value that is an input of the
	// program, "__VERIFIER_nondet_int" say; "" when it is not one.
	Input string
	// Of and At tell of a Havoc that the value is what the array, of which Of is the generic cell, has in its cell At: see [Program.Cells].
	Of *Var
	At *logic.Term
	// Origin is the number of the instruction of cir that the command comes from (cir.Number), 0 for none or unknown.
	Origin int
}

// EdgeKind tells what an edge stands for, where an analysis cares; the meaning
// of every edge is in its commands alone.
type EdgeKind uint8

// The kinds of edges.
const (
	Plain  EdgeKind = iota
	Create          // makes thread Edge.Thread start: assigns 1 to its Created variable
	Join            // waits for thread Edge.Thread to end (-1: one of several)
	Lock            // takes mutex Edge.Mutex: assumes 0, assigns the thread's index plus 1
	Unlock          // frees mutex Edge.Mutex: assumes the thread's index plus 1, assigns 0
	Start           // a thread's first edge: waits to be created
	End             // a thread's last edge: assigns 1 to its Ended variable, if it has one
	Fence           // orders the thread's accesses before and after it, where memory orders are looked at
	Joined          // an instance of a replicated thread has ended, another one each time: it is the only edge that waits for it
)

// Edge is one step of a thread.
type Edge struct {
	From, To *Loc
	Cmds     []Cmd
	Kind     EdgeKind
	Thread   int  // Create, Join
	Mutex    *Var // Lock, Unlock
	Pos      Pos
	Text     string // the statement, for people: "x = t + 1"
	// Origin is the number of the instruction of cir that the edge is a step of (cir.Number), 0 for none.
	Origin int
	// Approx names the approximation that the edge stands for: it may do more than the program does. "" if
	// it is exact. See [Approximation].
	Approx string
	// Tells is what a step tells that only tells of something, for the properties race and deadlock: the access that the thread stands
	// before, or the wait that it is in.
	Tells *Place
}

// Loc is a location of a thread's control-flow graph.
type Loc struct {
	Index   int // its place in Thread.Locs and its value of the thread's pc
	Thread  *Thread
	Out, In []*Edge
	Atomic  bool // no other thread takes a step while this one is here
	Error   bool // a violated property
	Pos     Pos
	Text    string // Error: what was violated
	Check   string // Error: the property (package specialise has the names), "" for an assertion
	Frame   *Frame // Error: the activation that it is in; nil if that is not known
}

// Thread is one thread of the program.
type Thread struct {
	Index int
	Name  string // the function it runs, numbered if several run it
	PC    *logic.Term
	Locs  []*Loc
	Entry *Loc
	// Created and Ended are the flags that the thread's creator sets and that
	// the thread sets itself at its end. Created is nil for thread 0, and each
	// is nil if no edge mentions it.
	Created, Ended *Var
	// Replicated tells that any number of instances of the thread may run, each
	// with local variables and a program counter of its own: see
	// [Program.Replicated].
	Replicated bool
}

// Program is a whole program. Thread 0 runs main.
type Program struct {
	L       *logic.Store
	File    string
	Vars    []*Var
	Threads []*Thread
	// Assumptions are the sentences a report of SAFE has to repeat: what was
	// taken for granted about executions, "no signed overflow" say.
	Assumptions []string
	// Bounded says why the program stands for some executions of the source
	// only ("at most 3 threads are created at f.c:3:1"); then SAFE is not to be
	// claimed.
	Bounded []string
	// Wraps tells that signed overflow is no error of the source: it wraps around.
	Wraps bool
	// Objects are what pointers may point to, by address, as people are shown it.
	Objects []Object
	// Guesses are what an analysis of the source says of variables, for those who look for invariants by guesses. Nothing may rely on them, and they may be about
	// variables that are there no more.
	Guesses []*logic.Term
	// Partial tells that the program has only some steps of an execution of another one.
	Partial bool
	// HeldUnknown are, of such a program, the threads of which it is not known which locks they hold.
	HeldUnknown []*Thread
}

// NewProgram returns an empty program over a new store.
func NewProgram(file string) *Program { return &Program{L: logic.NewStore(), File: file} }

// NewVar adds a variable. The name must be new.
func (p *Program) NewVar(name string, typ Type, thread int) *Var {
	v := &Var{Index: len(p.Vars), Name: name, Source: name, Sym: p.L.Var(name, logic.Int), Type: typ, Thread: thread}
	p.Vars = append(p.Vars, v)
	return v
}

// NewThread adds a thread with an entry location.
func (p *Program) NewThread(name string) *Thread {
	t := &Thread{Index: len(p.Threads), Name: name}
	t.PC = p.L.Var("pc"+logic.IntValue(int64(t.Index)).String(), logic.Int)
	t.Entry = t.NewLoc(Pos{})
	p.Threads = append(p.Threads, t)
	return t
}

// NewLoc adds a location.
func (t *Thread) NewLoc(pos Pos) *Loc {
	l := &Loc{Index: len(t.Locs), Thread: t, Pos: pos}
	t.Locs = append(t.Locs, l)
	return l
}

// NewEdge adds an edge with these commands.
func (t *Thread) NewEdge(from, to *Loc, pos Pos, text string, cmds ...Cmd) *Edge {
	e := &Edge{From: from, To: to, Cmds: cmds, Thread: -1, Pos: pos, Text: text}
	from.Out = append(from.Out, e)
	to.In = append(to.In, e)
	return e
}

// HasErrors reports whether the thread has an error location.
func (t *Thread) HasErrors() bool {
	return slices.ContainsFunc(t.Locs, func(l *Loc) bool { return l.Error })
}

// Edges calls f for each edge of the thread.
func (t *Thread) Edges(f func(*Edge)) {
	for _, l := range t.Locs {
		for _, e := range l.Out {
			f(e)
		}
	}
}

// InRange returns the formula "v has a value of its type".
func (p *Program) InRange(v *Var) *logic.Term { return p.TermInRange(v.Sym, v.Type) }

// TermInRange returns the formula "t is a value of type typ".
func (p *Program) TermInRange(t *logic.Term, typ Type) *logic.Term {
	lo, hi := typ.Range()
	return p.L.And(p.L.Le(p.L.Value(lo), t), p.L.Le(t, p.L.Value(hi)))
}

// AssumeCmd returns the command that assumes cond.
func AssumeCmd(cond *logic.Term) Cmd { return Cmd{Kind: Assume, Cond: cond} }

// AssignCmd returns the command v = expr.
func AssignCmd(v *Var, expr *logic.Term) Cmd { return Cmd{Kind: Assign, Var: v, Expr: expr} }

// HavocCmd returns the command that gives v any value of its type. input names
// the program's input it stands for, or is "".
func HavocCmd(v *Var, input string) Cmd { return Cmd{Kind: Havoc, Var: v, Input: input} }

// ReadCmd returns the command that reads a cell of an array: see [Program.Cells].
func ReadCmd(v, of *Var, at *logic.Term) Cmd { return Cmd{Kind: Havoc, Var: v, Of: of, At: at} }

// Reads returns the terms that a command evaluates.
func (c Cmd) Reads() []*logic.Term {
	var out []*logic.Term
	for _, t := range []*logic.Term{c.Cond, c.Expr, c.At} {
		if t != nil {
			out = append(out, t)
		}
	}
	if c.Of != nil {
		out = append(out, c.Of.Sym)
	}
	return out
}

// Step is an edge taken by its thread: one element of a schedule.
type Step struct {
	Edge *Edge
	// Inputs are the values of the edge's havoc commands, in order. Nil in a
	// schedule whose inputs are still open.
	Inputs []logic.Value
}

// Schedule is one interleaving, from the initial state.
type Schedule struct {
	// Init gives the initial values of the variables that have none (those with
	// a nil Init), by Var.Index; a missing one is 0.
	Init  map[int]logic.Value
	Steps []Step
}
