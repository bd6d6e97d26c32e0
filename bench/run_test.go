package bench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// row finds a row of a report.
func row(t *testing.T, rep *Report, task, config string) *Row {
	t.Helper()
	for _, r := range rep.Rows {
		if r.Task == task && r.Config == config {
			return r
		}
	}
	t.Fatalf("no row %s, %s", task, config)
	return nil
}

// TestVerdicts runs a fake comus through everything that can come of a run.
func TestVerdicts(t *testing.T) {
	list := pids(t)
	rep, err := Run(t.Context(), Options{
		Suite: suite(t,
			[3]string{"safe", "SAFE", "safe"}, [3]string{"unsafe", "UNSAFE", "unsafe"},
			[3]string{"wrongsafe", "UNSAFE", "safe"}, [3]string{"wrongunsafe", "SAFE", "unsafe"},
			[3]string{"unknown", "SAFE", "unknown"}, [3]string{"timeout", "SAFE", "timeout"},
			[3]string{"memory", "SAFE", "memory"}, [3]string{"crash", "SAFE", "crash"},
			[3]string{"mismatch", "SAFE", "mismatch"}, [3]string{"orphan", "SAFE", "orphan"}),
		Configs: configs(t, "modular"), Timeout: time.Minute, Jobs: 2, Repeat: 2, Dir: t.TempDir(), Comus: fakeComus(t)})
	if err != nil {
		t.Fatal(err)
	}
	for task, want := range map[string]string{"safe": "SAFE", "unsafe": "UNSAFE", "wrongsafe": "SAFE", "wrongunsafe": "UNSAFE",
		"unknown": "UNKNOWN too hard", "timeout": "TIMEOUT", "memory": "MEMORY",
		"crash": "ERROR comus: internal error: broken (exit code 70)", "mismatch": "ERROR no verdict (exit code 10)", "orphan": "SAFE"} {
		r := row(t, rep, task, "modular")
		if got := strings.TrimSpace(r.Verdict + " " + r.Reason); got != want || r.Runs != 2 {
			t.Errorf("%s: %s after %d runs, want %s", task, got, r.Runs, want)
		}
		if strings.HasPrefix(task, "wrong") != r.Wrong {
			t.Errorf("%s: wrong is %v", task, r.Wrong)
		}
	}
	if c := row(t, rep, "safe", "modular").Counts; c == nil || c.SequentialChecks != 7 || c.Iterations != 2 {
		t.Errorf("counts %+v", c)
	}
	if c := row(t, rep, "safe", "modular").Components; len(c) != 1 || c["wp"] != 0.5 {
		t.Errorf("components %v", c)
	}
	want := "wrong verdict: wrongsafe: modular says SAFE, expected is UNSAFE\nwrong verdict: wrongunsafe: modular says UNSAFE, expected is SAFE"
	if got := strings.Join(rep.Wrong(), "\n"); got != want {
		t.Errorf("wrong verdicts:\n%s\nwant\n%s", got, want)
	}
	noneAlive(t, list(), 22) // 20 runs, two of them with an orphan
}

// TestLimits kills children that do not end by themselves, with all of theirs.
func TestLimits(t *testing.T) {
	list := pids(t)
	fake := fakeComus(t)
	link := filepath.Join(t.TempDir(), fakeName)
	if err := os.Symlink(fake.Path, link); err != nil {
		t.Fatal(err)
	}
	measure := func(what string, timeout time.Duration, memory int64) *Report {
		t.Helper()
		began := time.Now()
		rep, err := Run(t.Context(), Options{
			Suite: suite(t, [3]string{"a", "SAFE", what}), Configs: configs(t, "modular", "cmd:"+link+" {file} ;; name=foreign"),
			Timeout: timeout, Memory: memory, Jobs: 2, Dir: t.TempDir(), Comus: fake})
		if err != nil {
			t.Fatal(err)
		}
		if d := time.Since(began); d > 40*time.Second {
			t.Errorf("%s took %v", what, d)
		}
		return rep
	}
	for _, r := range measure("hang", time.Second, 0).Rows {
		if r.Verdict != VerdictTimeout || r.Seconds < 1 {
			t.Errorf("hang, %s: %s after %.1f s", r.Config, r.Verdict, r.Seconds)
		}
	}
	for _, r := range measure("eat", time.Hour, 100<<20).Rows {
		if r.Verdict != VerdictMemory || r.MemoryBytes < 100<<20 {
			t.Errorf("eat, %s: %s with %d bytes", r.Config, r.Verdict, r.MemoryBytes)
		}
	}
	noneAlive(t, list(), 6)
}

// TestInterrupt ends a measurement in its middle and continues it.
func TestInterrupt(t *testing.T) {
	list := pids(t)
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := suite(t, [3]string{"a", "SAFE", "safe"}, [3]string{"b", "SAFE", "hang"}, [3]string{"c", "SAFE", "safe"})
	o := Options{Suite: s, Configs: configs(t, "modular"), Timeout: time.Minute, Dir: t.TempDir(), Comus: fakeComus(t)}
	go func() {
		for len(list()) < 3 { // a, b and b's child
			time.Sleep(10 * time.Millisecond)
		}
		cancel(cause)
	}()
	began := time.Now()
	rep, err := Run(ctx, o)
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
	noneAlive(t, list(), 3)
	if a, b := row(t, rep, "a", "modular"), row(t, rep, "b", "modular"); a.Verdict != VerdictSafe || b.Runs != 0 {
		t.Errorf("a: %s, b: %d runs", a.Verdict, b.Runs)
	}
	s.Tasks = s.Tasks[:1]
	before := len(list())
	var messages bytes.Buffer
	o.Messages = &messages
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if len(list()) != before || messages.String() != "1 of 1 runs are there already\n" {
		t.Errorf("a is run again; messages %q", messages.String())
	}
}

