package validate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cfront/types"
	"comus/cfront/weave"
	"comus/comus"
	"comus/internal/deadline"
	"comus/ir"
	"comus/ir/interp"
	"comus/property"
	"comus/seqmc"
	"comus/specialise"
	"comus/witness"
)

// Witness decides whether a witness is right about a program, whoever made it. If it is one of a violation, Unsafe means that an
// execution goes along its waypoints to the violation: it has been replayed. If it is one of correctness, Safe means that its
// invariants hold, and that no execution violates what the witness is about. The error is for a program that cannot be
// read, and for a witness that is not one about it: a *witness.Error.
func Witness(ctx context.Context, units []command.Invocation, file string, w witness.Witness, opts comus.Options) (*comus.Result, error) {
	start := time.Now()
	opts, err := asWitnessed(opts, units, file, w)
	if err != nil {
		return nil, err
	}
	if source, res := checkUnordered(ctx, units, w[0], opts); source != nil {
		return res.Finished(opts.Question.Check, start, opts.Timings), nil
	}
	var res *comus.Result
	if w.IsViolation() {
		_, res, err = checkViolation(ctx, units, file, w[0], opts)
	} else {
		res, err = checkInvariants(ctx, units, file, w, opts)
	}
	if err != nil {
		return nil, err
	}
	res.Trace = unwoven(res.Trace)
	for i := range res.Properties {
		res.Properties[i].Result.Trace = unwoven(res.Properties[i].Result.Trace)
	}
	res.Assumptions = slices.DeleteFunc(res.Assumptions, func(a string) bool { return strings.Contains(a, weave.Monitor) })
	res.Certificate = nil // it is about the program with the witness in it
	return res.Finished(opts.Question.Check, start, opts.Timings), nil
}

// asWitnessed returns options for what a witness is about: its property, entry and data model. The files have to be those of the program.
func asWitnessed(o comus.Options, units []command.Invocation, file string, w witness.Witness) (comus.Options, error) {
	o = o.Complete()
	o.Source.Timings = o.Timings
	if err := sameFiles(file, w, units); err != nil {
		return o, err
	}
	names, entry, err := askedBy(file, w)
	if err != nil {
		return o, err
	}
	if entry != "main" {
		o.Source.Entry = entry
	}
	o.Source.DataModel = cfront.LP64
	if w[0].Metadata.Task.DataModel == "ILP32" {
		o.Source.DataModel = cfront.ILP32
	}
	o.Question.Check, err = specialise.ChecksNamed(names)
	return o, err
}

// sameFiles returns an error unless the files that a witness is about are those of the program. A file of another folder, or one without a hash, is not compared.
func sameFiles(file string, w witness.Witness, units []command.Invocation) error {
	for _, e := range w {
		task := e.Metadata.Task
		for _, u := range units {
			name := ""
			for _, f := range task.Files {
				if f == u.File || filepath.Base(f) == filepath.Base(u.File) {
					name = f
				}
			}
			if name == "" {
				return &witness.Error{File: file, Msg: fmt.Sprintf("the witness is about %s, not about %s", strings.Join(task.Files, ", "), u.File)}
			}
			text, err := os.ReadFile(u.Path())
			if err != nil {
				continue // it is read later, or it is not
			}
			sum := sha256.Sum256(text)
			if want := task.Hashes[name]; want != "" && !strings.EqualFold(want, hex.EncodeToString(sum[:])) {
				return &witness.Error{File: file, Msg: fmt.Sprintf("the witness is about another %s: its SHA-256 is %.12s…, not %.12s…", name, hex.EncodeToString(sum[:]), want)}
			}
		}
	}
	return nil
}

// askedBy returns the names of the properties that the entries of a witness are about, and the function that the program begins with, the same for all.
func askedBy(file string, w witness.Witness) (names []string, entry string, err error) {
	for i, e := range w {
		now, begins, err := specified(e.Metadata.Task.Specification)
		if err != nil {
			return nil, "", &witness.Error{File: file, Msg: "the specification: " + err.Error()}
		}
		if i > 0 && (strings.Join(now, ",") != strings.Join(names, ",") || begins != entry) {
			return nil, "", &witness.Error{File: file, Msg: "the entries are about different specifications"}
		}
		names, entry = now, begins
	}
	return names, entry, nil
}

