package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"comus/cfront"
	gcc "comus/cfront/command"
	"comus/cfront/libc"
	"comus/cir"
	"comus/comus"
)

// inputs are what the command line says about the program: its sources, and how they are read.
type inputs struct {
	flags    []string // those of gcc, as they were given
	database fileFlag
	entry    string
	models   []string
	unknown  *choiceFlag
	assume   assumeFlag
	mayFail  mayFailFlag
	library  bool // for comus scan
	noHost   bool
	warnings []string // about flags
}

// sourceFlags defines the flags that say what is read.
func (c *command) sourceFlags(f *pflag.FlagSet) {
	c.databaseFlags(f)
	f.StringVar(&c.in.entry, "entry", "", "the `function` that the program begins with (default main)")
	if c.in.unknown == nil {
		c.in.unknown = choice("havoc", "pure", "refuse")
	}
	f.Var(c.in.unknown, "unknown-functions", "what functions without a body or model do: change all that they can reach, only return any value, or be an error: "+c.in.unknown.list())
	f.Var(&c.in.assume, "assume", "what whole programs are assumed to do, with commas: "+strings.Join(comus.Assumptions(), ", "))
	f.Var(&c.in.mayFail, "may-fail", "functions that may fail, with commas; without this flag, they are assumed to succeed: "+strings.Join(libc.Fallible(), ", "))
	f.BoolVar(&c.in.noHost, "no-host-compiler", false, "preprocess without the C compiler and headers of this machine")
}

// databaseFlags defines the flags that name files to read.
func (c *command) databaseFlags(f *pflag.FlagSet) {
	f.VarP(&c.in.database, "compile-commands", "p", "read all units of a compile_commands.json, a `file` or the folder it is in")
	f.StringArrayVar(&c.in.models, "model", nil, "a `file` with bodies for functions of libraries (several times)")
}

// assumeFlag is the value of --assume.
type assumeFlag struct{ cir.Premises }

func (f *assumeFlag) String() string {
	return cmp.Or(comus.AssumeText(f.Premises), "replaced-hooks,ids-first")
}
func (f *assumeFlag) Type() string { return "list" }

// Set reads a list.
func (f *assumeFlag) Set(s string) (err error) {
	f.Premises, err = comus.AssumeOf(s)
	return err
}

// mayFailFlag is the value of --may-fail.
type mayFailFlag struct{ names string }

func (f *mayFailFlag) String() string { return f.names }
func (f *mayFailFlag) Type() string   { return "list" }

// Set reads a list.
func (f *mayFailFlag) Set(s string) (err error) {
	f.names, err = libc.MayFail(s)
	return err
}

// gccHelp tells of the flags that are not listed.
const gccHelp = `
The flags of gcc that matter to what a program means are taken as gcc takes them: -I,
-isystem, -iquote, -idirafter, -D, -U, -include, -imacros, -std=, -m32, -m64,
-funsigned-char and the like. Its other flags are ignored.`

// readsC are the commands that take flags of gcc.
var readsC = []string{"comus", "scan", "check", "explore", "translate", "replay"}

// split takes the flags of gcc out of a command line, and returns the rest.
func (c *command) split(root *cobra.Command, args []string) []string {
	cmd := root
	rest, flags, first := splitFor(root, args)
	for _, sub := range root.Commands() {
		if sub.Name() == first {
			cmd = sub
			rest, flags, _ = splitFor(sub, args)
		}
	}
	if !slices.Contains(readsC, cmd.Name()) || first == "help" || strings.HasPrefix(first, "__") {
		return args
	}
	c.in.flags = flags
	return rest
}