// TestResume repeats only what is missing or may have changed.
func TestResume(t *testing.T) {
	list := pids(t)
	s := suite(t, [3]string{"a", "SAFE", "safe"}, [3]string{"b", "SAFE", "crash"})
	o := Options{Suite: s, Configs: configs(t, "modular"), Timeout: time.Minute, Dir: t.TempDir(), Comus: fakeComus(t)}
	expect := func(what string, runs int) {
		t.Helper()
		before := len(list())
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := len(list()) - before; got != runs {
			t.Errorf("%s: %d runs, want %d", what, got, runs)
		}
	}
	expect("at first", 2)
	expect("again", 1) // what failed
	s.Tasks = s.Tasks[:1]
	expect("without failures", 0)
	o.Repeat = 3
	expect("repeated", 2)
	o.Timeout = time.Hour
	expect("with other limits", 3)
	o.Configs = configs(t, "modular", "modular,no-seed ;; name=plain")
	expect("with another configuration", 3)
	o.Configs = configs(t, "modular", "modular,no-seed")
	expect("with another name", 0)

	// The last line is not written to its end, as after a loss of power.
	file := filepath.Join(o.Dir, resultsFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, string(text[:len(text)-10]))
	expect("after a loss", 1)
	expect("after its repair", 0)

	s.Tasks[0].Hash = "other"
	expect("with another program", 6)

	text, err = os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, "{broken\n"+string(text))
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), resultsFile+":1: not a result") {
		t.Errorf("broken file: %v", err)
	}
}

// TestInUse opens results twice.
func TestInUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), resultsFile)
	s, err := openStore(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(file); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("error %v", err)
	}
	if err := errors.Join(s.close(), s.close()); err != nil {
		t.Error(err)
	}
	s, err = openStore(file)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
}

// TestForeign judges the output of commands.
func TestForeign(t *testing.T) {
	rep, err := Run(t.Context(), Options{Suite: suite(t, [3]string{"a", "SAFE", ""}), Dir: t.TempDir(),
		Configs: configs(t,
			`cmd:sh -c 'echo VERIFICATION SUCCESSFUL # {file}' ;; name=yes`,
			`cmd:sh -c 'echo VERIFICATION FAILED; exit 10 # {file}' ;; name=no`,
			`cmd:sh -c 'echo verdict true >&2 # {file}' ;; name=own ;; safe=^verdict true$ ;; unsafe=^verdict false$`,
			`cmd:sh -c 'echo yes no # {file}' ;; name=both ;; safe=yes ;; unsafe=no`,
			`cmd:sh -c 'echo hm # {file}' ;; name=hm`,
			`cmd:sh -c 'echo no memory >&2; exit 6 # {file}' ;; name=fails`,
			`cmd:sh -c 'kill -9 $$ # {file}' ;; name=killed`)})
	if err != nil {
		t.Fatal(err)
	}
	for config, want := range map[string]string{"yes": "SAFE", "no": "UNSAFE", "own": "SAFE",
		"both": "UNKNOWN the output matches the patterns of both verdicts", "hm": "UNKNOWN the output matches no verdict's pattern",
		"fails": "ERROR no memory (exit code 6)", "killed": "ERROR no verdict (exit code -1)"} {
		r := row(t, rep, "a", config)
		if got := strings.TrimSpace(r.Verdict + " " + r.Reason); got != want {
			t.Errorf("%s: %s, want %s", config, got, want)
		}
	}
	if got := strings.Join(rep.Wrong(), "\n"); got != "wrong verdict: a: no says UNSAFE, expected is SAFE" {
		t.Errorf("wrong verdicts: %s", got)
	}
}

// TestRefused runs what cannot be run.
func TestRefused(t *testing.T) {
	s := suite(t, [3]string{"a", "SAFE", "safe"})
	for want, o := range map[string]Options{
		"no task to run":                           {Suite: new(Suite), Configs: configs(t, "modular")},
		"no configuration to run":                  {Suite: s},
		"two configurations are named \"modular\"": {Suite: s, Configs: configs(t, "modular", "modular")},
		"tasks has two tasks a":                    {Suite: &Suite{Name: "tasks", Tasks: append(s.Tasks, s.Tasks...)}, Configs: configs(t, "modular")},
		"configuration sh needs the number of threads, which is not known for a": {Suite: s, Configs: configs(t, "cmd:sh {file} {threads+1}")},
		"configuration none-such: exec: \"none-such\"":                           {Suite: s, Configs: configs(t, "cmd:none-such {file}")},
	} {
		o.Dir = t.TempDir()
		if _, err := Run(t.Context(), o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestScreen shows a progress bar on a terminal that is none.
func TestScreen(t *testing.T) {
	var terminal, messages bytes.Buffer
	s := newScreen(&terminal, &messages, 4, 1)
	j := job{task: &Task{Name: "mat-3-safe"}, config: &Config{Name: "modular"}}
	s.start(j)
	time.Sleep(1500 * time.Millisecond)
	s.end()
	s.live("bad news")
	s.close()
	if got := terminal.String(); !strings.Contains(got, "mat-3-safe, modular") || !strings.Contains(got, "2/4") || !strings.Contains(got, "(1/4) [1s]") {
		t.Errorf("terminal %q", got)
	}
	if got := messages.String(); got != "1 of 4 runs are there already\nbad news\n" {
		t.Errorf("messages %q", got)
	}
}
