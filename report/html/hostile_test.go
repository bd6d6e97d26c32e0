package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/seqmc"
	"comus/specialise"
)

// hostile is a program whose text would be much else in HTML, JavaScript, CSS and JSON.
const hostile = `// </script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"> --> ]]> {{.Title}} ${1}` + "\u2028" + `
#include <assert.h>
#include <pthread.h>
int x; /* <style>body{display:none}</style> &amp; &lt; ` + "\x01\xff" + ` */
const char *s = "</ol></pre></script><!-- '\"` + "`" + `";
void *f(void *a) { x++; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	pthread_join(t, 0);
	assert(x == 0 && "</script><svg onload=window.hacked=3>'" != 0);
	return 0;
}
`

func TestHostile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a\"'><img src=x onerror=window.hacked=4>\n&amp;.c")
	if err := os.WriteFile(file, []byte(hostile), 0o644); err != nil {
		t.Fatal(err)
	}
	res, _ := result(t, file, specialise.Assert, "")
	if res.Verdict != seqmc.Unsafe {
		t.Fatalf("%v %s", res.Verdict, res.Reason)
	}
	b := open(t, write(t, file, specialise.Assert, res, nil))
	is(b, "typeof window.hacked", "undefined")
	is(b, "document.querySelectorAll('script').length", 2)
	is(b, "document.querySelectorAll('img, iframe, object, embed, link, [onerror], [onload], [style*=display]').length", 0)
	is(b, "document.querySelector('h1').textContent", file)
	is(b, "document.querySelectorAll('style').length", 1)
	b.has(".finding h2", "onload=window.hacked=3")
	b.slide(3)
	is(b, "typeof window.hacked", "undefined")
	for i, want := range strings.Split(strings.TrimSuffix(hostile, "\n"), "\n") {
		want = strings.ToValidUTF8(want, "\ufffd")
		got := js[string](b, fmt.Sprintf("document.getElementById('line-0-%d').querySelector('code').textContent", i+1))
		if got != want {
			t.Errorf("line %d is %q, want %q", i+1, got, want)
		}
	}
}

// long makes an execution of two threads that take turns in counting, n steps in all.
func long(n int) *comus.Result {
	p := ir.NewProgram("long.c")
	L := p.L
	var steps []ir.Step
	zero := logic.Value{}
	x := p.NewVar("x", ir.Type{Bits: 32, Signed: true}, ir.Shared)
	x.Init = &zero
	var loops []*ir.Edge
	for i := range 2 {
		t := p.NewThread([]string{"main", "other"}[i])
		loops = append(loops, t.NewEdge(t.Entry, t.Entry, ir.Pos{File: "long.c", Line: 3 + i}, fmt.Sprintf("x += %d", i+1), ir.AssignCmd(x, L.Add(x.Sym, L.Int(int64(i+1))))))
	}
	main := p.Threads[0]
	end := main.NewLoc(ir.Pos{File: "long.c", Line: 5})
	end.Error, end.Text = true, "assert(x < 1000)"
	fail := main.NewEdge(main.Entry, end, end.Pos, "!(x < 1000)")
	for i := range n - 1 {
		steps = append(steps, ir.Step{Edge: loops[i%2]})
	}
	tr, err := interp.Replay(p, ir.Schedule{Steps: append(steps, ir.Step{Edge: fail})})
	if err != nil {
		panic(err)
	}
	return &comus.Result{Verdict: seqmc.Unsafe, Engine: "test", Trace: tr}
}

// TestLong goes through an execution of 100,000 steps: the page stays small and quick.
func TestLong(t *testing.T) {
	const n = 100_000
	start := time.Now()
	file := write(t, "long.c", specialise.Assert, long(n), nil)
	t.Logf("written in %v", time.Since(start))
	start = time.Now()
	b := open(t, file)
	t.Logf("opened in %v", time.Since(start))
	is(b, "document.getElementById('count').textContent", "step 100000 of 100000")
	size := js[float64](b, "document.querySelectorAll('#lanes *').length")
	if size > 2000 {
		t.Errorf("the lanes have %v elements", size)
	}
	b.slide(50_000)
	b.has("#now", "x += 2", "x: 74998 → 75000")
	b.has("#state", "x 74998 → 75000")
	is(b, "document.getElementById('step-49999').getAttribute('aria-selected')", "true")
	took := js[float64](b, "(() => { const t = performance.now(), e = document.getElementById('next'); for (let i = 0; i < 20; i++) e.click(); document.getElementById('lanes').getBoundingClientRect(); return (performance.now() - t) / 20; })()")
	t.Logf("a step takes %.1f ms", took)
	if took > 1000 { // some 10 ms on an idle machine
		t.Errorf("a step takes %.0f ms", took)
	}
	b.has("#count", "step 50020 of")
	took = js[float64](b, "(() => { const t = performance.now(), e = document.getElementById('find'); e.value = 'x += 1'; e.dispatchEvent(new Event('input')); return performance.now() - t; })()")
	t.Logf("a filter takes %.0f ms", took)
	b.has("#count", "(50000 shown)")
	is(b, "document.querySelectorAll('#lanes *').length < 2000", true)
}
