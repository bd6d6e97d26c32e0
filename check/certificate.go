package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"comus/scan/certificate"
)

// Format is the value of Certificate.Format.
const Format = "comus-certificate"

// Version is the version of the format this package reads and writes.
const Version = 3

// Certificate is the evidence for a verdict, as stored in a file (JSON). Names
// of variables are those of ir.Var, pc0, pc1, … are the program counters of the
// threads (the index of a location), formulas are SMT-LIB expressions in the
// notation of logic.Term.SMTLIB.
type Certificate struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	Program Program `json:"program"`
	// Verdict is "SAFE" or "UNSAFE".
	Verdict string `json:"verdict"`
	// Assumptions are what the verdict SAFE takes for granted.
	Assumptions []string `json:"assumptions,omitempty"`

	// Method says what kind of proof SAFE has: "" the one in the fields below,
	// MethodOrders, MethodStates, MethodScan, MethodParts, MethodLockOrder, MethodValues, MethodAccesses, MethodUses, MethodGraphs or MethodAxioms. UNSAFE has MethodRun if its evidence is Execution.
	Method string `json:"method,omitempty"`
	// Bound is how often loops are gone around at most, each time they are entered, for
	// MethodOrders and MethodAxioms: how often control comes back to a loop's head.
	Bound int `json:"bound,omitempty"`

	// For SAFE.
	Threads []Thread `json:"threads,omitempty"`
	// Facts is an inductive invariant of the whole program; see Thread.
	Facts string `json:"facts,omitempty"`
	// Runs has one proof for each thread with assertions.
	Runs []Run `json:"runs,omitempty"`
	// Parametric is a proof for every number of threads, in place of Facts and Runs.
	Parametric *ParametricProof `json:"parametric,omitempty"`
	// Scan has the claims of a scan about the whole program, for MethodScan, or those about threads alone, for MethodAccesses and MethodUses.
	Scan *certificate.Certificate `json:"scan,omitempty"`
	// Values has claims of what memory and registers hold, of which some assertions follow, for MethodParts, or that all arithmetic has a meaning, for MethodValues, or that accesses are valid, for MethodAccesses, or that locks are used well, for MethodUses: package check/valuecheck verifies them.
	Values *certificate.Values `json:"values,omitempty"`
	// Orders has the order of all that threads wait for, for MethodLockOrder.
	Orders *certificate.Orders `json:"orders,omitempty"`
	// Suspects are proofs about pairs of accesses (Program.About) that the scan leaves, for MethodScan, or about assertions, for MethodParts.
	Suspects []*Certificate `json:"suspects,omitempty"`

	// Graphs says what the execution graphs of the program are, for MethodGraphs.
	Graphs *Graphs `json:"graphs,omitempty"`

	// For UNSAFE.
	Schedule *Schedule `json:"schedule,omitempty"`
	// Translations are, for MethodStates, those of which one state stands for others.
	Translations []Translation `json:"translations,omitempty"`
	// Execution is a run of the whole program that violates the property, for MethodRun, in place of Schedule.
	Execution *certificate.Execution `json:"execution,omitempty"`
}

// MethodOrders is the proof of a program whose loops end that has nothing to say but how
// often they are gone around, and perhaps the cut-points: the checker encodes all executions
// by itself. See [Orders].
const MethodOrders = "orders"

// MethodStates is the proof of a program with few states that has nothing to say: the
// checker visits all of them by itself, or those of which each stands for its translations. See [States], [TranslatedStates].
const MethodStates = "states"

// MethodRun is the method of an Execution, which is one of the whole program: the interpreter of cir runs it.
const MethodRun = "run"

// MethodScan is the proof that a program has no data race of a scan of the whole program: package check/scancheck verifies it, as it is none of
// what front end and passes have made.
const MethodScan = "scan"

// MethodParts is the proof that no assertion fails by others (Suspects), each about some of them (Program.About), and by what values can be (Values): all are the
// program's.
const MethodParts = "parts"

