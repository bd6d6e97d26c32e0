package scan_test

import (
	"slices"
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/pointsto"
)

// known is a location of a program, and whether it has suspects; "": nobody accesses it, or one thread only.
type known struct{ name, src, at, want string }

// judge scans programs, and has the claims verified: the checker confirms a location that is free, and none that is not.
func judge(t *testing.T, decls string, cases []known) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, text(t, decls+c.src)).Program
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
			got := ""
			for i, l := range r.Locations {
				if l.Name != c.at && !strings.HasSuffix(l.Name, "."+c.at) {
					continue
				}
				if got == "" || l.Why == scan.Suspected {
					got = l.Why.String()
				}
				if l.Why != scan.Suspected && !rep.Certified(i) {
					t.Errorf("%s: %s, which is not confirmed", l.Name, l.Why)
				}
			}
			if got != c.want {
				t.Errorf("%s: %q, want %q", c.at, got, c.want)
			}
		})
	}
}

// TestCallback: code outside calls functions of the program that it knows, in the thread that calls it, whichever way it got to know them; and functions
// with a contract call no others.
func TestCallback(t *testing.T) {
	long.Only(t)
	const races = "suspected"
	const decls = `#include <pthread.h>
typedef enum { preorder, postorder, endorder, leaf } VISIT;
void twalk(const void *, void (*)(const void *, VISIT, int));
void *tfind(const void *, void *const *, int (*)(const void *, const void *));
void twalk_r(const void *, void (*)(const void *, VISIT, void *), void *);
char *getenv(const char *);
void *avformat_alloc_context(void), *av_packet_alloc(void);
int av_read_frame(void *, void *);
void av_packet_unref(void *);
void *tdelete(const void *, void **, int (*)(const void *, const void *));
typedef struct CURL CURL;
CURL *curl_easy_init(void);
int curl_easy_setopt(CURL *, int, ...);
int curl_easy_perform(CURL *);
struct ops { void (*cb)(void); struct ops *next; };
# 1 "/usr/include/lib.h" 1 3
struct ops *lib_new(void);
void lib_register(struct ops *);
void lib_on(void (*)(void));
void lib_run(void);
extern void (*lib_hook)(void);
extern struct ops lib_ops;
# 1 "prog.c" 2
void *root;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
static void touch(void) { x++; }
static void seen(const void *p, VISIT v, int d) { x++; }
static void on_first(const void *p, VISIT v, void *to) { ++**(int *const *)p; }
static void on_last(const void *p, VISIT v, void *to) { ++*(int *)to; }
static int less(const void *p, const void *q) { return ++*(int *)p < ++*(int *)q; }
static size_t writes(char *s, size_t k, size_t l, void *to) { ++*(int *)to; return k * l; }
static size_t writes_deep(char *s, size_t k, size_t l, void *to) { ++**(int **)to; return k * l; }
static void unlocks(const void *p, VISIT v, int d) { pthread_mutex_unlock(&m); }
static void relocks(const void *p, VISIT v, int d) { pthread_mutex_unlock(&n); pthread_mutex_lock(&n); }
static void calls(void (*f)(void)) { f(); }
static size_t body(char *s, size_t k, size_t l, void *to) { x++; return k * l; }
static void start(void *(*f)(void *)) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x++;
  pthread_join(t, 0);
}
`
	judge(t, decls, []known{
		{"hook", `static void *f(void *p) { lib_run(); return 0; } int main(void) { lib_hook = touch; start(f); return 0; }`, "x", races},
		{"hook in a struct", `static void *f(void *p) { lib_run(); return 0; } int main(void) { static struct ops o; o.cb = touch; lib_ops.next = &o; start(f); return 0; }`, "x", races},
		{"hook, and a contract", `static void *f(void *p) { tdelete(&x, &root, 0); return 0; } int main(void) { lib_hook = touch; start(f); return 0; }`, "x", races},
		{"memory outside", `static void *f(void *p) { lib_run(); return 0; } int main(void) { lib_new()->cb = touch; start(f); return 0; }`, "x", races},
		{"memory outside, deeper", `static void *f(void *p) { lib_run(); return 0; } int main(void) { struct ops o; lib_new()->next->next = &o; o.cb = touch; start(f); return 0; }`, "x", races},
		{"given before it is stored", `static struct ops o; static void *f(void *p) { lib_run(); return 0; }
			int main(void) { lib_register(&o); o.cb = touch; start(f); return 0; }`, "x", races},
		{"given in the thread", `static void *f(void *p) { lib_on(touch); return 0; } int main(void) { start(f); return 0; }`, "x", races},
		{"nothing given", `static void *f(void *p) { lib_run(); return 0; } int main(void) { x = 1; start(f); return 0; }`, "x", ""},
		{"contract, now", `static void *f(void *p) { twalk(root, seen); return 0; } int main(void) { start(f); return 0; }`, "x", races},
		{"contract, by a pointer", `void (*g)(const void *, VISIT, int) = unlocks; static void *f(void *p) { twalk(root, g); return 0; }
			int main(int c, char **v) { if (c > 1) g = seen; start(f); return 0; }`, "x", races},
		{"contract of another call", `static void *f(void *p) { return tfind(&m, &root, 0); } int main(void) { twalk(root, seen); start(f); return 0; }`, "x", ""},
		{"kept, called by a call of another thread", `CURL *c; static void *f(void *p) { curl_easy_perform(c); return 0; }
			int main(void) { c = curl_easy_init(); curl_easy_setopt(c, 20011, body); start(f); return 0; }`, "x", races},
		{"kept, called by who does not know", `CURL *c; static void *f(void *p) { lib_run(); return 0; }
			int main(void) { c = curl_easy_init(); curl_easy_setopt(c, 20011, body); start(f); return 0; }`, "x", races},
		{"kept, no call", `CURL *c; static void *f(void *p) { return tfind(&m, &root, 0); }
			int main(void) { c = curl_easy_init(); curl_easy_setopt(c, 20011, body); start(f); return 0; }`, "x", ""},
		{"given an argument", `static void *f(void *p) { twalk_r(root, on_last, &x); return 0; } int main(void) { start(f); return 0; }`, "x", races},
		{"not given an argument", `int *y; static void *f(void *p) { twalk_r(&y, on_first, &x); return 0; } int main(void) { start(f); return 0; }`, "x", ""},
		{"given what an argument leads to", `static int *y = &x; static int **r = &y; static void *f(void *p) { twalk_r(&r, on_first, 0); return 0; } int main(void) { start(f); return 0; }`, "x", races},
		{"given anything", `static void *f(void *p) { return tdelete(&x, &root, less); } int main(void) { start(f); return 0; }`, "x", races},
		{"given anything that an argument leads to", `static void *f(void *p) { return tdelete(&m, &root, less); } int main(void) { root = &x; start(f); return 0; }`, "x", races},
		{"given something else", `int y; static void *f(void *p) { return tdelete(&y, &root, less); } int main(void) { start(f); return 0; }`, "x", ""},
		{"given what was kept", `CURL *c; static void *f(void *p) { curl_easy_perform(c); return 0; }
			int main(void) { c = curl_easy_init(); curl_easy_setopt(c, 20011, writes); curl_easy_setopt(c, 10001, &x); start(f); return 0; }`, "x", races},
		{"given what was kept before", `CURL *c; static void *f(void *p) { curl_easy_perform(c); return 0; } static void set(int k, void *to) { curl_easy_setopt(c, k, to); }
			int main(void) { int *y = &x; c = curl_easy_init(); set(10001, &y); set(20011, (void *)writes_deep); start(f); return 0; }`, "x", races},
		{"nothing was kept", `CURL *c; static void *f(void *p) { curl_easy_perform(c); return 0; }
			int main(void) { c = curl_easy_init(); curl_easy_setopt(c, 20011, writes); start(f); return 0; }`, "x", ""},
		{"given by who is not known", `CURL *c; static void *f(void *p) { ((void (*)(void))getenv("f"))(); return 0; }
			int main(void) { c = curl_easy_init(); curl_easy_setopt(c, 20011, writes); curl_easy_setopt(c, 10001, &x); start(f); return 0; }`, "x", races},
		{"in memory of the library, given", `static void *s; static void *f(void *p) { av_read_frame(s, av_packet_alloc()); return 0; }
			int main(void) { s = avformat_alloc_context(); ((struct ops *)s)->cb = touch; start(f); return 0; }`, "x", races},
		{"in memory of the library, not to be called", `static void *s; static void *f(void *p) { av_packet_unref(s); return 0; }
			int main(void) { s = avformat_alloc_context(); ((struct ops *)s)->cb = touch; start(f); return 0; }`, "x", ""},
		{"in memory of the library, given what stands there", `static void *s; static void *f(void *p) { av_read_frame(s, av_packet_alloc()); return 0; }
			static int gets(void *to) { ++*(int *)to; return 0; }
			int main(void) { struct { int (*f)(void *); void *to; } *a = s = avformat_alloc_context(); a->f = gets; a->to = &x; start(f); return 0; }`, "x", races},
		{"gives back a lock", `static void *f(void *p) { pthread_mutex_lock(&m); twalk(root, unlocks); x++; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }`, "x", races},
		{"gives back a lock, kept", `CURL *c; static size_t gives(char *s, size_t k, size_t l, void *to) { pthread_mutex_unlock(&m); return 0; }
			static void *f(void *p) { pthread_mutex_lock(&m); curl_easy_perform(c); x++; return 0; }
			int main(void) { pthread_t t; c = curl_easy_init(); curl_easy_setopt(c, 20011, gives); pthread_create(&t, 0, f, 0);
			  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }`, "x", races},
		{"gives back a lock, within a call", `static void *f(void *p) { pthread_mutex_lock(&m); twalk(root, unlocks); x++; return 0; }
			static void g(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); calls(g); return 0; }`, "x", races},
		{"gives back another lock", `static void *f(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); twalk(root, relocks); x++; pthread_mutex_unlock(&m); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }`, "x", "locked"},
		{"a lock over a call that calls nothing", `static void *f(void *p) { pthread_mutex_lock(&m); tfind(&n, &root, 0); x++; pthread_mutex_unlock(&m); return 0; }
			int main(void) { pthread_t t; twalk(root, unlocks); pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }`, "x", "locked"},
	})
}

