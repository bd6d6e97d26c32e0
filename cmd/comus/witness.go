package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	gcc "comus/cfront/command"
	"comus/comus"
	"comus/comus/validate"
	"comus/internal/whole"
	"comus/specialise"
	"comus/witness"
)

// witnessWriter prepares writing a witness; nil if none is asked for.
func (c *command) witnessWriter(units []gcc.Invocation, opts *comus.Options) *validate.Writer {
	if c.witness == "" || c.send {
		return nil
	}
	w := &validate.Writer{Units: units, Producer: witness.Producer{Name: "comus", Version: version()}}
	opts.Source.Weave = w.Look
	return w
}

// writeWitness writes the witness of a result, if it has a verdict.
func (c *command) writeWitness(w *validate.Writer, res *comus.Result, opts comus.Options) error {
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
func (c *command) checkWitness(ctx context.Context, units []gcc.Invocation, file string, given *pflag.FlagSet, w witness.Witness) (*comus.Result, error) {
	opts, err := c.witnessOptions(units, file, given, w)
	if err != nil {
		return nil, err
	}
	return validate.Witness(ctx, units, file, w, opts)
}

// witnessOptions returns the options for looking for what a witness tells of.
func (c *command) witnessOptions(units []gcc.Invocation, file string, given *pflag.FlagSet, w witness.Witness) (opts comus.Options, err error) {
	if model := w[0].Metadata.Task.DataModel; given.Changed("data-model") && c.dataModel.value != model {
		return opts, fmt.Errorf("%s: the witness is for --data-model %s, not %s", file, model, c.dataModel.value)
	}
	opts = comus.Options{Source: c.source(), Grow: true, Log: c.logger(), Memory: c.memory.bytes,
		Question: specialise.Options{MaxThreads: 3, MaxAllocs: 3, Unwind: 8, UnrollLimit: 64}} // those of the flags
	for _, u := range units {
		opts.Operands = append(opts.Operands, u.File)
	}
	opts.Command, err = c.again()
	return opts, err
}
