// Package timing measures what the components of a verification take.
//
// Components call each other: a generalisation runs sequential checks, these call
// nothing else. A [Timings] keeps two times for each component: its own, without
// that of the components it called, so that the own times of all components add up
// to what was measured; and the whole, with them, in which a call of a component
// inside another one of the same name counts once.
package timing

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// The components of a verification, in the order of reports.
const (
	Reading        = "reading"           // of sources: preprocessing
	Building       = "building"          // checking, and cir of each unit
	Linking        = "linking"           // of units, with the library's models
	Points         = "points-to"         // what pointers may point to
	Scanning       = "scanning"          // the analysis of the whole program
	Specialising   = "specialising"      // cir to ir
	Simulation     = "simulation"        // runs with random schedules before anything else; not those beside the rest
	Passes         = "passes"            // simplification of the program
	Cutpoints      = "cutpoints"         // interleaving reduction
	Seeding        = "seeding"           // facts about pairs of locations
	Sequential     = "sequential checks" // calls of the sequential model checker; those at the same time are one
	WP             = "wp"                // symbolic execution and weakest preconditions
	Projection     = "projection"        // elimination of variables
	Generalisation = "generalisation"    // of refinements
	Events         = "events"            // search for an execution as a partial order
	Concretization = "concretization"    // inputs and a schedule for a violation
	Checking       = "checking"          // certificate or replay, with the solver calls of it
	Solver         = "plain solver"      // calls of the solver outside of sequential and certificate checks
)

// names has these components in the order of reports; others come after them.
var names = []string{Reading, Building, Linking, Points, Scanning, Specialising, Simulation, Passes, Cutpoints, Seeding, Sequential, WP, Projection, Generalisation, Events, Concretization, Checking, Solver}

// Component is what a component took.
type Component struct {
	Name  string
	Calls int           // those that have begun
	Own   time.Duration // without the components it called
	Whole time.Duration // with them
}

// Timings measures the components of one verification. What is begun is begun by
// one goroutine at a time; [Timings.Components] may be called from another one.
// The nil Timings measures nothing.
type Timings struct {
	mu    sync.Mutex
	now   func() time.Time
	parts map[string]*Component
	stack []*frame  // of the calls under way, the innermost last
	since time.Time // the innermost call's own time is counted up to here
}

// frame is a call under way.
type frame struct {
	part  *Component
	start time.Time
	inner bool // inside a call of the same component
}

// New returns a Timings without any call.
func New() *Timings { return &Timings{now: time.Now, parts: map[string]*Component{}} }

// Add adds what components took in two processes, one after the other.
func Add(a, b []Component) []Component {
	sum := map[string]Component{}
	for _, c := range slices.Concat(a, b) {
		s := sum[c.Name]
		sum[c.Name] = Component{c.Name, s.Calls + c.Calls, s.Own + c.Own, s.Whole + c.Whole}
	}
	var list []Component
	for _, name := range ordered(slices.Collect(maps.Keys(sum))) {
		list = append(list, sum[name])
	}
	return list
}

// ordered returns names of components in the order of reports.
func ordered(list []string) []string {
	slices.Sort(list)
	rest := slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(names, name) })
	known := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(list, name) })
	return append(known, rest...)
}

// Start begins a call of a component, and returns what ends it.
func (t *Timings) Start(name string) (stop func()) {
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.charge()
	p := t.parts[name]
	if p == nil {
		p = &Component{Name: name}
		t.parts[name] = p
	}
	p.Calls++
	f := &frame{part: p, start: t.since}
	for _, g := range t.stack {
		f.inner = f.inner || g.part == p
	}
	t.stack = append(t.stack, f)
	return func() { t.end(f) }
}

// charge adds the time since the last change to the innermost call.
func (t *Timings) charge() {
	now := t.now()
	if n := len(t.stack); n > 0 {
		t.stack[n-1].part.Own += now.Sub(t.since)
	}
	t.since = now
}

// end ends a call, and all that is still under way inside of it; it may be called
// again.
func (t *Timings) end(f *frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, g := range t.stack {
		if g != f {
			continue
		}
		t.charge()
		for _, h := range t.stack[i:] {
			if !h.inner {
				h.part.Whole += t.since.Sub(h.start)
			}
		}
		t.stack = t.stack[:i]
		return
	}
}

// Components returns what each component took so far, those under way included, in
// the order of reports; components that were not called are left out.
func (t *Timings) Components() []Component {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.charge()
	var list []Component
	for _, name := range ordered(slices.Collect(maps.Keys(t.parts))) {
		p := t.parts[name]
		c := *p
		for _, f := range t.stack {
			if f.part == p && !f.inner {
				c.Whole += t.since.Sub(f.start)
			}
		}
		list = append(list, c)
	}
	return list
}
