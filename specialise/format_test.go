package specialise

import (
	"math"
	"testing"
)

// TestPrinted bounds what conversions of a printf print: nothing bounds what a locale says, a precision, or a text.
func TestPrinted(t *testing.T) {
	for format, want := range map[string][2]int64{
		"%d": {1, 14}, "%#o": {1, 14}, "%5d": {5, 14}, "%20d": {20, 20}, "%ld": {1, 24}, "%c": {1, 1}, "%3c": {3, 3},
		"%'d": {1, math.MaxInt32}, "%Id": {1, math.MaxInt32}, "%.3d": {0, math.MaxInt32}, "%*d": {1, math.MaxInt32}, "%s": {0, math.MaxInt32}, "%f": {0, math.MaxInt32},
	} {
		list, ok := conversions(format, false)
		if !ok || len(list) != 2 {
			t.Fatal(format)
		}
		if least, most := list[0].printed(); [2]int64{least, most} != want {
			t.Errorf("%s: from %d to %d bytes, instead of %v", format, least, most, want)
		}
	}
}
