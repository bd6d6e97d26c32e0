package bench

import (
	"math"
	"runtime"
	"slices"
	"sort"
)

// Report is what the runs of a suite amount to.
type Report struct {
	Suite   string       `json:"suite"`
	Configs []ConfigName `json:"configurations"`
	Timeout float64      `json:"timeout"` // seconds; 0: none
	Memory  int64        `json:"memory"`  // bytes; 0: no limit
	Repeat  int          `json:"repeat"`
	Jobs    int          `json:"jobs"`
	System  string       `json:"system"`
	CPUs    int          `json:"cpus"`
	// Cluster tells that a scheduler made the runs, on machines that may be others than this one.
	Cluster bool   `json:"cluster,omitempty"`
	Rows    []*Row `json:"rows"`
}

// ConfigName names a configuration and says what it is.
type ConfigName struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Foreign bool   `json:"foreign"`
}

// Row is a task with a configuration: the medians of its runs.
type Row struct {
	Task    string `json:"task"`
	Class   string `json:"class"`
	Threads int    `json:"threads"`
	Column  string `json:"column"`
	Config  string `json:"configuration"`
	Expect  string `json:"expect"`
	// What is asked, where the suite says so.
	Property  string `json:"property"`
	DataModel string `json:"data_model"`

	Runs        int     `json:"runs"`    // how many there are
	Verdict     string  `json:"verdict"` // "" without a run; a wrong one of a single run decides
	Wrong       bool    `json:"wrong"`
	Score       int     `json:"score"` // SV-COMP's points
	Reason      string  `json:"reason"`
	Seconds     float64 `json:"seconds"`
	MemoryBytes int64   `json:"memory_bytes"` // largest
	Counts      *Counts `json:"counts,omitempty"`
	Components  Seconds `json:"components,omitempty"` // of the run with the median time
	Paper       *Figure `json:"paper,omitempty"`      // what is published for CoMuS

	violated string // the part of the property that is expected to be violated; "": any
}

// Right tells whether the task was solved.
func (r *Row) Right() bool { return decided(r.Verdict) && !r.Wrong }

// report makes the report of the runs that are there.
func (b *benchmark) report() *Report {
	rep := &Report{Suite: b.Suite.Name, Timeout: b.Timeout.Seconds(), Memory: b.Memory, Repeat: b.Repeat,
		Jobs: b.Jobs, System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), Cluster: b.Slurm != nil}
	for _, c := range b.Configs {
		rep.Configs = append(rep.Configs, ConfigName{c.Name, c.Text, c.Foreign})
	}
	for _, t := range b.Suite.Tasks {
		for _, c := range b.Configs {
			var runs []*Result
			for n := 1; n <= b.Repeat; n++ {
				if r, ok := b.store.get(b.key(job{t, c, n})); ok {
					runs = append(runs, r)
				}
			}
			row := &Row{Task: t.Name, Class: t.Class, Threads: t.Threads, Column: t.Column, Config: c.Name,
				Expect: t.Expect, Property: t.Property, DataModel: t.DataModel, Paper: published(b.Suite.Name, t.Class, t.Threads, t.Column)}
			row.violated = t.Violated
			row.fill(runs)
			rep.Rows = append(rep.Rows, row)
		}
	}
	return rep
}

// fill sets the medians. A run without an answer counts as slower than any with
// one, so the median is an answer only if most runs have one.
func (r *Row) fill(runs []*Result) {
	r.Runs = len(runs)
	if len(runs) == 0 {
		return
	}
	rank := func(x *Result) float64 {
		if decided(x.Verdict) {
			return x.Seconds
		}
		return math.Inf(1)
	}
	runs = slices.Clone(runs)
	sort.SliceStable(runs, func(i, j int) bool { return rank(runs[i]) < rank(runs[j]) })
	low, high := runs[(len(runs)-1)/2], runs[len(runs)/2]
	r.Verdict, r.Reason, r.Seconds = high.Verdict, high.Reason, (low.Seconds+high.Seconds)/2
	r.Components = high.Components
	for _, x := range runs {
		r.MemoryBytes = max(r.MemoryBytes, x.MemoryBytes)
		// Compared with what is expected now: the verdict that a suite's file
		// gives may have been corrected since.
		if wrong(x.Verdict, r.Expect) {
			r.Verdict, r.Wrong = x.Verdict, true
		}
		if r.violated != "" && x.Verdict == VerdictUnsafe && len(x.Violated) > 0 && !slices.Contains(x.Violated, r.violated) {
			r.Verdict, r.Wrong = x.Verdict, true // another part of the property
		}
	}
	r.Counts, r.Score = medianCounts(runs), r.score()
}

