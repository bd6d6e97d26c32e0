// Package gen writes C programs of growing size for comus and other verifiers:
// those of section 7 of the CoMuS paper and a few more, each with any number of
// threads, in a safe and in an unsafe form.
//
// A kind of program is a template in the folder templates. The first line of each
// program names its verdict.
package gen

import (
	"embed"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
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
	// Iterations is how often each thread of fib adds; 0 means 2.
	Iterations int
	// Local makes the property concern the first two threads only, whatever the
	// others do, and keeps these two as they are whatever the number of threads:
	// mat has 3 columns unless told otherwise.
	Local bool
	// MaxInput is the largest input, so that sums stay far from the limits of an
	// int; 0 means that inputs are not bounded.
	MaxInput int
}

// Kind is a kind of program.
type Kind struct {
	Name    string
	Summary string   // one line
	Flags   []string // what it takes beside the threads and the form
}

// The names of the options that only some kinds have.
const (
	FlagRing       = "ring"
	FlagColumns    = "columns"
	FlagIterations = "iterations"
	FlagLocal      = "local"
	FlagMaxInput   = "max-input"
)

// localColumns is the number of columns of mat with a local property.
const localColumns = 3

// maxSize bounds threads, columns and iterations.
const maxSize = 1000

// Kinds returns all kinds of programs.
func Kinds() []Kind {
	return []Kind{
		{"mat", "sums of a matrix, a thread a row, waiting for the cells of the row below", []string{FlagColumns, FlagLocal, FlagMaxInput}},
		{"pas", "Pascal's triangle, a thread a row, waiting for the two entries above", []string{FlagLocal}},
		{"long", "longest increasing subsequence, a thread an index, waiting for all before", []string{FlagLocal, FlagMaxInput}},
		{"fib", "each thread adds the next number to its own, in a chain or a ring", []string{FlagRing, FlagIterations}},
		{"tree", "a binary tree of threads adds up numbers", []string{FlagMaxInput}},
		{"pipe", "an endless pipeline with mailboxes under mutexes", []string{FlagMaxInput}},
		{"pet", "Peterson's mutual exclusion, with levels for more than two threads", nil},
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
	if err := programs.ExecuteTemplate(&text, in.template()+".c.tmpl", in); err != nil {
		return "", fmt.Errorf("template of %s: %w", kind, err)
	}
	return tidy(text.String()), nil
}

// tidy keeps one of several empty lines, which templates leave behind.
func tidy(text string) string {
	lines := slices.CompactFunc(strings.Split(text, "\n"), func(a, b string) bool { return a == "" && b == "" })
	return strings.Join(lines, "\n")
}

//go:embed templates
var files embed.FS

// programs are the templates.
var programs = template.Must(template.New("").Funcs(template.FuncMap{
	"seq":   seq,
	"list":  func(n int, item string) string { return strings.Join(slices.Repeat([]string{item}, n), ", ") },
	"inc":   func(n int) int { return n + 1 },
	"dec":   func(n int) int { return n - 1 },
	"times": times,
}).ParseFS(files, "templates/*.tmpl"))

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

// newInstance checks the options and completes them.
func newInstance(kind string, o Options) (*instance, error) {
	if !slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Name == kind }) {
		return nil, fmt.Errorf("no kind %q: the kinds are %s", kind, kindNames())
	}
	given := map[string]bool{FlagRing: o.Ring, FlagColumns: o.Columns != 0, FlagIterations: o.Iterations != 0,
		FlagLocal: o.Local, FlagMaxInput: o.MaxInput != 0}
	for _, flag := range []string{FlagRing, FlagColumns, FlagIterations, FlagLocal, FlagMaxInput} {
		if given[flag] && !Has(kind, flag) {
			return nil, fmt.Errorf("%s has no --%s", kind, flag)
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
	if in.Columns == 0 {
		in.Columns = in.defaultColumns()
	}
	if in.Iterations == 0 {
		in.Iterations = 2
	}
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
	if in.Kind == "fib" && in.Iterations != 2 {
		s += fmt.Sprintf(" --iterations %d", in.Iterations)
	}
	if in.Local {
		s += " --local"
	}
	if in.MaxInput > 0 {
		s += fmt.Sprintf(" --max-input %d", in.MaxInput)
	}
	if in.Unsafe {
		s += " --unsafe"
	}
	return s
}

// Functions returns the functions of the threads.
func (in *instance) Functions() []string {
	prefix := map[string]string{"mat": "row", "pas": "row", "long": "index", "tree": "node", "pipe": "stage"}[in.Kind]
	if prefix == "" {
		prefix = "thread"
	}
	first := 0
	if in.Kind == "pas" {
		first = 1
	}
	var names []string
	for i := range in.Threads {
		names = append(names, fmt.Sprint(prefix, first+i))
	}
	return names
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
