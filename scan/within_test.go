package scan_test

import (
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/cir"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

const withinHeader = `#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct worker { pthread_t tid; int number; char buf[32]; double vals[4]; int last; } ws[8];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sink, total;
static char *shared;
static void say(const char *who) {
  pthread_mutex_lock(&lock);
  fprintf(stderr, "%s %d\n", who, total);
  pthread_mutex_unlock(&lock);
}
static void first(const char *who) { pthread_mutex_lock(&lock); sink = who[0]; pthread_mutex_unlock(&lock); }
static void outer(const char *who) { say(who); }
static void clear(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; }
static void down(char *p, int n) { for (int i = n; i-- > 0;) p[i] = 0; }
static void behind(char *p, int n) { for (int i = 0; i < n; i++) p[i - 100] = 0; }
static void around(char *p, int n) { for (int i = 0; i < n; i++) ((struct worker *)(p + i - 12))[1].number = 1; }
static void from(char *p, int i, int n) { for (; i < n; i++) p[i] = 0; }
static void unset(char *p) { int i; if (total) i = 0; p[i] = 0; }
static void taken(char *p, int n) { int i = 0; int *q = &i; *q = n; p[i] = 0; }
static void bytes(void *w, int n) { char *p = w; for (int i = 0; i < n; i++) p[i] = 0; }
static void other(char *p) { p = shared; p[1] = 0; }
static void zero(double *v, int n) { for (int i = 0; i < n; i++) v[i] = 0; }
static void logged(const char *format, ...) { va_list ap; va_start(ap, format); vprintf(format, ap); va_end(ap); }
static void vlogged(const char *format, va_list ap) { vprintf(format, ap); }
static void passed(const char *format, ...) { va_list ap; va_start(ap, format); vlogged(format, ap); va_end(ap); }
static va_list *everyones;
static void lists(struct worker *w, const char *format, ...) { va_list ap; va_start(ap, format); if (total) everyones = &ap; else vprintf(format, *everyones); va_end(ap); }
static const char *argv0(void) { return total ? "x" : "y"; }
static void sink2(size_t n) { pthread_mutex_lock(&lock); sink = n; pthread_mutex_unlock(&lock); }
static int compare(const void *a, const void *b) { ((char *)a)[0] = 1; return 0; }
static void *work(void *arg) {
  struct worker *w = arg, *next = &ws[(w->number + 1) % 8];
  (void)next;
`

// working is a program whose threads have an element each, and do something; main does something while they run, or when they have ended.
func working(do, meanwhile, then string) string {
	return do + ` return 0; }
int main(int argc, char **argv) {
  total = argc;
  for (int i = 0; i < 8; i++) { ws[i].number = i; pthread_create(&ws[i].tid, 0, work, &ws[i]); }
  ` + meanwhile + `
  for (int i = 0; i < 8; i++) { pthread_join(ws[i].tid, 0); ` + then + ` }
  return 0; }
`
}

// checkWithin verifies whether some location of an object is suspected, or all are certified, and one of them as that of one thread each.
func checkWithin(t *testing.T, header, object string, list []ruled) {
	t.Helper()
	for i, c := range list {
		if !long.Turn(i, 4) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			p := load(t, text(t, header+c.src)).Program
			pts, err := pointsto.AnalyseOpen(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true, Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
			if err != nil {
				t.Fatal(err)
			}
			why := scan.Ordered
			for i, l := range r.Locations {
				switch {
				case !strings.HasPrefix(l.Name, object):
				case l.Why == scan.Suspected:
					why = l.Why
				case !rep.Certified(i):
					t.Errorf("%s: not certified: %s %v", l.Name, rep.Wrong[i], rep.Refused)
				case l.Why == scan.ThreadLocal && why != scan.Suspected:
					why = l.Why
				}
			}
			if why != c.why {
				t.Errorf("%s instead of %s", why, c.why)
			}
			if why == scan.Suspected {
				forgeApart(t, p, pts, r.Certificate)
			}
		})
	}
}

