package comus

import (
	"context"

	"comus/seqmc"
	"comus/specialise"
)

// maxFindings bounds the violations of one property that are looked for.
const maxFindings = 100

// findAll looks for more violations of the properties that are violated: each that is known is no error any more, and the question is asked
// again, in this process. What it is about is not the program any more, so that its verdicts but for violations say nothing.
func (s *Source) findAll(ctx context.Context, res *Result, opts Options) {
	for i := range res.Properties {
		p := &res.Properties[i]
		if p.Verdict != seqmc.Unsafe || p.Result.Trace.Error == nil {
			continue
		}
		part := opts
		part.Command, part.Strategy, part.Grow, part.weak = nil, Auto, false, nil
		part.Question.Check, _ = specialise.ChecksNamed([]string{p.Name})
		part.Question.Known = specialise.KnownAs(p.Result.Trace.Error)
		for len(p.More) < maxFindings && ctx.Err() == nil {
			next, err := s.verify(ctx, part)
			if err != nil || next.Verdict != seqmc.Unsafe || next.Trace.Error == nil {
				break
			}
			next.Certificate = nil // it is about another program
			p.More = append(p.More, next)
			part.Question.Known += "\n" + specialise.KnownAs(next.Trace.Error)
		}
	}
}
