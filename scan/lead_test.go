package scan_test

import (
	"slices"
	"testing"

	"comus/check/scancheck"
	"comus/internal/long"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

const leadHeader = barrierHeader + `
#define TOLD PTHREAD_BARRIER_SERIAL_THREAD
#define ROUNDS for (int k = 0; k < 9; k++)
struct w { int n, id; char low; } ws[8];
int input(void);
`

// checkLeads checks rules, and that the checker confirms what is proved and refuses what is not, though a certificate claims it of each location.
func checkLeads(t *testing.T, location string, list []ruled) {
	checkLeadsOf(t, leadHeader, location, list)
}

func checkLeadsOf(t *testing.T, header, location string, list []ruled) {
	checkRules(t, header, location, list)
	for i, c := range list {
		if !long.Turn(i, 6) {
			continue
		}
		t.Run(c.name+", claimed", func(t *testing.T) {
			p := load(t, text(t, header+c.src)).Program
			pts, err := pointsto.AnalyseOpen(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			for _, reason := range []string{certificate.Phased, certificate.Apart} {
				r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
				if err != nil {
					t.Fatal(err)
				}
				suspected := slices.IndexFunc(r.Locations, func(l *scan.Location) bool { return l.Name == location && l.Why == scan.Suspected })
				proved := slices.IndexFunc(r.Locations, func(l *scan.Location) bool { return l.Name == location })
				forge(r.Certificate, reason)
				rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
				if err != nil {
					t.Fatal(err)
				}
				if suspected >= 0 && rep.Certified(suspected) {
					t.Errorf("certified as %s", reason)
				}
				if suspected < 0 && proved >= 0 && !rep.Certified(proved) {
					t.Errorf("not certified: %s %v", rep.Wrong[proved], rep.Refused)
				}
			}
		})
	}
}

// TestLeads has one thread of many that writes what all of them read, behind a barrier.
func TestLeads(t *testing.T) {
	const init, init2 = "pthread_barrier_init(&bar, 0, 4);", "pthread_barrier_init(&bar, 0, 4); pthread_barrier_init(&bar2, 0, 2);"
	program := func(thread string) string { return rounds(init, "4", thread, "") }
	checkLeads(t, "g", []ruled{
		{"one writes", program("ROUNDS { if (id == 0) g = k; WAIT int z = g; WAIT }"), scan.Ordered},
		{"one writes, without a second barrier", program("ROUNDS { if (id == 0) g = k; WAIT int z = g; }"), scan.Suspected},
		{"one that is not another one", program("ROUNDS { if (!id) g = k; WAIT int z = g; WAIT }"), scan.Ordered},
		{"the other ones", program("ROUNDS { if (id) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"the third one, by a condition the other way round", program("ROUNDS { if (2 != id) { WAIT } else { g = k; WAIT } int z = g; WAIT }"), scan.Ordered},
		{"two of them", program("ROUNDS { if (id == 0) g = k; if (id == 1) g = 2; WAIT int z = g; WAIT }"), scan.Suspected},
		{"two of them, one after the other", program("ROUNDS { if (id == 0) g = k; WAIT if (id == 1) g = 2; WAIT int z = g; WAIT }"), scan.Ordered},
		{"one of two", program("ROUNDS { if (id == 0 || id == 1) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"less than two", program("ROUNDS { if (id < 2) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"half of its number", program("ROUNDS { if (id / 2 == 0) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"a bit of its number", program("ROUNDS { if ((id & 1) == 0) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"a truth value of its number", program("ROUNDS { if ((_Bool)id == 1) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"a byte of its number", program("ROUNDS { if ((unsigned char)id == 0) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"one more than its number", program("int next = id + 1; ROUNDS { if (next == 4) g = k; WAIT int z = g; WAIT }"), scan.Ordered},
		{"one more, and another one", program("int next = id + 1; ROUNDS { if (next == 1) g = k; if (id == 1) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"the number changes", program("ROUNDS { if (id == 0) g = k; WAIT int z = g; id = 0; WAIT }"), scan.Suspected},
		{"compared with what is no constant", program("ROUNDS { if (id == h) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"or anything else", program("ROUNDS { if (id == 0 || h) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"and anything else", program("ROUNDS { if (id == 0 && h) g = k; WAIT int z = g; WAIT }"), scan.Ordered},
		{"in a function", "static void lead(int k) { g = k; } " + program("ROUNDS { if (id == 0) lead(k); WAIT int z = g; WAIT }"), scan.Ordered},
		{"in a function that all call", "static void lead(int k) { g = k; } " + program("ROUNDS { if (id == 0) lead(k); lead(1); WAIT int z = g; WAIT }"), scan.Suspected},
		{"in a function that two call", "static void lead(int k) { g = k; } " + program("ROUNDS { if (id == 0) lead(k); if (id == 1) lead(1); WAIT int z = g; WAIT }"), scan.Suspected},
		{"a function that is told", "static void lead(int id, int k) { if (id == 0) g = k; } " + program("ROUNDS { lead(id, k); WAIT int z = g; WAIT }"), scan.Ordered},
		{"a function that is told two things", "static void lead(int id, int k) { if (id == 0) g = k; } " + program("ROUNDS { lead(id, k); lead(id - 1, k); WAIT int z = g; WAIT }"), scan.Suspected},
		{"all leave by what one has written", program("while (g < 9) { int z = g; WAIT if (id == 0) g++; WAIT }"), scan.Ordered},
		{"all leave by what one is writing", program("while (g < 9) { if (id == 0) g++; WAIT WAIT }"), scan.Suspected},
		{"others have the same numbers", "static void *work(void *p); static void more(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(long)i); } " + rounds("pthread_barrier_init(&bar, 0, 8); more();", "4", "ROUNDS { if (id == 0) g = k; WAIT int z = g; WAIT }", ""), scan.Suspected},
		{"all have the same number", "static void *work(void *p) { int id = (int)(long)p; ROUNDS { if (id == 0) g = k; WAIT int z = g; WAIT } return 0; } int main(void) { pthread_t t[4]; " + init + " for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)0); return 0; }", scan.Suspected},
		{"half of them have the same number", "static void *work(void *p) { int id = (int)(long)p; ROUNDS { if (id == 0) g = k; WAIT int z = g; WAIT } return 0; } int main(void) { pthread_t t[4]; " + init + " for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(long)(i % 2)); return 0; }", scan.Suspected},
		{"the creating thread is one of them", "static void *work(void *p) { int id = (int)(long)p; ROUNDS { if (id == 0) g = k; WAIT int z = g; WAIT } return 0; } int main(void) { pthread_t t[4]; " + init + " for (int i = 1; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(long)i); work((void *)0); return 0; }", scan.Suspected}, // right, but the creating thread has no number
		{"the creating thread is one of them, with the number of another one", "static void *work(void *p) { int id = (int)(long)p; ROUNDS { if (id == 1) g = k; WAIT int z = g; WAIT } return 0; } int main(void) { pthread_t t[4]; " + init + " for (int i = 1; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(long)i); work((void *)1); return 0; }", scan.Suspected},
		{"who is told", program("ROUNDS { if (pthread_barrier_wait(&bar) == TOLD) g = k; WAIT int z = g; WAIT }"), scan.Ordered},
		{"who is told, without a second barrier", program("ROUNDS { if (pthread_barrier_wait(&bar) == TOLD) g = k; int z = g; WAIT }"), scan.Suspected},
		{"who is told, and nobody else accesses it", program("ROUNDS { if (pthread_barrier_wait(&bar) == TOLD) g++; }"), scan.Ordered},
		{"who is told, kept in a local", program("ROUNDS { int r = pthread_barrier_wait(&bar); if (r == TOLD) { h = k; g = k; } WAIT int z = g; WAIT }"), scan.Ordered},
		{"who is told, by a function", "static void lead(int k) { g = k; } " + program("ROUNDS { int r = pthread_barrier_wait(&bar); if (r != TOLD) { } else lead(k); WAIT int z = g; WAIT }"), scan.Ordered},
		{"who was told, and has waited since", program("ROUNDS { int r = pthread_barrier_wait(&bar); int s = pthread_barrier_wait(&bar); if (r == TOLD) g = k; if (s == TOLD) g = 3; WAIT int z = g; WAIT }"), scan.Suspected},
		{"who was told, and waits then", program("ROUNDS { int r = pthread_barrier_wait(&bar); if (r == TOLD) { WAIT g = k; } else { if (pthread_barrier_wait(&bar) == TOLD) g = 3; } WAIT int z = g; WAIT }"), scan.Suspected},
		{"who was told in another turn", program("int r = 0; ROUNDS { if (r == TOLD) g = k; WAIT int z = g; r = pthread_barrier_wait(&bar); if (r == TOLD) g = 2; WAIT }"), scan.Suspected},
		{"who is not told", program("ROUNDS { if (pthread_barrier_wait(&bar) != TOLD) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"who is told something else", program("ROUNDS { if (pthread_barrier_wait(&bar) == 0) g = k; WAIT int z = g; WAIT }"), scan.Suspected},
		{"who is told by another barrier", rounds(init2, "4", "ROUNDS { if (pthread_barrier_wait(&bar2) == TOLD) g = k; WAIT int z = g; WAIT }", ""), scan.Suspected},
		{"who is told by a barrier for fewer", rounds("pthread_barrier_init(&bar, 0, 2);", "4", "ROUNDS { if (pthread_barrier_wait(&bar) == TOLD) g++; }", ""), scan.Suspected},
		{"who is told by one of two barriers", rounds(init+"pthread_barrier_init(&bar2, 0, 4);", "4", "ROUNDS { if (pthread_barrier_wait(&bar) == TOLD) g++; if (pthread_barrier_wait(&bar2) == TOLD) g++; }", ""), scan.Suspected}, // right, but only what one barrier says is compared
		{"who is told, or has a number", program("ROUNDS { if (pthread_barrier_wait(&bar) == TOLD) g++; if (id == 0) g++; WAIT }"), scan.Suspected},
		{"who is told, in some case only", program("ROUNDS { if (h || pthread_barrier_wait(&bar) == TOLD) g++; }"), scan.Suspected},
	})
}

// numbered is a program whose threads are given elements of an array, with numbers in them.
func numbered(array, put, thread, more string) string {
	return "static void *work(void *p) { struct w *w = p; " + thread + " return 0; } int main(int argc, char **argv) { pthread_t t[8]; " + array +
		" pthread_barrier_init(&bar, 0, 4); for (int i = 0; i < 4; i++) { " + put + " pthread_create(&t[i], 0, work, &ws[i]); " + more + " return 0; }"
}

// TestNumbers has threads that find their numbers in elements of an array that they are given.
func TestNumbers(t *testing.T) {
	const thread = "ROUNDS { if (w->id == 0) g = k; WAIT int z = g; WAIT }"
	const put = "ws[i].id = i;"
	checkLeads(t, "g", []ruled{
		{"put in", numbered("", put, thread, "}"), scan.Ordered},
		{"one more", numbered("", "ws[i].id = i + 1;", "ROUNDS { int id = w->id; if (id == 1) g = k; WAIT int z = g; WAIT }", "}"), scan.Ordered},
		{"put in, in a local", numbered("struct w ws[8];", put, thread, "}"), scan.Ordered},
		{"put in, in what is allocated", numbered("struct w *ws = calloc(8, sizeof *ws);", put, thread, "}"), scan.Ordered},
		{"as a whole", numbered("", "ws[i] = (struct w){ 7, i, 0 };", thread, "}"), scan.Ordered},
		{"as a whole, the other member", numbered("", "ws[i] = (struct w){ i, 7, 0 };", thread, "}"), scan.Suspected},
		{"as a whole, from a local", numbered("", "struct w x = { 7, 0, 0 }; x.id = i; ws[i] = x;", thread, "}"), scan.Ordered},
		{"as a whole, from a local that changes", numbered("", "struct w x = { 7, 0, 0 }; x.id = i; x.id = 0; ws[i] = x;", thread, "}"), scan.Suspected},
		{"as a whole, from a local that others know", numbered("", "struct w x = { 7, 0, 0 }, *q = argc > 1 ? &x : ws; x.id = i; q->id = 0; ws[i] = x;", thread, "}"), scan.Suspected},
		{"as a whole, from a local that is filled then", numbered("", "struct w x; x.id = i; memset(&x, 0, sizeof x); ws[i] = x;", thread, "}"), scan.Suspected},
		{"in two threads the same", numbered("", "ws[i].id = i / 2;", thread, "}"), scan.Suspected},
		{"always the same", numbered("", "ws[i].id = 0;", thread, "}"), scan.Suspected},
		{"nothing", numbered("", "", thread, "}"), scan.Suspected},
		{"in some case", numbered("", "if (argc > 2) ws[i].id = i;", thread, "}"), scan.Suspected},
		{"one of two numbers", numbered("", "if (argc > 2) ws[i].id = i; else ws[i].id = 3 - i;", thread, "}"), scan.Suspected}, // right, but the number is not one plus a constant
		{"one of two numbers that meet", numbered("", "if (i > 2) ws[i].id = i; else ws[i].id = i + 1;", thread, "}"), scan.Suspected},
		{"in the next element", numbered("", "ws[i + 1].id = i;", thread, "}"), scan.Suspected},
		{"in the next element, too", numbered("", put+" ws[i + 1].id = i;", thread, "}"), scan.Suspected},
		{"afterwards", numbered("", "", thread, "ws[i].id = i; }"), scan.Suspected},
		{"the thread changes it", numbered("", put, "ROUNDS { if (w->id == 0) g = k; WAIT int z = g; w->id = 0; WAIT }", "}"), scan.Suspected},
		{"the thread changes another member", numbered("", put, "ROUNDS { if (w->id == 0) g = k; WAIT int z = g; w->n = 0; WAIT }", "}"), scan.Ordered},
		{"the creating thread changes all later", numbered("", put, thread, "} for (int i = 0; i < 4; i++) ws[i].id = 0;"), scan.Suspected},
		{"another function changes one", "static void reset(struct w *w) { w->id = 0; } " + numbered("", put+" if (argc > 3) reset(&ws[i]);", thread, "}"), scan.Suspected},
		{"code outside gets to know it", "void use(struct w *w); " + numbered("", put+" use(&ws[i]);", thread, "}"), scan.Suspected},
		{"all filled before", numbered("memset(ws, 0, sizeof ws);", put, thread, "}"), scan.Suspected}, // right, but nothing else may write it
		{"all filled later", numbered("", put, thread, "} memset(ws, 0, sizeof ws);"), scan.Suspected},
		{"a byte", numbered("", "ws[i].low = i;", "ROUNDS { if (w->low == 0) g = k; WAIT int z = g; WAIT }", "}"), scan.Suspected},
		{"read as a byte", numbered("", put, "ROUNDS { if (*(char *)&w->id == 0) g = k; WAIT int z = g; WAIT }", "}"), scan.Suspected},
		{"of the first element", numbered("", put, "ROUNDS { if (ws[0].id == 0) g = k; WAIT int z = g; WAIT }", "}"), scan.Suspected},
		{"of the next element", numbered("", put, "ROUNDS { if (w[1].id == 1) g = k; if (w->id == 1) g = k; WAIT int z = g; WAIT }", "}"), scan.Suspected},
		{"by a function", "static int first(struct w *w) { return w->id == 0; } static void lead(struct w *w, int k) { if (w->id == 0) g = k; } " + numbered("", put, "ROUNDS { lead(w, k); WAIT int z = g; WAIT }", "}"), scan.Ordered},
		{"by a function, of the first one, too", "static void lead(struct w *w, int k) { if (w->id == 0) g = k; } " + numbered("", put, "ROUNDS { lead(w, k); lead(ws, 2); WAIT int z = g; WAIT }", "}"), scan.Suspected},
		{"given the first element", "static void *work(void *p) { struct w *w = p; " + thread + " return 0; } int main(void) { pthread_t t[8]; pthread_barrier_init(&bar, 0, 4); for (int i = 0; i < 4; i++) { ws[i].id = i; pthread_create(&t[i], 0, work, &ws[0]); } return 0; }", scan.Suspected},
		{"one local for all", "static void *work(void *p) { struct w *w = p; " + thread + " return 0; } int main(void) { pthread_t t[8]; struct w x; pthread_barrier_init(&bar, 0, 4); for (int i = 0; i < 4; i++) { x.id = i; pthread_create(&t[i], 0, work, &x); } return 0; }", scan.Suspected},
		{"in a loop before", "static void *work(void *p) { struct w *w = p; " + thread + " return 0; } int main(void) { pthread_t t[8]; for (int i = 0; i < 4; i++) ws[i].id = i; pthread_barrier_init(&bar, 0, 4); for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, &ws[i]); return 0; }", scan.Ordered},
		{"in two runs of the loop", "static void *work(void *p) { struct w *w = p; " + thread + " return 0; } int main(void) { pthread_t t[8]; pthread_barrier_init(&bar, 0, 8); for (int k = 0; k < 2; k++) for (int i = 0; i < 4; i++) { ws[i].id = i; pthread_create(&t[i], 0, work, &ws[i]); } return 0; }", scan.Suspected},
		{"by two loops", "static void *work(void *p) { struct w *w = p; " + thread + " return 0; } int main(void) { pthread_t t[8]; pthread_barrier_init(&bar, 0, 8); for (int i = 0; i < 4; i++) { ws[i].id = i; pthread_create(&t[i], 0, work, &ws[i]); } for (int i = 4; i < 8; i++) { ws[i].id = i - 4; pthread_create(&t[i], 0, work, &ws[i]); } return 0; }", scan.Suspected},
	})
	const own = "ROUNDS { data[w->id] = k; WAIT out[w->id] = data[0] + data[1]; WAIT }"
	checkLeads(t, "data[…]", []ruled{
		{"its element", numbered("", put, own, "}"), scan.Ordered},
		{"its element, without a second barrier", numbered("", put, "ROUNDS { data[w->id] = k; WAIT out[w->id] = data[0]; }", "}"), scan.Suspected},
		{"one element of two", numbered("", "ws[i].id = i / 2;", own, "}"), scan.Suspected},
		{"its element and the next one", numbered("", put, "ROUNDS { data[w->id] = k; data[w->id + 1] = k; WAIT out[w->id] = data[0]; WAIT }", "}"), scan.Suspected},
		{"two elements of its own", numbered("", put, "ROUNDS { data[2 * w->id] = k; data[w->id * 2 + 1] = k; WAIT out[w->id] = data[0]; WAIT }", "}"), scan.Ordered},
		{"three elements, of which two are its own", numbered("", put, "ROUNDS { for (int j = 0; j < 3; j++) data[w->id * 2 + j] = k; WAIT out[w->id] = data[0]; WAIT }", "}"), scan.Suspected},
		{"two elements of its own, in a loop", numbered("", put, "ROUNDS { for (int j = 0; j < 2; j++) data[w->id * 2 + j] = k; WAIT out[w->id] = data[0]; WAIT }", "}"), scan.Ordered},
		{"elements of its row", numbered("h = argc;", put, "ROUNDS { for (int j = 0; j < h; j++) data[w->id * h + j] = k; WAIT out[w->id] = data[0]; WAIT }", "}"), scan.Ordered},
		{"elements of its row, whose length changes", numbered("h = argc;", put, "ROUNDS { for (int j = 0; j < h; j++) data[w->id * h + j] = k; WAIT out[w->id] = data[0]; WAIT }", "} h = 3;"), scan.Suspected},
	})
}

// TestBands has threads that divide an array among them by their numbers.
func TestBands(t *testing.T) {
	const header = leadHeader + "int big[1000], rows, count, other; long wide[1000]; unsigned urows;\n"
	band := func(before, lo, hi, body string) string {
		return rounds("rows = n; count = 4; urows = n;", "4", before+" int lo = "+lo+", hi = "+hi+"; for (int i = lo; i < hi; i++) "+body, "")
	}
	const own = "big[i]++;"
	checkLeadsOf(t, header, "big[…]", []ruled{
		{"quotients", band("", "rows * id / count", "rows * (id + 1) / count", own), scan.ThreadLocal},
		{"quotients, and one", band("", "1 + rows * id / count", "1 + rows * (id + 1) / count", own), scan.ThreadLocal},
		{"quotients of something less", band("int r = rows - 2;", "1 + r * id / count", "1 + r * (id + 1) / count", own), scan.ThreadLocal},
		{"products", band("", "id * rows", "(id + 1) * rows", own), scan.ThreadLocal},
		{"products of constants", band("", "id * 100", "id * 100 + 100", own), scan.ThreadLocal},
		{"as far as a chunk", band("", "id * rows", "lo + rows", own), scan.ThreadLocal},
		{"in steps", rounds("", "4", "for (int i = id * 100; i < (id + 1) * 100; i += 3) big[i]++;", ""), scan.ThreadLocal},
		{"by a function", "static void all(int lo, int hi) { for (int i = lo; i < hi; i++) big[i]++; } " + rounds("", "4", "all(id * 100, (id + 1) * 100);", ""), scan.ThreadLocal},
		{"by a while", rounds("", "4", "int i = id * 100; while (1) { if (i >= id * 100 + 100) break; big[i]++; i++; }", ""), scan.ThreadLocal},
		{"by its element", numbered("", "ws[i].id = i;", "int lo = w->id * 100, hi = lo + 100; for (int i = lo; i < hi; i++) big[i]++;", "}"), scan.ThreadLocal},
		{"rows", band("int m = 10;", "rows * id / count", "rows * (id + 1) / count", "for (int j = 0; j < 10; j++) big[i * 10 + j]++;"), scan.ThreadLocal},
		{"rows of a number", rounds("rows = n; other = n; count = 4;", "4", "for (int i = rows * id / count; i < rows * (id + 1) / count; i++) for (int j = 0; j < other; j++) big[i * other + j]++;", ""), scan.ThreadLocal},
		{"one too many", band("", "rows * id / count", "rows * (id + 1) / count", "big[i + 1] = big[i];"), scan.Suspected},
		{"up to the end", band("", "rows * id / count", "rows * (id + 1) / count + 1", own), scan.Suspected},
		{"up to and with the end", rounds("", "4", "for (int i = id * 100; i <= (id + 1) * 100; i++) big[i]++;", ""), scan.Suspected},
		{"from one before", band("", "rows * id / count - 1", "rows * (id + 1) / count", own), scan.Suspected},
		{"two bands", band("", "rows * id / count", "rows * (id + 2) / count", own), scan.Suspected},
		{"other sizes", band("", "rows * id / count", "other * (id + 1) / count", own), scan.Suspected},
		{"other counts", band("", "rows * id / count", "rows * (id + 1) / other", own), scan.Suspected},
		{"a size that changes", rounds("rows = n; count = 4;", "4", "int lo = rows * id / count, hi = rows * (id + 1) / count; for (int i = lo; i < hi; i++) big[i]++;", "rows = 3;"), scan.Suspected},
		{"a count that changes", rounds("rows = n; count = 4;", "4", "int lo = rows * id / count, hi = rows * (id + 1) / count; for (int i = lo; i < hi; i++) big[i]++;", "count = 3;"), scan.Suspected},
		{"a size that each thread changes", band("if (h) rows++;", "rows * id / count", "rows * (id + 1) / count", own), scan.Suspected},
		{"without an end", rounds("rows = n; count = 4;", "4", "int lo = rows * id / count; for (int i = lo; i < rows; i++) big[i]++;", ""), scan.Suspected},
		{"without a beginning", rounds("rows = n; count = 4;", "4", "int hi = rows * (id + 1) / count; for (int i = 0; i < hi; i++) big[i]++;", ""), scan.Suspected},
		{"down from the end", rounds("rows = n; count = 4;", "4", "int hi = rows * (id + 1) / count; for (int i = hi; i > 0; i--) big[i]++;", ""), scan.Suspected},
		{"counts down inside", band("", "rows * id / count", "rows * (id + 1) / count", "{ big[i]++; if (h) i--; }"), scan.Suspected},
		{"counts on before", band("", "rows * id / count", "rows * (id + 1) / count", "{ i++; big[i]++; }"), scan.ThreadLocal}, // each thread's are one further on
		{"counts on in between", band("", "rows * id / count", "rows * (id + 1) / count", "{ big[i]++; i++; big[i]++; }"), scan.Suspected},
		{"jumps", band("", "rows * id / count", "rows * (id + 1) / count", "{ big[i]++; if (h) i = 0; }"), scan.Suspected},
		{"the end moves", band("", "rows * id / count", "rows * (id + 1) / count", "{ big[i]++; hi++; }"), scan.Suspected},
		{"a remainder", band("", "rows * id % count", "rows * (id + 1) % count", own), scan.Suspected},
		{"a product of a quotient", band("", "id / 2 * rows", "(id / 2 + 1) * rows", own), scan.Suspected},
		{"divided first", band("", "rows / count * id", "rows / count * (id + 1)", own), scan.Suspected}, // right, but a quotient is no factor
		{"without a sign", rounds("urows = n;", "4", "for (unsigned i = urows * id / 4; i < urows * (id + 1) / 4; i++) big[i]++;", ""), scan.Suspected},
		{"half a sign", rounds("", "4", "for (long i = (long)id * 100; i < ((long)(unsigned)id + 1) * 100; i++) big[i]++;", ""), scan.Suspected},
		{"a size without a sign", rounds("rows = n;", "4", "for (long i = (long)id * rows; i < ((long)id + 1) * (long)(unsigned)rows; i++) big[i]++;", ""), scan.Suspected},
		{"the same number twice", "static void *work(void *p) { int id = (int)(long)p; for (int i = id * 100; i < (id + 1) * 100; i++) big[i]++; return 0; } int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(long)(i / 2)); return 0; }", scan.Suspected},
		{"another number", band("int d = id; if (h) d++;", "d * 100", "(d + 1) * 100", own), scan.Suspected},
		{"the beginning of another one", band("", "(id - 1) * 100", "(id + 1) * 100", own), scan.Suspected},
		{"wider steps than rows", band("", "rows * id / count", "rows * (id + 1) / count", "for (int j = 0; j < 11; j++) big[i * 10 + j]++;"), scan.Suspected},
	})
}
