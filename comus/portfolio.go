package comus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"comus/comus/confirm"
	"comus/comus/engine"
	"comus/internal/child"
	"comus/internal/timing"
	"comus/seqmc"
	"comus/specialise"
)

// The portfolio runs engines as processes of their own, beside one another: the first
// verdict that its process has confirmed counts, and the other processes are killed. The
// features of the program give the order of the engines (plan). At first as many run as
// there are processors, two at least; when one ends without a verdict the next begins, and
// the longer nothing is found the more of them share the processors (patience). This
// process looks for violations by simulation meanwhile. With engines of which one decides
// quickly, that costs at most what two programs running on one processor cost each other;
// a program for which the order is wrong waits for the patience to end.

// patience is when one more engine begins although none has ended.
var patience = []time.Duration{1 * time.Second, 5 * time.Second, 20 * time.Second}

// Contestant is the part of one engine in a portfolio.
type Contestant struct {
	Engine      string
	Begin, End  time.Duration // since the portfolio began
	Outcome     string        // the verdict, with the reason of Unknown; "stopped" if another one won
	CPU         time.Duration
	MemoryBytes int64 // the most that its processes needed
	Exact       bool  // it looked for violations without approximations only
}

// Portfolio is what a portfolio did.
type Portfolio struct {
	Features Features
	// Plan has the engines in their order.
	Plan []string
	// Contestants are the engines that ran, in the order in which they began.
	Contestants []Contestant
}

// end is when the last engine ended; 0 if there was no portfolio.
func (p *Portfolio) end() time.Duration {
	last := time.Duration(0)
	if p != nil {
		for _, c := range p.Contestants {
			last = max(last, c.End)
		}
	}
	return last
}

// followed returns the portfolio of two, of which one began at some time after the other.
func (p *Portfolio) followed(next *Portfolio, begin time.Duration) *Portfolio {
	if p == nil || next == nil {
		return cmp.Or(p, next)
	}
	out := *p
	for _, c := range next.Contestants {
		c.Begin, c.End = c.Begin+begin, c.End+begin
		out.Contestants = append(slices.Clip(out.Contestants), c)
	}
	return &out
}

// contest is a portfolio under way.
type contest struct {
	q       *question
	plan    []string
	dir     string
	begin   time.Time
	next    int // in plan
	running map[string]*runner
	ended   chan *runner
	memory  *shared
	reading string // the file that tells what was read; "": none
	record  *Portfolio
	// bounded is what an engine says that found no violation within bounds; reasons say why
	// engines gave up.
	bounded *message
	reasons map[string]string
	// hopeless is why there is no violation without approximations, if an engine says so.
	hopeless error
	internal *InternalError // of an engine: the first
	// undefined says what the program does that C leaves undefined, in an execution that an engine has found; "": nothing is known.
	undefined string
}

// runner is one engine at work.
type runner struct {
	Contestant
	stop context.CancelFunc
	says *message
	err  error
}

// portfolio reports whether engines are to run beside one another, on files that each of
// them can read.
func (q *question) portfolio() bool {
	if !q.opts.auto() || len(q.opts.Command) == 0 || q.opts.Checker != nil || q.source == nil {
		return false
	}
	return q.source.stays()
}

// race puts the question to a portfolio.
func (q *question) race(ctx context.Context) *Result {
	dir, err := child.TempDir("comus-")
	if err != nil { // no place for what the processes print
		q.opts.Log.Warn("no portfolio", "error", err)
		return q.ask(ctx)
	}
	defer dir.Remove()
	res := q.undecided(Auto)
	p, err := q.Simplify()
	if err != nil {
		return res.unknown(ctx, err)
	}
	res.Sizes = sizesOf(p, nil)
	f := engine.FeaturesOf(p)
	if many := f.Threads >= manyThreads; many || q.counting() {
		every := q.replicates(ctx)
		f.Alike, f.Counts = many && every, !many && every
	}
	plan := slices.DeleteFunc(f.Plan(), q.opts.LeftOut)
	if q.OnlyExact() { // a proof is of no use
		plan = slices.DeleteFunc(plan, onlyProves)
	}
	r := &contest{q: q, plan: plan, dir: dir.Path, begin: time.Now(), running: map[string]*runner{}, ended: make(chan *runner),
		memory: &shared{limit: q.opts.Memory, used: map[string]int64{}}, reasons: map[string]string{}}
	r.record = &Portfolio{Features: f, Plan: r.plan}
	res.Portfolio = r.record
	q.opts.Log.Info("portfolio", "features", f.String(), "order", r.plan)
	if r.reading, err = q.serialise(dir.Path); err != nil {
		q.opts.Log.Warn("all engines read the source", "error", err)
	}
	decided, err := r.run(ctx)
	if err != nil {
		return res.unknown(ctx, err)
	}
	decided.Portfolio, decided.Approximations = r.record, res.Approximations
	return decided
}

