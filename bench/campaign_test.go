package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/bench/slurm"
	"comus/internal/long"
)

// campaignTasks is how many runs TestCampaign makes in its long form, in which the controller notices by itself, after half a
// minute, that a node does not answer, and queues the node's tasks again. In the short form it is told, and tasks are not
// queued again, but submitted again by comus bench.
var campaignTasks = flag.Int("bench.campaign", 0, "runs of the long form of TestCampaign, 200 say")

// submitterName is what the test binary is called by when it plays comus bench: it is followed by the folder of the suite and the
// output folder.
const submitterName = "fake-submitter"

// submit is comus bench with a scheduler.
func submit(ctx context.Context, suite, out string, messages *bytes.Buffer, flags ...string) (*Report, error) {
	s, err := LoadSuite(suite)
	if err != nil {
		return nil, err
	}
	config, err := ParseConfig("modular")
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return Run(ctx, Options{Suite: s, Configs: []*Config{config}, Timeout: time.Minute, Memory: 1 << 30, Dir: out,
		Comus: Program{exe, fakeName}, Messages: messages, Slurm: &Slurm{Flags: flags, Poll: 200 * time.Millisecond, Lag: time.Second}})
}

// lines returns the results in an output folder, and fails if one is there twice.
func lines(t *testing.T, out string) map[Key]*Result {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, resultsFile))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	all := map[Key]*Result{}
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // it is being written
		}
		r := new(Result)
		if err := json.Unmarshal(line, r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if all[r.Key] != nil {
			t.Errorf("two results of %v", r.Key)
		}
		all[r.Key] = r
	}
	return all
}

// TestCampaign has a cluster of two nodes make runs. When a tenth of the results is there, comus bench is killed, and then a
// node fails with what it is at; the second comus bench has to end with one result of each run.
func TestCampaign(t *testing.T) {
	long.Only(t)
	c := newCluster(t, "n1", "n2")
	dir := t.TempDir()
	tasks, out := filepath.Join(dir, "tasks"), filepath.Join(dir, "it's out")
	number, flags := 12, []string{"--no-requeue"}
	if *campaignTasks > 0 {
		number, flags = *campaignTasks, nil
	}
	for i := range number {
		writeFile(t, filepath.Join(tasks, fmt.Sprintf("p%03d.c", i)), fmt.Sprintf("// expect: SAFE\n// do: nap, but hang on n2\n// %d\n", i))
	}

	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	first := &exec.Cmd{Path: exe, Args: append([]string{submitterName, tasks, out}, flags...), Env: os.Environ(), Stderr: os.Stderr}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	c.await("results", func() bool { return len(lines(t, out)) > number/10 })
	_ = first.Process.Kill()
	_ = first.Wait()
	before := len(lines(t, out))
	var s *Status
	c.await("the lock of the results", func() bool { // a command that was just being started may still hold it
		var err error
		if s, err = ReadStatus(t.Context(), out); err != nil {
			t.Fatal(err)
		}
		return !s.Active
	})
	if s.Done != before || s.Runs != number || s.Active || s.Executor != "slurm" || s.Tasks["RUNNING"]+s.Tasks["PENDING"] == 0 {
		t.Errorf("status %+v after %d results", s, before)
	}
	c.await("task on n2", func() bool { // which would not end for long
		out, err := exec.Command("squeue", "--noheader", "--states=RUNNING", "--nodelist=n2").Output()
		return err == nil && len(out) > 0
	})
	c.fail("n2")
	if *campaignTasks == 0 {
		run := exec.Command("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=test")
		if text, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}

	var messages bytes.Buffer
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	rep, err := submit(ctx, tasks, out, &messages, flags...)
	if err != nil {
		t.Fatalf("%v\n%s", err, messages.String())
	}
	t.Log(strings.TrimSpace(messages.String()))
	if again := strings.Contains(messages.String(), "is submitted again"); again != (*campaignTasks == 0) {
		t.Errorf("tasks were submitted again: %v", again)
	}
	all := lines(t, out)
	if len(all) != number || len(rep.Rows) != number {
		t.Errorf("%d results, %d rows, want %d", len(all), len(rep.Rows), number)
	}
	var tables bytes.Buffer
	if err := rep.Markdown(&tables); err != nil || !strings.Contains(tables.String(), "limited to 60 s and 1 GiB each; on nodes of a cluster.") {
		t.Errorf("%v, tables %s", err, tables.String())
	}
	nodes := map[string]int{}
	for _, r := range all {
		nodes[r.Node]++
		if r.Verdict != VerdictSafe {
			t.Errorf("%s on %s: %s %s", r.Task, r.Node, r.Verdict, r.Reason)
		}
	}
	t.Logf("%d results were there when comus bench was killed; by nodes: %v", before, nodes)
	if s, err := ReadStatus(t.Context(), out); err != nil || s.Done != number || s.Waiting+s.Lost+len(s.Tasks) != 0 {
		t.Errorf("status %+v, %v", s, err)
	}
	if entries, err := filepath.Glob(filepath.Join(out, slurmFolder, "*", closedFile)); err != nil || len(entries) < (number+6)/7 {
		t.Errorf("closed batches %v, %v", entries, err) // arrays have seven tasks here
	}
}