// medianCounts returns the medians of each count, nil if no run has any.
func medianCounts(runs []*Result) *Counts {
	var all []*Counts
	for _, x := range runs {
		if x.Counts != nil && decided(x.Verdict) {
			all = append(all, x.Counts)
		}
	}
	if len(all) == 0 {
		return nil
	}
	middle := func(field func(*Counts) int) int {
		values := make([]int, len(all))
		for i, c := range all {
			values[i] = field(c)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return &Counts{
		SequentialChecks: middle(func(c *Counts) int { return c.SequentialChecks }),
		Iterations:       middle(func(c *Counts) int { return c.Iterations }),
		Queries:          middle(func(c *Counts) int { return c.Queries }),
		Refinements:      middle(func(c *Counts) int { return c.Refinements }),
		Promises:         middle(func(c *Counts) int { return c.Promises }),
		SolverCalls:      middle(func(c *Counts) int { return c.SolverCalls }),
	}
}

// Wrong returns a line for each task with a wrong verdict.
func (rep *Report) Wrong() []string {
	var lines []string
	for _, r := range rep.Rows {
		if r.Wrong {
			lines = append(lines, wrongLine(r.Task, r.Config, r.Verdict, r.Expect))
		}
	}
	return lines
}

// of returns the rows of a configuration.
func (rep *Report) of(config string) []*Row {
	var rows []*Row
	for _, r := range rep.Rows {
		if r.Config == config {
			rows = append(rows, r)
		}
	}
	return rows
}

// total counts the rows of a configuration.
type total struct {
	right, wrong, undecided, missing int
	score                            int     // SV-COMP's points
	seconds                          float64 // on those that are right
	limited                          float64 // with the limit for each of the others that were run
	checks                           int     // on those that are right
	memory                           int64   // largest
}

// count adds up rows that were measured with a limit of time.
func count(rows []*Row, limit float64) total {
	var t total
	for _, r := range rows {
		t.memory = max(t.memory, r.MemoryBytes)
		t.score += r.score()
		if r.Right() && r.Counts != nil {
			t.checks += r.Counts.SequentialChecks
		}
		switch {
		case r.Runs == 0:
			t.missing++
		case r.Wrong:
			t.wrong++
		case r.Right():
			t.right++
			t.seconds += r.Seconds
		default:
			t.undecided++
		}
	}
	t.limited = t.seconds + limit*float64(t.wrong+t.undecided)
	return t
}

// leastTime stands for a time that is too short to be measured.
const leastTime = 0.001

// ratio returns the geometric mean of a's times over b's, over the tasks that both
// solved, and how many those are.
func ratio(a, b []*Row) (mean float64, tasks int) {
	other := map[string]*Row{}
	for _, r := range b {
		other[r.Task] = r
	}
	sum := 0.0
	for _, r := range a {
		if o := other[r.Task]; o != nil && r.Right() && o.Right() {
			sum += math.Log(max(r.Seconds, leastTime) / max(o.Seconds, leastTime))
			tasks++
		}
	}
	if tasks == 0 {
		return 0, 0
	}
	return math.Exp(sum / float64(tasks)), tasks
}

// growth is how the time of a class of programs grows with the number of threads:
// like a power of it.
type growth struct {
	config, class, column string
	rows                  []*Row // the solved ones, by threads
	exponent, factor      float64
	fitted                int // to how many rows; 0: there are too few
}

// fitFrom is the time from which on a row is fitted: below, it is mostly what it
// takes to start a process.
const fitFrom = 0.05

// growths returns the growth of each class and column of a configuration.
func (rep *Report) growths(config string) []*growth {
	var list []*growth
	byName := map[string]*growth{}
	for _, r := range rep.of(config) {
		if r.Class == "" || r.Threads < 1 || !r.Right() {
			continue
		}
		key := r.Class + " " + r.Column
		g := byName[key]
		if g == nil {
			g = &growth{config: config, class: r.Class, column: r.Column}
			byName[key] = g
			list = append(list, g)
		}
		g.rows = append(g.rows, r)
	}
	list = slices.DeleteFunc(list, func(g *growth) bool { return len(g.rows) < 2 })
	for _, g := range list {
		slices.SortFunc(g.rows, func(a, b *Row) int { return a.Threads - b.Threads })
		g.fit()
	}
	return list
}

// fit fits seconds = factor · threads^exponent to the rows of at least fitFrom
// seconds or, if those are of less than three numbers of threads, to all of them.
func (g *growth) fit() {
	slow := slices.DeleteFunc(slices.Clone(g.rows), func(r *Row) bool { return r.Seconds < fitFrom })
	if !g.fitTo(slow) {
		g.fitTo(g.rows)
	}
}

// fitTo fits to some of the rows, by least squares of the logarithms, if they are of
// three numbers of threads or more.
func (g *growth) fitTo(rows []*Row) bool {
	var n, sx, sy, sxx, sxy float64
	different := map[int]bool{}
	for _, r := range rows {
		x, y := math.Log(float64(r.Threads)), math.Log(max(r.Seconds, leastTime))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
		different[r.Threads] = true
	}
	if len(different) < 3 {
		return false
	}
	g.fitted = len(rows)
	g.exponent = (n*sxy - sx*sy) / (n*sxx - sx*sx)
	g.factor = math.Exp((sy - g.exponent*sx) / n)
	return true
}
