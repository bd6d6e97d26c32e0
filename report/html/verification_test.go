package html_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"comus/check"
	"comus/comus"
	"comus/comus/engine"
	"comus/ir"
	"comus/report/execution"
	"comus/report/html"
	"comus/seqmc"
	"comus/specialise"
)

// result verifies a program.
func result(t *testing.T, file, property, strategy string) (*comus.Result, map[*check.Certificate]*ir.Program) {
	t.Helper()
	about, err := specialise.ChecksNamed([]string{property})
	if err != nil {
		t.Fatal(err)
	}
	opts := comus.Options{Question: specialise.Options{Check: about}, Strategy: strategy}
	source, err := comus.Open(t.Context(), comus.File(file), opts.Source)
	if err != nil {
		t.Fatal(err)
	}
	res, err := source.Verify(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	proofs := map[*check.Certificate]*ir.Program{}
	if c := res.Certificate; c != nil && res.Verdict == seqmc.Safe {
		if proofs[c], err = source.Certified(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	return res, proofs
}

// write writes the page of a result to a file.
func write(t *testing.T, title, property string, res *comus.Result, proofs map[*check.Certificate]*ir.Program) string {
	t.Helper()
	p := html.Property{Name: property, Verdict: res.Verdict, Says: "about " + property, Result: res}
	if res.Verdict == seqmc.Unsafe {
		p.Findings = []html.Finding{{Trace: res.Trace}}
	}
	v := html.Verification{Title: title, Result: res, Properties: []html.Property{p}, Evidence: []string{"re-proved"}, Proofs: proofs, Created: time.Now()}
	var b bytes.Buffer
	if err := v.Write(&b); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(out, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}

// steps goes through an execution and compares the values that the page shows after each step with those of the trace.
func (b *tab) steps(x *execution.Execution) {
	b.Helper()
	vals := map[string]string{}
	for _, v := range x.Variables() {
		if v.Thread == ir.Shared {
			vals[v.Source] = x.Initial.Value(v).String()
		}
	}
	for i := 0; i <= len(x.Rows); i++ {
		b.slide(i)
		if i > 0 {
			for _, c := range x.Rows[i-1].Changes {
				if _, ok := vals[c.Var.Source]; ok {
					vals[c.Var.Source] = c.New.String()
				}
			}
			b.has("#now", x.Rows[i-1].Statement())
		}
		is(b, "document.getElementById('count').textContent", fmt.Sprintf("step %d of %d", i, len(x.Rows)))
		for name, want := range vals {
			expr := fmt.Sprintf(`(() => { for (const tr of document.querySelectorAll('#state table:first-child tbody tr')) if (tr.cells[0].textContent === %q) return (tr.querySelector('ins') || tr.cells[1]).textContent; return 'none'; })()`, name)
			if got := js[string](b, expr); got != want {
				b.Errorf("after step %d %s is shown as %s, want %s", i, name, got, want)
			}
		}
	}
}

func TestRace(t *testing.T) {
	res, _ := result(t, "testdata/cache.c", specialise.Race, "partial-order")
	b := open(t, write(t, "cache.c", specialise.Race, res, nil))
	b.has("h1", "cache.c")
	b.has(".finding h2", "Data race", "line 12", "line 34")
	b.has(".parts", "hits = table.size", "testdata/cache.c:34:5", "hits++", "testdata/cache.c:12:5", "shards[3], table.lock (read)", "races with",
		"n->lock", "in count", "by serve", "by start", "by main")
	is(b, "document.querySelectorAll('.part .sl.hit').length", 2)
	is(b, "[...document.querySelectorAll('.source li.bad')].map(l => l.dataset.line).join(' ')", "0:12 0:34")
	is(b, "document.querySelectorAll('.race-link').length", 1)
	b.has("#state", "held by 0 main", "held by 1 serve", "before hits++")
	b.steps(execution.New(res.Trace, nil))
	b.key(kb.Home)
	is(b, "document.getElementById('count').textContent.slice(0, 7)", "step 0 ")
	b.key(kb.ArrowRight, kb.ArrowRight)
	is(b, "document.getElementById('count').textContent.slice(0, 7)", "step 2 ")
	b.key(kb.End, kb.ArrowLeft)
	is(b, "document.activeElement.id || 'body'", "body")
	b.do(chromedp.Click("#step-0"))
	is(b, "document.getElementById('count').textContent.slice(0, 7)", "step 1 ")
}

func TestDeadlock(t *testing.T) {
	res, _ := result(t, "testdata/bank.c", specialise.Deadlock, "explore") // whichever engine is first with "" tells it in its own way
	b := open(t, write(t, "bank.c", specialise.Deadlock, res, nil))
	b.has(".finding h2", "Deadlock of 2 threads")
	b.has(".parts", "waits for bob.lock", "holds bob.lock", "waits for alice.lock", "holds alice.lock")
	b.has("#state", "held by", "awaited by", "waits for bob.lock", "waits for alice.lock", "waits for the end of thread 1 pay")
	b.steps(execution.New(res.Trace, nil))
	b.slide(0)
	b.has("#state", "free", "not created")
}

func TestAssertion(t *testing.T) {
	res, _ := result(t, "../../examples/counter_race.c", specialise.Assert, "explore")
	x := execution.New(res.Trace, nil)
	b := open(t, write(t, "counter_race.c", specialise.Assert, res, nil))
	b.has(".finding h2", "assert(x == 2) fails")
	b.steps(x)

	count := map[execution.Kind]int{}
	for _, o := range x.Orders {
		count[o.Kind]++
	}
	if count[execution.Creates] != 2 || count[execution.Joins] != 2 || count[execution.Reads] == 0 {
		t.Fatalf("orders %v", x.Orders)
	}
	b.slide(0) // all rows but the last are in sight, or near
	is(b, "document.querySelectorAll('.arrow.k-create').length", 2)
	b.do(chromedp.Click(`.legend input[data-kind=create]`))
	is(b, "document.querySelectorAll('.arrow.k-create').length", 0)

	// Filters: rows of a thread, then those of them that speak of x. The state is still that after all rows.
	var of1, x1 int
	for i, r := range x.Rows {
		if r.Thread.Index == 1 {
			of1++
			if strings.Contains(r.Text, "x") {
				x1++
			}
		}
		_ = i
	}
	b.put("only", "1")
	is(b, "document.querySelectorAll('.step').length", of1)
	is(b, "+document.getElementById('slider').max", of1)
	b.put("find", "x")
	is(b, "document.querySelectorAll('.step').length", x1)
	b.put("find", "no such thing")
	is(b, "document.querySelectorAll('.step').length", 0)
	b.put("find", "")
	b.put("only", "")
	b.slide(len(x.Rows))
	b.has("#state", "x 1")
}

func TestHierarchy(t *testing.T) {
	res, proofs := result(t, "../../examples/peterson.c", specialise.Assert, "modular")
	b := open(t, write(t, "peterson.c", specialise.Assert, res, proofs))
	b.has(".badge", "SAFE")
	b.has(".proof", "hierarchy of threads")
	is(b, "document.querySelectorAll('.level').length", 3)
	b.has(".level", "Level 1", "t0", "env_move stands for")
	is(b, "[...document.querySelectorAll('.level pre.c')].every(p => p.textContent.startsWith('void env_move(void) {'))", true)
	is(b, "document.querySelectorAll('.source button.inv').length > 0", true)
	b.do(chromedp.Focus(`button.inv[data-line="0:21"]`))
	b.has("#holds", "Line 21", "level 1: 1 t0 before: ", "cs1 == 0")
	b.has(".facts", "assumed pthread_create does not fail", "confirmed re-proved", "peterson.c, SHA-256")
}

// TestRefinements has a page of a proof with refinements, from whatever engine.
func TestRefinements(t *testing.T) {
	source, err := comus.Open(t.Context(), comus.File("testdata/flag.c"), comus.Options{}.Source)
	if err != nil {
		t.Fatal(err)
	}
	res, err := source.Verify(t.Context(), comus.Options{Options: engine.Options{NoSeed: true}, Strategy: "modular"})
	if err != nil || res.Verdict != seqmc.Safe || res.Stats.Refinements == 0 {
		t.Fatalf("%v, %v, %d refinements", err, res.Verdict, res.Stats.Refinements)
	}
	p, err := source.Certified(t.Context(), res.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(write(t, "flag.c", specialise.Assert, res, map[*check.Certificate]*ir.Program{res.Certificate: p}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"refinement 1", "refinement_1();", "<span class=\"kw\">if</span> (", "assume("} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestEveryNumber(t *testing.T) {
	res, proofs := result(t, "testdata/every.c", specialise.Assert, "resource-invariants")
	if res.Verdict != seqmc.Safe {
		t.Fatalf("%v %s", res.Verdict, res.Reason)
	}
	b := open(t, write(t, "every.c", specialise.Assert, res, proofs))
	b.has(".proof", "for every number of threads")
	b.do(chromedp.Click(`button.inv[data-line="0:6"]`))
	b.has("#holds", "Line 6", "an instance of work", "busy == 0")
}

// TestPrintAndColours prints a page, and measures the contrast of its text in both schemes of colours.
func TestPrintAndColours(t *testing.T) {
	res, _ := result(t, "testdata/cache.c", specialise.Race, "partial-order")
	b := open(t, write(t, "cache.c", specialise.Race, res, nil))
	b.media("screen", "dark")
	const contrast = `(() => {
		const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
		const lum = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const back = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 && getComputedStyle(e).backgroundColor.startsWith('rgb(')) return c; } return [255, 255, 255]; };
		const bad = [];
		for (const e of document.querySelectorAll('h1, h2, h3, p, a, dt, dd, code span, .tx span, .chip, .badge, .versus span, .step b, .step small, td, th, label, button:not(:disabled), .no, summary, kbd')) {
			if (!e.innerText || !e.offsetParent) continue;
			const a = lum(parse(getComputedStyle(e).color)), z = lum(back(e)), ratio = (Math.max(a, z) + 0.05) / (Math.min(a, z) + 0.05);
			if (ratio < 4.5) bad.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2) + ' ' + e.innerText.slice(0, 20));
		}
		return bad.join('; ');
	})()`
	is(b, contrast, "")
	dark := js[string](b, "getComputedStyle(document.body).backgroundColor")
	b.media("screen", "light")
	is(b, contrast, "")
	if light := js[string](b, "getComputedStyle(document.body).backgroundColor"); light == dark {
		t.Errorf("the background is %s in both schemes", light)
	}
	b.media("print", "dark")
	is(b, "getComputedStyle(document.body).backgroundColor", "rgb(255, 255, 255)")
	is(b, "getComputedStyle(document.querySelector('.bar')).display", "none")
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF")) || len(pdf) < 10_000 {
		t.Errorf("a PDF of %d bytes", len(pdf))
	}
}

// TestNamesAndWidth looks for controls that a screen reader has no name for, and for pages that are wider than a telephone.
func TestNamesAndWidth(t *testing.T) {
	race, _ := result(t, "testdata/cache.c", specialise.Race, "partial-order")
	safe, proofs := result(t, "../../examples/peterson.c", specialise.Assert, "modular")
	for _, file := range []string{write(t, "cache.c", specialise.Race, race, nil), write(t, "peterson.c", specialise.Assert, safe, proofs)} {
		b := open(t, file)
		seen := 0
		for _, n := range call(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
			role := value(n.Role)
			if slices.Contains([]string{"button", "slider", "combobox", "checkbox", "listbox", "option", "searchbox", "link", "image"}, role) && !n.Ignored {
				if seen++; value(n.Name) == "" {
					t.Errorf("a %s has no name", role)
				}
			}
		}
		if seen == 0 {
			t.Error("there are no controls")
		}
		b.do(chromedp.EmulateViewport(390, 800))
		is(b, "document.documentElement.scrollWidth", 390)
	}
}

func value(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}
