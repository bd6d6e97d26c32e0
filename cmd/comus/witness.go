package main

import (
	"context"

	"comus/cfront"
	gcc "comus/cfront/command"
	"comus/comus"
	"comus/internal/whole"
	"comus/specialise"
	"comus/witness"
)

// witnessWriter prepares writing a witness; nil if none is asked for.
func (c *command) witnessWriter(units []gcc.Invocation, opts *comus.Options) *comus.WitnessWriter {
	if c.witness == "" || c.send {
		return nil
	}
	w := &comus.WitnessWriter{Units: units, Producer: witness.Producer{Name: "comus", Version: version()}}
	opts.Source.Weave = w.Look
	return w
}

// writeWitness writes the witness of a result, if it has a verdict.
func (c *command) writeWitness(w *comus.WitnessWriter, res *comus.Result, opts comus.Options) error {
	if w == nil {
		return nil
	}
	found, err := w.Witness(context.Background(), res, opts)
	if err != nil || found == nil {
		return err
	}
	text, err := found.Encode()
	if err == nil {
		err = whole.WriteFile(string(c.witness), text)
	}
	if err != nil {
		return fileError(string(c.witness), err)
	}
	return nil
}

// checkWitness checks a witness. What is wrong with it as a witness of the program makes the verdict unknown.
func (c *command) checkWitness(ctx context.Context, units []gcc.Invocation, file string, w witness.Witness) (_ *comus.Result, err error) {
	opts := comus.Options{Source: cfront.Options{Models: c.in.models}, Grow: true, Log: c.logger(), Memory: c.memory.bytes,
		Question: specialise.Options{MaxThreads: 3, MaxAllocs: 3, Unwind: 8, UnrollLimit: 64}} // those of the flags
	for _, u := range units {
		opts.Operands = append(opts.Operands, u.File)
	}
	if opts.Command, err = c.again(); err != nil {
		return nil, err
	}
	return comus.CheckWitness(ctx, units, file, w, opts)
}
