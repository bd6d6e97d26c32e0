package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"comus/comus"
	"comus/ir"
	"comus/seqmc"
	"comus/specialise"
)

// What was tried for a property that is UNKNOWN, what stopped each thing, and what a person can do.

// tried prints that for the properties without a verdict: the same of several in one row.
func (r *report) tried(row func(name, format string, args ...any)) {
	if r.checked != "" {
		return
	}
	all := r.properties()
	var order []string
	of := map[string][]string{}
	add := func(name, property string) {
		if of[name] == nil {
			order = append(order, name)
		}
		of[name] = append(of[name], property)
	}
	for _, p := range all {
		if p.Verdict == seqmc.Unknown {
			for _, t := range inRows(attemptsOf(p.Result)) {
				add("tried\x00"+t, p.Name)
			}
		}
	}
	for _, p := range all {
		if p.Verdict == seqmc.Unknown {
			for _, h := range r.hints(p) {
				add("hint\x00"+h, p.Name)
			}
		}
	}
	for _, o := range order {
		name, what, _ := strings.Cut(o, "\x00")
		if len(all) > 1 && name == "tried" {
			what += " (for " + strings.Join(of[o], ", ") + ")"
		}
		row(name, "%s", what)
	}
}

// attempt is something that was tried, and what came of it.
type attempt struct {
	what, came string
	took       time.Duration
}

// inRows words what was tried; things that came to the same are in one row.
func inRows(list []attempt) (rows []string) {
	for i := 0; i < len(list); {
		var what []string
		came := list[i].came
		for ; i < len(list) && list[i].came == came; i++ {
			what = append(what, fmt.Sprintf("%s (%s)", list[i].what, seconds(list[i].took)))
		}
		rows = append(rows, strings.Join(what, ", ")+": "+came)
	}
	return rows
}

// steps words a number of steps.
func steps(n int64) string {
	if n < 1_000_000 {
		return count(int(n), "step")
	}
	return fmt.Sprintf("%.1f million steps", float64(n)/1e6)
}

// attemptsOf returns what was tried for a property that is UNKNOWN.
func attemptsOf(res *comus.Result) (list []attempt) {
	t := res.Tried
	if t != nil && (t.Runs.Runs > 0 || t.Why != "") {
		came := "no violation"
		if t.Runs.CutOff > 0 {
			came += fmt.Sprintf("; %d of the runs were cut off before their end", t.Runs.CutOff)
		}
		if t.Why != "" {
			came = "the program cannot be run: " + oneLine(t.Why)
		}
		list = append(list, attempt{fmt.Sprintf("%s of the program with %s", count(t.Runs.Runs, "run"), steps(t.Runs.Steps)), came, t.Time})
	}
	if t != nil && t.Unfinished {
		list = append(list, attempt{"taking the program apart for the engines", "not finished in that time", t.TakingApart})
	}
	if res.Portfolio != nil {
		for _, c := range res.Portfolio.Contestants {
			came := oneLine(c.Outcome)
			if came == "stopped" {
				came = "stopped at the end of the time"
			}
			list = append(list, attempt{c.Engine, came, c.End - c.Begin})
		}
	}
	if len(list) == 0 || res.Portfolio == nil && t != nil && !t.Unfinished { // one engine, which was named
		list = append(list, attempt{cmp.Or(res.Engine, "the engine"), oneLine(res.Reason), res.Elapsed})
	}
	return list
}

// firstOpen returns the first property without a verdict.
func (r *report) firstOpen() string {
	for _, p := range r.properties() {
		if p.Verdict == seqmc.Unknown {
			return p.Name
		}
	}
	return ""
}

// hints returns what a person can do about a property that is UNKNOWN.
func (r *report) hints(p comus.PropertyResult) (list []string) {
	res, asked := p.Result, len(r.properties())
	add := func(format string, args ...any) {
		if h := fmt.Sprintf(format, args...); !slices.Contains(list, h) {
			list = append(list, h)
		}
	}
	late := strings.HasPrefix(p.Reason, "timeout") || strings.Contains(p.Reason, "scan: timeout")
	unfinished := res.Tried != nil && res.Tried.Unfinished
	if asked > 1 && (late || unfinished) {
		add("ask about one property alone: it then has all of the time (--check %s)", r.firstOpen())
	}
	if p.Name == specialise.Race && res.Scan != nil {
		add("comus scan lists all open pairs of accesses, and decides one after the other")
	}
	if unfinished || strings.Contains(p.Reason, "cannot be taken apart") {
		add("use smaller constants in the program, or smaller bounds (--max-threads, --max-allocs)")
	} else if late {
		add("more time (--timeout)")
	}
	if s := res.Suspected; s != nil && slices.ContainsFunc(s.On, func(on ir.Approximation) bool { return strings.Contains(on.String(), "unknown function") }) {
		add("give library functions a body (--model)")
	}
	return list
}

// jsonAttempt is something that was tried, and what came of it.
type jsonAttempt struct {
	What    string  `json:"what"`
	Seconds float64 `json:"seconds"`
	Came    string  `json:"came"`
}

// jsonTried puts what was tried into its form.
func jsonTried(res *comus.Result) []jsonAttempt {
	out := []jsonAttempt{}
	for _, a := range attemptsOf(res) {
		out = append(out, jsonAttempt{a.what, rounded(a.took), a.came})
	}
	return out
}