// specified returns what a specification means: lines of SV-COMP's property language, a formula of it alone, or what [specification] writes.
func specified(text string) (names []string, entry string, err error) {
	if rest, ok := strings.CutPrefix(text, ownSpecification); ok {
		names := strings.Split(rest, ",")
		_, err := specialise.ChecksNamed(names)
		return names, "main", err
	}
	if !strings.Contains(text, "CHECK") {
		text = fmt.Sprintf("CHECK( init(main()), LTL(%s) )", strings.TrimSpace(text))
	}
	f, err := property.Parse("specification", []byte(text))
	if err != nil {
		return nil, "", err
	}
	return f.Checks, f.Entry, nil
}

// followFor is the part of the time, one in so many, in which executions along the waypoints are looked for by runs alone.
const followFor = 4

// checkViolation looks for an execution along the waypoints. It returns the source that it is one of, too: the program with the witness in it.
func checkViolation(ctx context.Context, units []command.Invocation, file string, e *witness.Entry, opts comus.Options) (*comus.Source, *comus.Result, error) {
	w := newWaypoints(file, e, opts.Source.Entry, opts.Question.Check)
	if len(units) > 1 {
		opts.Source.Weave = w.look
		if _, err := comus.Open(ctx, units, opts.Source); err != nil {
			res, err := unread(ctx, err)
			return nil, res, err
		}
		if err := w.surveyed(); err != nil {
			return nil, nil, err
		}
	}
	opts.Source.Weave = w.weave
	source, err := comus.Open(ctx, units, opts.Source)
	if err != nil {
		res, err := unread(ctx, witnessError(w.explain(err)))
		return nil, res, err
	}
	if err := w.placed(); err != nil {
		return nil, nil, err
	}
	source.Restrict(w.restrict)
	opts.Strategy, opts.Engine = comus.Auto, nil
	part, stop := deadline.Share(ctx, followFor, 0)
	res, err := source.Follow(part, opts, progress)
	stop()
	if err != nil || res != nil {
		return source, res, err
	}
	res, err = source.Ask(ctx, opts)
	if err != nil {
		return nil, nil, err
	}
	switch res.Verdict {
	case seqmc.Safe:
		res.Verdict, res.Reason = seqmc.Unknown, "the witness was rejected: no execution goes along its waypoints to the violation (proved by "+res.Engine+")"
		res.Assumptions, res.Proved = nil, nil
	case seqmc.Unknown:
		res.Reason = "no execution along the waypoints was found: " + res.Reason
	}
	return source, res, nil
}

// unread returns the result for a program that could not be read: Unknown if there was no time for it.
func unread(ctx context.Context, err error) (*comus.Result, error) {
	if ctx.Err() != nil {
		return comus.Interrupted(ctx, "check"), nil
	}
	return nil, err
}

// witnessError returns the error about the witness in one of reading a program that it was put into, or that error.
func witnessError(err error) error {
	var bad *witness.Error
	if errors.As(err, &bad) {
		return bad
	}
	return err
}

// unwoven returns an execution of a program with a witness in it as one of the program.
func unwoven(tr interp.Trace) interp.Trace {
	var steps []interp.TraceStep
	for _, s := range tr.Steps {
		s.Changes = slices.DeleteFunc(slices.Clone(s.Changes), func(c interp.Change) bool { return isMonitors(c.Var) })
		s.Inputs = slices.DeleteFunc(slices.Clone(s.Inputs), func(in interp.Input) bool {
			_, ok := marked(in.Name)
			return ok
		})
		if weave.IsWoven(types.Pos(s.Pos)) && s.Edge.Kind == ir.Plain && len(s.Changes)+len(s.Inputs) == 0 && s.Edge.Tells == nil {
			continue
		}
		steps = append(steps, s)
	}
	tr.Steps = steps
	return tr
}

// isMonitors reports whether a variable is one of what a witness adds to a program, or one that people do not see.
func isMonitors(v *ir.Var) bool {
	return v.Source == "" || strings.HasPrefix(v.Source, "__comus_")
}