// MethodLockOrder is the proof that no threads wait for one another for good, by an order of all that they wait for (Orders), of the whole program: package check/waits
// verifies it.
const MethodLockOrder = "lock-order"

// MethodValues is the proof that all arithmetic of the whole program has a meaning, by what values can be (Values): package check/valuecheck verifies it.
const MethodValues = "values"

// MethodAccesses is the proof that no access of the whole program to memory is invalid, by what values can be (Values) and which threads there are when (Scan): package check/accesses
// verifies it.
const MethodAccesses = "accesses"

// MethodUses is the proof that the whole program misuses no locks and no threads, by what values can be (Values) and which threads there are when (Scan): packages check/accesses and check/waits
// verify it.
const MethodUses = "uses"

// MethodGraphs is the proof that no execution of the whole program violates a property, in the memory model (Program.MemoryModel), by all its execution graphs (Graphs): the checker visits all of
// them by itself, in another order, and they have to be as many, and the same.
const MethodGraphs = "graphs"

// MethodAxioms is the proof that no execution of the whole program violates a property, in the memory model, if loops are gone around as often as Bound says at most, and that they are: the checker
// encodes all executions by itself. See [Axioms].
const MethodAxioms = "axioms"

// Graphs says how many execution graphs there are.
type Graphs struct {
	// Executions are those of executions that end. In others some thread is blocked for good: of these, how many are visited may depend on the order.
	Executions int `json:"executions"`
	// Sum is that of numbers of the graphs of executions that end, modulo 2^64.
	Sum uint64 `json:"sum,string"`
}

// Program identifies the source and how it is to be read.
type Program struct {
	File   string `json:"file"`   // its name, or those of all units
	SHA256 string `json:"sha256"` // of what was read: see cfront.Program
	// Given are the words of the command line that said what to read (files, models, flags of the compiler), for people.
	Given     []string `json:"given,omitempty"`
	DataModel string   `json:"data_model"`
	// Entry is the function that the program begins with; "" is main.
	Entry string `json:"entry,omitempty"`
	// Unknown says what functions without a body may do: "" anything, "pure" nothing, and
	// "refuse": there are none.
	Unknown string `json:"unknown_functions,omitempty"`
	// Assume has the names of what is assumed of the program, with commas, "none" for nothing; "": what is by default.
	Assume string `json:"assume,omitempty"`
	// MayFail has the names of the functions of the library that may fail, with commas; the others of package libc's are assumed not to.
	MayFail string `json:"may_fail,omitempty"`
	// NoHost tells that the host's compiler and headers were not used.
	NoHost   bool   `json:"no_host_compiler,omitempty"`
	Overflow string `json:"overflow"`
	// MemoryModel is what memory orders mean: "sc", "tso", "pso"; "": C11's.
	MemoryModel string `json:"memory_model,omitempty"`
	Atomic      string `json:"atomic"` // "step" or "statement"
	// Check has the names of the properties that are asked about; none: assertions.
	Check []string `json:"check,omitempty"`
	// About are the pairs of places that data races are asked about, as specialise.About names them, one a line, or the assertions that are; "": all.
	About string `json:"about,omitempty"`
	// Cut is the depth up to which calls are left out then, of package scan/cut.
	Cut int `json:"cut,omitempty"`
	// AnyReads are the places of relaxed atomic reads that return any value, with commas: all else is sequentially consistent then.
	AnyReads string `json:"any_reads,omitempty"`
	// Daemons are functions whose threads may wait for ever, with commas.
	Daemons string `json:"daemons,omitempty"`
	// MaxThreads, MaxAllocs, Unwind and Unroll are the bounds of the front end: of
	// threads that a loop creates, objects that it allocates, recursive calls, and
	// loops that it unrolls.
	MaxThreads int `json:"max_threads"`
	MaxAllocs  int `json:"max_allocs"`
	Unwind     int `json:"unwind"`
	Unroll     int `json:"unroll"`
	// Parametric tells that threads created any number of times are read as one that
	// stands for any number.
	Parametric bool `json:"parametric,omitempty"`
	// Cells tells that one cell is shown of arrays (ir.Program.Cells).
	Cells bool `json:"cells,omitempty"`
	// NoSummaries tells that then it is not followed what memory holds that is allocated any number of times.
	NoSummaries bool `json:"no_summaries,omitempty"`
	// Passes are the passes of package ir/passes that made, from what the front end
	// read, the program that a proof of SAFE speaks about, in their order. An
	// execution is always one of the program before them.
	Passes []string `json:"passes"`
}

