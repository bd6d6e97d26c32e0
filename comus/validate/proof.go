package validate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"comus/cfront/types"
	"comus/check"
	"comus/comus"
	"comus/comus/confirm"
	"comus/ir"
	"comus/logic"
	"comus/specialise"
	"comus/witness"
)

// A witness of correctness has invariants of the certificate, as far as C can say them where they hold: parts of its formulas, about variables that
// are in scope there. A formula is one of a program in which calls are inlined and loops unrolled, so that what it says need not hold for the
// statement; what is written has been proved for that, as if somebody else had claimed it.

// The bounds of what is tried: invariants, and the time for proving them.
const (
	maxCandidates = 24
	candidateTime = 10 * time.Second
)

// Correctness returns a witness of the proof that a result has for Safe.
func (w *Writer) Correctness(ctx context.Context, res *comus.Result, opts comus.Options) (witness.Witness, error) {
	m, err := w.metadata(opts, opts.Question.Check.Names())
	if err != nil {
		return nil, err
	}
	e := &witness.Entry{Type: witness.Invariants, Metadata: m, Invariants: w.proved(ctx, res, opts)}
	if len(e.Invariants) == 0 { // an entry has to have one
		if i, ok := w.first(opts.Source.Entry); ok {
			e.Invariants = append(e.Invariants, i)
		}
	}
	return witness.Witness{e}, nil
}

// first returns an invariant that always holds, at the first statement.
func (w *Writer) first(entry string) (witness.Invariant, bool) {
	if entry == "" {
		entry = "main"
	}
	for _, o := range w.outlines {
		for _, s := range o.Statements {
			if s.Func == entry && !s.Fixed() {
				return witness.Invariant{Type: witness.LocationInvariant, Location: locationOf(s.Pos, s.Func), Value: "1", Format: witness.CExpression}, true
			}
		}
	}
	return witness.Invariant{}, false
}

// locationOf returns a place in the form of a witness.
func locationOf(p types.Pos, fn string) witness.Location {
	return witness.Location{File: p.File, Line: p.Line, Column: p.Col, Function: fn}
}

// proved returns those of the certificate's invariants that hold for statements. What cannot be proved is left out, whatever keeps
// it from that.
func (w *Writer) proved(ctx context.Context, res *comus.Result, opts comus.Options) []witness.Invariant {
	ctx, stop := context.WithTimeout(ctx, candidateTime)
	defer stop()
	list := w.candidates(ctx, res, opts)
	var good []witness.Invariant
	for _, i := range list { // one that has no meaning keeps the others from being proved
		s := newClaims("", opts.Source.Entry, witness.Witness{{Type: witness.Invariants, Invariants: append(slices.Clone(good), i)}})
		how := opts.Source
		how.Weave = s.weave
		if _, err := comus.Open(ctx, w.Units, how); err == nil && s.placed() == nil {
			good = append(good, i)
		}
	}
	s := newClaims("", opts.Source.Entry, witness.Witness{{Type: witness.Invariants, Invariants: good}})
	opts.Strategy, opts.Engine, opts.All = comus.Auto, nil, false
	if len(good) == 0 || s.prove(ctx, w.Units, opts.Complete()) != nil {
		return nil
	}
	var out []witness.Invariant
	for n, i := range s.list {
		if i.holds {
			out = append(out, good[n])
		}
	}
	return out
}

// candidates returns what the certificates of a result say that C can say.
func (w *Writer) candidates(ctx context.Context, res *comus.Result, opts comus.Options) (out []witness.Invariant) {
	set := res.Evidence()
	if set == nil {
		return nil
	}
	opts.Source.Weave = nil
	source, err := comus.Open(ctx, w.Units, opts.Source)
	if err != nil {
		return nil
	}
	for _, cert := range set.Certificates {
		if len(cert.Runs) == 0 && cert.Parametric == nil {
			continue
		}
		_, how, err := comus.SourceOptions(cert.Program, opts.Source)
		if err != nil {
			continue
		}
		out = append(out, w.ofCertificate(ctx, source, cert, how)...)
	}
	return out[:min(len(out), maxCandidates)]
}

