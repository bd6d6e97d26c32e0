package html_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"comus/bench"
	"comus/report/html"
)

// TestBench sorts and filters the table of a measurement of 2,000 tasks, some with hostile names.
func TestBench(t *testing.T) {
	rep := &bench.Report{Suite: "s</script>", Configs: []bench.ConfigName{{Name: "a", Text: "modular"}, {Name: "b", Text: "b"}}, Timeout: 10, Repeat: 1, CPUs: 2, System: "linux"}
	for i := range 2000 {
		for _, c := range rep.Configs {
			r := &bench.Row{Task: fmt.Sprintf("t%d", i), Config: c.Name, Expect: "SAFE", Verdict: "SAFE", Runs: 1, Seconds: float64((i*7919)%2000) / 100, MemoryBytes: 5e6}
			switch {
			case i == 0 && c.Name == "a":
				r.Task, r.Verdict, r.Wrong = "<img src=x onerror=window.hacked=1>", "UNSAFE", true
			case i == 1:
				r.Verdict, r.Reason = bench.VerdictTimeout, "no </script> time"
			case i == 2 && c.Name == "b":
				r.Runs, r.Verdict = 0, ""
			}
			rep.Rows = append(rep.Rows, r)
		}
	}
	var out bytes.Buffer
	if err := (&html.Bench{Report: rep, Created: time.Now()}).Write(&out); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bench.html")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	b := open(t, file)
	b.has("h1", "s</script>")
	b.has("[role=alert]", "<img src=x onerror=window.hacked=1>")
	is(b, "typeof window.hacked", "undefined")
	is(b, "[...document.querySelectorAll('.plots img')].every(i => i.complete && i.naturalWidth > 0 && i.alt)", true)
	is(b, "document.querySelectorAll('.plots img').length > 0", true)
	b.has("#h-totals + div", "a modular", "1998 1 1 0", "1998 0 1 1")
	b.has("#bench-count", "4000 of 4000")
	is(b, "document.querySelectorAll('#bench-grid *').length < 2000", true)
	header := func(name string) string {
		return fmt.Sprintf("[...document.querySelectorAll('#bench-grid thead button')].find(b => b.textContent.startsWith(%q))", name)
	}
	column := func(name string) string {
		i := js[int](b, fmt.Sprintf("[...document.querySelectorAll('#bench-grid thead button')].findIndex(b => b.textContent.startsWith(%q))", name))
		return js[string](b, fmt.Sprintf("[...document.querySelectorAll('#bench-grid tbody tr:not(.pad)')].slice(0, 3).map(r => r.cells[%d].textContent).join(' ')", i))
	}
	js[bool](b, header("seconds")+".click(), true")
	if got := column("seconds"); got != "0.00 0.00 0.01" {
		t.Errorf("the shortest are %s", got)
	}
	is(b, header("seconds")+".parentElement.getAttribute('aria-sort')", "ascending")
	js[bool](b, header("seconds")+".click(), true")
	if got := column("seconds"); got != "19.99 19.99 19.98" {
		t.Errorf("the longest are %s", got)
	}
	js[bool](b, header("task")+".click(), true")
	b.put("bench-find", "t19")
	if got := column("task"); !strings.HasPrefix(got, "t19 t19 t190") {
		t.Errorf("sorted: %s", got)
	}
	b.has("#bench-count", "222 of 4000")
	b.put("bench-find", "")
	b.put("bench-outcome", "wrong")
	b.has("#bench-count", "1 of 4000")
	b.put("bench-outcome", "not run")
	b.has("#bench-grid tbody", "t2 b")
	b.put("bench-outcome", "")
	b.do(chromedp.EmulateViewport(390, 800))
	is(b, "document.documentElement.scrollWidth", 390)
}