// forgeApart verifies that the checker refuses a certificate which claims of each pair that has a suspect that it is apart.
func forgeApart(t *testing.T, p *cir.Program, pts *pointsto.Result, c *certificate.Certificate) {
	var forged []int
	for i := range c.Locations {
		pairs := c.Locations[i].Pairs
		for k, why := range pairs {
			if why == certificate.Suspect {
				pairs[k], forged = certificate.Apart, append(forged, i)
			}
		}
	}
	rep, err := scancheck.Check(t.Context(), p, pts, c)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, i := range forged {
		if !rep.Certified(i) {
			wrong++
		}
	}
	if wrong == 0 {
		t.Errorf("%d forged locations are certified", len(forged))
	}
}

// TestWithinArray has threads that access strings in their own elements, of which nobody knows how long they are, by way of functions that others call with other strings.
func TestWithinArray(t *testing.T) {
	const write = `snprintf(w->buf, sizeof w->buf, "%d", w->number); `
	checkWithin(t, withinHeader, "ws[…]", []ruled{
		{"printed", working(write+`printf("%s %d\n", w->buf, 1);`, "", ""), scan.ThreadLocal},
		{"printed, and another string", working(write+`printf("%s %s\n", w->buf, argv0());`, "", ""), scan.ThreadLocal},
		{"the next one's is printed", working(write+`printf("%s\n", next->buf);`, "", ""), scan.Suspected},
		{"both are printed", working(write+`printf("%s %s\n", w->buf, next->buf);`, "", ""), scan.Suspected},
		{"the next one's is written to a string", working(`snprintf(w->buf, sizeof w->buf, "%s", next->buf);`, "", ""), scan.Suspected},
		{"its own is written to a string", working(`char s[40]; `+write+`sprintf(s, "%s", w->buf);`, "", ""), scan.ThreadLocal},
		{"by a function", working(write+`say(w->buf);`, "", ""), scan.ThreadLocal},
		{"by a function, with other strings, too", working(write+`say(w->buf); say("abc"); say(w->number ? "a" : "b");`, "", ""), scan.ThreadLocal},
		{"by a function, with others first", working(`outer("abc"); `+write+`say("x"); outer(w->buf);`, "", ""), scan.ThreadLocal},
		{"by a function, with the next one's, too", working(write+`say(w->buf); say(next->buf);`, "", ""), scan.Suspected},
		{"by a function, with that of a pointer, too", working(write+`shared = w->buf; say(w->buf); say(shared);`, "", ""), scan.Suspected},
		{"by two functions, one with the next one's", working(write+`outer(w->buf); say(next->buf);`, "", ""), scan.Suspected},
		{"main by the same function meanwhile", working(write+`say(w->buf);`, "say(ws[0].buf);", ""), scan.Suspected},
		{"main by the same function with another string", working(write+`say(w->buf);`, `say("main");`, ""), scan.ThreadLocal},
		{"main by the same function afterwards", working(write+`say(w->buf);`, "", "say(ws[i].buf);"), scan.ThreadLocal},
		{"main of the last one in the turns of joins", working(write+`say(w->buf);`, "", "say(ws[7].buf);"), scan.Suspected},
		{"its first character", working(write+`first("abc"); first(w->buf);`, "", ""), scan.ThreadLocal},
		{"the next one's first character", working(write+`first(w->buf); first(next->buf);`, "", ""), scan.Suspected},
		{"through a pointer to a function", working(write+`void (*f)(const char *) = total ? say : outer; f(w->buf); f("abc");`, "", ""), scan.ThreadLocal},
		{"through a pointer to a function, the next one's", working(write+`void (*f)(const char *) = total ? say : outer; f(w->buf); f(next->buf);`, "", ""), scan.Suspected},
		{"a printf through a pointer, the next one's", working(write+`int (*f)(const char *, ...) = printf; f("%s", next->buf);`, "", ""), scan.Suspected},
		{"by a va_list, the next one's", working(write+`logged("%s", next->buf); logged("%s", w->buf);`, "", ""), scan.Suspected},
		{"by a va_list", working(write+`logged("%s", w->buf); logged("%s", "abc");`, "", ""), scan.ThreadLocal},
		{"by a va_list, main another string", working(write+`logged("%s", w->buf);`, `logged("%d %s", 1, "abc");`, ""), scan.ThreadLocal},
		{"by a va_list, main the first one's", working(write+`logged("%s", w->buf);`, `logged("%s", ws[0].buf);`, ""), scan.Suspected},
		{"by a va_list, as the format", working(write+`logged(w->buf);`, "", ""), scan.ThreadLocal},
		{"by a va_list, the next one's as the format", working(write+`logged(next->buf);`, "", ""), scan.Suspected},
		{"by a va_list that was passed on, the next one's", working(write+`passed("%s", next->buf); passed("%s", w->buf);`, "", ""), scan.Suspected},
		{"by a va_list through a pointer, the next one's", working(write+`void (*f)(const char *, ...) = total ? logged : passed; f("%s", next->buf); f("%s", w->buf);`, "", ""), scan.Suspected},
		{"by a va_list of another function, the next one's", working(write+`lists(&ws[3], "%s", w->buf);`, "", ""), scan.Suspected},
		{"a number of characters is stored there", working(write+`printf("%s%n", w->buf, (int *)next->buf);`, "", ""), scan.Suspected},
		{"its length", working(write+`sink2(strlen(w->buf)); puts(w->buf);`, "", ""), scan.ThreadLocal},
		{"the next one's length", working(write+`sink2(strlen(next->buf));`, "", ""), scan.Suspected},
		{"copied", working(write+`char s[40]; strcpy(s, w->buf);`, "", ""), scan.ThreadLocal},
		{"copied to", working(`strcpy(w->buf, total > 3 ? "many" : "few");`, "", ""), scan.ThreadLocal},
		{"copied to from the next one's", working(`strcpy(w->buf, next->buf);`, "", ""), scan.Suspected},
		{"compared by a function that is called back", working(`qsort(next->buf, 8, 1, compare);`, "", ""), scan.Suspected},
		{"an unknown number of bytes of the struct", working(`fread(w, 1, total, stdin);`, "", ""), scan.Suspected},
	})
}

