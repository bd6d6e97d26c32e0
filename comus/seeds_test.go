package comus

import (
	"os"
	"strconv"
)

// randomSeeds returns the seeds of a test's random programs: count of them from 1 on or, as the environment says, COMUS_EVERY from
// COMUS_SEED on. more tells that it names a number.
func randomSeeds(count int) (seeds []uint64, more bool) {
	if n, err := strconv.Atoi(os.Getenv("COMUS_EVERY")); err == nil {
		count, more = n, true
	}
	first, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64)
	if err != nil {
		first = 1
	}
	for i := range count {
		seeds = append(seeds, first+uint64(i))
	}
	return seeds, more
}
