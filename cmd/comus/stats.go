package main

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"time"

	"comus/comus"
	"comus/internal/timing"
)

// statistics prints everything that was counted and measured.
func (r *report) statistics(row func(name, format string, args ...any)) {
	res := r.res
	if r.checked == "" {
		s, n := res.Stats, res.Sizes
		row("program", "%s, %s, %s, %s", count(n.Threads, "thread"), count(n.Locations, "location"), count(n.Edges, "edge"),
			count(n.Variables, "variable"))
		row("reduced to", "%s, %s", count(n.CutPoints, "cut-point"), count(n.Blocks, "block"))
		row("queries", "%d that needed a sequential check", s.Queries)
		row("promises", "%d", s.Promises)
		row("cache", "%s", count(s.CacheHits, "hit"))
		row("concretized", "%s", count(s.Concretized, "attempt"))
		row("solver", "%s outside of sequential checks", count(s.SolverCalls, "call"))
	}
	if res.Portfolio != nil {
		r.portfolio(row)
	}
	row("memory", "%d MB at most", memoryOf(res)/1e6)
	for i, line := range componentTable(res.Components, res.Elapsed) {
		row([]string{"components", ""}[min(i, 1)], "%s", line)
	}
}

// componentTable words what the components took: their own time, and with what
// they called. The rest of the elapsed time is in the last line.
func componentTable(list []timing.Component, elapsed time.Duration) []string {
	const line = "%-18s %8s %10s %10s"
	out := []string{fmt.Sprintf(line, "", "calls", "alone", "in all")}
	rest := elapsed
	for _, c := range list {
		out = append(out, fmt.Sprintf(line, c.Name, fmt.Sprint(c.Calls), seconds(c.Own), seconds(c.Whole)))
		rest -= c.Own
	}
	return append(out, strings.TrimRight(fmt.Sprintf(line, "the rest", "", seconds(max(rest, 0)), ""), " "))
}

// jsonComponent is what a component took. The seconds of all components are
// disjoint; seconds_in_all has those of the components called, too.
type jsonComponent struct {
	Seconds      float64 `json:"seconds"`
	SecondsInAll float64 `json:"seconds_in_all"`
	Calls        int     `json:"calls"`
}

// jsonSizes are the sizes of the program that was verified.
type jsonSizes struct {
	Threads   int `json:"threads"`
	Locations int `json:"locations"`
	Edges     int `json:"edges"`
	Variables int `json:"variables"`
	CutPoints int `json:"cut_points"`
	Blocks    int `json:"blocks"`
}

// jsonComponents returns the components by name, with underscores for spaces.
func jsonComponents(list []timing.Component) map[string]jsonComponent {
	m := map[string]jsonComponent{}
	for _, c := range list {
		m[strings.ReplaceAll(c.Name, " ", "_")] = jsonComponent{rounded(c.Own), rounded(c.Whole), c.Calls}
	}
	return m
}

// memoryOf returns the most memory that a verification can have needed at a time, in
// bytes: that of this process, and of the engines of a portfolio.
func memoryOf(res *comus.Result) int64 {
	sum := peakMemory()
	if res.Portfolio != nil {
		for _, c := range res.Portfolio.Contestants {
			sum += c.MemoryBytes
		}
	}
	return sum
}

// peakMemory returns the largest size of the process so far, in bytes; what it has
// now if the system does not tell.
func peakMemory() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return resident()
	}
	unit := int64(1)
	if runtime.GOOS == "linux" {
		unit = 1024
	}
	return max(int64(u.Maxrss)*unit, resident())
}

// portfolio prints which engines ran beside one another, and how they ended.
func (r *report) portfolio(row func(name, format string, args ...any)) {
	p := r.res.Portfolio
	row("portfolio", "%s: %s", p.Features, strings.Join(p.Plan, ", "))
	if r.res.Engine == "simulate" {
		row("", "simulate found the execution")
	}
	for _, c := range p.Contestants {
		row("", "%s from %s to %s, %s of CPU, %d MB: %s", c.Engine, seconds(c.Begin), seconds(c.End), seconds(c.CPU), c.MemoryBytes/1e6, oneLine(c.Outcome))
	}
}
