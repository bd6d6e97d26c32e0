package observe

import (
	"context"
	"fmt"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/specialise"
)

// Interpret runs the program of a file in the interpreter. The error is that it cannot be read, or the interpreter's own.
func Interpret(ctx context.Context, file string, runs int, seed uint64) (Seen, error) {
	p, err := cfront.Load(ctx, []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		return nil, err
	}
	seen := Seen{}
	for i := range runs {
		var args []string
		for k := range i % 3 {
			args = append(args, fmt.Sprint((i*7+k)%100))
		}
		unknown := false // a function of the library without a model was called: what the run did is not what it does
		external := func(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
			unknown = true
			return sample.Unknown(m, name, args)
		}
		res, err := sample.One(ctx, p.Program, seed+uint64(i), sample.Options{Races: true, Leaks: true, MaxSteps: 1 << 18, Args: append([]string{"p"}, args...), External: external})
		if err != nil {
			return nil, err
		}
		if unknown {
			continue
		}
		how := fmt.Sprintf("run %d of the interpreter: ", seed+uint64(i))
		for _, r := range res.Races {
			seen.add(specialise.Race, how+fmt.Sprintf("line %d and line %d: %s", line(r.First), line(r.Second), r.Object))
		}
		for range res.Leaks {
			seen.add(specialise.Leak, how+"a leak")
		}
		if len(res.Waits) > 0 {
			seen.add(specialise.Deadlock, how+fmt.Sprint(res.Waits))
		}
		switch res.Outcome {
		case interp.AssertFails:
			seen.add(specialise.Assert, how+res.String())
		case interp.Undefined:
			seen.add(property(res.Check), how+res.String())
		case interp.Exited, interp.Deadlock, interp.Assumed:
			if res.Outcome == interp.Exited && res.Exit != 0 {
				seen.add("end", how+res.String())
			}
		default:
			seen.add("end", how+res.String())
		}
	}
	return seen, nil
}

func line(s interp.Side) int {
	if s.Site == nil {
		return 0
	}
	return s.Site.Pos.Line
}

// property is that of a check of the interpreter.
func property(check string) string {
	switch check {
	case interp.CheckMemory, interp.CheckRead, interp.CheckUninit, interp.CheckBounds:
		return specialise.Memory
	case interp.CheckOverflow, interp.CheckShift, interp.CheckDivision:
		return specialise.Overflows
	}
	return "end"
}
