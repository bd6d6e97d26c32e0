package sema

import (
	"errors"
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/types"
)

// A unit may have several errors, and each is told. A declaration or statement with an error is left out, and the next one is looked at. What
// the one left out would have declared is missing then: that is no error of its own.

// failures are what is wrong with a unit.
type failures struct {
	errs []error
	lost map[string]bool // names whose declarations have failed
	said map[string]bool // what is told once for each function
	over bool            // a type has failed: what follows cannot be judged
}

// any reports whether there is one.
func (x *failures) any() bool { return len(x.errs) > 0 }

// err returns what is wrong, one error a line, and nil if nothing is.
func (x *failures) err() error {
	if len(x.errs) == 1 {
		return x.errs[0]
	}
	return errors.Join(x.errs...)
}

// attempt checks a part of the unit. If it has an error, that is noted, and the part is as if it were not there.
func (c *checker) attempt(n syntax.Node, f func()) {
	if c.failed.over {
		return
	}
	saved, fn := *c, function{}
	if c.fn != nil {
		fn = *c.fn
	}
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		e, ok := r.(*syntax.Error)
		if !ok {
			panic(r)
		}
		c.note(e)
		c.failed.lose(n)
		c.backTo(saved)
		if c.fn != nil {
			*c.fn = fn
		}
	}()
	f()
}

// note adds an error.
func (c *checker) note(e *syntax.Error) {
	e.Msg = strings.ReplaceAll(e.Msg, "\n", " ")
	if e.Msg == "" {
		return // of what is lost
	}
	if c.fn != nil && strings.Contains(e.Msg, "undeclared") {
		key := c.fn.f.Name + " " + e.Msg
		if c.failed.said[key] {
			return
		}
		c.failed.said[key] = true
	}
	c.failed.errs = append(c.failed.errs, e)
}

// lose notes the names that a part with an error would have declared.
func (x *failures) lose(n syntax.Node) {
	name := func(d *syntax.Declarator) {
		if d != nil {
			x.lost[d.Name] = true
		}
	}
	var specs *syntax.Specs
	switch n := n.(type) {
	case *syntax.FuncDef:
		name(n.Decl)
		specs = n.Specs
	case *syntax.Declaration:
		for _, d := range n.Decls {
			name(d.Decl)
		}
		specs = n.Specs
	}
	x.over = x.over || specs != nil && (specs.Storage&syntax.Typedef != 0 || specs.Record != nil && specs.Record.Body || specs.Enum != nil && specs.Enum.Body)
}

// ifLost gives up what mentions a name that is not declared because its declaration has failed.
func (c *checker) ifLost(name string) {
	if c.failed.lost[name] {
		failAt(types.Pos{}, "")
	}
}
