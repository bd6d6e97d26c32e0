package bench

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"comus/examples/boolgen"
	"comus/internal/child"
)

// BoolSuite is the name of the measurement of comus bool: see [RunBool].
const BoolSuite = "bool"

// BoolRun is a run of comus bool on the repaired model of the Bluetooth driver, which
// has no error, so that all contexts are analysed.
type BoolRun struct {
	Method                  string
	Contexts, Threads, Bits int  // Bits: of the driver's counter
	Solved                  bool // within the limits
	Seconds                 float64
	Nodes                   int // of BDDs
}

// boolSeries are runs that differ in one size.
type boolSeries struct {
	BoolRun
	threads, contexts []int // what it varies, instead of that of BoolRun
}

// BoolOptions says how to measure.
type BoolOptions struct {
	Comus   Program
	Dir     string        // for programs and logs
	Timeout time.Duration // for one run
	Memory  int64
	Repeat  int // the fastest one counts
	Message func(format string, args ...any)
}

// allBoolSeries are the measurements: against the number of threads with a counter that
// is wide enough for all and with one that ends at 3, and against that of contexts. As
// in the paper, the model with 5 bits has 8 global variables, and there are 3 threads
// when contexts grow.
func allBoolSeries() (list []boolSeries) {
	threads := []int{2, 3, 4, 6, 8, 10, 12, 16, 20, 24}
	for _, contexts := range []int{2, 3, 4} {
		for _, method := range []string{"lazy", "eager"} {
			list = append(list, boolSeries{BoolRun{Method: method, Contexts: contexts, Bits: 5}, threads, nil})
		}
	}
	for _, method := range []string{"lazy", "eager"} {
		list = append(list, boolSeries{BoolRun{Method: method, Contexts: 4, Bits: 2}, threads, nil})
	}
	for _, method := range []string{"lazy", "eager", "sequential"} {
		list = append(list, boolSeries{BoolRun{Method: method, Threads: 3, Bits: 5}, nil, []int{1, 2, 3, 4, 5, 6}})
	}
	return list
}

// runs returns the runs of a series.
func (s boolSeries) runs() (list []BoolRun) {
	for _, n := range s.threads {
		r := s.BoolRun
		r.Threads = n
		list = append(list, r)
	}
	for _, n := range s.contexts {
		r := s.BoolRun
		r.Contexts = n
		list = append(list, r)
	}
	return list
}

// RunBool makes the measurements, a run at a time. A series ends with the first run that
// is not solved.
func RunBool(ctx context.Context, o BoolOptions) ([]BoolRun, error) {
	if err := Begin(o.Dir, BoolSuite); err != nil {
		return nil, err
	}
	var done []BoolRun
	for _, s := range allBoolSeries() {
		for _, r := range s.runs() {
			for n := range max(o.Repeat, 1) {
				again := r
				if err := again.measure(ctx, o); err != nil {
					return done, err
				}
				if n == 0 || again.Seconds < r.Seconds {
					r = again
				}
			}
			o.Message("%s, %d threads, %d contexts, %d bits: %.2f s", r.Method, r.Threads, r.Contexts, r.Bits, r.Seconds)
			done = append(done, r)
			if !r.Solved {
				break
			}
		}
	}
	return done, nil
}

// measure makes a run.
func (r *BoolRun) measure(ctx context.Context, o BoolOptions) error {
	text, err := boolgen.Bluetooth{Adders: r.Threads - 1, Stoppers: 1, Bits: r.Bits}.Program()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("bluetooth-%d-%d", r.Threads, r.Bits)
	file := filepath.Join(o.Dir, "programs", name+".bp")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := write(file, []byte(text)); err != nil {
		return err
	}
	argv := []string{o.Comus.Name, "bool", "--json", "--max-nodes=0", "--method=" + r.Method, "--contexts=" + strconv.Itoa(r.Contexts), file}
	c := &child.Command{Path: o.Comus.Path, Argv: argv, Timeout: o.Timeout, Memory: o.Memory,
		Logs: filepath.Join(o.Dir, "logs", fmt.Sprintf("%s-%s-%d", name, r.Method, r.Contexts))}
	end, err := c.Run(ctx)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
	}
	r.Seconds = milli(end.CPU) // other processes disturb it less than the time of day
	if end.Stopped != "" {
		return nil
	}
	var report struct {
		Reason string
		Nodes  int `json:"bdd_nodes"`
	}
	out, err := readEnd(end.Stdout)
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if err != nil || !strings.HasPrefix(report.Reason, "no error within ") {
		return fmt.Errorf("%s: %s", strings.Join(argv, " "), failure(end))
	}
	r.Solved, r.Nodes = true, report.Nodes
	return nil
}

