package cfront

import (
	"fmt"

	"comus/cfront/syntax"
	"comus/cir"
)

// assume returns what may be assumed of units, and why something is not that is asked for, "" if all is.
func (o Options) assume(units []*unit) (a cir.Premises, why string) {
	a = o.Assume
	if !a.EffectiveTypes {
		return a, ""
	}
	for _, u := range units {
		switch {
		case u.library:
		case u.inv.Flags.NoStrictAliasing:
			why = "is compiled with -fno-strict-aliasing"
		case mayAlias(u.tokens.Tokens):
			why = "has a type with the attribute may_alias"
		}
		if why != "" {
			a.EffectiveTypes = false
			return a, fmt.Sprintf("effective types are not assumed: %s %s", u.inv.File, why)
		}
	}
	return a, ""
}

// mayAlias reports whether some type may have the attribute that takes it out of the rule.
func mayAlias(ts []syntax.Token) bool {
	for i := range ts {
		if t := ts[i].Text; t == "may_alias" || t == "__may_alias__" {
			return true
		}
	}
	return false
}
