package html_test

import (
	"os"
	"strings"
	"testing"

	"comus/cfront"
	"comus/comus"
	"comus/report/scanreport"
	"comus/scan"
)

// TestScanned opens the page of a scan of a program as it is: the race that it has, what protects the rest. Another one: COMUS_SCANNED=FILE.c.
func TestScanned(t *testing.T) {
	file := "testdata/jobs.c"
	if other := os.Getenv("COMUS_SCANNED"); other != "" {
		file = other
	}
	source, err := comus.Open(t.Context(), comus.File(file), cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := source.Scan(t.Context(), scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, writeScan(t, &scanreport.Report{Programs: []*scanreport.Program{scanreport.Of(file, []string{file}, res, nil)}}))
	b.has("h1", "Scan of "+file)
	if file != "testdata/jobs.c" {
		b.has("#scan-count", "suspects")
		return
	}
	b.has("#scan-count", "2 of 2 suspects")
	js[bool](b, "document.querySelector('#files').open = true")
	b.has("#files tbody", "testdata/jobs.c 2")
	// One finds the race by its name, and sees both lines.
	for _, x := range [][2]string{{"lines", "0 of 2 suspects"}, {"heaviest", "2 of 2 suspects"}} {
		js[bool](b, "(() => { const e = document.getElementById('scan-find'); e.value = '"+x[0]+"'; e.dispatchEvent(new Event('input')); return true; })()")
		b.has("#scan-count", x[1])
	}
	b.key("j")
	b.has("#scan-detail", "possible race on heaviest", "may race with", "heaviest = j->weight", "thread serve (several)", "neither access holds a lock")
	is(b, "document.querySelectorAll('#scan-detail .hit').length > 1", true)
	// And which locks protect the rest.
	js[bool](b, "(() => { const e = document.getElementById('loc-find'); e.value = 'last_line'; e.dispatchEvent(new Event('input')); return true; })()")
	if row := b.text("#loc-grid tbody"); !strings.Contains(row, "last_line") || !strings.Contains(row, "log_lock") || !strings.Contains(row, "locked") {
		t.Errorf("the lock of last_line: %q", row)
	}
}
