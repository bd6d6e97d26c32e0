package cache

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/digest"
	"comus/internal/randedit"
	"comus/internal/randrace"
	"comus/report/scanreport"
	"comus/scan"
	"comus/scan/slice"
)

// reading is a program that was read for a scan.
type reading struct {
	g   *slice.Slice
	sum digest.Sum
	at  Where
}

// read reads a source as a scan does it; nil if it is no program.
func read(t *testing.T, file, source string) *reading {
	t.Helper()
	p, err := cfront.LoadText(context.Background(), command.Invocation{File: file}, []byte(source), cfront.Options{NoHost: true})
	if err != nil {
		return nil
	}
	r := &reading{g: slice.Of(p.Program)}
	sum, places, err := digest.Of(p.Program)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Program.Check(); err != nil {
		t.Fatal(err)
	}
	r.sum, r.at = sum, Where{Places: places, Sites: r.g.Sites}
	return r
}

// scan analyses it.
func (r *reading) scan(t *testing.T) *scanreport.Program {
	t.Helper()
	res, err := scan.Analyse(context.Background(), r.g.Program, nil, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.g.Restore()
	p := scanreport.Of("p", nil, res, nil)
	p.Phases = nil
	return p
}

// kept returns a result without what is not kept.
func kept(p *scanreport.Program) *scanreport.Program {
	q := *p
	q.Findings = nil
	for _, f := range p.Findings {
		g := *f
		g.Suspects = nil
		q.Findings = append(q.Findings, &g)
	}
	return &q
}

// edits makes random edits of a program, and compares what is kept of it with what a scan from scratch finds, wherever the
// cache has it. It returns how many there were of each kind, and how many of them the cache had.
func edits(t *testing.T, file, source string, random *rand.Rand, n int, verify bool) (all, hits map[string]int) {
	t.Helper()
	all, hits = map[string]int{}, map[string]int{}
	first := read(t, file, source)
	if first == nil {
		t.Fatal("the program cannot be read")
	}
	var data []byte
	if verify {
		var err error
		if data, err = encode("key", first.scan(t), first.at); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < n; i++ {
		kind := randedit.Kinds[random.IntN(len(randedit.Kinds))]
		edited, ok := randedit.Edit(random, kind, source)
		if !ok {
			continue
		}
		now := read(t, file, edited)
		if now == nil {
			continue
		}
		all[kind]++
		if now.sum != first.sum {
			if to := os.Getenv("COMUS_WHY"); to != "" { // what is different
				os.WriteFile(filepath.Join(to, strconv.Itoa(i)+"-"+kind+".c"), []byte(edited), 0o666)
				os.WriteFile(filepath.Join(to, strconv.Itoa(i)+"-"+kind+".cir"), []byte(now.g.Program.String()), 0o666)
				os.WriteFile(filepath.Join(to, "0.cir"), []byte(first.g.Program.String()), 0o666)
			}
			continue
		}
		if !verify {
			hits[kind]++
			continue
		}
		now.g.Restore()
		got, err := decode("key", data, now.at)
		if err != nil {
			continue
		}
		hits[kind]++
		now.g.Strip()
		if want := kept(now.scan(t)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: the cache has %d locations and %d findings, there are %d and %d, in\n%s", kind, len(got.Locations), len(got.Findings), len(want.Locations), len(want.Findings), edited)
		}
	}
	return all, hits
}

// TestEditsOfFiles makes edits of the files that COMUS_EDIT names, COMUS_EDITS of each (200); with COMUS_VERIFY it compares results, too.
func TestEditsOfFiles(t *testing.T) {
	if os.Getenv("COMUS_EDIT") == "" {
		t.Skip("COMUS_EDIT names no files")
	}
	files, err := filepath.Glob(os.Getenv("COMUS_EDIT"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(os.Getenv("COMUS_EDITS"))
	if err != nil {
		n = 200
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seed := sha256.Sum256([]byte(file + os.Getenv("COMUS_SEED")))
		all, hits := edits(t, filepath.Base(file), string(text), rand.New(rand.NewChaCha8(seed)), n, os.Getenv("COMUS_VERIFY") != "")
		sum, found := 0, 0
		for _, k := range randedit.Kinds {
			sum, found = sum+all[k], found+hits[k]
			t.Logf("%-10s %3d of %3d", k, hits[k], all[k])
		}
		t.Logf("%s: the cache has %d of %d", filepath.Base(file), found, sum)
	}
}

// TestEdits makes random edits of random programs with threads: what the cache has after an edit is what a scan finds. More: COMUS_SCAN=2000, from COMUS_SEED.
func TestEdits(t *testing.T) {
	n, seed := 12, 1
	if s := os.Getenv("COMUS_SCAN"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("COMUS_SEED"); s != "" {
		seed, _ = strconv.Atoi(s)
	}
	all, hits := map[string]int{}, map[string]int{}
	for i := seed; i < seed+n; i++ {
		random := rand.New(rand.NewPCG(uint64(i), 7))
		source := randrace.Program(uint64(i))
		if i%4 == 0 {
			source = worker
		}
		a, h := edits(t, "p.c", source, random, 12, true)
		for k := range a {
			all[k] += a[k]
			hits[k] += h[k]
		}
	}
	for _, k := range randedit.Kinds {
		t.Logf("%-10s %3d of %3d", k, hits[k], all[k])
	}
	if hits["constant"]+hits["string"]+hits["compute"] == 0 || hits["comment"] != all["comment"] {
		t.Error("the cache has too little after edits")
	}
}

// worker is a program with much that a slice does without.
const worker = `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct job { int kind; long weight; struct job *next; };
static struct { pthread_mutex_t lock; struct job *first; int length, closed; } queue;
static int level, done, failed[8];
static pthread_mutex_t rows[4];
static int weigh(int kind, int scale) {
  int sum;
  int i;
  sum = 0;
  for (i = 0; i < kind; i++) {
    if (sum > 100) {
      sum = sum / 3;
    }
    sum += i * scale;
  }
  return sum + 2;
}
static int attempt(pthread_mutex_t *m) {
  int ok;
  ok = 0;
  if (pthread_mutex_trylock(m) == 0) {
    ok = 1;
  }
  return ok;
}
static void note(struct job *j, int row) {
  int w;
  w = weigh(j->kind, 3);
  if (w > 20) {
    printf("heavy: %d\n", w);
  }
  if (attempt(&rows[row]) == 1) {
    failed[row] = w + 1;
    j->weight = 4;
    pthread_mutex_unlock(&rows[row]);
  }
  level = w - 2;
}
static void push(int kind) {
  struct job *j;
  j = malloc(sizeof *j);
  if (j == 0) {
    exit(3);
  }
  j->kind = kind % 5;
  j->weight = weigh(kind, 7);
  pthread_mutex_lock(&queue.lock);
  j->next = queue.first;
  queue.first = j;
  queue.length++;
  pthread_mutex_unlock(&queue.lock);
}
static void *serve(void *arg) {
  struct job *j;
  int n;
  n = 0;
  while (n < 9) {
    pthread_mutex_lock(&queue.lock);
    j = queue.first;
    if (j != 0) {
      queue.first = j->next;
      queue.length--;
    }
    pthread_mutex_unlock(&queue.lock);
    if (j != 0) {
      note(j, n & 3);
      free(j);
    }
    n++;
  }
  done = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  int i;
  pthread_mutex_init(&queue.lock, 0);
  for (i = 0; i < 4; i++) {
    pthread_mutex_init(&rows[i], 0);
  }
  pthread_create(&t, 0, serve, 0);
  for (i = 0; i < 6; i++) {
    push(i + 1);
  }
  while (done == 0) {
    puts("waiting");
  }
  printf("%d %s\n", level, "end");
  return failed[2];
}
`
