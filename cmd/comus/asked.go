package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"comus/property"
	"comus/specialise"
)

// asked is what the command line says about the properties that are asked about.
type asked struct {
	names    checksFlag
	property fileFlag
}

// define defines the flags.
func (a *asked) define(f *pflag.FlagSet) {
	f.Var(&a.names, "check", "the properties that are asked about, with commas: "+strings.Join(specialise.CheckNames, ", ")+
		" or "+specialise.AllChecks+" (default "+specialise.Assert+")")
	f.Var(&a.property, "property", "ask about what this `file` says, in SV-COMP's property language")
}

// checks returns what is asked about a program with an entry; "" is main.
func (a *asked) checks(entry string) (specialise.Checks, error) {
	switch {
	case a.property == "":
		return specialise.ChecksNamed(a.names)
	case a.names != nil:
		return specialise.Checks{}, errors.New("comus: --check and --property both say what is asked about: give one of them")
	}
	file, err := readProperty(string(a.property))
	if err == nil {
		err = file.Begins(entry)
	}
	if err != nil {
		return specialise.Checks{}, err
	}
	return specialise.ChecksNamed(file.Checks)
}

// maxProperty bounds the size of a property file.
const maxProperty = 1 << 20

// readProperty reads a property file.
func readProperty(file string) (*property.File, error) {
	if err := notPipe(file, false); err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fileError(file, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxProperty+1))
	switch {
	case err != nil:
		return nil, fileError(file, err)
	case len(text) > maxProperty:
		return nil, fmt.Errorf("%s: is too large for a property file", file)
	}
	return property.Parse(file, text)
}

// checksFlag is a list of properties; nil unless it was given.
type checksFlag []string

func (f *checksFlag) String() string { return strings.Join(*f, ",") }
func (f *checksFlag) Type() string   { return "names" }

// Set adds the properties of a list with commas.
func (f *checksFlag) Set(s string) error {
	names := trimmed(strings.Split(s, ","))
	if _, err := specialise.ChecksNamed(names); err != nil {
		return err
	}
	*f = append(*f, slices.DeleteFunc(names, func(n string) bool { return slices.Contains(*f, n) })...)
	return nil
}