// Thread says at which locations of a thread the proof speaks.
type Thread struct {
	Thread int `json:"thread"`
	// Nodes are the locations, by index, between which the thread's steps are
	// taken together; every cycle has one. Error locations may be listed or not.
	Nodes []int `json:"nodes"`
	// Cuts are the nodes at which other threads are considered.
	Cuts []int `json:"cuts"`
}

// Run is the proof that no assertion of its main thread can fail.
type Run struct {
	// Order has the threads' indexes in the hierarchy; the first is the main
	// thread of level 1, and so on.
	Order []int `json:"order"`
	// Levels has env_move of each level, in the same order.
	Levels []Level `json:"levels"`
	// Invariants prove level 1's program in normal mode.
	Invariants []Invariant `json:"invariants"`
}

// Level is a level's env_move.
type Level struct {
	// Seed is a relation between the values before (named old:NAME) and after. It
	// may mention the pcs of the level's environment, and all variables but the
	// local ones of the threads before the level's main thread in the order.
	Seed        string       `json:"seed"`
	Refinements []Refinement `json:"refinements,omitempty"`
}

// Refinement says that the level's environment cannot move from a reachable
// state in Alpha to one in Beta; its invariants prove the next level's program in
// query mode for this pair. Alpha and Beta may mention all variables and the pcs of
// the level's environment.
type Refinement struct {
	Number     int         `json:"number"`
	Alpha      string      `json:"alpha"`
	Beta       string      `json:"beta"`
	Invariants []Invariant `json:"invariants"`
}

// Phases of an Invariant.
const (
	PhaseAt     = "at"     // normal mode or after the query's start: at the location, before env_move
	PhaseMoved  = "moved"  // the same, after env_move
	PhaseBefore = "before" // query mode, before the query's start
)

// Invariant is a formula that holds whenever the level's program is at a node. A
// node without one is not reached. It may mention all variables (those of callers
// as constants with unknown values) and the pcs of the level's main thread and
// environment. PhaseMoved is for cut-points of levels with an environment only.
type Invariant struct {
	Loc     int    `json:"loc"`
	Phase   string `json:"phase"`
	Formula string `json:"formula"`
}

// Schedule is an execution that violates an assertion.
type Schedule struct {
	// Init gives initial values to variables that have none, by name.
	Init  map[string]string `json:"init,omitempty"`
	Steps []Step            `json:"steps"`
}

// Step is one edge taken: the one with index Edge among those that leave location
// From of the thread. Inputs are the values of its havoc commands.
type Step struct {
	Thread int      `json:"thread"`
	From   int      `json:"from"`
	Edge   int      `json:"edge"`
	Inputs []string `json:"inputs,omitempty"`
}

// Read reads a certificate. It checks the format's name and version,
// and that nothing follows, only.
func Read(r io.Reader) (*Certificate, error) {
	var c Certificate
	if err := decode(r, &c); err != nil {
		return nil, err
	}
	if c.Format != Format || c.Version != Version {
		return nil, fmt.Errorf("not a certificate of format %q, version %d", Format, Version)
	}
	return &c, nil
}

// decode reads one object, with no fields but those that it has, and the end of the text.
func decode(r io.Reader, to any) error {
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return fmt.Errorf("not a certificate: %w", err)
	}
	if _, err := dec.Token(); err == nil || !errors.Is(err, io.EOF) {
		return errors.New("not a certificate: there is more after its end")
	}
	return nil
}

// Write writes the certificate.
func (c *Certificate) Write(w io.Writer) error { return encode(w, c) }

// encode writes an object.
func encode(w io.Writer, of any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false) // formulas are full of <
	return enc.Encode(of)
}
