package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// Why a child was stopped.
const (
	stoppedTime   = "time"
	stoppedMemory = "memory"
)

// maxOutput bounds what a child may print.
const maxOutput = 1 << 30

// pollEvery is how often a child's memory and output are measured.
const pollEvery = 100 * time.Millisecond

// child is a process to run within limits, as the leader of a process group of
// its own.
type child struct {
	path    string   // the program; "": argv[0] is looked up
	argv    []string // with the name it is called by
	timeout time.Duration
	grace   time.Duration // added to timeout before the child is killed
	memory  int64         // limit for the whole group
	logs    string        // its output goes to logs+".out" and logs+".err"
}

// ending is how a child ended.
type ending struct {
	stopped        string // why it was killed; "" if it ended by itself
	exit           int
	elapsed, cpu   time.Duration
	memory         int64
	stdout, stderr string // files
}

// run runs the child to its end. No process of its group is left when run returns.
func (c *child) run(ctx context.Context) (*ending, error) {
	if err := os.MkdirAll(filepath.Dir(c.logs), 0o755); err != nil {
		return nil, err
	}
	end := &ending{stdout: c.logs + ".out", stderr: c.logs + ".err"}
	// Files instead of pipes: whoever inherits them cannot make Wait wait.
	out, err := os.Create(end.stdout)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	errs, err := os.Create(end.stderr)
	if err != nil {
		return nil, err
	}
	defer errs.Close()
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	if c.path != "" {
		cmd = &exec.Cmd{Path: c.path, Args: c.argv}
	}
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = out, errs, attributes()

	// The system kills the child when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	group := cmd.Process.Pid
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		c.watch(ctx, group, end, done)
	}()
	err = cmd.Wait()
	end.elapsed = time.Since(start)
	close(done)
	<-watched
	killGroup(group)
	end.exit = cmd.ProcessState.ExitCode()
	end.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		end.memory = max(end.memory, int64(u.Maxrss)*maxrssUnit)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return end, nil
}

// watch kills the group when ctx ends or a limit is met, and returns when done is
// closed.
func (c *child) watch(ctx context.Context, group int, end *ending, done <-chan struct{}) {
	var timeout <-chan time.Time
	if c.timeout > 0 {
		timeout = time.After(c.timeout + c.grace)
	}
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		stop := ""
		select {
		case <-done:
			return
		case <-ctx.Done():
			stop = "interrupted"
		case <-timeout:
			stop = stoppedTime
		case <-poll.C:
			used := groupMemory(group)
			end.memory = max(end.memory, used)
			switch {
			case c.memory > 0 && used > c.memory:
				stop = stoppedMemory
			case size(end.stdout)+size(end.stderr) > maxOutput:
				stop = fmt.Sprintf("more than %d bytes of output", maxOutput)
			}
		}
		if stop != "" {
			end.stopped = stop
			killGroup(group)
			<-done
			return
		}
	}
}

// killGroup kills the processes of a group and waits until they are gone, as far
// as that can be seen within a second. The group's number cannot become another's
// while a process is in it.
func killGroup(group int) {
	for range 100 {
		if err := syscall.Kill(-group, syscall.SIGKILL); err != nil {
			return // there is none
		}
		if len(groupMembers(group)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// size returns the size of a file.
func size(file string) int64 {
	st, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return st.Size()
}

// groupMemory returns the memory of all processes of a group; 0 if the system
// does not tell.
func groupMemory(group int) int64 {
	var pages int64
	for _, p := range groupMembers(group) {
		pages += p.pages
	}
	return pages * int64(os.Getpagesize())
}

// member is a process of a group.
type member struct {
	pid   int
	pages int64 // in memory
}

// groupMembers lists the running processes of a group, as /proc tells them.
func groupMembers(group int) []member {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var list []member
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", name, "stat"))
		if err != nil {
			continue // it has ended
		}
		// pid (command) state ppid pgrp …; the command may contain anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 22 || string(fields[2]) != strconv.Itoa(group) || string(fields[0]) == "Z" {
			continue
		}
		pages, _ := strconv.ParseInt(string(fields[21]), 10, 64)
		list = append(list, member{pid, pages})
	}
	return list
}
