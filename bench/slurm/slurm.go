// Package slurm talks to the scheduler Slurm by its commands: it submits arrays of tasks with sbatch, and asks squeue what
// became of them.
//
// A job is known by its name, which its owner chooses before it is submitted: who is killed right after sbatch finds it
// again. Nothing but the commands on this machine is needed, no accounting database either.
package slurm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"comus/internal/child"
)

// Array is a job of many tasks, which have the numbers from 0 on.
type Array struct {
	Name   string
	Tasks  int
	AtOnce int           // tasks that may run at a time; 0: as many as there is room for
	Time   time.Duration // after which the scheduler kills a task; 0: what is usual there
	Memory int64         // of a task, in bytes; 0: what is usual there
	Dir    string        // where tasks run
	Output string        // a file for what a task prints; %a stands for its number
	Script string        // a file, the script that each runs
	Flags  []string      // more of sbatch
}

// flags returns the flags of sbatch. A task whose node fails is queued again.
func (a *Array) flags() []string {
	numbers := fmt.Sprintf("0-%d", a.Tasks-1)
	if a.AtOnce > 0 {
		numbers += fmt.Sprintf("%%%d", a.AtOnce)
	}
	out := []string{"--parsable", "--job-name=" + a.Name, "--array=" + numbers, "--ntasks=1", "--requeue", "--open-mode=append",
		"--chdir=" + a.Dir, "--output=" + a.Output}
	if a.Time > 0 {
		out = append(out, fmt.Sprintf("--time=%d", (a.Time+time.Minute-1)/time.Minute))
	}
	if a.Memory > 0 {
		out = append(out, fmt.Sprintf("--mem=%dM", (a.Memory+1<<20-1)>>20))
	}
	return append(append(out, a.Flags...), a.Script)
}

// Submit hands an array to the scheduler, which answers with its number.
func Submit(ctx context.Context, a Array) (string, error) {
	out, err := run(ctx, append([]string{"sbatch"}, a.flags()...)...)
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // with the cluster's name after it, perhaps
	return id, err
}

// Task is what the scheduler knows of a task.
type Task struct {
	State State
	Node  string // where it runs or ran last; "" if it has not begun
}

// State is one of a task, by Slurm's name for it.
type State string

// The states that mean something special to us; see squeue(1) for all.
const (
	Pending     State = "PENDING"
	Running     State = "RUNNING"
	TimedOut    State = "TIMEOUT"
	OutOfMemory State = "OUT_OF_MEMORY"
	Cancelled   State = "CANCELLED"
)

// Ended reports whether a task will not run any more, unless it is submitted again.
func (s State) Ended() bool {
	switch s {
	case "BOOT_FAIL", Cancelled, "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", OutOfMemory, "REVOKED", TimedOut, "PREEMPTED":
		return true
	}
	return false
}

// Tasks returns what the scheduler knows of the tasks of arrays, by name and number. It forgets those that have ended, after
// some minutes (MinJobAge).
func Tasks(ctx context.Context, names []string) (map[string]map[int]Task, error) {
	out := map[string]map[int]Task{}
	if len(names) == 0 {
		return out, nil
	}
	text, err := run(ctx, "squeue", "--noheader", "--array", "--states=all", "--name="+strings.Join(names, ","), "--format=%j|%K|%T|%N")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 4 {
			return nil, fmt.Errorf("squeue: unexpected line %q", line)
		}
		number, err := strconv.Atoi(f[1])
		if err != nil {
			continue // a job of that name that is no array
		}
		if out[f[0]] == nil {
			out[f[0]] = map[int]Task{}
		}
		if was, ok := out[f[0]][number]; ok && !was.State.Ended() {
			continue
		}
		out[f[0]][number] = Task{State(f[2]), f[3]}
	}
	return out, nil
}

// MaxTasks returns how many tasks an array may have.
func MaxTasks(ctx context.Context) (int, error) {
	text, err := run(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(name) == "MaxArraySize" {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err == nil && n > 1 {
				return n - 1, nil // the largest number is less than that
			}
		}
	}
	return 0, errors.New("scontrol show config: no MaxArraySize: arrays are switched off there")
}

// The limits of the scheduler's commands.
const (
	patience  = time.Minute
	maxMemory = 4 << 30
	maxOutput = 256 << 20
)

// run runs a command and returns what it prints.
func run(ctx context.Context, argv ...string) (string, error) {
	c := child.Filter{Argv: argv, Timeout: patience, Memory: maxMemory, Output: maxOutput}
	out, errs, exit, err := c.Run(ctx)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not installed here: Slurm is needed (Debian's package slurm-client)", argv[0])
	case err != nil:
		return "", fmt.Errorf("%s: %w", argv[0], err)
	case exit != 0:
		what, _, _ := strings.Cut(strings.TrimSpace(string(errs)), "\n")
		return "", fmt.Errorf("%s: %s (exit code %d)", argv[0], strings.TrimPrefix(what, argv[0]+": "), exit)
	}
	return string(out), nil
}
