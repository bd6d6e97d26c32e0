package comus

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"comus/check/robust"
	"comus/cir"
	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/memory"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/seqmc"
	"comus/specialise"
)

// Proofs for sequential consistency count for a program with weak memory orders in two cases.
//
// The program may be robust: none of its executions can be told from one that is sequentially consistent (package check/robust).
//
// Otherwise, it may be robust but for some relaxed reads, as of a flag that ends a loop or of counters of statistics that somebody prints meanwhile. Whatever the memory model lets them return, they
// return some value. So a proof about the program in which they return any value, and which is sequentially consistent for the rest, is one about the program. The certificate names these reads, and the report does.

// verifyInModel asks one question about the source as if memory was sequentially consistent, and makes Unknown of a proof that does not hold in the memory model.
//
// Where no proof about the program itself can hold, the program in which some reads return any value comes first. That one tells nothing of violations, and so the other one is looked at, too, if there is time.
func (s *Source) verifyInModel(ctx context.Context, opts Options) (*Result, error) {
	if opts.Alone { // whoever has begun this process looks at it again
		return s.verifyStrongly(ctx, opts)
	}
	if s.IsWeak(opts.Question) {
		if reads := s.anyReads(ctx, opts.Question, opts.Timings); reads != "" {
			opts.Log.Info("the program is robust if some reads return any value", "reads", reads)
			if res := s.verifyAnyReads(ctx, opts, reads); res != nil {
				return res, nil
			}
		}
	}
	res, err := s.verifyStrongly(ctx, opts)
	if err == nil {
		s.inModel(ctx, res, opts.Question, opts.Timings)
	}
	return res, err
}

// verifyAnyReads asks about the program in which some reads return any value, for three quarters of the time that there is. The result is decided; nil: it would not be.
func (s *Source) verifyAnyReads(ctx context.Context, opts Options, reads string) *Result {
	opts.Question.AnyReads = reads
	within, stop := ctx, context.CancelFunc(func() {})
	if end, bounded := ctx.Deadline(); bounded {
		within, stop = context.WithTimeout(ctx, time.Until(end)*3/4)
	}
	defer stop()
	res, err := s.verifyStrongly(within, opts)
	if err != nil || res == nil {
		opts.Log.Info("no verdict where reads return any value", "error", err)
		return nil
	}
	s.inModel(ctx, res, opts.Question, opts.Timings)
	if !res.decided() && res.Internal == nil {
		opts.Log.Info("no verdict where reads return any value", "reason", res.Reason)
		return nil
	}
	return res
}

// sequentiallyConsistent is what a report says has been proved where [confirm.AssumeOrder] is not needed.
const sequentiallyConsistent = "memory orders: all executions are sequentially consistent, as far as the program can observe"

// consistentBut is what a report says has been proved where some reads return any value.
func consistentBut(reads string) string {
	if reads == "" {
		return sequentiallyConsistent
	}
	return sequentiallyConsistent + ", but for relaxed reads; whatever these return, the property holds: " + strings.ReplaceAll(reads, ",", ", ")
}

// inModel makes Unknown of a proof that takes sequential consistency for granted, unless it is shown that the program has no other executions.
func (s *Source) inModel(ctx context.Context, res *Result, how specialise.Options, timings *timing.Timings) {
	if !res.takesOrder(how) {
		return
	}
	how.AnyReads = res.anyReads()
	why, assumed := s.notRobust(ctx, how, timings)
	if why == "" {
		res.Assumptions = slices.DeleteFunc(union(slices.Clone(res.Assumptions), assumed), func(a string) bool { return a == confirm.AssumeOrder })
		slices.Sort(res.Assumptions)
		res.Proved = append(slices.Clone(res.Proved), consistentBut(how.AnyReads))
		if c := res.Certificate; c != nil {
			c.Assumptions = res.Assumptions
		}
		return
	}
	res.undecided(fmt.Sprintf("proved for sequential consistency only (--memory-model sc); with the program's memory orders, %s", why))
}

// takesOrder reports whether a proof takes sequential consistency for granted, and a question does not.
func (r *Result) takesOrder(how specialise.Options) bool {
	return how.Memory != memory.SC && r.Verdict == seqmc.Safe && slices.Contains(r.Assumptions, confirm.AssumeOrder)
}

// anyReads are the reads that return any value in the program that a proof is about.
func (r *Result) anyReads() string {
	if r.Certificate == nil {
		return ""
	}
	return r.Certificate.Program.AnyReads
}

// undecided makes Unknown of a proof that is none.
func (r *Result) undecided(why string) {
	*r = Result{Engine: r.Engine, Elapsed: r.Elapsed, Stats: r.Stats, Components: r.Components, Sizes: r.Sizes, Warnings: r.Warnings, Approximations: r.Approximations,
		Portfolio: r.Portfolio, program: r.program, granted: r.granted, Reason: why, Stands: true}
}

