package html_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"comus/cir"
	"comus/report/html"
	"comus/report/scanreport"
	"comus/scan"
)

// scanned is the source of the results below.
const scanned = `struct pool { int size; char *name; } *p; /* </script><img src=x onerror=window.hacked=1> */
void *serve(void *a) {
  p->size++; // line 3
  return 0;
}
int main(void) {
  p->size = 1; // line 7
  p->name = "<b>" "</style>";
}
`

// scanResult makes a result with n locations, every third of which has a suspect.
func scanResult(file string, n int) *scan.Result {
	site := func(line int, text string) *cir.Site {
		return &cir.Site{Pos: cir.Pos{File: file, Line: line, Col: 3}, Text: text}
	}
	main := &scan.Thread{Name: "main", Func: &cir.Func{Source: "main", Pos: cir.Pos{File: file, Line: 6, Col: 5}}}
	serve := &scan.Thread{Name: "serve<i>", Func: &cir.Func{Source: "serve"}, Site: site(7, "pthread_create"), Parent: main, Many: true}
	r := &scan.Result{Threads: []*scan.Thread{main, serve}, Assumptions: []string{"<script>window.hacked = 2</script>"}, Phases: []scan.Phase{{Name: "locks", Took: time.Second}}}
	for i := range n {
		l := &scan.Location{Name: fmt.Sprintf("pool[…].item%d", i), Type: "int", Site: site(1, "p"), Why: scan.Locked, Locks: []string{"m"}}
		a := &scan.Access{Func: serve.Func, Site: site(3+100*i, "p->size++"), Thread: serve, Write: true, Locks: []string{"pool->lock"}}
		b := &scan.Access{Func: main.Func, Site: site(7, "p->size = 1"), Thread: main}
		l.Accesses = []*scan.Access{a, b}
		if i%3 == 0 {
			l.Why, l.Locks = scan.Suspected, nil
			l.Suspects = []*scan.Suspect{{Location: l, A: a, B: b, Reason: "no common lock", Help: "lock both", Rank: i % 7}}
		}
		r.Locations = append(r.Locations, l)
	}
	return r
}

// writeScan writes a page of a report.
func writeScan(t *testing.T, s *scanreport.Report) string {
	t.Helper()
	s.Judge("", nil, nil)
	var out bytes.Buffer
	if err := (&html.Scan{Report: s, Version: "v", Created: time.Now()}).Write(&out); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "scan.html")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestScan filters and reads the page of a scan of two programs with hostile names, by the pointer and by keys.