// serialise writes what was read to a file for the engines, and returns its name.
func (q *question) serialise(dir string) (string, error) {
	text, err := q.source.written()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "reading")
	return file, os.WriteFile(file, text, 0o600)
}

// replicates reports whether a loop creates threads that can be read as any number of
// them.
func (q *question) replicates(ctx context.Context) bool {
	every, err := q.every(ctx)
	return err == nil && len(every.Original.Replicated()) > 0
}

// run starts engines and waits for them until one has decided. The error says why none has.
func (r *contest) run(ctx context.Context) (*Result, error) {
	defer r.stopAll()
	var over <-chan time.Time
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		for r.bounded == nil && r.next < len(r.plan) && len(r.running) < r.slots() {
			r.start(ctx)
		}
		if len(r.running) == 0 {
			return nil, r.undecided()
		}
		select {
		case e := <-r.ended:
			if res := r.settle(ctx, e); res != nil {
				return res, nil
			}
			if r.hopeless != nil {
				return nil, r.hopeless
			}
			if r.bounded != nil && over == nil {
				r.onlyEvery()
				over = time.After(everyPatience)
			}
		case <-tick.C: // perhaps one more may run
			r.tell()
		case <-over:
			return nil, r.undecided()
		case <-ctx.Done():
			if r.undefined != "" {
				return nil, &undefinedError{r.undefined}
			}
			return nil, ctx.Err()
		}
	}
}

// slots returns how many engines may run now.
func (r *contest) slots() int {
	n := max(2, runtime.NumCPU())
	for i, d := range patience {
		if f := r.record.Features; i == 0 && (f.Bounded || f.ManyOrders()) {
			continue // a proof for every number of threads takes time; so do many states
		}
		if time.Since(r.begin) >= d {
			n++
		}
	}
	return n
}

// tell says which engines are at work.
func (r *contest) tell() {
	if f := r.q.opts.Running; f != nil {
		f(slices.DeleteFunc(slices.Clone(r.plan), func(name string) bool { return r.running[name] == nil }))
	}
}

// start starts the next engine.
func (r *contest) start(ctx context.Context) {
	e := &runner{Contestant: Contestant{Engine: r.plan[r.next], Begin: time.Since(r.begin), Exact: r.q.OnlyExact()}}
	r.next++
	ctx, e.stop = context.WithCancel(ctx)
	r.running[e.Engine] = e
	argv := append(slices.Clone(r.q.opts.Command[1:]), "--strategy="+e.Engine)
	if about := r.q.opts.Question.Check; about != (specialise.Checks{}) {
		argv = append(argv, "--check="+strings.Join(about.Names(), ","))
	}
	if about := r.q.opts.Question.About; about != "" {
		argv = append(argv, "--about="+about, fmt.Sprintf("--cut=%d", r.q.opts.Question.Cut))
	}
	if reads := r.q.opts.Question.AnyReads; reads != "" {
		argv = append(argv, "--any-reads="+reads)
	}
	if r.q.OnlyExact() {
		argv = append(argv, "--exact")
	}
	if r.reading != "" {
		argv = append(argv, "--reading="+r.reading)
	}
	limit := "--timeout=0" // none
	if end, ok := ctx.Deadline(); ok {
		limit = fmt.Sprintf("--timeout=%dms", max(1, time.Until(end).Milliseconds()))
	}
	operands := r.q.opts.Operands
	if operands == nil {
		operands = []string{r.q.source.File}
	}
	c := &child.Command{Path: r.q.opts.Command[0], Argv: append(append(argv, limit, "--"), operands...), Logs: filepath.Join(r.dir, e.Engine),
		Usage: func(bytes int64) bool { return r.memory.tooMuch(e.Engine, bytes) }}
	r.q.opts.Log.Info("engine begins", "engine", e.Engine)
	go func() {
		defer e.stop()
		e.run(ctx, c, r.q.opts.Memory)
		e.End = time.Since(r.begin)
		r.memory.gone(e.Engine)
		r.ended <- e
	}()
}