// TestEpoll: what epoll keeps comes back as it is, to whoever asks.
func TestEpoll(t *testing.T) {
	const decls = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
enum { EPOLL_CTL_MOD = 3 };
struct epoll_event { unsigned events; union { void *ptr; int fd; unsigned u32; unsigned long u64; } data; } __attribute__((packed));
int epoll_ctl(int, int, int, struct epoll_event *);
int epoll_wait(int, struct epoll_event *, int, int);
int epoll_pwait(int, struct epoll_event *, int, int, const void *);
struct conn { int n; struct conn *next; };
struct wrap { long k; struct epoll_event ev; struct conn *other; };
int ep;
static struct conn a, b;
static int add(struct epoll_event *e) { return epoll_ctl(ep, EPOLL_CTL_MOD, 3, e); }
static void *takes(void *p) {
  struct epoll_event *e = malloc(64 * sizeof *e);
  for (int i = 0, n = epoll_wait(ep, e, 64, -1); i < n; i++)
    ((struct conn *)e[i].data.ptr)->n++;
  return 0;
}
static void *takes_next(void *p) {
  struct epoll_event e[2];
  epoll_pwait(ep, e, 2, -1, 0);
  ((struct conn *)e[1].data.ptr)->next->n++;
  return 0;
}
static void start(void *(*f)(void *)) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  a.n++;
  b.n++;
  pthread_join(t, 0);
}
`
	const races = "suspected"
	judge(t, decls, []known{
		{"one", `int main(void) { struct epoll_event e; e.data.ptr = &a; add(&e); start(takes); return 0; }`, "a.n", races},
		{"not what it points to", `int main(void) { struct epoll_event e; e.data.ptr = &a; a.next = &b; add(&e); start(takes); return 0; }`, "b.n", ""},
		{"what it points to", `int main(void) { struct epoll_event e; e.data.ptr = &a; a.next = &b; add(&e); start(takes_next); return 0; }`, "b.n", races},
		{"an array", `int main(void) { struct epoll_event e[3]; memset(e, 0, sizeof e); for (int i = 0; i < 3; i++) e[i].data.ptr = i ? &b : &a; add(&e[1]); start(takes); return 0; }`, "b.n", races},
		{"within a struct", `int main(void) { struct wrap *w = malloc(sizeof *w); w->other = &b; w->ev.data.ptr = &a; add(&w->ev); start(takes); return 0; }`, "a.n", races},
		{"beside it in a struct", `int main(void) { struct wrap w; w.other = &b; w.ev.data.ptr = &a; add(&w.ev); start(takes); return 0; }`, "b.n", ""},
		{"copied", `int main(void) { struct epoll_event e, f; e.data.ptr = &a; memcpy(&f, &e, sizeof e); add(&f); start(takes); return 0; }`, "a.n", races},
		{"by number", `int main(void) { struct epoll_event e; e.data.u64 = (unsigned long)&a; add(&e); start(takes); return 0; }`, "a.n", races},
		{"stored afterwards", `static struct epoll_event e; int main(void) { e.data.ptr = &a; add(&e); e.data.ptr = &b; add(&e); start(takes); return 0; }`, "b.n", races},
		{"in the thread", `static void *f(void *p) { struct epoll_event e; e.data.ptr = &b; add(&e); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); takes(0); b.n++; return 0; }`, "b.n", ""},
	})
}

// TestHandles: a function of the library that takes an object of the library is given one, which is said where pointers that are not known well may lead elsewhere.
func TestHandles(t *testing.T) {
	const decls = `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct CURL CURL;
