package sample_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cir/interp/sample"
	"comus/internal/long"
)

// randomThread returns the body of a thread: accesses of a few variables, in critical sections or not, and atomics of
// all orders. Fences are left out, which ThreadSanitizer of gcc 12 does not know.
func randomThread(r *rand.Rand, depth int) string {
	orders := []string{"relaxed", "acquire", "release", "acq_rel", "seq_cst"}
	order := func(first, last int) string { return "memory_order_" + orders[first+r.IntN(last-first+1)] }
	load := func() string {
		o := []string{"relaxed", "acquire", "seq_cst"}[r.IntN(3)]
		return fmt.Sprintf("atomic_load_explicit(&f%d, memory_order_%s)", r.IntN(2), o)
	}
	var s strings.Builder
	for range 1 + r.IntN(4) {
		s.WriteString("D ")
		switch k := r.IntN(12); {
		case k < 3:
			fmt.Fprintf(&s, "v%d++;\n", r.IntN(3))
		case k < 4:
			fmt.Fprintf(&s, "c[%d] = v%d;\n", r.IntN(4), r.IntN(3))
		case k < 6 && depth > 0:
			l := r.IntN(2)
			fmt.Fprintf(&s, "pthread_mutex_lock(&l%d);\n%spthread_mutex_unlock(&l%d);\n", l, randomThread(r, 0), l)
		case k < 8:
			o := []string{"relaxed", "release", "seq_cst"}[r.IntN(3)]
			fmt.Fprintf(&s, "atomic_store_explicit(&f%d, %d, memory_order_%s);\n", r.IntN(2), r.IntN(3), o)
		case k < 9:
			fmt.Fprintf(&s, "atomic_fetch_add_explicit(&f%d, 1, %s);\n", r.IntN(2), order(0, 4))
		case k < 11 && depth > 0:
			fmt.Fprintf(&s, "if (%s == %d) {\n%s}\n", load(), r.IntN(3), randomThread(r, 0))
		case k == 11:
			fmt.Fprintf(&s, "sem_post(&s);\n")
		default:
			fmt.Fprintf(&s, "if (sem_trywait(&s) == 0) v%d++;\n", r.IntN(3))
		}
	}
	return s.String()
}

// randomProgram has three threads.
func randomProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	text := includes + `#include <stdatomic.h>
#ifdef DELAYS /* for the real program, as its threads would run one after the other */
#include <time.h>
_Thread_local unsigned z;
void delay(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  z = z * 1103515245 + t.tv_nsec;
  if (z >> 16 & 1) usleep((z >> 17) % 400);
}
#define D delay();
#else
#define D
#endif
` + "int v0, v1, v2; char c[4]; atomic_int f0, f1; sem_t s;\n" +
		"pthread_mutex_t l0 = PTHREAD_MUTEX_INITIALIZER, l1 = PTHREAD_MUTEX_INITIALIZER;\n"
	for i := range 3 {
		text += fmt.Sprintf("void *t%d(void *p) {\n%sreturn 0; }\n", i, randomThread(r, 1))
	}
	return text + `int main(void) { pthread_t a, b, c; sem_init(&s, 0, 0);
		pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0); pthread_create(&c, 0, t2, 0);
		pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }`
}

// TestRandom checks for random programs that what ThreadSanitizer finds is found in the interpreter, too. The environment variable
// COMUS_RANDOM says how many.
func TestRandom(t *testing.T) {
	n := long.N(6, 2)
	if s := os.Getenv("COMUS_RANDOM"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	both, none, here := 0, 0, 0
	for seed := range uint64(n) {
		text := randomProgram(seed)
		dir := t.TempDir()
		src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
		if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if exec.Command("gcc", "-w", "-g", "-DDELAYS", "-fsanitize=thread", src, "-o", exe).Run() != nil {
			t.Skip("no ThreadSanitizer here")
		}
		r, err := sample.Run(context.Background(), load(t, text, cfront.Options{}).Program, sample.Options{Races: true, Runs: 400})
		if err != nil {
			t.Fatal(err)
		}
		seen := ""
		for i := 0; i < 30 && !strings.Contains(seen, "data race"); i++ {
			out, _ := exec.Command(exe).CombinedOutput()
			seen = string(out)
		}
		switch race := strings.Contains(seen, "data race"); {
		case race && len(r.Races) == 0:
			t.Errorf("seed %d: ThreadSanitizer alone finds a race:\n%s\n%s", seed, text, seen)
		case race:
			both++
		case len(r.Races) > 0:
			here++
			t.Logf("seed %d: a race here alone", seed)
		default:
			none++
		}
	}
	t.Logf("races found by both: %d, here alone: %d, none: %d", both, here, none)
}