// run runs the process of an engine and reads its result. All engines together may need
// some memory.
func (e *runner) run(ctx context.Context, c *child.Command, memory int64) {
	end, err := c.Run(ctx)
	if err != nil {
		e.err = err
		return
	}
	e.CPU, e.MemoryBytes = end.CPU, end.Memory
	switch {
	case ctx.Err() != nil:
		e.err = errors.New("stopped")
		return
	case end.Stopped == child.StoppedMemory:
		e.err = fmt.Errorf("all engines together: more than %d MB of memory needed", memory/1e6)
		return
	case end.Stopped != "":
		e.err = errors.New(end.Stopped)
		return
	}
	f, err := os.Open(end.Stdout)
	if err != nil {
		e.err = err
		return
	}
	defer f.Close()
	if e.says, e.err = receive(f); e.err != nil {
		e.err = failed(end)
		if end.Exit == exitInternal {
			e.err = &InternalError{e.err.Error()}
		}
	}
}

// exitInternal is the exit code of a process that ends by a failure of comus's own.
const exitInternal = 70

// failed says why a process that ended by itself has no result.
func failed(end *child.Ending) error {
	what := fmt.Sprintf("the process ended with exit code %d", end.Exit)
	if end.Exit < 0 {
		what = "the process was killed"
	}
	text, _ := os.ReadFile(end.Stderr)
	if why := complaint(string(text)); why != "" {
		what += " (" + why + ")"
	}
	return errors.New(what)
}

// complaint returns the line of a program's last words that says what is wrong: the last
// one, or the one above the stacks of a crash.
func complaint(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "SIG") {
			return line
		}
	}
	return lines[len(lines)-1]
}

// settle takes the outcome of an engine, and returns the result if it decides.
func (r *contest) settle(ctx context.Context, e *runner) (res *Result) {
	delete(r.running, e.Engine)
	switch {
	case e.err != nil:
		e.Outcome = e.err.Error()
		r.broken(e.Engine, internalOf(e.err))
	case e.says.verdict == seqmc.Unknown:
		e.Outcome = e.says.Reason
		if e.says.Internal != "" {
			r.broken(e.Engine, &InternalError{e.says.Internal})
		}
		if e.says.Complete {
			r.bounded = e.says
		}
		r.undefined = cmp.Or(r.undefined, e.says.Undefined)
		if e.says.Hopeless && r.q.OnlyExact() {
			r.hopeless = confirm.ErrExact
		}
		res = r.suspected(ctx, e.says)
	case e.says.verdict == seqmc.Safe && r.undefined != "":
		e.Outcome = e.says.Verdict + ", which rests on an assumption that does not hold: " + r.undefined
	default:
		e.Outcome = e.says.Verdict
		a, err := r.accept(ctx, e.says)
		if what := undefinedIn(err); what != "" {
			r.undefined = cmp.Or(r.undefined, what)
			e.Outcome = what
			break
		}
		if err != nil {
			e.Outcome += ", which was not confirmed: " + err.Error()
			break
		}
		res = e.says.result(a)
		res.Components = timing.Add(r.q.opts.Timings.Components(), res.Components)
	}
	if res == nil {
		r.reasons[e.Engine] = e.Outcome
	}
	r.q.opts.Log.Info("engine ended", "engine", e.Engine, "outcome", e.Outcome)
	r.record.Contestants = append(r.record.Contestants, e.Contestant)
	return res
}

