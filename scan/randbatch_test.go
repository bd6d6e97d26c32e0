package scan_test

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"comus/internal/randrace"
)

// TestRandBatch analyses random programs that create threads in loops: what runs show to be a race is a suspect. More: COMUS_SCAN=2000, from COMUS_SEED.
func TestRandBatch(t *testing.T) { randomPrograms(t, randrace.Batch) }

// randomPrograms analyses random programs of a kind and compares with what runs show.
func randomPrograms(t *testing.T, program func(uint64) string) {
	count, first := 60, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("COMUS_SCAN")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		first = n
	}
	locations, free, suspects, races := 0, 0, 0, 0
	for i := range uint64(count) {
		text := program(first + i)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		r, found, err := compareRuns(ctx, text)
		cancel()
		if err != nil {
			t.Errorf("seed %d: %v\n%s", first+i, err, text)
			continue
		}
		f, s := r.Free()
		locations, free, suspects, races = locations+len(r.Locations), free+f, suspects+s, races+found
	}
	t.Logf("%d programs: %d of %d locations are free of races, %d suspects, of which runs show %d", count, free, locations, suspects, races)
}