CURL *curl_easy_init(void);
void curl_easy_reset(CURL *);
union any { CURL *c; FILE *f; int *n; } u;
int x, y;
CURL *c, *d;
FILE *out;
static void *resets(void *p) { curl_easy_reset(c); return 0; }
static void *resets_any(void *p) { curl_easy_reset(u.c); return 0; }
static void *closes(void *p) { fclose(out); return 0; }
static void *closes_any(void *p) { fclose(u.f); return 0; }
`
	const start = `pthread_t t; pthread_create(&t, 0, `
	for _, c := range []struct {
		name, src, at string
		locations     int
		said          bool
	}{
		{"objects of the library", `int main(void) { c = curl_easy_init(); ` + start + `resets, 0); curl_easy_reset(c); return 0; }`, "memory outside of the program (the library's object)", 1, false},
		{"and a variable", `int main(int n, char **v) { if (n > 1) u.n = &x; else u.c = curl_easy_init(); ` + start + `resets_any, 0); curl_easy_reset(u.c); return 0; }`, "x (the library's object)", 0, true},
		{"and memory", `int main(int n, char **v) { if (n > 1) u.n = malloc(4); else u.c = curl_easy_init(); ` + start + `resets_any, 0); curl_easy_reset(u.c); return 0; }`,
			"memory outside of the program (the library's object)", 1, true},
		{"a stream", `int main(void) { out = fopen("f", "r"); ` + start + `closes, 0); fclose(out); return 0; }`, "(fopen at ", 1, false},
		{"a stream and a variable", `int main(int n, char **v) { if (n > 1) u.n = &y; else u.f = fopen("f", "r"); ` + start + `closes_any, 0); fclose(u.f); return 0; }`, "(the library's object)", 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, text(t, decls+c.src)).Program
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
			n := 0
			for _, l := range r.Locations {
				if strings.Contains(l.Name, c.at) {
					n++
				}
			}
			const sentence = "functions of the library are given the library's own objects (FILE, DIR and the like) where they take such"
			if n != c.locations || slices.Contains(r.Assumptions, sentence) != c.said || slices.Contains(rep.Assumptions, sentence) != c.said {
				t.Errorf("%d of %s; said: %v, %v", n, c.at, r.Assumptions, rep.Assumptions)
				for _, l := range r.Locations {
					t.Log(l.Name)
				}
			}
		})
	}
}
