package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"comus/cfront"
	gcc "comus/cfront/command"
	"comus/comus"
	"comus/report/scanreport"
	"comus/report/scanreport/cache"
	"comus/scan"
	"comus/scan/slice"
)

// scanUnits returns the units that operands name: files, folders, databases.
func (c *command) scanUnits(operands []string) ([]gcc.Invocation, error) {
	var files, databases []string
	for _, name := range operands {
		st, err := os.Stat(name)
		switch {
		case name == "":
			return nil, errors.New("comus: the name of what is to be scanned is empty")
		case err != nil:
			return nil, fileError(name, err)
		case st.IsDir():
			if database := filepath.Join(name, "compile_commands.json"); isFile(database) {
				databases = append(databases, database)
				continue
			}
			found, err := sourcesIn(name)
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		case filepath.Ext(name) == ".json":
			databases = append(databases, name)
		default:
			files = append(files, name)
		}
	}
	var units []gcc.Invocation
	for _, database := range databases {
		more, about, err := gcc.Database(database)
		if err != nil {
			return nil, err
		}
		units = append(units, more...)
		for _, w := range about {
			c.in.warnings = append(c.in.warnings, "warning: "+w.String())
		}
		if len(more) == 0 {
			return nil, fmt.Errorf("%s: names no C source", database)
		}
	}
	if len(files) == 0 && c.in.database == "" && len(units) > 0 {
		return units, nil
	}
	more, err := c.units(unique(files))
	return append(units, more...), err
}

// isFile tells whether there is a regular file.
func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// sourcesIn returns the C sources in a folder and those below it, but for hidden ones, in the order of names.
func sourcesIn(folder string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fileError(path, err)
		case path != folder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case filepath.Ext(path) == ".c" && isFile(path):
			out = append(out, path)
		}
		return nil
	})
	if err == nil && out == nil {
		err = fmt.Errorf("%s: there is no C source in this folder", folder)
	}
	return out, err
}

// unique returns names without those that occurred before.
func unique(names []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range names {
		if clean := filepath.Clean(n); !seen[clean] {
			seen[clean] = true
			out = append(out, n)
		}
	}
	return out
}

// scanRun is the work of a scan. It may be asked for what is known at any time, also while it is still going on.
type scanRun struct {
	c                   *command
	how                 cfront.Options
	units               []gcc.Invocation
	jobs                int
	certify             bool          // claims are verified
	signals             bool          // what handlers of signals access is looked at
	asserted, deadlocks bool          // assertions are proved; orders of locks are looked at
	each                time.Duration // that a suspect is decided for; 0: none is
	briefly             time.Duration // that the suspects of a program are decided for if each is 0; 0: none is
	kept                *cache.Folder // what is known from before; nil: nothing
	built               *cache.Units  // units that were read before; nil: none

	mu       sync.Mutex
	parts    []cfront.Part // nil: not known yet
	done     []*scanreport.Program
	phases   map[int]string     // of the programs under way
	deciding map[int]*decisions // of those that were analysed
	failed   []string
	unused   []string
	notes    []string
	files    map[string]bool // sources that programs are made of
	warnings []string
	warned   map[string]bool
	crashed  bool
	last     error // why the last program that cannot be read cannot
}

// all scans all programs. The error is one that leaves nothing to be told.
func (r *scanRun) all(ctx context.Context) error {
	defer r.endUnits()
	if err := r.divide(ctx); err != nil {
		return err
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(r.jobs, len(r.parts)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				r.one(ctx, i)
			}
		}()
	}
	for i := range r.parts {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	if len(r.parts) == 1 && r.last != nil { // there is nothing to report of
		return r.last
	}
	return ctx.Err()
}

