package scan_test

import (
	"slices"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/pointsto"
)

// TestRetains: what the library keeps a pointer for, and writes through it in a later call, is not followed, which is said by scan and checker.
func TestRetains(t *testing.T) {
	const sentence = "'open_memstream' does nothing later with the pointers that it retains"
	for open, want := range map[string]bool{"open_memstream(&text, &size)": true, `fopen("/dev/null", "w")`: false} {
		p := load(t, text(t, `#include <pthread.h>
#include <stdio.h>
char *text;
size_t size;
void *f(void *p) { return (void *)size; }
int main(void) {
  pthread_t t;
  FILE *out = `+open+`;
  if (!out)
    return 1;
  pthread_create(&t, 0, f, 0);
  fputs("x", out);
  fflush(out);
  pthread_join(t, 0);
  return 0;
}
`)).Program
		pts, err := pointsto.AnalyseOpen(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(r.Assumptions, sentence) != want || slices.Contains(rep.Assumptions, sentence) != want {
			t.Errorf("%s: %q, %q", open, r.Assumptions, rep.Assumptions)
		}
	}
}
