package comus

import (
	"context"
	"errors"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/replay"
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
	return source.Weave(ctx, cert)
}

// Weave returns the files of the C program that makes the execution of a certificate for the source.
func (s *Source) Weave(ctx context.Context, cert *check.Certificate) ([]replay.File, error) {
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
