package comus

import (
	"context"
	"errors"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/memory"
	"comus/replay"
	"comus/replay/repeat"
)

// Woven is a C program that makes an execution.
type Woven struct {
	Files []replay.File
	// Repeats is, of an execution that no turns of the threads bring about, the program itself, which is to be run again and again; nil: the files make the execution, in each run.
	Repeats *repeat.Program
	// Note is what has to be said of such an execution; often nothing.
	Note string
}

// WeaveUnits returns the C program that makes the execution of a certificate, which was checked. Of the
// options, those count that a certificate does not name: the models.
func WeaveUnits(ctx context.Context, units []command.Invocation, given cfront.Options, cert *check.Certificate) (*Woven, error) {
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

// Weave returns the C program that makes the execution of a certificate for the source.
func (s *Source) Weave(ctx context.Context, cert *check.Certificate) (*Woven, error) {
	_, asked, err := SourceOptions(cert.Program, s.how)
	if err != nil {
		return nil, err
	}
	if asked.AtomicStatements {
		return nil, errors.New("cannot replay: the execution takes statements for single steps, which they are not in C (--atomic=statement)")
	}
	if ex := cert.Execution; ex != nil && ex.Graph != nil && !ex.Graph.Consistent(memory.SC) {
		return s.repeats(ctx, ex)
	}
	if cert.Execution != nil {
		w, err := s.WeaveRun(ctx, cert.Execution)
		if err != nil {
			return nil, err
		}
		return &Woven{Files: w.Files}, nil
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
	files, err := replay.Weave(ctx, s.Program(), r.Program, sched)
	if err != nil {
		return nil, err
	}
	return &Woven{Files: files}, nil
}
