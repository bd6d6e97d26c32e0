// Package child runs other programs within limits of time, memory and output, each in a
// process group of its own that is killed whole: whatever ends comus, no process that it
// started is left behind. If comus is killed itself, a watcher does that: see watcher.
package child

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

// Why a child was stopped, where nothing else is said.
const (
	StoppedTime   = "time"
	StoppedMemory = "memory"
)

// maxOutput bounds what a child may print.
const maxOutput = 1 << 30

// pollEvery is how often a child's memory and output are measured.
const pollEvery = 100 * time.Millisecond

// Command is a process to run within limits, as the leader of a process group of
// its own.
type Command struct {
	Path    string   // the program; "": Argv[0] is looked up
	Argv    []string // with the name it is called by
	Dir     string   // the folder it runs in; "": the current one
	Timeout time.Duration
	Grace   time.Duration // added to Timeout before the child is killed
	Memory  int64         // limit for the whole group, in bytes; 0: none
	Logs    string        // its output goes to Logs+".out" and Logs+".err"
	// Usage, if there is one, is called now and then with the memory of the whole group, and
	// says whether that is too much.
	Usage func(bytes int64) bool
}

// Ending is how a child ended.
type Ending struct {
	Stopped        string // why it was killed; "" if it ended by itself
	Exit           int
	Elapsed, CPU   time.Duration
	Memory         int64  // the most it used, in bytes
	Stdout, Stderr string // files
}

// Run runs the child to its end. No process of its group is left when Run returns. The
// error is for a child that cannot be started.
func (c *Command) Run(ctx context.Context) (*Ending, error) {
	if err := os.MkdirAll(filepath.Dir(c.Logs), 0o755); err != nil {
		return nil, err
	}
	end := &Ending{Stdout: c.Logs + ".out", Stderr: c.Logs + ".err"}
	// Files instead of pipes: whoever inherits them cannot make Wait wait.
	out, err := os.Create(end.Stdout)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	errs, err := os.Create(end.Stderr)
	if err != nil {
		return nil, err
	}
	defer errs.Close()
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	if c.Path != "" {
		cmd = &exec.Cmd{Path: c.Path, Args: c.Argv}
	}
	cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.SysProcAttr = out, errs, c.Dir, attributes()
	w := watch()
	defer func() { w.end(end.Stopped != "") }()
	if w != nil {
		cmd.Env = append(os.Environ(), w.mark)
	}

	// The system kills the child when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	group := cmd.Process.Pid
	w.child(group)
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		c.watch(ctx, group, end, done)
	}()
	err = cmd.Wait()
	end.Elapsed = time.Since(start)
	close(done)
	<-watched
	killGroup(group)
	end.Exit = cmd.ProcessState.ExitCode()
	end.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		end.Memory = max(end.Memory, int64(u.Maxrss)*maxrssUnit)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return end, nil
}

// watch kills the group when ctx ends or a limit is met, and returns when done is
// closed.
func (c *Command) watch(ctx context.Context, group int, end *Ending, done <-chan struct{}) {
	var timeout <-chan time.Time
	if c.Timeout > 0 {
		timeout = time.After(c.Timeout + c.Grace)
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
			stop = StoppedTime
		case <-poll.C:
			used := groupMemory(group)
			end.Memory = max(end.Memory, used)
			switch {
			case c.Memory > 0 && used > c.Memory || c.Usage != nil && c.Usage(used):
				stop = StoppedMemory
			case size(end.Stdout)+size(end.Stderr) > maxOutput:
				stop = fmt.Sprintf("more than %d bytes of output", maxOutput)
			}
		}
		if stop != "" {
			end.Stopped = stop
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
		if g, err := syscall.Getpgid(pid); err != nil || g != group { // which is asked first, as reading is slow, and there may be many
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
