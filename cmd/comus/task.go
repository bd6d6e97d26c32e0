package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"comus/comus"
	"comus/seqmc"
	"comus/task"
)

// task takes a task definition for the program: it returns its files, and the definition; nil if the operands are files of C. What it says of
// the data model and of the properties counts where the command line says nothing.
func (c *command) task(operands []string) ([]string, *task.Definition, error) {
	i := slices.IndexFunc(operands, task.IsDefinition)
	if i < 0 {
		return operands, nil, nil
	}
	if len(operands) > 1 {
		return nil, nil, fmt.Errorf("%s: a task definition is given alone: it says what the files of the program are", operands[i])
	}
	d, err := task.Read(operands[0])
	if err != nil {
		return nil, nil, err
	}
	if d.DataModel != "" && !c.dataModel.given {
		if err := c.given.Set("data-model", d.DataModel); err != nil { // as if it were on the command line, which the portfolio repeats
			return nil, nil, err
		}
	}
	if c.asked.names != nil || c.asked.property != "" {
		return d.Inputs, d, nil
	}
	var unknown []string
	for _, p := range d.Properties {
		if p.Checks == nil {
			unknown = append(unknown, fmt.Sprintf("%s:%d: warning: %s is not asked about: %s", d.File, p.Line, p.Name, p.Why))
			continue
		}
		if c.in.entry == "" && p.Entry != "main" {
			if err := c.given.Set("entry", p.Entry); err != nil {
				return nil, nil, err
			}
		}
		if entry := cmp.Or(c.in.entry, "main"); entry != p.Entry {
			return nil, nil, fmt.Errorf("%s:%d:1: %s is about a program that begins with %s, not with %s (hint: --property asks about one)", d.File, p.Line, p.Name, p.Entry, entry)
		}
		if err := c.asked.names.Set(strings.Join(p.Checks, ",")); err != nil {
			return nil, nil, err
		}
	}
	if c.asked.names == nil {
		return nil, nil, errors.New(strings.Join(append(unknown, d.File+": no property that comus knows"), "\n"))
	}
	c.in.warnings = append(c.in.warnings, unknown...)
	return d.Inputs, d, nil
}

// compare warns of verdicts that a task definition does not expect.
func (c *command) compare(d *task.Definition, res *comus.Result) {
	if d == nil {
		return
	}
	verdicts := map[string]seqmc.Verdict{}
	for _, p := range res.Properties {
		verdicts[p.Name] = p.Verdict
	}
	for _, p := range d.Properties {
		if p.Expected == nil {
			continue
		}
		for _, name := range p.Checks {
			if v, ok := verdicts[name]; ok && v == seqmc.Unsafe && *p.Expected {
				res.Warnings = append(res.Warnings, fmt.Sprintf("%s:%d: warning: %s is expected to hold", d.File, p.Line, p.Name))
			}
		}
		all := !slices.ContainsFunc(p.Checks, func(name string) bool { return verdicts[name] != seqmc.Safe })
		if _, asked := verdicts[cmp.Or(append(p.Checks, "")[0], "")]; asked && all && !*p.Expected && len(p.Checks) > 0 {
			res.Warnings = append(res.Warnings, fmt.Sprintf("%s:%d: warning: %s is expected to be violated", d.File, p.Line, p.Name))
		}
	}
}
