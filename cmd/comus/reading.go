package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"comus/cfront"
	"comus/check"
	"comus/comus"
)

// readingFlags defines the flags that say how a source is read, for commands to which evidence says so, too.
func (c *command) readingFlags(f *pflag.FlagSet) {
	c.sourceFlags(f)
	f.Var(c.dataModel, "data-model", "widths of C's types, unless the certificate or the witness says them: "+c.dataModel.list())
}

// sameReading refuses flags that say of the source what a certificate says in another way: that is what its verdict is about.
func (c *command) sameReading(file string, given *pflag.FlagSet, p check.Program) error {
	asked := c.source()
	how, _, err := comus.SourceOptions(p, asked)
	if err != nil {
		return fileError(file, err)
	}
	for _, o := range []struct {
		flag string
		same bool
	}{
		{"data-model", how.DataModel == asked.DataModel},
		{"entry", how.Entry == asked.Entry},
		{"unknown-functions", how.Unknown == asked.Unknown},
		{"assume", how.Assume == asked.Assume},
		{"no-host-compiler", how.NoHost == asked.NoHost},
	} {
		if f := given.Lookup(o.flag); f != nil && f.Changed && !o.same {
			return fmt.Errorf("%s: the certificate is for a source that is read with another --%s than %s", file, o.flag, f.Value)
		}
	}
	return nil
}

// words returns the words of the command line that say what is read, for certificates: who checks one finds there what to give.
func (c *command) words(operands []string) []string {
	var out []string
	if c.in.database != "" {
		out = append(out, "-p", string(c.in.database))
	}
	for _, m := range c.in.models {
		out = append(out, "--model", m)
	}
	return slices.Concat(out, c.in.flags, operands)
}

// readWith says, behind a message, how the program was given that a certificate is about; "" if it was given the same way now.
func (c *command) readWith(p check.Program) string {
	now := c.words(nil)
	if len(p.Given) == 0 || len(p.Given) >= len(now) && slices.Equal(p.Given[:len(now)], now) && !slices.ContainsFunc(p.Given[len(now):], isFlag) {
		return ""
	}
	var words []string
	for _, w := range p.Given {
		words = append(words, shellFlag(w))
	}
	return " (hint: it was given as " + strings.Join(words, " ") + ")"
}

// isFlag tells whether a word is a flag, not the name of a file.
func isFlag(word string) bool { return strings.HasPrefix(word, "-") || strings.HasPrefix(word, "@") }

// readOtherwise adds to the error that a program cannot be read how the one was given that a certificate is about.
func (c *command) readOtherwise(err error, p check.Program) error {
	var input *cfront.Error
	if hint := c.readWith(p); hint != "" && errors.As(err, &input) {
		return &cfront.Error{Err: fmt.Errorf("%w%s", input.Err, hint)}
	}
	return err
}
