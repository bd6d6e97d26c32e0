package scan

import (
	"cmp"
	"context"
	"slices"
	"time"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/escape"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/race"
	"comus/scan/thread"
)

// Options say how a program is analysed. The zero value is ready to use.
type Options struct {
	// Progress is called at the beginning of each phase, and in some of them with how many functions were looked at, and of how many: 0 of 0 if that is
	// not counted. May be nil.
	Progress func(phase string, done, all int)
	// Values has assertions proved, or made suspects.
	Values bool
	// Orders has lock orders looked at.
	Orders bool
	// Certificate asks for one. Whole ones have the accesses of locations with suspects, too, which nothing is claimed of.
	Certificate, Whole bool
	// Interrupts asks for what handlers of signals and the threads that they interrupt access ([Location.Interrupts]).
	Interrupts bool
}

// Analyse analyses a program for data races. pts is what pointsto.Analyse or pointsto.AnalyseOpen found of it; nil: it finds out itself, which
// is faster. The error is that of ctx.
func Analyse(ctx context.Context, p *cir.Program, pts *pointsto.Result, opts Options) (*Result, error) {
	a := &analysis{ctx: ctx, prog: p, pts: pts, opts: opts, res: &Result{}}
	for _, phase := range []phase{{"pointers", a.open}, {"threads", a.findThreads}, {"locks", a.findLocks}, {"races", a.findRaces}, {"orders", a.findOrders}, {"values", a.findValues}} {
		if phase.name == "values" && !opts.Values || phase.name == "orders" && !opts.Orders {
			continue
		}
		if opts.Progress != nil {
			opts.Progress(phase.name, 0, 0)
		}
		start := time.Now()
		if err := phase.run(); err != nil {
			return nil, err
		}
		a.res.Phases = append(a.res.Phases, Phase{phase.name, time.Since(start)})
	}
	a.assume()
	return a.res, nil
}

// phase is a part of the analysis.
type phase struct {
	name string
	run  func() error
}

// analysis is a run of Analyse.
type analysis struct {
	ctx     context.Context
	prog    *cir.Program
	pts     *pointsto.Result
	opts    Options
	threads *thread.Result
	of      map[*thread.Thread]*Thread
	locks   *lockset.Result
	escape  *escape.Result
	outside bool
	handles bool
	formats bool
	nowhere bool
	tickets bool // a counter is taken not to begin anew
	latches bool // so is one of threads
	res     *Result
	// certifier and claims are what the certificate begins with; nil: not made yet.
	certifier *certifier
	claims    *certificate.Certificate
}

// done returns who is told how many functions a phase has looked at, nil for nobody.
func (a *analysis) done(phase string) func(done, all int) {
	if a.opts.Progress == nil {
		return nil
	}
	return func(done, all int) { a.opts.Progress(phase, done, all) }
}

// open follows pointers once more if that was not done for an analysis of a whole program.
func (a *analysis) open() (err error) {
	if a.pts == nil || !a.pts.Whole() {
		a.pts, err = pointsto.AnalyseOpen(a.ctx, a.prog)
	}
	return err
}

// findValues looks at assertions.
func (a *analysis) findValues() error { return a.res.findAssertions(a.ctx, a.prog, a.pts) }

func (a *analysis) findThreads() (err error) {
	if a.threads, err = thread.Analyse(a.ctx, a.prog, a.pts); err != nil {
		return err
	}
	a.of = map[*thread.Thread]*Thread{}
	for _, t := range a.threads.Threads {
		x := &Thread{Name: t.Start.Source, Func: t.Start, Site: t.Site, Parent: a.of[t.Parent], Many: t.Many}
		a.of[t] = x
		a.res.Threads = append(a.res.Threads, x)
	}
	seen := map[*cir.Func]bool{}
	for _, n := range a.threads.AllNodes() {
		if !seen[n.Fn] {
			seen[n.Fn] = true
			a.res.Funcs++
		}
	}
	return nil
}

func (a *analysis) findLocks() (err error) {
	a.locks, err = lockset.Analyse(a.ctx, a.prog, a.pts, lockset.Options{Done: a.done("locks")})
	return err
}

func (a *analysis) findRaces() error {
	a.escape = a.locks.Escape()
	rules, copyOf := a.rules()
	r, err := race.Analyse(a.ctx, a.pts, a.threads, race.Options{Locks: a.locks, Escape: a.escape, Rules: rules, CopyOf: copyOf, Prog: a.prog, Done: a.done("races")})
	if err != nil {
		return err
	}
	a.res.Accesses, a.outside, a.handles, a.formats, a.nowhere, a.tickets, a.latches = r.Accesses, r.Outside, r.Handles, r.Formats, r.Nowhere, r.Tickets, r.Latches
	for _, l := range r.Locations {
		a.res.Locations = append(a.res.Locations, a.location(l))
	}
	if a.opts.Certificate {
		a.res.Certificate, a.res.Points = a.certify(r.Locations, r.Transfers()), a.pts
	}
	return nil
}

