package scan_test

import (
	"testing"

	"comus/internal/long"
)

// carried returns a program that hands objects to threads in jobs, and keeps pointers to them in a row.
func carried(start, work, first, second string) string {
	return `struct job { int input; struct obj *o; };
static void *worker(void *arg) { struct job *j = arg; ` + work + ` return 0; }
static struct obj *start(int input) {
  pthread_t t;
  struct job *j = malloc(sizeof *j);
  if (!j) abort();
  struct obj *o = make(input);
  j->input = input;
  ` + start + `
  return o;
}
#define N 8
int main(int argc, char **argv) {
  struct obj *row[N];
  int n = argc < N ? argc : N;
  ` + first + `
  ` + second + `
  return 0;
}
`
}

const (
	rowStart  = "j->o = get(o); if (pthread_create(&t, 0, worker, j)) abort();"
	rowWork   = "struct obj *o = j->o; free(j); use(o->n); put(o);"
	rowFirst  = "for (int i = 0; i < n; i++) row[i] = start(i);"
	rowSecond = "for (int i = 0; i < n; i++) { use(row[i]->n); put(row[i]); }"
)

// countingRows are programs with carriers and rows.
var countingRows = []countCase{
	{"", carried(rowStart, rowWork, rowFirst, rowSecond), true},
	{"no reference for the thread", carried("j->o = o; if (pthread_create(&t, 0, worker, j)) abort();", rowWork, rowFirst, rowSecond), false},
	{"no reference for the row", carried("j->o = o; if (pthread_create(&t, 0, worker, j)) abort();", rowWork, rowFirst, "for (int i = 0; i < n; i++) use(row[i]->n);"), false},
	{"no reference for the row, and not used by it", carried("j->o = o; if (pthread_create(&t, 0, worker, j)) abort();", rowWork, rowFirst, ""), true},
	{"the job is written after the creation", carried("j->o = get(o); if (pthread_create(&t, 0, worker, j)) abort(); j->o = make(2);", rowWork, rowFirst, rowSecond), false},
	{"the job is written before the creation", carried("j->o = make(2); put(j->o); j->o = get(o); if (pthread_create(&t, 0, worker, j)) abort();", rowWork, rowFirst, rowSecond), true},
	{"the job of two threads", carried("j->o = get(o); if (pthread_create(&t, 0, worker, j)) abort(); if (pthread_create(&t, 0, worker, j)) abort();", "struct obj *o = j->o; use(o->n); put(o);", rowFirst, rowSecond), false},
	{"the creation fails", carried("j->o = get(o); if (pthread_create(&t, 0, worker, j)) { put(j->o); free(j); }", rowWork, rowFirst, rowSecond), true},
	{"the creation fails, dropped in any case", carried("j->o = get(o); if (pthread_create(&t, 0, worker, j)) free(j); put(o);", rowWork, rowFirst, rowSecond), false},
	{"the thread drops twice", carried(rowStart, "struct obj *o = j->o; free(j); use(o->n); put(o); put(o);", rowFirst, rowSecond), false},
	{"the thread uses it after the drop", carried(rowStart, "struct obj *o = j->o; put(o); use(o->n); free(j);", rowFirst, rowSecond), false},
	{"the thread uses it by the job", carried(rowStart, "use(j->o->n); put(j->o); free(j);", rowFirst, rowSecond), true},
	{"the thread puts another one there", carried(rowStart, "put(j->o); j->o = make(3); use(j->o->n); put(j->o); free(j);", rowFirst, rowSecond), true},
	{"written while shared", carried(rowStart, "struct obj *o = j->o; free(j); o->n++; put(o);", rowFirst, rowSecond), false},
	{"written by who starts it", carried("j->o = get(o); o->n = 3; if (pthread_create(&t, 0, worker, j)) abort();", rowWork, rowFirst, rowSecond), true},
	{"written by who has started it", carried(rowStart+" o->n = 3;", rowWork, rowFirst, rowSecond), false},
	{"dropped twice by the row", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) { put(row[i]); put(row[i]); }"), false},
	{"used after the drop by the row", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) { put(row[i]); use(row[i]->n); }"), false},
	{"two rounds", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) put(row[i]); for (int i = 0; i < n; i++) use(row[i]->n);"), false},
	{"two rounds, the other way round", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) use(row[i]->n); for (int i = 0; i < n; i++) put(row[i]);"), true},
	{"always the same", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) put(row[0]);"), false},
	{"half of them", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) put(row[i / 2]);"), false},
	{"downwards", carried(rowStart, rowWork, rowFirst, "for (int i = n - 1; i >= 0; i--) put(row[i]);"), true},
	{"back and forth", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) { put(row[i]); if (i == 3) i--; }"), false},
	{"in steps of two", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i += 2) put(row[i]);"), true},
	{"one is put at two places", carried(rowStart, rowWork, rowFirst+" if (n > 1) row[1] = row[0];", rowSecond), false},
	{"copied to the next place", carried(rowStart, rowWork, rowFirst+" memmove(row, row + 1, (n - 1) * sizeof row[0]);", rowSecond), false},
	{"overwritten with null", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) { put(row[i]); row[i] = 0; } for (int i = 0; i < n; i++) if (row[i]) use(row[i]->n);"), true},
	{"overwritten with null at another place", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n - 1; i++) { put(row[i]); row[i + 1] = 0; } for (int i = 0; i < n; i++) if (row[i]) use(row[i]->n);"), false},
	{"with a counter of another type", carried(rowStart, rowWork, "size_t k = 0; for (int i = 0; i < n; i++) row[k++] = start(i);", "for (size_t i = 0; i < k; i++) put(row[i]);"), true},
	{"with a counter that begins anew", carried(rowStart, rowWork, rowFirst, "for (unsigned char i = 0; i < 200; i += 100) put(row[i % N]);"), false},
	{"with a counter that is reset", carried(rowStart, rowWork, rowFirst, "int i = 0, again = 1; while (i < n) { put(row[i]); i++; if (i == n && again) { i = 0; again = 0; } }"), false},
	{"with a counter in a function", carried(rowStart, rowWork, rowFirst, "for (int i = 0; i < n; i++) { struct obj *o = row[i]; use(o->n); put(o); }"), true},
	{"by a pointer", carried(rowStart, rowWork, rowFirst, "for (struct obj **p = row; p < row + n; p++) put(*p);"), false},              // right, but not proved
	{"known to the threads", carried(rowStart, rowWork, "static struct obj **all; all = row; "+rowFirst, rowSecond+" all = 0;"), false}, // right, but not proved
	{"a job that the threads know", carried("static struct job *last; j->o = get(o); last = j; if (pthread_create(&t, 0, worker, j)) abort(); last->o = 0;", rowWork, rowFirst, rowSecond), false},
}

// TestCountedRows has those proved that are right.
func TestCountedRows(t *testing.T) {
	for _, c := range countingRows {
		t.Run(c.name, func(t *testing.T) {
			long.OneOf(t, 4)
			countingCase(t, c)
		})
	}
}