// splitFor splits a command line of one command. first is the first word that is no flag.
func splitFor(cmd *cobra.Command, args []string) (rest, flags []string, first string) {
	rest = []string{} // cobra takes nil for the command line of the process
	for i := 0; i < len(args); i++ {
		w, n, own := args[i], 1, true
		switch {
		case w == "--":
			return append(rest, args[i:]...), flags, first
		case strings.HasPrefix(w, "@") && len(w) > 1:
			own = false
		case w == "-" || !strings.HasPrefix(w, "-"):
			if first == "" {
				first = w
			}
		default:
			if n = ownFlag(cmd.Flags(), w); n == 0 {
				own, n = false, gcc.Words(w)
			}
		}
		to := &rest
		if !own {
			to = &flags
		}
		end := min(i+n, len(args))
		*to = append(*to, args[i:end]...)
		i = end - 1
	}
	return rest, flags, first
}

// ownFlag returns how many words a flag of comus takes; 0 if it is one of gcc.
func ownFlag(fs *pflag.FlagSet, w string) int {
	var f *pflag.Flag
	name, long := strings.CutPrefix(w, "--")
	switch {
	case long:
		name, _, joined := strings.Cut(name, "=")
		if f = fs.Lookup(name); f == nil && gcc.Long(w) {
			return 0
		}
		if f == nil || joined {
			return 1
		}
	case w == "-h":
		return 1
	case len(w) == 2:
		if f = fs.ShorthandLookup(w[1:]); f == nil {
			return 0
		}
	default:
		if f = fs.ShorthandLookup(w[1:2]); f != nil && f.Name == "output" || strings.HasPrefix(w, "-p=") {
			return 1
		}
		return 0
	}
	if f.NoOptDefVal != "" {
		return 1
	}
	return 2
}

// units returns the units of the program: the files, compiled with the flags of gcc, and those
// of a database.
func (c *command) units(files []string) ([]gcc.Invocation, error) {
	for _, f := range append(slices.Clone(files), c.in.models...) {
		if err := readable(f); err != nil {
			return nil, err
		}
	}
	_, _, err := gcc.Parse(c.in.flags, "") // the last one may miss its argument
	if err != nil {
		return nil, fmt.Errorf("comus: %w", err)
	}
	units, warnings, err := gcc.Parse(append(append(slices.Clone(c.in.flags), "--"), files...), "")
	if err != nil {
		return nil, fmt.Errorf("comus: %w", err)
	}
	if c.in.database != "" {
		more, about, err := gcc.Database(string(c.in.database))
		if err != nil {
			return nil, err
		}
		units, warnings = append(more, units...), append(warnings, about...)
	}
	for _, w := range warnings {
		c.in.warnings = append(c.in.warnings, "warning: "+w.String())
	}
	if len(units) == 0 {
		return nil, errors.New("comus: no C source is given")
	}
	return units, nil
}

// source returns the options of the front end.
func (c *command) source() cfront.Options {
	o := cfront.Options{NoHost: c.in.noHost, Entry: c.in.entry, Library: c.in.library, Models: c.in.models, Assume: c.in.assume.Premises, MayFail: c.in.mayFail.names}
	if c.in.unknown != nil {
		o.Unknown = map[string]cfront.Unknown{"havoc": cfront.Havoc, "pure": cfront.Pure, "refuse": cfront.Refuse}[c.in.unknown.value]
	}
	if c.dataModel != nil && c.dataModel.given {
		o.DataModel = map[string]cfront.DataModel{"LP64": cfront.LP64, "ILP32": cfront.ILP32}[c.dataModel.value]
	}
	return o
}

// paths returns the names of files of units.
func paths(units []gcc.Invocation) []string {
	var out []string
	for _, u := range units {
		out = append(out, u.Path())
	}
	return out
}

// title names a program in reports.
func title(units []gcc.Invocation) string {
	if len(units) > 3 {
		return fmt.Sprintf("%s and %d more", units[0].File, len(units)-1)
	}
	var names []string
	for _, u := range units {
		names = append(names, u.File)
	}
	return strings.Join(names, ", ")
}

// isInput reports whether an error says that the program cannot be read.
func isInput(err error) bool {
	var input *cfront.Error
	var broken *cfront.InternalError
	return errors.As(err, &input) || errors.As(err, &broken)
}
