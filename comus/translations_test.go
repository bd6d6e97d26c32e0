package comus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/internal/long"
	"comus/memory"
	"comus/seqmc"
	"comus/specialise"
)

// ticketLock has threads that draw numbers for ever.
const ticketLock = `#include <assert.h>
#include <pthread.h>
static unsigned next, owner;
static int inside;
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static void *worker(void *x) {
  for (;;) {
    DRAW
    for (;;) { __VERIFIER_atomic_begin(); unsigned now = owner; __VERIFIER_atomic_end(); if (now == me) break; }
    inside++; assert(inside == 1); inside--;
    __VERIFIER_atomic_begin(); owner = me + 1; __VERIFIER_atomic_end();
  }
  return x;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); worker(0); }
`

// countedRing has a ring that is filled and emptied for ever.
const countedRing = `#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ring[4];
static unsigned put, got;
static void *producer(void *x) {
  for (long made = 0;; made++) {
    pthread_mutex_lock(&m);
    if (put - got < ROOM) { assert(ring[put % 4] == 0); ring[put % 4] = 1; put++; }
    pthread_mutex_unlock(&m);
  }
  return x;
}
static void *consumer(void *x) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (put != got) { assert(ring[got % 4] == 1); ring[got % 4] = 0; got++; }
    pthread_mutex_unlock(&m);
  }
  return x;
}
int main(void) { pthread_t t; pthread_create(&t, 0, producer, 0); consumer(0); }
`

// generations is a barrier that is passed for ever.
const generations = `#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned generation, waiting, done[2];
static void barrier(void) {
  pthread_mutex_lock(&m);
  unsigned mine = generation;
  if (++waiting == 2) { waiting = 0; generation++; }
  else while (mine == generation) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); }
  pthread_mutex_unlock(&m);
}
static void *worker(void *x) {
  long k = (long)x;
  for (;;) { done[k]++; barrier(); assert(done[0] == done[1]); AGAIN }
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, (void *)1); worker((void *)0); }
`

// TestTranslations proves programs that count for ever, and does not prove others, which differ from them by little and are wrong, or too hard.
func TestTranslations(t *testing.T) {
	overflow := specialise.Checks{NoAssert: true, Overflow: true}
	for _, tc := range []struct {
		name, text, from, to string
		check                specialise.Checks
		want                 seqmc.Verdict
	}{
		{"a ticket lock", ticketLock, "DRAW", "__VERIFIER_atomic_begin(); unsigned me = next++; __VERIFIER_atomic_end();", specialise.Checks{}, seqmc.Safe},
		{"a ticket lock: the number is drawn in two steps", ticketLock, "DRAW", "unsigned me = next; next = me + 1;", specialise.Checks{}, seqmc.Unsafe},
		{"a ring", countedRing, "ROOM", "4", specialise.Checks{}, seqmc.Safe},
		{"a ring: one too many", countedRing, "ROOM", "5", specialise.Checks{}, seqmc.Unsafe},
		{"a ring: a signed counter overflows", countedRing, "ROOM", "4", overflow, seqmc.Unknown},
		{"a barrier", generations, "AGAIN", "barrier();", specialise.Checks{}, seqmc.Safe},
		{"a barrier: passed once", generations, "AGAIN", "", specialise.Checks{}, seqmc.Unsafe},
		{"a barrier: a counter has a limit", generations, "AGAIN", "barrier(); assert(done[0] != 4000000);", specialise.Checks{}, seqmc.Unknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if long.OneOf(t, 3); tc.want == seqmc.Unknown { // these take all the time that they get
				long.Only(t)
			}
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(strings.Replace(tc.text, tc.from, tc.to, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			if tc.want == seqmc.Unknown {
				cancel()
				ctx, cancel = context.WithTimeout(t.Context(), 3*time.Second)
			}
			defer cancel()
			res, err := Verify(ctx, file, Options{Strategy: "explore", Question: specialise.Options{Check: tc.check, Memory: memory.SC}})
			if err != nil || res.Verdict != tc.want {
				t.Fatalf("%v, %v, want %v", res, err, tc.want)
			}
			if tc.want == seqmc.Safe && (res.Certificate == nil || len(res.Certificate.Translations) == 0) {
				t.Errorf("the proof has no translations")
			}
		})
	}
}