// accept makes a confirmed answer of what an engine says, whose process has confirmed it. An
// execution is replayed here once more, which also gives its trace. The verdict has to be
// about the same text, read in the same way: the file may have been changed meanwhile.
func (r *contest) accept(ctx context.Context, m *message) (confirm.Answer, error) {
	if err := r.q.Same(m.Program); err != nil {
		return confirm.Answer{}, err
	}
	if m.Certificate == nil && (m.verdict == seqmc.Unsafe || m.Engine != engine.Explore{}.Name()) {
		return confirm.Answer{}, errors.New("there is no certificate")
	}
	if m.verdict == seqmc.Safe {
		return r.q.SafeElsewhere(confirm.Claim{Program: m.Program, Certificate: m.Certificate, Assumptions: m.Assumptions,
			Took: m.CheckTime, Solver: m.CheckSolver})
	}
	a, _, err := r.q.source.check(ctx, m.Certificate, nil)
	if err == nil && a.Verdict() != seqmc.Unsafe {
		err = errors.New("it is not a violation")
	}
	return a, err
}

// suspected returns the result of an engine that has found an execution which depends on
// approximations, once it has been replayed here; nil if it has not. With it the question as it
// is asked is at its end.
func (r *contest) suspected(ctx context.Context, m *message) *Result {
	if m.Suspected == nil || r.q.OnlyExact() || r.q.Same(m.Program) != nil {
		return nil
	}
	res := m.result(confirm.Answer{})
	if _, _, err := r.q.source.check(ctx, m.Suspected, nil); !res.suspect(err) {
		return nil
	}
	return res
}

// onlyProves reports whether an engine finds no violations, and its proofs are for every number of threads
// where the program is cut off.
func onlyProves(name string) bool {
	return name == engine.ThreadModular{}.Name() || name == engine.ResourceInvariants{}.Name()
}

// onlyEvery stops the engines that have nothing to add to a search within bounds: all but
// those that prove for every number of threads.
func (r *contest) onlyEvery() {
	for name, e := range r.running {
		if !onlyProves(name) {
			e.stop()
		}
	}
}

// stopAll kills what still runs and waits until it is gone.
func (r *contest) stopAll() {
	for _, e := range r.running {
		e.stop()
	}
	for range len(r.running) {
		e := <-r.ended
		e.Outcome = "stopped"
		r.record.Contestants = append(r.record.Contestants, e.Contestant)
	}
	slices.SortFunc(r.record.Contestants, func(a, b Contestant) int { return cmp.Compare(a.Begin, b.Begin) })
}

// broken notes that an engine has ended by a failure of comus's own: it is out, the others go on.
func (r *contest) broken(engine string, failure *InternalError) {
	if failure == nil {
		return
	}
	r.q.opts.Log.Error("engine failed", "engine", engine, "error", failure)
	if r.internal == nil {
		r.internal = &InternalError{engine + ": " + failure.What}
	}
}

// undecided words why no engine has decided: that one has failed comes first.
func (r *contest) undecided() error {
	if r.internal != nil {
		return r.internal
	}
	if r.undefined != "" {
		return &undefinedError{r.undefined}
	}
	if r.bounded != nil {
		return errors.New(r.bounded.Reason)
	}
	for _, name := range r.plan {
		if why, ok := r.reasons[name]; ok && why != "" {
			return fmt.Errorf("%s: %s", name, why)
		}
	}
	return errors.New("no engine has decided")
}

// shared divides memory between processes: when all together need more than the limit,
// the one that needs most has to end.
type shared struct {
	limit int64 // 0: none
	mu    sync.Mutex
	used  map[string]int64
}

// tooMuch records what an engine uses and reports whether it has to end.
func (s *shared) tooMuch(engine string, bytes int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[engine] = bytes
	sum := int64(0)
	for u := range maps.Values(s.used) {
		sum += u
	}
	return s.limit > 0 && sum > s.limit && bytes == slices.Max(slices.Collect(maps.Values(s.used)))
}

// gone says that an engine uses nothing any more.
func (s *shared) gone(engine string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.used, engine)
}