// robustness is what is known of the executions of a program that are not sequentially consistent.
type robustness struct {
	mu      sync.Mutex
	pts     *pointsto.Result
	threads *thread.Result
	known   map[robustQuestion]*robust.Verdict
}

// robustQuestion is what was asked about: a memory model, and which reads return any value ([specialise.Options]).
type robustQuestion struct {
	model memory.Model
	reads string
}

// onlyStrong reports whether a result is a proof that takes sequential consistency for granted, of a program that has other executions.
func (s *Source) onlyStrong(ctx context.Context, res *Result, opts Options) bool {
	how := opts.Question
	if opts.Alone || !res.takesOrder(how) {
		return false
	}
	how.AnyReads = res.anyReads()
	why, _ := s.notRobust(ctx, how, opts.Timings)
	return why != ""
}

// notRobust returns why the program may have executions that are not sequentially consistent; "": it is shown that it has none that can be told from one that is, and assumed is what that takes for granted.
func (s *Source) notRobust(ctx context.Context, how specialise.Options, timings *timing.Timings) (why string, assumed []string) {
	v, err := s.robustness(ctx, how, timings)
	switch {
	case err != nil:
		return err.Error(), nil
	case v.Robust:
		return "", v.Assumes
	case len(v.Why) == 0:
		return "executions that are not sequentially consistent are not excluded", nil
	}
	return v.Why[0].String(), nil
}

// robustness looks for executions that are not sequentially consistent, once for each question.
func (s *Source) robustness(ctx context.Context, how specialise.Options, timings *timing.Timings) (*robust.Verdict, error) {
	r := &s.robust
	r.mu.Lock()
	defer r.mu.Unlock()
	q := robustQuestion{how.Memory, how.AnyReads}
	if v := r.known[q]; v != nil {
		return v, nil
	}
	defer timings.Start(timing.Checking)()
	if r.threads == nil {
		pts, err := pointsto.AnalyseOpen(ctx, s.prog.Program)
		if err != nil {
			return nil, err
		}
		threads, err := thread.Analyse(ctx, s.prog.Program, pts)
		if err != nil {
			return nil, err
		}
		r.pts, r.threads, r.known = pts, threads, map[robustQuestion]*robust.Verdict{}
	}
	var anyReads func(*cir.Load) bool
	if how.AnyReads != "" {
		anyReads = how.ReadsAny
	}
	v := robust.Check(s.prog.Program, r.pts, r.threads.View(), how.Memory, anyReads)
	r.known[q] = v
	return v, nil
}

// maxAnyReads is how many reads of a program return any value at most.
const maxAnyReads = 24

// anyReads returns reads without which the program is robust: a proof for sequential consistency counts where they return any value. As few are chosen as it takes; "": the program is robust as it is, or
// other accesses may be seen out of order, too.
func (s *Source) anyReads(ctx context.Context, how specialise.Options, timings *timing.Timings) string {
	if how.Memory == memory.SC || how.AnyReads != "" || how.Orders || how.Check.Memory || s.prog == nil {
		return ""
	}
	may := map[cir.Pos]bool{}
	for _, f := range s.prog.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if load, ok := in.(*cir.Load); ok && specialise.MayReadAny(load) {
					may[load.Site.Pos] = true
				}
			}
		}
	}
	var chosen []string
	robust := func(reads []string) (*robust.Verdict, bool) {
		one := how
		one.AnyReads = strings.Join(reads, ",")
		v, err := s.robustness(ctx, one, timings)
		return v, err == nil && ctx.Err() == nil
	}
	for {
		v, ok := robust(chosen)
		if !ok {
			return ""
		}
		if v.Robust {
			break
		}
		next := blamed(v, may)
		if next == "" || len(chosen) == maxAnyReads {
			return ""
		}
		chosen = append(chosen, next)
	}
	for i := 0; i < len(chosen) && len(chosen) > 1; { // one that was chosen early may be superfluous
		fewer := slices.Delete(slices.Clone(chosen), i, i+1)
		if v, ok := robust(fewer); ok && v.Robust {
			chosen = fewer
			continue
		}
		i++
	}
	return strings.Join(chosen, ",")
}

// blamed returns a read of a cycle that may return any value, and may be seen out of order with another access; "": none. It is left out of may.
func blamed(v *robust.Verdict, may map[cir.Pos]bool) string {
	for _, why := range v.Why {
		for _, step := range why.Cycle {
			for _, at := range []*cir.Site{step.First, step.Last} {
				if step.Reordered && at != nil && may[at.Pos] {
					delete(may, at.Pos)
					return at.Pos.String()
				}
			}
		}
	}
	return ""
}