// TestWithinLoop has functions that go through an array of the caller's.
func TestWithinLoop(t *testing.T) {
	checkWithin(t, withinHeader, "ws[…]", []ruled{
		{"from the beginning", working(`clear(w->buf, total);`, "", ""), scan.ThreadLocal},
		{"from the beginning, the next one's", working(`clear(next->buf, total);`, "", ""), scan.Suspected},
		{"from the middle", working(`clear(&w->buf[3], total);`, "", ""), scan.ThreadLocal},
		{"downwards", working(`down(w->buf + 3, total);`, "", ""), scan.Suspected},
		{"moved back", working(`behind(w->buf, total);`, "", ""), scan.Suspected},
		{"from a number that is given", working(`from(w->buf, -total, total);`, "", ""), scan.Suspected},
		{"a number without a value", working(`unset(w->buf);`, "", ""), scan.Suspected},
		{"a number that is written by its address", working(`taken(w->buf, total);`, "", ""), scan.Suspected},
		{"the bytes of the struct", working(`bytes(w, total);`, "", ""), scan.Suspected},
		{"the bytes from a member on", working(`bytes(&w->number, total);`, "", ""), scan.Suspected},
		{"the next struct, by way of the member", working(`around(w->buf, total);`, "", ""), scan.Suspected},
		{"another pointer", working(`shared = w->buf; other(w->buf);`, "", ""), scan.Suspected},
	})
	checkWithin(t, withinHeader, "ws[…]", []ruled{
		{"numbers", working(`zero(w->vals, total);`, "", ""), scan.ThreadLocal},
		{"numbers, and those of main", working(`double d[4]; zero(d, 4); zero(w->vals, total);`, "double d[9]; zero(d, 9);", ""), scan.ThreadLocal},
		{"the next one's numbers", working(`zero(next->vals, total);`, "", ""), scan.Suspected},
	})
	const more = `struct row { int n; char rows[8][32]; } r; struct head { char name[16]; int n; } hs[8];
static void *row(void *arg) { puts(r.rows[(long)arg]); clear(r.rows[(long)arg], total); return 0; }
static void *name(void *arg) { struct head *h = arg; clear(h->name, total); return 0; }
int main(void) { pthread_t ids[8]; for (int i = 0; i < 8; i++) pthread_create(&ids[i], 0, `
	end := working("", "", "")
	end = end[:len(" return 0; }\n")]
	checkWithin(t, withinHeader+end+more, "r.", []ruled{
		{"rows, which a function may leave", "row, (void *)(long)i); return 0; }", scan.Suspected},
	})
	checkWithin(t, withinHeader+end+more, "hs[…]", []ruled{
		{"the first member, which may be the struct", "name, &hs[i]); return 0; }", scan.Suspected},
	})
}

