package child

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestFilter(t *testing.T) {
	run := func(f Filter) (string, string, int, error) {
		if f.Timeout == 0 {
			f.Timeout = time.Minute
		}
		if f.Output == 0 {
			f.Output = 1 << 20
		}
		f.Memory = 1 << 30
		out, errs, exit, err := f.Run(context.Background())
		return string(out), string(errs), exit, err
	}
	out, errs, exit, err := run(Filter{Argv: []string{"sh", "-c", `cat; echo "$WORD" >&2; pwd; exit 3`}, Stdin: []byte("in\n"), Env: []string{"WORD=err"}, Dir: "/"})
	if out != "in\n/\n" || errs != "err\n" || exit != 3 || err != nil {
		t.Errorf("%q, %q, %d, %v", out, errs, exit, err)
	}
	for want, f := range map[string]Filter{
		"too much output":         {Argv: []string{"yes"}},
		"timeout after 100ms":     {Argv: []string{"sh", "-c", "sleep 100; true"}, Timeout: 100 * time.Millisecond},
		"executable file not fou": {Argv: []string{"no-such-program"}},
	} {
		begin := time.Now()
		if _, _, _, err := run(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", f.Argv, err)
		}
		if d := time.Since(begin); d > 20*time.Second {
			t.Errorf("%v: %v", f.Argv, d)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := Filter{Argv: []string{"sleep", "9"}, Timeout: time.Minute, Memory: 1 << 30}
	if _, _, _, err := f.Run(ctx); err != context.Canceled {
		t.Error(err)
	}
}
