package html

import (
	"fmt"

	"comus/comus/involved"
	"comus/ir"
	"comus/report/execution"
	"comus/specialise"
)

// run is an execution as the scripts read it. What many rows share is in tables; rows have indexes.
type run struct {
	Threads  []string   `json:"threads"` // "1 serve"
	Sites    []site     `json:"sites"`
	Vars     []variable `json:"vars"`
	Locks    []string   `json:"locks"`
	Start    []standing `json:"start"`
	Rows     []row      `json:"rows"`
	Orders   []order    `json:"orders"`
	Involved []int      `json:"involved"` // the rows at the end that the violation is about
	Race     bool       `json:"race"`
}

// site is a statement at a place.
type site struct {
	File   int    `json:"f"` // -1: no place
	Line   int    `json:"l"`
	Text   string `json:"t"`
	Approx string `json:"a,omitempty"`
}

// variable is a variable with its value at the beginning.
type variable struct {
	Name   string `json:"n"`
	Thread int    `json:"t"` // ir.Shared
	Value  string `json:"v"`
}

// row is a row of the execution.
type row struct {
	Thread  int        `json:"t"`
	Site    int        `json:"s"`
	Values  []string   `json:"e,omitempty"` // inputs, and values that were read
	Changes []change   `json:"c,omitempty"`
	Locks   []holding  `json:"l,omitempty"`
	Moves   []standing `json:"m,omitempty"`
}

// change is a variable's new value.
type change struct {
	Var   int    `json:"v"`
	Value string `json:"x"`
}

// holding is a lock taken or given back.
type holding struct {
	Lock   int    `json:"k"`
	Thread int    `json:"t"`
	Taken  bool   `json:"g"`
	How    string `json:"h,omitempty"`
}

// standing is where a thread stands.
type standing struct {
	Thread int    `json:"t"`
	Status string `json:"s"`
	For    string `json:"w,omitempty"`
	Lock   int    `json:"k"` // -1: it waits for no lock
	File   int    `json:"f"`
	Line   int    `json:"l"`
}

// order says that a row comes before another one.
type order struct {
	From int            `json:"a"`
	To   int            `json:"b"`
	Kind execution.Kind `json:"k"`
	What string         `json:"w,omitempty"`
}

// runner makes a run.
type runner struct {
	*run
	src   *sources
	x     *execution.Execution
	sites map[site]int
	vars  map[*ir.Var]int
	locks map[*ir.Var]int
	at    map[string]map[int]map[int]bool // threads by file and line
}

// newRun makes a run of an execution. at collects which threads take steps at which lines.
func newRun(x *execution.Execution, src *sources, at map[string]map[int]map[int]bool) *run {
	r := &runner{run: &run{Race: execution.Property(x.Trace) == specialise.Race, Rows: []row{}, Orders: []order{}, Vars: []variable{}, Involved: []int{}},
		src: src, x: x, sites: map[site]int{}, vars: map[*ir.Var]int{}, locks: map[*ir.Var]int{}, at: at}
	for _, t := range x.Program.Threads {
		r.Threads = append(r.Threads, threadName(t))
	}
	for _, v := range x.Variables() {
		r.vars[v] = len(r.Vars)
		r.Vars = append(r.Vars, variable{v.Label(), v.Thread, x.Program.Value(v, x.Initial.Value(v))})
	}
	for _, ls := range x.Locks {
		for _, l := range ls {
			r.lock(l.Lock, l.Name)
		}
	}
	r.Start = r.standings(x.Moves[0])
	for i := range x.Rows {
		r.row(i)
	}
	for _, o := range x.Orders {
		r.Orders = append(r.Orders, order{o.From, o.To, o.Kind, o.What})
	}
	r.involved()
	return r.run
}

func threadName(t *ir.Thread) string { return fmt.Sprintf("%d %s", t.Index, t.Name) }

// lock returns the index of a lock.
func (r *runner) lock(v *ir.Var, name string) int {
	i, ok := r.locks[v]
	if !ok {
		i = len(r.Locks)
		r.locks[v] = i
		r.Locks = append(r.Locks, name)
	}
	return i
}

// row adds a row.
func (r *runner) row(i int) {
	x := r.x.Rows[i]
	s := site{r.src.add(x.Pos), x.Pos.Line, x.Statement(), x.Approx}
	n, ok := r.sites[s]
	if !ok {
		n = len(r.Sites)
		r.sites[s] = n
		r.Sites = append(r.Sites, s)
	}
	if s.File >= 0 {
		mark(r.at, x.Pos, x.Thread.Index)
	}
	out := row{Thread: x.Thread.Index, Site: n, Moves: r.standings(r.x.Moves[i+1])}
	for _, in := range x.Inputs {
		out.Values = append(out.Values, fmt.Sprintf("%s() = %s", in.Name, in.Value))
	}
	if len(x.Changes)+len(x.Inputs) == 0 {
		out.Values = x.Reads
	} else {
		out.Values = append(out.Values, x.Old...)
	}
	for _, c := range x.Changes {
		if v, ok := r.vars[c.Var]; ok {
			out.Changes = append(out.Changes, change{v, r.x.Program.Value(c.Var, c.New)})
		}
	}
	for _, l := range r.x.Locks[i] {
		out.Locks = append(out.Locks, holding{r.lock(l.Lock, l.Name), l.Thread.Index, l.Taken, l.How})
	}
	r.Rows = append(r.Rows, out)
}

// mark notes that a thread takes a step at a place.
func mark(at map[string]map[int]map[int]bool, p ir.Pos, thread int) {
	if at[p.File] == nil {
		at[p.File] = map[int]map[int]bool{}
	}
	if at[p.File][p.Line] == nil {
		at[p.File][p.Line] = map[int]bool{}
	}
	at[p.File][p.Line][thread] = true
}

// standings returns moves as the scripts read them.
func (r *runner) standings(ms []execution.Move) []standing {
	var out []standing
	for _, m := range ms {
		s := standing{Thread: m.Thread.Index, Status: string(m.Status), For: m.For, Lock: -1, File: r.src.add(m.Pos), Line: m.Pos.Line}
		if m.Lock != nil {
			s.Lock = r.lock(m.Lock, m.For)
			s.For = r.Locks[s.Lock]
		}
		out = append(out, s)
	}
	return out
}

// involved notes the last rows of the threads that the violation is about.
func (r *runner) involved() {
	last := map[*ir.Thread]int{}
	for i, x := range r.x.Rows {
		last[x.Thread] = i
	}
	parts := involved.In(r.x.Trace)
	for _, p := range parts {
		if i, ok := last[p.Thread]; ok {
			r.Involved = append(r.Involved, i)
		}
	}
	if l := r.x.Error; parts == nil && l != nil {
		if i, ok := last[l.Thread]; ok {
			r.Involved = append(r.Involved, i)
		}
	}
}
