package contract

import (
	"fmt"
	"slices"
)

// apart are functions that return twice, but the second time in a process of its own.
var apart = []string{"fork", "_Fork", "forkpty"}

// Assumes returns what has to be taken for granted of a call by those who do not follow what later calls do with the pointers that the
// function retains, or do not know all that a result may lead to, or that control comes back there: a sentence for reports, "" if there is nothing to say.
func (f *Function) Assumes() string {
	if f.Twice && !slices.Contains(apart, f.Name) {
		return fmt.Sprintf("'%s' returns once", f.Name)
	}
	if slices.ContainsFunc(f.Results, func(v Value) bool { return v.Kind == Anywhere }) {
		return fmt.Sprintf("'%s' returns no address of an object or function of the program", f.Name)
	}
	if !slices.ContainsFunc(f.Params, func(p Param) bool {
		return slices.ContainsFunc(p.Retains, func(k Retention) bool { return !k.Contents })
	}) {
		return ""
	}
	return fmt.Sprintf("'%s' does nothing later with the pointers that it retains", f.Name)
}
