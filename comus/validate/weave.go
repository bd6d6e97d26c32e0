package validate

import (
	"context"
	"fmt"
	"time"

	"comus/cfront/command"
	"comus/comus"
	"comus/seqmc"
	"comus/witness"
)

// Weave looks for an execution along the waypoints of a witness, and returns the C program that makes it, and the
// property that it violates: of several, the one with a name, unless that is "". What counts the waypoints is part of that program.
func Weave(ctx context.Context, units []command.Invocation, file string, w witness.Witness, property string, opts comus.Options) (*comus.Woven, string, error) {
	if !w.IsViolation() {
		return nil, "", &witness.Error{File: file, Msg: "the witness is one of correctness, which has no execution"}
	}
	opts, err := asWitnessed(opts, units, file, w)
	if err != nil {
		return nil, "", err
	}
	source, res := checkUnordered(ctx, units, w[0], opts)
	if source == nil {
		if source, res, err = checkViolation(ctx, units, file, w[0], opts); err != nil {
			return nil, "", err
		}
	}
	if res.Verdict != seqmc.Unsafe {
		return nil, "", &witness.Error{File: file, Msg: res.Reason}
	}
	for _, p := range res.Finished(opts.Question.Check, time.Now(), opts.Timings).Properties {
		if p.Verdict == seqmc.Unsafe && (property == "" || p.Name == property) && p.Result.Certificate != nil {
			w, err := source.Weave(ctx, p.Result.Certificate)
			return w, p.Name, err
		}
	}
	return nil, "", &witness.Error{File: file, Msg: fmt.Sprintf("the witness leads to no execution that violates %q", property)}
}
