package html

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"io"
	"time"

	"comus/bench"
)

// Bench is a measurement, as a page shows it.
type Bench struct {
	Report  *bench.Report
	Version string // of comus
	Created time.Time
}

// benchView is what the template shows of a measurement.
type benchView struct {
	Suite, Conditions string
	Wrong             []string
	Totals            []benchTotal
	Plots             []plot
}

// benchTotal is what the runs of a configuration come to.
type benchTotal struct {
	Name, Text                       string
	Right, Wrong, Undecided, Missing int
	Seconds                          float64 // on those that are right
	Megabytes                        int64   // largest
}

// plot is a picture, and what it says for those who do not see it.
type plot struct {
	Picture template.URL
	Text    string
}

// benchRow is a row of the table of runs, as the scripts read it.
type benchRow struct {
	Task      string   `json:"task"`
	Config    string   `json:"config"`
	Property  string   `json:"property"`
	Threads   *int     `json:"threads"`
	Expect    string   `json:"expect"`
	Verdict   string   `json:"verdict"`
	Outcome   string   `json:"outcome"` // right, wrong, undecided or not run
	Reason    string   `json:"reason"`
	Seconds   *float64 `json:"seconds"`
	Megabytes *int64   `json:"megabytes"`
	Checks    *int     `json:"checks"`
}

// Write writes the page.
func (b *Bench) Write(w io.Writer) error {
	rep := b.Report
	view := benchView{Suite: rep.Suite, Conditions: rep.Conditions(), Wrong: rep.Wrong()}
	index := map[string]int{}
	for i, c := range rep.Configs {
		index[c.Name] = i
		view.Totals = append(view.Totals, benchTotal{Name: c.Name, Text: c.Text})
	}
	rows := []benchRow{}
	for _, r := range rep.Rows {
		row := benchRowOf(r)
		rows = append(rows, row)
		if i, ok := index[r.Config]; ok {
			view.Totals[i].add(row)
		}
	}
	var err error
	if view.Plots, err = plots(rep); err != nil {
		return err
	}
	p := page{Title: "Measurement " + rep.Suite, Kind: "bench", Body: view, Version: b.Version, Created: b.Created.UTC().Format("2006-01-02 15:04 UTC"),
		Data: struct {
			Bench []benchRow `json:"bench"`
		}{rows}}
	return p.write(w)
}

func benchRowOf(r *bench.Row) benchRow {
	out := benchRow{Task: r.Task, Config: r.Config, Property: r.Property, Expect: r.Expect, Verdict: r.Verdict, Reason: r.Reason, Outcome: "undecided"}
	if r.Threads > 0 {
		out.Threads = &r.Threads
	}
	switch {
	case r.Runs == 0:
		out.Outcome = "not run"
		return out
	case r.Wrong:
		out.Outcome = "wrong"
	case r.Right():
		out.Outcome = "right"
	}
	megabytes := r.MemoryBytes / 1e6
	out.Seconds, out.Megabytes = &r.Seconds, &megabytes
	if r.Counts != nil {
		out.Checks = &r.Counts.SequentialChecks
	}
	return out
}

// add adds a run to what a configuration comes to.
func (t *benchTotal) add(r benchRow) {
	if r.Megabytes != nil {
		t.Megabytes = max(t.Megabytes, *r.Megabytes)
	}
	switch r.Outcome {
	case "right":
		t.Right++
		t.Seconds += *r.Seconds
	case "wrong":
		t.Wrong++
	case "not run":
		t.Missing++
	default:
		t.Undecided++
	}
}

// plots returns the plots of package bench as pictures within the page.
func plots(rep *bench.Report) ([]plot, error) {
	var out []plot
	add := func(what string, draw func(io.Writer) (bool, error)) error {
		var b bytes.Buffer
		some, err := draw(&b)
		if some && err == nil {
			out = append(out, plot{template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), what})
		}
		return err
	}
	err := add("How many tasks each configuration solves within a time; the table below has the figures", rep.QuantilePlot)
	for _, c := range rep.Configs {
		if err == nil {
			err = add("Time of "+c.Name+" against the number of threads, with the fitted exponents", func(w io.Writer) (bool, error) { return rep.ScalingPlot(c.Name, w) })
		}
	}
	return out, err
}