// BoolCSV writes the runs.
func BoolCSV(w io.Writer, runs []BoolRun) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"method", "threads", "contexts", "counter_bits", "cpu_seconds", "bdd_nodes"})
	for _, r := range runs {
		line := []string{r.Method, strconv.Itoa(r.Threads), strconv.Itoa(r.Contexts), strconv.Itoa(r.Bits), "", ""}
		if r.Solved {
			line[4], line[5] = strconv.FormatFloat(r.Seconds, 'f', 3, 64), strconv.Itoa(r.Nodes)
		}
		_ = out.Write(line) // Error has what went wrong
	}
	out.Flush()
	return out.Error()
}

// solved returns the solved runs of a series.
func (s boolSeries) solved(runs []BoolRun) (list []BoolRun) {
	for _, r := range s.runs() {
		for _, done := range runs {
			same := done
			same.Solved, same.Seconds, same.Nodes = false, 0, 0
			if same == r && done.Solved {
				list = append(list, done)
				break
			}
		}
	}
	return list
}

// exponent fits value = factor · threads^exponent; "" if there are too few runs.
func exponent(runs []BoolRun, value func(BoolRun) float64) string {
	g := &growth{}
	for _, r := range runs {
		g.rows = append(g.rows, &Row{Threads: r.Threads, Seconds: value(r)})
	}
	if g.fit(); g.fitted == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", g.exponent)
}

// BoolMarkdown writes the runs as tables.
func BoolMarkdown(w io.Writer, runs []BoolRun) {
	seconds := func(r BoolRun) float64 { return r.Seconds }
	nodes := func(r BoolRun) float64 { return float64(r.Nodes) }
	var threads, contexts table
	for _, s := range allBoolSeries() {
		list := s.solved(runs)
		var sizes, cells []string
		for _, r := range s.runs() {
			size := r.Contexts
			if s.threads != nil {
				size = r.Threads
			}
			sizes = append(sizes, strconv.Itoa(size))
			cell := ""
			if i := slices.IndexFunc(list, func(d BoolRun) bool { return d.Threads == r.Threads && d.Contexts == r.Contexts }); i >= 0 {
				cell = fmt.Sprintf("%.2f", list[i].Seconds)
			}
			cells = append(cells, cell)
		}
		if s.threads == nil {
			if len(contexts.lines) == 0 {
				contexts.add(append([]string{"seconds with 3 threads and contexts:"}, sizes...)...)
			}
			contexts.add(append([]string{s.Method}, cells...)...)
			continue
		}
		if len(threads.lines) == 0 {
			threads.add(slices.Concat([]string{"seconds with threads:", "contexts", "bits"}, sizes, []string{"exponent of the time", "of the nodes"})...)
		}
		first := []string{s.Method, strconv.Itoa(s.Contexts), strconv.Itoa(s.Bits)}
		threads.add(slices.Concat(first, cells, []string{exponent(list, seconds), exponent(list, nodes)})...)
	}
	threads.write(w, 1)
	contexts.write(w, 1)
}

// BoolPlot writes an SVG with the time against the number of threads, in logarithms, or
// against that of contexts.
func BoolPlot(w io.Writer, runs []BoolRun, againstThreads bool) error {
	p := newFigure("Bluetooth driver, 3 threads", "contexts of each thread")
	if againstThreads {
		p = newFigure("Bluetooth driver", "threads")
		p.X.Scale = plot.LogScale{}
	}
	ticks := map[int]bool{}
	var methods, sizes []string
	for _, s := range allBoolSeries() {
		list := s.solved(runs)
		if (s.threads != nil) != againstThreads || len(list) == 0 {
			continue
		}
		var pts plotter.XYs
		for _, r := range list {
			x := r.Contexts
			if againstThreads {
				x = r.Threads
			}
			ticks[x] = true
			pts = append(pts, plotter.XY{X: float64(x), Y: max(r.Seconds, leastTime)})
		}
		name, size := s.Method, ""
		if againstThreads {
			size = fmt.Sprintf("%d contexts, %d bits", s.Contexts, s.Bits)
			name = s.Method + ", " + size
			if e := exponent(list, func(r BoolRun) float64 { return r.Seconds }); e != "" {
				name += ": ^" + e
			}
		}
		look := style{indexIn(&sizes, size), indexIn(&methods, s.Method)}
		if !againstThreads {
			look = p.next()
		}
		if err := p.addLine(name, look, pts, pts); err != nil {
			return err
		}
	}
	var marks threadTicks
	for n := range ticks {
		marks = append(marks, n)
	}
	slices.Sort(marks)
	p.X.Tick.Marker = marks
	return p.svg(w)
}
