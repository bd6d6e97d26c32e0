// Package gen writes C programs of growing size for comus and other verifiers:
// those of section 7 of the CoMuS paper and a few more, each with any number of
// threads, in a safe and in an unsafe form.
//
// A kind of program is a template in the folder templates. The first line of each
// program names its verdict.
package gen

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"text/template"
)

// Options say which instance of a kind to generate.
type Options struct {
	Threads int  // at least 2, without main
	Unsafe  bool // the form in which an assertion can fail
	// Ring closes the chain of fib.
	Ring bool
	// Columns is the number of columns of mat; 0 means as many as rows.
	Columns int
	// Iterations is how often each thread of fib and alike adds, or takes a ticket; 0 means 2
	// for fib, otherwise 1.
	Iterations int
	// Size is how many things the threads share, or produce: cells of buffer, accounts, numbers
	// that a relay starts with, nodes of each thread of list. 0 means a size of the kind's own.
	Size int
	// Local makes the property concern the first two threads only, whatever the
	// others do, and keeps these two as they are whatever the number of threads:
	// mat has 3 columns unless told otherwise.
	Local bool
	// MaxInput is the largest input, so that sums stay far from the limits of an
	// int; 0 means that inputs are not bounded.
	MaxInput int
	// Vary names ways to write the program, of those that the kind has.
	Vary []string
}

// Kind is a kind of program.
type Kind struct {
	Name    string
	Summary string   // one line
	Flags   []string // what it takes beside the threads and the form
	Vary    []string // the ways to write it
}

// The names of the options that only some kinds have.
const (
	FlagRing       = "ring"
	FlagColumns    = "columns"
	FlagIterations = "iterations"
	FlagLocal      = "local"
	FlagMaxInput   = "max-input"
	FlagSize       = "size"
	FlagVary       = "vary"
)

// localColumns is the number of columns of mat with a local property.
const localColumns = 3

// maxSize bounds all numbers but inputs.
const maxSize = 1000

// Kinds returns all kinds of programs.
func Kinds() []Kind {
	return []Kind{
		{"mat", "sums of a matrix, a thread a row, waiting for the cells of the row below", []string{FlagColumns, FlagLocal, FlagMaxInput},
			own("columns", "running", "flags", "main")},
		{"pas", "Pascal's triangle, a thread a row, waiting for the two entries above", []string{FlagLocal}, own()},
		{"long", "longest increasing subsequence, a thread an index, waiting for all before", []string{FlagLocal, FlagMaxInput}, own()},
		{"fib", "each thread adds the next number to its own, in a chain or a ring", []string{FlagRing, FlagIterations}, own()},
		{"tree", "a binary tree of threads adds up numbers", []string{FlagMaxInput}, own()},
		{"pipe", "an endless pipeline with mailboxes under mutexes", []string{FlagMaxInput}, own()},
		{"pet", "Peterson's mutual exclusion, with levels for more than two threads", nil, own()},
		{"relay", "an endless pipeline that adds 1 at each stage, through boxes with a lock each", []string{FlagSize}, own("conditions", "counters", "main")},
		{"buffer", "a ring of cells under one lock, between producers and consumers", []string{FlagSize}, alike("retry", "flags", "main")},
		{"alike", "threads that are made in a loop and add up", []string{FlagIterations}, []string{"names", "atomic", "counters", "threads"}},
		{"accounts", "transfers between accounts with a lock each", []string{FlagSize}, alike("one", "fixed", "main")},
		{"list", "threads put allocated nodes on a stack, and others take them", []string{FlagSize}, alike("queue", "main")},
		{"ticket", "mutual exclusion by numbers that are called in order", []string{FlagIterations}, alike()},
		{"readers", "many readers or a writer, who set a counter or a flag under a lock", nil, alike("flags")},
	}
}

// Has tells whether a kind takes a flag.
func Has(kind, flag string) bool {
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Name == kind && slices.Contains(k.Flags, flag) })
}