func TestScan(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a\"'><img src=x onerror=window.hacked=3>\n.c")
	if err := os.WriteFile(file, []byte(scanned), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &scanreport.Report{Unused: []string{"unused.c"}, Failed: []string{"bad.c:1:1: wrong"}}
	first := scanreport.Of(file, []string{file}, scanResult(file, 4), nil)
	second := scanResult("/nowhere/g.c", 2)
	second.Locations[0].Suspects[0].Reason = "aliased"
	second.Locations[1].Site = &cir.Site{Pos: cir.Pos{File: "relative.c", Line: 1, Col: 1}}
	s.Programs = []*scanreport.Program{first, scanreport.Of("g.c", nil, second, func(*scan.Suspect) scanreport.Decision {
		return scanreport.Decision{Verdict: scanreport.Confirmed, Says: "by a run"}
	}), scanreport.Unfinished("h.c", nil, "timeout")}
	b := open(t, writeScan(t, s))
	is(b, "typeof window.hacked", "undefined")
	is(b, "document.querySelectorAll('img, iframe, object, embed, link, [onerror], [onload]').length", 0)
	b.has(".badge", "3 suspects")
	b.has("h1", "and 2 more")
	b.has("#h-programs + div", "h.c not analysed to its end: timeout", "g.c 0 2 2 0 0 1 0 0 1 1 1.00")
	b.has("[role=alert]", "bad.c:1:1: wrong")
	b.has("#h-rests + dl", "<script>window.hacked = 2</script>", "unused.c: not analysed, because no program needs this file")
	b.has("#scan-count", "3 of 3 suspects")
	// The confirmed one is first, and chosen.
	is(b, "document.querySelector('#scan-grid tr[aria-selected=true]').textContent.includes('confirmed')", true)
	b.has("#scan-detail", "race on pool[…].item0", "races with", "The source cannot be read now", "why aliased", "confirmed by a run", "program g.c")
	b.key("j")
	b.has("#scan-detail", "possible race on", "may race with", "thread serve<i> (several) writes", "holds pool->lock", "thread main reads", "p->size = 1", "lock both")
	is(b, "location.hash", "#finding=1")
	is(b, "document.querySelectorAll('#scan-detail .hit').length > 0", true)
	is(b, "document.querySelector('#scan-detail .part:last-of-type .hit .tx').textContent", "  p->size = 1; // line 7")
	is(b, "document.querySelector('#scan-detail').textContent.includes('\"<b>\" \"</style>\"')", true)
	// Filters: by text, state, file, program; choosing by the pointer.
	b.key("/")
	is(b, "document.activeElement.id", "scan-find")
	b.put("scan-find", "ITEM3 lock")
	b.has("#scan-count", "1 of 3 suspects")
	// Nothing else is shown of what the filter leaves out.
	visible := "[...document.querySelectorAll('#all li')].filter(li => !li.hidden).map(li => li.textContent).join('|')"
	b.has("#scan-detail", "item3", "lock")
	if got := js[string](b, visible); !strings.Contains(got, "item3") || strings.Contains(got, "|") {
		t.Errorf("the text of suspects is %q", got)
	}
	b.has("#all summary", "All suspects as text: 1 that the filter leaves")
	b.put("scan-find", "no such")
	b.has("#scan-count", "0 of 3 suspects")
	is(b, "document.querySelector('#scan-detail').textContent", "No suspect is like that.")
	is(b, visible, "")
	b.put("scan-find", "")
	is(b, visible+".split('|').length", 3)
	is(b, "document.querySelector('#all summary').textContent", "All suspects as text")
	b.put("scan-state", "=confirmed")
	b.has("#scan-count", "1 of 3 suspects")
	b.has("#scan-detail", "races with", "confirmed by a run")
	b.put("scan-state", "")
	b.put("scan-file", "=/nowhere/g.c")
	b.has("#scan-count", "1 of 3 suspects")
	b.put("scan-file", "")
	b.put("scan-program", "=g.c")
	b.has("#scan-grid tbody", "confirmed pool[…].item0")
	b.put("scan-program", "")
	b.put("scan-best", "1")
	b.has("#scan-count", "3 of 3 suspects")
	js[bool](b, "document.querySelector('#scan-grid tr[data-row=\"2\"]').click(), true")
	is(b, "location.hash", "#finding=2")
	b.put("loc-status", "=locked")
	b.has("#loc-count", "3 of 6 locations")
	b.has("#loc-grid tbody", "locked m int main, serve<i> (several) 2 0")
	b.has("#thread-grid", "serve<i> several main")
	b.do(chromedp.EmulateViewport(390, 800))
	is(b, "document.documentElement.scrollWidth", 390)
	if pdf := call(b, page.PrintToPDF, page.PrintToPDFParams{}); len(pdf.Data) < 10_000 {
		t.Errorf("printed: %d bytes", len(pdf.Data))
	}
}

// TestScanLarge goes through a scan of 20,000 locations.
func TestScanLarge(t *testing.T) {
	s := &scanreport.Report{Programs: []*scanreport.Program{scanreport.Of("large.c", nil, scanResult("/nowhere/large.c", 20_000), nil)}}
	start := time.Now()
	file := writeScan(t, s)
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("written in %v: %d bytes", time.Since(start), st.Size())
	start = time.Now()
	b := open(t, file)
	t.Logf("opened in %v", time.Since(start))
	b.has("#scan-count", "6667 of 6667")
	b.has("#all summary", "the first 1000")
	is(b, "document.querySelectorAll('#scan-grid *, #loc-grid *').length < 3000", true)
	took := js[float64](b, "(() => { const t = performance.now(), e = document.getElementById('loc-find'); e.value = 'item1999'; e.dispatchEvent(new Event('input')); return performance.now() - t; })()")
	t.Logf("a filter takes %.0f ms", took)
	if took > 2000 { // some 20 ms on an idle machine
		t.Errorf("a filter takes %.0f ms", took)
	}
	b.has("#loc-count", "11 of 20000")
	js[bool](b, "document.getElementById('scan-grid').focus(), true")
	b.key(kb.End)
	if got := b.text("#scan-grid tr[aria-selected=true]"); !strings.Contains(got, "pool[…].item19992") {
		t.Errorf("the last one is %q", got)
	}
}