// ofCertificate returns what one certificate says.
func (w *Writer) ofCertificate(ctx context.Context, source *comus.Source, cert *check.Certificate, how specialise.Options) (out []witness.Invariant) {
	r, err := source.Read(ctx, how)
	if err != nil {
		return nil
	}
	p, err := confirm.New(r.Program, r.Read, r.ID, cert.Program.Passes, nil).Simplify()
	if err != nil {
		return nil
	}
	add := func(thread, loc int, formula string) {
		if thread < 0 || thread >= len(p.Threads) || loc < 0 || loc >= len(p.Threads[thread].Locs) {
			return
		}
		for _, i := range w.said(p, p.Threads[thread], p.Threads[thread].Locs[loc], formula) {
			if !slices.ContainsFunc(out, func(o witness.Invariant) bool { return o.Value == i.Value && o.Location == i.Location }) {
				out = append(out, i)
			}
		}
	}
	for _, run := range cert.Runs {
		for _, i := range run.Invariants {
			if len(run.Order) > 0 && i.Phase != check.PhaseBefore {
				add(run.Order[0], i.Loc, i.Formula)
			}
		}
	}
	if cert.Parametric != nil {
		for _, i := range cert.Parametric.Invariants {
			if len(i.At) == 1 {
				add(i.At[0].Thread, i.At[0].Loc, i.Formula)
			}
		}
	}
	return out
}

// said returns what a formula says of the statement at a location, as invariants.
func (w *Writer) said(p *ir.Program, t *ir.Thread, at *ir.Loc, formula string) (out []witness.Invariant) {
	o, s := w.at(types.Pos(at.Pos))
	if s == nil || s.Fixed() || o == nil {
		return nil
	}
	vars := map[string]*ir.Var{}
	for _, v := range p.Vars {
		vars[v.Name] = v
	}
	f, err := p.L.Parse(formula, func(string) (logic.Sort, bool) { return logic.Int, true })
	if err != nil {
		return nil
	}
	i := witness.Invariant{Type: witness.LocationInvariant, Location: locationOf(s.Pos, s.Func), Format: witness.CExpression}
	if s.Loops() {
		i.Type = witness.LoopInvariant
	}
	for _, c := range conjuncts(f) {
		if text, ok := inC(c, t, vars); ok {
			i.Value = text
			out = append(out, i)
		}
	}
	return out
}

// conjuncts returns the parts of a conjunction.
func conjuncts(f *logic.Term) []*logic.Term {
	if f.Op() != logic.OpAnd {
		return []*logic.Term{f}
	}
	var out []*logic.Term
	for _, a := range f.Args() {
		out = append(out, conjuncts(a)...)
	}
	return out
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// maxFormula bounds the length of an invariant.
const maxFormula = 300

// inC returns a formula as C if it is about variables that a thread has by their own names.
func inC(f *logic.Term, t *ir.Thread, vars map[string]*ir.Var) (string, bool) {
	syms := logic.FreeVars(f)
	for _, s := range syms {
		v := vars[s.Name()]
		if v == nil || v.Thread != ir.Shared && v.Thread != t.Index || !identifier.MatchString(v.Source) || v.Type.Bits > 32 || v.Holder != ir.NoLock {
			return "", false
		}
	}
	text := f.C(logic.CStyle{Parens: true, Name: func(v *logic.Term) string { return vars[v.Name()].Source }})
	if wide := strings.ContainsAny(text, "+*/%") || strings.Contains(text, " - "); wide { // without overflow
		text = f.C(logic.CStyle{Parens: true, Name: func(v *logic.Term) string { return fmt.Sprintf("(long long)%s", vars[v.Name()].Source) }})
	}
	return text, len(syms) > 0 && len(text) <= maxFormula
}