// Generate returns the program of a kind.
func Generate(kind string, o Options) (string, error) {
	in, err := newInstance(kind, o)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := programs().ExecuteTemplate(&text, in.template()+".c.tmpl", in); err != nil {
		return "", fmt.Errorf("template of %s: %w", kind, err)
	}
	return tidy(in.rewrite(text.String())), nil
}

// tidy keeps one of several empty lines, which templates leave behind.
func tidy(text string) string {
	lines := slices.CompactFunc(strings.Split(text, "\n"), func(a, b string) bool { return a == "" && b == "" })
	return strings.Join(lines, "\n")
}

//go:embed templates
var files embed.FS

// programs are the templates, parsed when they are asked for: not every start of comus needs them.
var programs = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"seq":   seq,
		"list":  func(n int, item string) string { return strings.Join(slices.Repeat([]string{item}, n), ", ") },
		"inc":   func(n int) int { return n + 1 },
		"dec":   func(n int) int { return n - 1 },
		"times": times,
	}).ParseFS(files, "templates/*.tmpl"))
})

// seq returns the numbers from low up to but not including high.
func seq(low, high int) []int {
	var s []int
	for i := low; i < high; i++ {
		s = append(s, i)
	}
	return s
}

// times says how often.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprint(n, " times")
}

// instance is what a template is executed with.
type instance struct {
	Options
	Kind    string
	Maximum int // fib: the largest value of v[0]; pas: the coefficient in the middle
}

// defaultIterations returns how often something is done unless it is given.
func (in *instance) defaultIterations() int {
	if in.Kind == "fib" {
		return 2
	}
	return 1
}

// newInstance checks the options and completes them.
func newInstance(kind string, o Options) (*instance, error) {
	if !slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Name == kind }) {
		return nil, fmt.Errorf("no kind %q: the kinds are %s", kind, kindNames())
	}
	given := map[string]bool{FlagRing: o.Ring, FlagColumns: o.Columns != 0, FlagIterations: o.Iterations != 0,
		FlagLocal: o.Local, FlagMaxInput: o.MaxInput != 0, FlagSize: o.Size != 0}
	for _, flag := range []string{FlagRing, FlagColumns, FlagIterations, FlagLocal, FlagMaxInput, FlagSize} {
		if given[flag] && !Has(kind, flag) {
			return nil, fmt.Errorf("%s has no --%s", kind, flag)
		}
	}
	for _, name := range o.Vary {
		if !slices.Contains(Variations(kind), name) {
			return nil, fmt.Errorf("%s has no --%s %s, but %s", kind, FlagVary, name, strings.Join(Variations(kind), ", "))
		}
	}
	in := &instance{Options: o, Kind: kind}
	if err := in.sizes(); err != nil {
		return nil, err
	}
	return in, in.maximum()
}

// sizes checks the numbers and replaces those that are not given.
func (in *instance) sizes() error {
	if in.Threads < 2 || in.Threads > maxSize {
		return fmt.Errorf("--threads must be from 2 to %d", maxSize)
	}
	if in.Columns < 0 || in.Columns > maxSize {
		return fmt.Errorf("--columns must be from 1 to %d", maxSize)
	}
	if in.Iterations < 0 || in.Iterations > maxSize {
		return fmt.Errorf("--iterations must be from 1 to %d", maxSize)
	}
	if in.MaxInput < 0 || in.MaxInput > math.MaxInt32 {
		return fmt.Errorf("--max-input must be from 1 to %d", math.MaxInt32)
	}
	if in.Size < 0 || in.Size > maxSize {
		return fmt.Errorf("--size must be from 1 to %d", maxSize)
	}
	if in.Kind == "accounts" && in.Size == 1 {
		return errors.New("accounts need a --size of 2 or more")
	}
	in.Columns = cmp.Or(in.Columns, in.defaultColumns())
	in.Iterations = cmp.Or(in.Iterations, in.defaultIterations())
	in.Size = cmp.Or(in.Size, in.defaultSize())
	return nil
}

// defaultColumns returns the number of columns of mat unless it is given.
func (in *instance) defaultColumns() int {
	if in.Local {
		return localColumns
	}
	return in.Threads
}