// divide finds the programs.
func (r *scanRun) divide(ctx context.Context) error {
	d := &cfront.Division{Programs: []cfront.Part{{Units: r.units}}} // what is wrong with a single unit is found when it is read
	if len(r.units) > 1 {
		r.c.progressScan(fmt.Sprintf("reading %d files", len(r.units)))
		var err error
		if d, err = cfront.Divide(ctx, r.units, r.how); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = d.Notes
	for _, err := range d.Failed {
		r.failed = append(r.failed, strings.Split(err.Error(), "\n")...)
	}
	for _, u := range d.Unused {
		r.unused = append(r.unused, shown(u))
	}
	if len(d.Programs) == 0 {
		if d.Failed != nil {
			return &cfront.Error{Err: errors.Join(d.Failed...)}
		}
		entry := r.how.Entry
		if entry == "" {
			entry = "main"
		}
		return fmt.Errorf("comus: none of %d files defines '%s' (hint: --entry names the function that programs begin with)", len(r.units), entry)
	}
	r.parts, r.done, r.phases = d.Programs, make([]*scanreport.Program, len(d.Programs)), map[int]string{}
	r.deciding = map[int]*decisions{}
	return nil
}

// one scans a program. What goes wrong is its reason.
func (r *scanRun) one(ctx context.Context, i int) {
	units := r.parts[i].Units
	defer func() {
		if p := recover(); p != nil {
			if l := r.c.logger(); l != nil {
				l.Error("panic", "stack", string(debug.Stack()))
			}
			r.finish(i, scanreport.Unfinished(shown(units[0]), shownAll(units), "internal error: "+oneLine(fmt.Sprint(p))), true)
		}
	}()
	p, err := r.analyse(ctx, i)
	var broken *cfront.InternalError
	switch {
	case err == nil:
		r.finish(i, p, false)
	case ctx.Err() != nil: // the report says why
	default:
		lines := strings.Split(err.Error(), "\n")
		r.mu.Lock()
		r.failed = append(r.failed, lines...)
		r.last = err
		r.mu.Unlock()
		r.finish(i, scanreport.Unfinished(shown(units[0]), shownAll(units), lines[0]), errors.As(err, &broken))
	}
}

// slices reports whether nothing but what threads access is asked about.
func (r *scanRun) slices() bool { return !r.certify && !r.asserted && !r.deadlocks && r.each == 0 }

// analyse reads and scans a program.
func (r *scanRun) analyse(ctx context.Context, i int) (*scanreport.Program, error) {
	units := r.parts[i].Units
	r.phase(i, "reading")
	start := time.Now()
	source, err := comus.Open(ctx, units, r.how)
	if err != nil {
		return nil, err
	}
	r.read(source, units)
	var g *slice.Slice
	if r.slices() {
		g = source.Slice()
	}
	key, known := r.fromBefore(source, g, units, time.Since(start))
	if known != nil && (r.each == 0 || len(known.Findings) == 0) {
		return known, nil
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	if g != nil {
		g.Strip()
	}
	res, err := source.Scan(ctx, scan.Options{Certificate: r.certify, Values: r.asserted, Orders: r.deadlocks, Interrupts: r.signals, Progress: r.progressOf(i)})
	if err != nil {
		return nil, err
	}
	if g != nil {
		g.Restore()
	}
	d := &decisions{name: shown(units[0]), files: shownAll(units), res: res, of: map[*scan.Suspect]scanreport.Decision{}, fails: map[*scan.Assertion]scanreport.Decision{}, waits: map[*scan.Deadlock]scanreport.Decision{}, assumed: map[string]bool{}}
	if key.name != "" && known == nil {
		r.keep(key, d.report())
	}
	switch {
	case r.each > 0:
		r.mu.Lock()
		r.deciding[i] = d
		r.mu.Unlock()
		err = r.decide(ctx, i, source, d)
	case r.briefly > 0:
		r.decideBriefly(ctx, i, source, d)
	}
	return d.report(), err
}

// read notes what is to be known of a program that was read: its files, for comments in them, and warnings.
func (r *scanRun) read(source *comus.Source, units []gcc.Invocation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, file := range append(paths(units), r.how.Models...) {
		r.files[file] = true
	}
	p := source.Program()
	for _, f := range p.Funcs {
		if !f.Library && f.Pos.File != "" {
			r.files[f.Pos.File] = true
		}
	}
	for _, w := range p.Warnings {
		if !r.warned[w] {
			r.warned[w] = true
			r.warnings = append(r.warnings, w)
		}
	}
}

// shown returns the name of a unit's file in reports: within the working directory if it is there.
func shown(u gcc.Invocation) string {
	path := u.Path()
	if dir, err := os.Getwd(); err == nil && filepath.IsAbs(path) {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// shownAll returns the names of units' files in reports.
func shownAll(units []gcc.Invocation) []string {
	var out []string
	for _, u := range units {
		out = append(out, shown(u))
	}
	return out
}

// finish notes what is known of a program.
func (r *scanRun) finish(i int, p *scanreport.Program, crashed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[i] = p
	r.crashed = r.crashed || crashed
	delete(r.phases, i)
}

// phase shows what is going on.
func (r *scanRun) phase(i int, phase string) {
	r.mu.Lock()
	r.phases[i] = filepath.Base(r.parts[i].Units[0].File) + ": " + phase
	done := 0
	for _, p := range r.done {
		if p != nil {
			done++
		}
	}
	var now []string
	for _, k := range slices.Sorted(maps.Keys(r.phases)) {
		now = append(now, r.phases[k])
	}
	r.mu.Unlock()
	text := strings.Join(now, ", ")
	if len(r.parts) > 1 {
		text = fmt.Sprintf("%d of %d programs, %s", done, len(r.parts), text)
	}
	r.c.progressScan(text)
}

// progressEvery is how many functions are looked at between two lines of progress.
const progressEvery = 25

// progressOf returns who shows what the analysis of a program is at.
func (r *scanRun) progressOf(i int) func(phase string, done, all int) {
	return func(phase string, done, all int) {
		switch {
		case all == 0:
			r.phase(i, phase)
		case done%progressEvery == 0:
			r.phase(i, fmt.Sprintf("%s, %d of %d functions", phase, done, all))
		}
	}
}

// progressScan shows a line on the terminal.
func (c *command) progressScan(text string) {
	if c.con.terminal && !c.quiet && c.logger() == nil {
		c.con.progress(oneLine(text))
	}
}

// sources returns the files that programs are made of.
func (r *scanRun) sources() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.files))
}

// end returns what is known and the warnings, and whether the analysis of a program crashed. reason says why the work has not come to its end, ""
// if it has.
func (r *scanRun) end(reason string) (s *scanreport.Report, warnings []string, crashed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.report(reason), slices.Clone(r.warnings), r.crashed
}

// report returns what is known. The caller holds mu.
func (r *scanRun) report(reason string) *scanreport.Report {
	s := &scanreport.Report{Failed: slices.Clone(r.failed), Unused: r.unused, Notes: slices.Clone(r.notes)}
	if r.parts == nil { // nothing is known of any program
		s.Programs = []*scanreport.Program{scanreport.Unfinished(title(r.units), shownAll(r.units), reason)}
		return s
	}
	for i, p := range r.done {
		if d := r.deciding[i]; p == nil && d != nil {
			p = d.report() // there was no time left for the rest of the suspects
		}
		if p == nil {
			units := r.parts[i].Units
			p = scanreport.Unfinished(shown(units[0]), shownAll(units), reason)
		}
		s.Programs = append(s.Programs, p)
	}
	return s
}