// reasons are those of package race.
var reasons = map[race.Why]Why{race.Suspected: Suspected, race.ReadOnly: ReadOnly, race.Atomic: Atomic, race.Locked: Locked,
	race.Ordered: Ordered, race.Own: ThreadLocal, race.Apart: ThreadLocal, race.Signalled: Ordered, race.Phased: Ordered, race.Transferred: ThreadLocal, race.Assigned: Atomic, race.Counted: ThreadLocal, race.Latched: Ordered, race.HandedOver: ThreadLocal}

func (a *analysis) location(l *race.Location) *Location {
	x := &Location{Name: l.Name, Object: l.Object, Site: l.Site, Type: l.Type, Why: reasons[l.Why], Locks: l.Locks, More: l.More, Hidden: l.Hidden}
	_, _, _, x.Life, _ = l.Memory()
	seen := map[accessKey]*Access{}
	access := func(r *race.Access) *Access {
		key := accessKey{r.Site, r.Thread, r.Write, r.Atomic}
		if y := seen[key]; y != nil && slices.Equal(y.Locks, r.Locks) {
			return y
		}
		y := &Access{Func: r.Node.Fn, Site: r.Site, Thread: a.of[r.Thread], Write: r.Write, Atomic: r.Atomic, Locks: r.Locks}
		y.Instr, _ = r.In.(cir.Instr)
		if call := r.Node.Ctx.Call; call != nil && r.Node.Fn.Library {
			y.Instr = call
		}
		seen[key] = y
		x.Accesses = append(x.Accesses, y)
		return y
	}
	for _, r := range l.Accesses {
		access(r)
	}
	for _, s := range l.Suspects {
		x.Suspects = append(x.Suspects, &Suspect{Location: x, A: access(s.A), B: access(s.B), Reason: s.Reason, Help: s.Help, Rank: s.Rank})
	}
	for _, s := range l.Interrupts {
		if !a.opts.Interrupts {
			break
		}
		x.Interrupts = append(x.Interrupts, &Suspect{Location: x, A: access(s.A), B: access(s.B), Reason: s.Reason, Help: s.Help, Rank: s.Rank})
	}
	return x
}

type accessKey struct {
	site          *cir.Site
	t             *thread.Thread
	write, atomic bool
}

// assume collects the sentences that the result rests on.
func (a *analysis) assume() {
	said := map[string]bool{
		"the program accesses no memory out of the bounds of an array or object, or after its life":      true,
		"ids of threads, locks and conditions are used as POSIX demands (--check=locks asks about that)": true,
	}
	if a.outside {
		said["pointers that code outside of the program returns, or that come out of files, pipes, sockets and texts (%p), lead to no object of the program"] = true
	}
	if a.latches {
		said["a counter of threads of 32 bits or more does not wrap around"] = true
	}
	if a.tickets {
		said["a counter of 32 bits or more that only counts up does not wrap around"] = true
	}
	if a.nowhere {
		said["an address that no known pointer leads to (such as one made of numbers) is not the address of an object"] = true
	}
	if a.formats {
		said["a format string that comus does not know has no %n"] = true
	}
	if a.handles {
		said["functions of the library are given the library's own objects (FILE, DIR and the like) where they take such"] = true
	}
	if a.pts.Parts {
		said["no pointer is put together from parts of another one that the program's own code copies one by one"] = true
	}
	if a.pts.Replaced {
		said["if code outside has put a function where a pointer may lead to a function that the program names, that function keeps no pointer that it is given"] = true
	}
	if a.pts.Typed {
		said["memory that the program declares is accessed as its type, or by characters (C11 6.5p7), as gcc relies on without -fno-strict-aliasing"] = true
	}
	if a.threads.Unknown {
		said["threads whose functions are not known access no memory of the program"] = true
	}
	for _, s := range a.locks.Assumptions {
		said[s] = true
	}
	for _, n := range a.threads.AllNodes() {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Assumption:
					if a.pts.Matters(n.Fn, n.Ctx, in.Sentence) {
						said[in.Sentence] = true
					}
				case *cir.Call:
					if _, direct := in.Callee.(*cir.Func); !direct && slices.ContainsFunc(a.pts.Places(n.Fn, n.Ctx, in.Callee), func(l pointsto.Location) bool { return l.Obj.External }) {
						said["a call through a pointer from outside calls no function of the program"] = true
					}
					for _, f := range a.pts.Callees(n.Fn, n.Ctx, in) {
						if c := thread.ContractOf(in, f); len(f.Blocks) == 0 && c != nil && c.Assumes() != "" {
							said[c.Assumes()] = true
						}
					}
				case *cir.Intrinsic:
					if in.Op == cir.Assumed {
						said[in.Name] = true
					}
				}
			}
		}
	}
	for s := range said {
		a.res.Assumptions = append(a.res.Assumptions, s)
	}
	slices.SortFunc(a.res.Assumptions, cmp.Compare[string])
}
