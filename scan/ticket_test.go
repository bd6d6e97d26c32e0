package scan_test

import (
	"slices"
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
)

const ticketHeader = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int a[64], rows[8][5], *p, other, n = 4, next, again; unsigned count; unsigned char small; size_t wide; atomic_int drawn;
struct shared { int pad, next, n; int *at; pthread_mutex_t m; } all = { 0, 0, 4, a, PTHREAD_MUTEX_INITIALIZER };
struct item { int x, y; } items[8];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_spinlock_t spin; pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK pthread_mutex_lock(&m);
#define UNLOCK pthread_mutex_unlock(&m);
static int take(void) { int r = -1; LOCK if (next < n) r = next++; UNLOCK return r; }
static int zero(void) { int r = 0; LOCK if (next < n) r = next++; UNLOCK return r; }
static int from(struct shared *s) { pthread_mutex_lock(&s->m); int r = s->next++; pthread_mutex_unlock(&s->m); return r < s->n ? r : -1; }
static void reset(void) { LOCK next = 0; UNLOCK }
static void put(int *to, int r, int k) { for (int j = 0; j < k; j++) to[r * k + j] = j; }
`

// tickets are what threads do that draw a number from a counter, and what main does before it creates two of them, before it joins them, and then.
var tickets = []struct {
	name, body, before, during, after string
	free                              bool
}{
	{"a number drawn under a lock", "LOCK int r = next++; UNLOCK if (r >= 4) return 0; a[r] = r;", "", "", "other = a[1];", true},
	{"main looks before it joins", "LOCK int r = next++; UNLOCK if (r >= 4) return 0; a[r] = r;", "", "other = a[1];", "", false},
	{"counted up before", "LOCK int r = ++next; UNLOCK a[r] = r;", "", "", "", true},
	{"written out", "LOCK int r = next; next = r + 1; UNLOCK a[r] = r;", "", "", "", true},
	{"rows, columns that are compared with more than 64 bits", "LOCK int r = next++; UNLOCK for (int q = 0; q < 9; q++) if ((__int128)q < ((__int128)1 << 64 | 4)) a[r * 4 + q] = 1;", "", "", "", false},
	{"not at once", "LOCK int r = next; UNLOCK LOCK next = r + 1; UNLOCK a[r] = r;", "", "", "", false},
	{"looked at before it is drawn", "LOCK int r = next; UNLOCK a[r] = r; LOCK next++; UNLOCK", "", "", "", false},
	{"put back", "LOCK int r = next; next = r + 1; next = r; UNLOCK a[r] = r;", "", "", "", false},
	{"without a lock", "int r = next++; a[r] = r;", "", "", "", false},
	{"under a lock for reading", "pthread_rwlock_rdlock(&rw); int r = next++; pthread_rwlock_unlock(&rw); a[r] = r;", "", "", "", false},
	{"under a lock for writing", "pthread_rwlock_wrlock(&rw); int r = next++; pthread_rwlock_unlock(&rw); a[r] = r;", "", "", "", true},
	{"under a spin lock", "pthread_spin_lock(&spin); int r = next++; pthread_spin_unlock(&spin); a[r] = r;", "pthread_spin_init(&spin, 0);", "", "", true},
	{"atomically", "int r = atomic_fetch_add(&drawn, 1); a[r] = r;", "", "", "", true},
	{"atomically, in two steps", "int r = drawn; drawn = r + 1; a[r] = r;", "", "", "", false},
	{"atomically, nothing", "int r = atomic_fetch_add(&drawn, 0); a[r] = r;", "", "", "", false},
	{"atomically, and set to 0", "int r = atomic_fetch_add(&drawn, 1); a[r] = r; if (r == 5) drawn = 0;", "", "", "", false},
	{"unsigned", "LOCK unsigned r = count++; UNLOCK if (r < 9) a[r] = r;", "", "", "", true},
	{"of the size of pointers", "LOCK size_t r = wide++; UNLOCK if (r < 9) a[r] = r;", "", "", "", true},
	{"a number that begins anew", "LOCK unsigned char r = small++; UNLOCK a[r] = r;", "", "", "", false},
	{"another number is the index", "LOCK int r = next++; int o = other; other = r & 1; UNLOCK a[o] = r;", "", "", "", false},
	{"two counters", "LOCK int r = next++; UNLOCK a[r] = r; LOCK unsigned q = count++; UNLOCK a[q] = r;", "", "", "", false},
	{"two arrays", "LOCK int r = next++; UNLOCK a[r] = r; LOCK unsigned q = count++; UNLOCK items[q].x = r;", "", "", "", true},
	{"one element further on, too", "LOCK int r = next++; UNLOCK a[r] = r; a[r + 1] = r;", "", "", "", false},
	{"two at a time", "LOCK int r = next; next += 2; UNLOCK a[r] = r; a[r + 1] = r;", "", "", "", true},
	{"two at a time, or one", "LOCK int r = next; next += 2; UNLOCK a[r] = r; a[r + 1] = r; LOCK int q = next++; UNLOCK a[q] = q;", "", "", "", false},
	{"a part of the number", "LOCK int r = next++; UNLOCK a[r & 1] = r;", "", "", "", false},
	{"some more each time", "LOCK int r = next; next += n; UNLOCK a[r] = r;", "", "", "", false},
	{"counted down, too", "LOCK int r = next++; UNLOCK a[r] = r; LOCK if (r == 2) next--; UNLOCK", "", "", "", false},
	{"set to 0 by a thread", "LOCK int r = next++; UNLOCK a[r] = r; if (r == 5) reset();", "", "", "", false},
	{"set to 0 by main meanwhile", "LOCK int r = next++; UNLOCK a[r] = r;", "", "reset();", "", false},
	{"set to 0 by main before", "LOCK int r = next++; UNLOCK a[r] = r;", "reset();", "", "", true},
	{"a second round", "LOCK int r = next++; UNLOCK a[r] = r;", "", "", "reset(); GO", true},
	{"a second round too early", "LOCK int r = next++; UNLOCK a[r] = r;", "", "reset(); GO", "", false},
	{"main draws, too", "LOCK int r = next++; UNLOCK a[r] = r;", "", "f(0);", "", true},
	{"main draws, and sets it to 0 then", "LOCK int r = next++; UNLOCK a[r] = r;", "int q = take(); reset();", "if (q >= 0) a[q] = 1;", "", false},
	{"main sets it to 0 and draws then", "LOCK int r = next++; UNLOCK a[r] = r;", "reset(); int q = take();", "if (q >= 0) a[q] = 1;", "", true},
	{"a function that draws", "int r; while ((r = take()) >= 0) a[r] = r;", "", "", "", true},
	{"what it returns if there is nothing more is not asked", "int r = take(); a[r + 1] = r;", "", "", "", false},
	{"what it returns then is not told apart", "int r = zero(); a[r] = r;", "", "", "", false},
	{"asked of the number before", "int r = take(), q = r; r = take(); if (q >= 0) a[r + 1] = r;", "", "", "", false},
	{"members", "int r = from(&all); if (r != -1) a[r] = r;", "", "", "", true},
	{"members of structs", "int r = from(&all); if (r != -1) { items[r].x = r; items[r].y = items[r].x; }", "", "", "", true},
	{"a member beyond", "int r = from(&all); if (r != -1) (&items[r].x)[other] = r;", "", "", "", false},
	{"rows", "int r = take(); if (r >= 0) for (int j = 0; j < 5; j++) rows[r][j] = j;", "", "", "", true},
	{"rows of a constant length", "int r = take(); if (r >= 0) for (int j = 0; j < 5; j++) a[r * 5 + j] = j;", "", "", "", true},
	{"beyond a row", "int r = take(); if (r >= 0) for (int j = 0; j <= 5; j++) a[r * 5 + j] = j;", "", "", "", false},
	{"before a row", "int r = take(); if (r >= 0) for (int j = -1; j < 5; j++) a[r * 5 + j + 1] = j;", "", "", "", false},
	{"rows of a length that a variable says", "int r = take(); if (r >= 0) for (int j = 0; j < n; j++) a[r * n + j] = j;", "n = 5;", "", "", true},
	{"the beginnings of rows, which may have no length", "LOCK int r = next++; UNLOCK a[r * n] = r;", "n = 0;", "", "", false},
	{"the beginnings of rows of a constant length", "LOCK int r = next++; UNLOCK a[r * 3] = r;", "", "", "", true},
	{"which changes", "int r = take(); if (r >= 0) for (int j = 0; j < n; j++) a[r * n + j] = j;", "", "n = 5;", "", false},
	{"another one bounds them", "int r = take(); if (r >= 0) for (int j = 0; j < all.n; j++) a[r * n + j] = j;", "", "", "", false},
	{"the diagonal", "int r = take(); if (r >= 0) a[r * n + r] = 1;", "", "", "", true},
	{"the diagonal of a smaller one", "int r = take(); if (r >= 0) a[r * all.n + r] = 1;", "", "", "", false},
	{"rows through a function", "int r = take(); if (r >= 0) put(a, r, n);", "", "", "", true},
	{"rows of two lengths", "int r = take(); if (r >= 0) put(a, r, n); if (r >= 0) put(a, r, all.n);", "", "", "", false},
	{"an array that a pointer leads to", "int r = take(); if (r >= 0) p[r] = r;", "p = malloc(99);", "", "", true},
	{"that is moved", "int r = take(); if (r >= 0) p[r] = r;", "p = a;", "LOCK p++; UNLOCK", "", false},
	{"an array that a member leads to", "int r = from(&all); if (r >= 0) all.at[r] = r;", "", "", "", true},
	{"what is drawn is handed on", "LOCK int r = next++; other = r; UNLOCK LOCK int o = other; UNLOCK a[o] = r;", "", "", "", false},
}

// ticketed is a program whose threads draw.
func ticketed(body, before, during, after string) string {
	const round = "for (int i = 0; i < 2; i++) pthread_create(&ids[i], 0, f, 0);"
	const join = "for (int i = 0; i < 2; i++) pthread_join(ids[i], 0);"
	src := "static void *f(void *arg) { " + body + " return 0; }\nint main(void) { pthread_t ids[2]; " + before + round + during + " " + join + after + " return 0; }\n"
	return ticketHeader + strings.ReplaceAll(src, "GO", round+join)
}

// TestTickets has threads that access what belongs to who has drawn a number: what is free is certified, and of the rest a certificate that says it was is refused.
func TestTickets(t *testing.T) {
	for i, c := range tickets {
		if !long.Turn(i, 5) {
			continue
		}
		forges(t, c.name, ticketed(c.body, c.before, c.during, c.after), certificate.Apart, c.free)
	}
}

// TestTicketsAssumed has counters that are assumed not to begin anew, or cannot.
func TestTicketsAssumed(t *testing.T) {
	const sentence = "a counter of 32 bits or more that only counts up does not wrap around"
	for body, want := range map[string]bool{
		"LOCK int r = next++; UNLOCK a[r] = r;":          false,
		"LOCK unsigned r = count++; UNLOCK a[r] = r;":    true,
		"int r = atomic_fetch_add(&drawn, 1); a[r] = r;": true,
	} {
		p := load(t, text(t, ticketed(body, "", "", "")))
		r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := scancheck.Check(t.Context(), p.Program, r.Points, r.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(r.Assumptions, sentence) != want || slices.Contains(rep.Assumptions, sentence) != want {
			t.Errorf("%s: %q %q", body, r.Assumptions, rep.Assumptions)
		}
	}
}