// TestSettle tells a campaign what the scheduler says of its tasks.
func TestSettle(t *testing.T) {
	s := suite(t, [3]string{"a", "SAFE", "safe"}, [3]string{"b", "SAFE", "safe"}, [3]string{"c", "SAFE", "safe"}, [3]string{"d", "SAFE", "safe"},
		[3]string{"e", "SAFE", "safe"}, [3]string{"f", "SAFE", "safe"})
	dir := t.TempDir()
	st, err := openStore(filepath.Join(dir, resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer st.close()
	b := &benchmark{Options: Options{Suite: s, Configs: configs(t, "modular"), Timeout: time.Minute, Repeat: 1, Dir: dir}, store: st, screen: newScreen(nil, nil, 6, 0)}
	c := &campaign{benchmark: b, dir: filepath.Join(dir, slurmFolder), wanted: map[Key]job{}, tries: map[Key]int{}, ended: map[lost]time.Time{}}
	jobs := b.jobs()
	for _, j := range jobs {
		c.wanted[b.key(j)] = j
	}
	tasks := map[string]map[int]slurm.Task{}
	// A round has a batch of the runs that nobody makes, what the scheduler says of each, and those that are open after it.
	round := func(name string, says []slurm.Task, idle string) {
		t.Helper()
		var orders []*order
		for _, j := range c.idle(jobs) {
			orders = append(orders, b.order(j, ""))
		}
		if len(orders) != len(says) {
			t.Fatalf("%s: %d orders, want %d", name, len(orders), len(says))
		}
		next, err := newBatch(c.dir, name, orders, Program{})
		if err != nil {
			t.Fatal(err)
		}
		c.batches = append(c.batches, next)
		tasks[name] = map[int]slurm.Task{}
		for i, task := range says {
			if task.State != "" {
				tasks[name][i] = task
			}
		}
		if err := c.settle(tasks); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, j := range c.idle(jobs) {
			names = append(names, j.task.Name)
		}
		if got := strings.Join(names, " "); got != idle {
			t.Errorf("%s: %q are to be submitted, want %q", name, got, idle)
		}
	}
	round("one", []slurm.Task{{State: slurm.TimedOut}, {State: slurm.OutOfMemory}, {State: slurm.Cancelled}, {State: slurm.Running}, {State: "NODE_FAIL", Node: "n7"}, {}}, "e f")
	// A result of what was given up comes after all, and that of its second task later.
	if err := c.finish(c.batches[0], 5, &Result{Key: c.batches[0].orders[5].Key, Verdict: VerdictSafe}); err != nil {
		t.Fatal(err)
	}
	round("two", []slurm.Task{{State: "NODE_FAIL"}}, "e")
	if err := c.finish(c.batches[1], 0, &Result{Key: c.batches[0].orders[5].Key, Verdict: VerdictUnsafe}); err != nil {
		t.Fatal(err)
	}
	round("three", []slurm.Task{{State: "FAILED"}}, "")
	for i, want := range []string{"TIMEOUT ", "MEMORY ", "ERROR cancelled", "", "ERROR lost 3 times (FAILED)", "SAFE "} {
		got := ""
		if r, ok := st.get(b.key(jobs[i])); ok {
			got = r.Verdict + " " + r.Reason
		}
		if got != want {
			t.Errorf("%s: %q, want %q", jobs[i].task.Name, got, want)
		}
	}
	if n := len(lines(t, dir)); n != 5 {
		t.Errorf("%d results, want 5", n)
	}
	if left, err := openBatches(c.dir); err != nil || len(left) != 1 || left[0].name != "one" { // a task of it runs
		t.Errorf("open batches %v, %v", left, err)
	}
}

// TestWork makes the run of an order, which is done once, and not if the program is another one.
func TestWork(t *testing.T) {
	s := suite(t, [3]string{"a", "SAFE", "safe"}, [3]string{"b", "UNSAFE", "unsafe"}, [3]string{"c", "SAFE", "safe"})
	b := &benchmark{Options: Options{Suite: s, Configs: configs(t, "modular"), Timeout: time.Minute, Repeat: 1, Dir: t.TempDir(), Comus: fakeComus(t)}}
	var orders []*order
	for _, j := range b.jobs() {
		o := b.order(j, b.Comus.Path)
		var err error
		if o.Text, err = fingerprint(o.File); err != nil {
			t.Fatal(err)
		}
		orders = append(orders, o)
	}
	batch, err := newBatch(t.TempDir(), "b", orders, Program{})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, s.Tasks[2].File, "// expect: SAFE\n// do: unsafe\n")
	for n, want := range []string{"SAFE", "UNSAFE", "ERROR " + s.Tasks[2].File + ": has changed since the run was ordered"} {
		for range 2 { // the second time there is nothing to do
			if err := Work(t.Context(), batch.dir, n); err != nil {
				t.Fatal(err)
			}
			writeFile(t, s.Tasks[n].File, "// do: crash\n")
		}
		r, err := batch.result(n)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(r.Verdict + " " + r.Reason); got != want || r.Key != orders[n].Key {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if err := Work(t.Context(), batch.dir, 3); err == nil {
		t.Error("an order that there is not was made")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := os.Remove(resultOf(batch.dir, 0)); err != nil {
		t.Fatal(err)
	}
	writeFile(t, s.Tasks[0].File, "// expect: SAFE\n// do: safe\n")
	if err := Work(stopped, batch.dir, 0); err == nil {
		t.Error("a task that is killed reports no error")
	}
	if done, err := batch.finished(); err != nil || len(done) != 2 {
		t.Errorf("finished %v, %v", done, err)
	}
}
