package comus

import (
	"context"
	"slices"

	"comus/check"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/scan/pointsto"
	"comus/scan/values"
	"comus/specialise"
)

// valueAnalysis asks package scan/values which assertions follow from what registers and memory can hold, alone or together; package check/valuecheck verifies that.
// The others are obligations. What the analysis takes for proved beyond what is verified says which ones are asked about last; it is no evidence.
type valueAnalysis struct {
	s    *Source
	opts Options
	// list are the assertions that are left, those first of which the least is known; claimed are those of them that the analysis calls proved, which is not verified.
	list    []*cir.Intrinsic
	claimed map[*cir.Intrinsic]bool
	// claims are those about values from which the others follow, nil if there are none.
	claims *certificate.Values
	pts    *pointsto.Result
	known  []values.Known
}

func (a *valueAnalysis) find(ctx context.Context) error {
	prog := a.s.prog.Program
	a.list, a.claimed = specialise.Assertions(prog), map[*cir.Intrinsic]bool{}
	if len(a.list) == 0 {
		return nil
	}
	pts, err := pointsto.AnalyseOpen(ctx, prog)
	if err != nil {
		return err
	}
	a.pts = pts
	if _, err := a.verified(ctx, true); err != nil || len(a.list) == 0 {
		return err
	}
	v, err := a.verified(ctx, false)
	if err != nil {
		return err
	}
	a.known = v.Known()
	a.s.guess(a.known)
	for _, x := range v.Assertions() {
		a.claimed[x.Instr] = x.Proved
	}
	slices.SortStableFunc(a.list, func(x, y *cir.Intrinsic) int {
		switch {
		case a.claimed[x] == a.claimed[y]:
			return 0
		case a.claimed[x]:
			return 1
		}
		return -1
	})
	return nil
}

// verified takes from the list the assertions that follow from what registers and cells can hold, as far as that is confirmed: plain, one by one, or also from what they
// have to do with each other, if that is more.
func (a *valueAnalysis) verified(ctx context.Context, plain bool) (*values.Result, error) {
	prog, wrap := a.s.prog.Program, a.opts.Question.Overflow == specialise.OverflowWrap
	v, err := values.Analyse(ctx, prog, a.pts, values.Options{Plain: plain, Wrap: wrap})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(v.Assertions(), func(x *values.Assertion) bool { return x.Proved && slices.Contains(a.list, x.Instr) }) {
		return v, nil
	}
	claims := v.Claims()
	r, err := valuecheck.Check(ctx, prog, a.pts, claims, valuecheck.Options{Wrap: wrap})
	all := specialise.Assertions(prog)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		a.opts.Log.Info("values are not confirmed", "plain", plain, "reason", err)
	case len(r.Confirmed) > len(all)-len(a.list):
		a.list = slices.DeleteFunc(all, func(in *cir.Intrinsic) bool { return r.Confirmed[in] })
		a.claims = claims
	}
	return v, nil
}

func (a *valueAnalysis) certificate(proofs []*check.Certificate) *check.Certificate {
	return &check.Certificate{Method: check.MethodParts, Suspects: proofs, Values: a.claims}
}

func (a *valueAnalysis) targets() (list []directed.Target) {
	for i, near := range directed.Near(a.s.prog.Program, a.pts, a.list) {
		list = append(list, directed.OfAssertion(a.list[i], near))
	}
	return list
}

func (a *valueAnalysis) obligations(opts DecideOptions) (*decider, error) {
	var list []*scan.Assertion
	for _, in := range a.list {
		list = append(list, &scan.Assertion{Instr: in, Site: in.Site})
	}
	return a.s.assertionDecider(list, opts)
}

func (a *valueAnalysis) together(d *decider, _ error) string {
	var left []*cir.Intrinsic
	for i := range d.out {
		if d.out[i].Status != ObligationProved {
			left = append(left, a.list[i])
		}
	}
	if len(left) == 0 {
		return ""
	}
	about, err := specialise.AboutAssertions(a.s.prog.Program, left)
	if err != nil {
		return ""
	}
	return about
}

// helps reports whether some assertions are proved, or relations are known that engines can begin with.
func (a *valueAnalysis) helps() bool {
	return len(a.list) < len(specialise.Assertions(a.s.prog.Program)) || slices.ContainsFunc(a.known, func(k values.Known) bool { return len(k.Of) > 1 })
}

func (a *valueAnalysis) addFindings(_ context.Context, res *Result, decisions []Obligation) {
	all := len(specialise.Assertions(a.s.prog.Program))
	open := a.openOf(decisions)
	res.Left = &Left{What: "assertion", Proved: all - len(open), All: all, Open: open}
}

func (a *valueAnalysis) left(decisions []Obligation) string {
	return listOf("assertions that may fail", a.openOf(decisions))
}

// openOf lists what is left where some is decided.
func (a *valueAnalysis) openOf(decisions []Obligation) (list []LeftAt) {
	for i, in := range a.list {
		if decisions != nil && decisions[i].Status == ObligationProved {
			continue
		}
		x := LeftAt{At: "?"}
		if in.Site != nil {
			x.At, x.Text = in.Site.Pos.String(), in.Site.Text
		}
		if a.claimed[in] {
			x.Why = "the analysis claims a proof by relations between variables, but the checker has not confirmed it"
		}
		list = append(list, x)
	}
	return list
}
