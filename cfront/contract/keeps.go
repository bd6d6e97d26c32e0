package contract

import (
	"fmt"
	"slices"
)

// Assumes returns what has to be taken for granted of a call by those who do not follow what later calls do with the pointers that the
// function keeps: a sentence for reports, "" if it keeps none.
func (f *Function) Assumes() string {
	if !slices.ContainsFunc(f.Params, func(p Param) bool {
		return slices.ContainsFunc(p.Keeps, func(k Keep) bool { return !k.Contents })
	}) {
		return ""
	}
	return fmt.Sprintf("'%s' does nothing later with the pointers that it keeps", f.Name)
}
