package slurm

import (
	"strings"
	"testing"
	"time"
)

// TestFlags compares what sbatch is given.
func TestFlags(t *testing.T) {
	common := "--parsable --job-name=n --array=0-9 --ntasks=1 --requeue --open-mode=append --chdir=/d --output=/o"
	for _, c := range []struct {
		name  string
		array Array
		want  string
	}{
		{"no limits", Array{Tasks: 10}, common + " s"},
		{"some at a time", Array{Tasks: 10, AtOnce: 3}, strings.Replace(common, "0-9", "0-9%3", 1) + " s"},
		{"minutes and megabytes are rounded up", Array{Tasks: 10, Time: 61 * time.Second, Memory: 1<<20 + 1}, common + " --time=2 --mem=2M s"},
		{"flags of the user come last", Array{Tasks: 10, Time: time.Minute, Flags: []string{"--time=9", "--exclusive"}}, common + " --time=1 --time=9 --exclusive s"},
	} {
		c.array.Name, c.array.Dir, c.array.Output, c.array.Script = "n", "/d", "/o", "s"
		if got := strings.Join(c.array.flags(), " "); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// TestEnded sorts states.
func TestEnded(t *testing.T) {
	for _, s := range []State{Pending, Running, "COMPLETING", "CONFIGURING", "REQUEUED", "SUSPENDED", "RESIZING"} {
		if s.Ended() {
			t.Errorf("a task that is %s has ended", s)
		}
	}
	for _, s := range []State{TimedOut, OutOfMemory, Cancelled, "COMPLETED", "FAILED", "NODE_FAIL", "BOOT_FAIL", "PREEMPTED"} {
		if !s.Ended() {
			t.Errorf("a task that is %s has not ended", s)
		}
	}
}
