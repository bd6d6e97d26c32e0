package comus

import (
	"context"
	"errors"
	"fmt"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/replay"
	"comus/seqmc"
	"comus/witness"
)

// WeaveUnits returns the files of the C program that makes the execution of a certificate, which was checked. Of the
// options, those count that a certificate does not name: the models.
func WeaveUnits(ctx context.Context, units []command.Invocation, given cfront.Options, cert *check.Certificate) ([]replay.File, error) {
	how, _, err := SourceOptions(cert.Program, given)
	if err != nil {
		return nil, err
	}
	source, err := Open(ctx, units, how)
	if err != nil {
		return nil, err
	}
	return source.weave(ctx, cert)
}

// weave returns the files of the C program that makes the execution of a certificate for the source.
func (s *Source) weave(ctx context.Context, cert *check.Certificate) ([]replay.File, error) {
	_, asked, err := SourceOptions(cert.Program, s.how)
	if err != nil {
		return nil, err
	}
	if asked.AtomicStatements {
		return nil, errors.New("cannot replay: the execution takes statements for single steps, which they are not in C (--atomic=statement)")
	}
	if cert.Execution != nil {
		w, err := s.WeaveRun(ctx, cert.Execution)
		if err != nil {
			return nil, err
		}
		return w.Files, nil
	}
	r, err := s.Read(ctx, asked)
	if err != nil {
		return nil, err
	}
	r.Program.Renumber()
	sched, err := cert.Schedule.Execution(r.Program)
	if err != nil {
		return nil, err
	}
	return replay.Weave(ctx, s.Program(), r.Program, sched)
}

// WeaveWitness looks for an execution along the waypoints of a witness, and returns the files of the C program that makes it, and the
// property that it violates: of several, the one with a name, unless that is "". What counts the waypoints is part of that program.
func WeaveWitness(ctx context.Context, units []command.Invocation, file string, w witness.Witness, property string, opts Options) ([]replay.File, string, error) {
	if !w.IsViolation() {
		return nil, "", &witness.Error{File: file, Msg: "the witness is one of correctness, which has no execution"}
	}
	opts, err := opts.asWitnessed(units, file, w)
	if err != nil {
		return nil, "", err
	}
	source, res, err := checkViolation(ctx, units, file, w[0], opts)
	if err != nil {
		return nil, "", err
	}
	if res.Verdict != seqmc.Unsafe {
		return nil, "", &witness.Error{File: file, Msg: res.Reason}
	}
	all := res.Properties
	if len(all) == 0 {
		all = res.properties(opts.Question.Check.Names())
	}
	for _, p := range all {
		if p.Verdict == seqmc.Unsafe && (property == "" || p.Name == property) && p.Result.Certificate != nil {
			files, err := source.weave(ctx, p.Result.Certificate)
			return files, p.Name, err
		}
	}
	return nil, "", &witness.Error{File: file, Msg: fmt.Sprintf("the witness leads to no execution that violates %q", property)}
}