// maximum computes the number that the assertion of fib and pas is about.
func (in *instance) maximum() error {
	var largest *big.Int
	var err error
	switch {
	case in.Kind == "pas":
		largest = new(big.Int).Binomial(int64(in.Row()), int64(in.Middle()))
	case in.Kind == "fib" && in.Ring:
		largest, err = ringMaximum(in.Threads, in.Iterations)
	case in.Kind == "fib":
		largest = chainMaximum(in.Threads, in.Iterations)
	default:
		return nil
	}
	switch {
	case err != nil:
		return err
	case largest.Cmp(big.NewInt(math.MaxInt32)) > 0:
		return errLarge
	}
	in.Maximum = int(largest.Int64())
	return nil
}

// kindNames lists the kinds.
func kindNames() string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// template returns the name of the template.
func (in *instance) template() string {
	switch {
	case in.Kind != "pet":
		return in.Kind
	case in.Threads == 2:
		return "pet2"
	}
	return "petn"
}

// Command returns the command line that makes the instance.
func (in *instance) Command() string {
	s := fmt.Sprintf("comus gen %s --threads %d", in.Kind, in.Threads)
	if in.Ring {
		s += " --ring"
	}
	if in.Kind == "mat" && in.Columns != in.defaultColumns() {
		s += fmt.Sprintf(" --columns %d", in.Columns)
	}
	if in.Iterations != in.defaultIterations() {
		s += fmt.Sprintf(" --iterations %d", in.Iterations)
	}
	if in.Size != in.defaultSize() {
		s += fmt.Sprintf(" --size %d", in.Size)
	}
	if in.Local {
		s += " --local"
	}
	if in.MaxInput > 0 {
		s += fmt.Sprintf(" --max-input %d", in.MaxInput)
	}
	if len(in.Vary) > 0 {
		s += " --vary " + strings.Join(in.Vary, ",")
	}
	if in.Unsafe {
		s += " --unsafe"
	}
	return s
}

// Last returns the number of the last thread, counted from 0.
func (in *instance) Last() int { return in.Threads - 1 }

// Row returns the row of the entry of pas that is asserted.
func (in *instance) Row() int {
	if in.Local {
		return 2
	}
	return in.Threads
}

// Middle returns the column of that entry.
func (in *instance) Middle() int { return in.Row() / 2 }

// Rows returns the rows of pas.
func (in *instance) Rows() []int { return seq(1, in.Threads+1) }

// Index returns the index of the length of long that is asserted.
func (in *instance) Index() int {
	if in.Local {
		return 1
	}
	return in.Last()
}

// AtMost returns the condition that an input is not too large, to be added to
// another one; "" if inputs are not bounded.
func (in *instance) AtMost(input string) string {
	if in.MaxInput == 0 {
		return ""
	}
	return fmt.Sprintf(" && %s <= %d", input, in.MaxInput)
}

// Bound returns what the assertion of fib allows.
func (in *instance) Bound() int {
	if in.Unsafe {
		return in.Maximum - 1
	}
	return in.Maximum
}

// Children returns the children of a node of tree.
func (in *instance) Children(node int) []int {
	return seq(2*node+1, min(2*node+3, in.Threads))
}

// Waits tells whether a node of tree waits for another one: the root of the unsafe
// form with one child does not.
func (in *instance) Waits() bool { return !in.Unsafe || in.Threads > 2 }

// LastChild returns the last child of the root of tree.
func (in *instance) LastChild() int { return min(2, in.Last()) }

// Others returns the condition under which a thread of pet that arrived last has
// to wait.
func (in *instance) Others(thread int) string {
	return in.join(thread, " || ", "level[%d] >= n")
}

// Alone returns what thread 0 of pet asserts.
func (in *instance) Alone() string { return in.join(0, " && ", "!cs[%d]") }

// join joins a condition about each thread but one.
func (in *instance) join(but int, op, format string) string {
	var parts []string
	for i := range in.Threads {
		if i != but {
			parts = append(parts, fmt.Sprintf(format, i))
		}
	}
	return strings.Join(parts, op)
}