// TestWithinLast has an array that its struct ends with, in a global, on the heap for a thread each, and on the heap with more than the struct says.
func TestWithinLast(t *testing.T) {
	const header = `#include <pthread.h>
#include <stdlib.h>
struct worker { pthread_t tid; int number; char text[8]; } w[4];
static int total;
static void *work(void *arg) { struct worker *me = arg; for (int i = 0; i < total; i++) `
	const main = ` return 0; }
int main(int argc, char **argv) { total = argc; `
	const loop = "for (int i = 0; i < 4; i++) { w[i].number = i; pthread_create(&w[i].tid, 0, work, &w[i]); } return 0; }"
	const heap = "struct worker *h = malloc(4 * sizeof *h); for (int i = 0; i < 4; i++) { h[i].number = i; pthread_create(&h[i].tid, 0, work, &h[i]); } return 0; }"
	checkWithin(t, header, "w[…]", []ruled{
		{"its own", "me->text[i] = 0;" + main + loop, scan.ThreadLocal},
		{"that of the struct behind it", "{ me[1].text[i] = 0; me->text[i] = 0; }" + main + loop, scan.Suspected},
		{"backwards", "me->text[-i] = 0;" + main + loop, scan.Suspected},
		{"a pointer that goes on", "{ char *p = (char *)&me->number; p[i] = 0; }" + main + loop, scan.Suspected},
	})
	checkWithin(t, header, "(malloc", []ruled{
		{"its own on the heap", "me->text[i] = 0;" + main + heap, scan.ThreadLocal},
		{"one struct on the heap with any number of characters", "me->text[i] = 0;" + main + "struct worker *h = malloc(sizeof *h + 4 * argc); for (int i = 0; i < 4; i++) pthread_create(&w[i].tid, 0, work, (char *)h + 4 * i); return 0; }", scan.Suspected},
	})
}

// TestZeroedIds has ids of threads in memory that is set to zeros: no thread has such an id.
func TestZeroedIds(t *testing.T) {
	const header = `#include <pthread.h>
#include <string.h>
struct worker { pthread_t tid; int number; };
static void *work(void *arg) { struct worker *me = arg; me->number++; return 0; }
int main(int argc, char **argv) { int total = 0; struct worker l[4]`
	create := func(init, created, joined, index string) string {
		return init + "; for (int i = 0; i < 4; i++) { pthread_create(&l[i].tid, 0, work, &l[i]); } " + created + "; for (int i = 0; i < 4; i++) { pthread_join(l[i].tid, 0); " +
			joined + " total += l[" + index + "].number; } return total; }"
	}
	checkWithin(t, header, "l[…]", []ruled{
		{"initialised", create(" = {0}", "", "", "i"), scan.ThreadLocal},
		{"by a function", create("; memset(l, 0, sizeof l)", "", "", "i"), scan.ThreadLocal},
		{"when joined", create(" = {0}", "", "l[i].tid = 0;", "i"), scan.ThreadLocal},
		{"to something else", create(" = {0}", "memset(&l[argc].tid, argc, sizeof l[0].tid)", "", "i"), scan.Suspected},
		{"to the first one's", create(" = {0}", "l[1].tid = l[0].tid", "", "i"), scan.Suspected},
		{"another element", create(" = {0}", "", "", "3 - i"), scan.Suspected},
		{"the first element", create(" = {0}", "", "", "0"), scan.Suspected},
		{"the next element", create(" = {0}", "", "if (i < 3)", "i + 1"), scan.Suspected},
	})
}
