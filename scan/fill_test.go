package scan_test

import (
	"slices"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
)

// TestFilledBefore has threads that find their numbers in elements which were filled by a loop, or by a function, before the threads were created.
func TestFilledBefore(t *testing.T) {
	const up, create = "for (int i = 0; i < n; i++) ", "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, &ws[i]);"
	const join = " for (int i = 0; i < n; i++) pthread_join(t[i], 0); "
	const work = "static void *work(void *p) { struct w *w = p; data[w->id]++; return 0; } "
	of := func(more, body string) string {
		return more + "int main(int argc, char **argv) { pthread_t t[8]; int n = argc > 4 ? 4 : argc, m = n + 1; " + body + join + " return 0; }"
	}
	// with fills in its own way, and does something between.
	with := func(fill, between string) string { return of(work, fill+between+create) }
	const good = up + "ws[i].id = i;"
	const heap = "struct w *ws = calloc(n + 1, sizeof *ws); "
	helper := func(body, call string) string {
		return of(work+"static void set(struct w *x, int k) { "+body+" } ", up+call+create)
	}
	inside := func(body, before string) string { // the function that creates the thread puts its number in
		return of(work+"static pthread_t t2[8]; static void start(int i, int some) { "+body+" } ", up+"{ "+before+" start(i, argc); }")
	}
	const createIt = "pthread_create(&t2[i], 0, work, &ws[i]);"
	checkLeadsOf(t, leadHeader, "data[…]", []ruled{
		{"before", with(good, ""), scan.ThreadLocal},
		{"another member, too", with(up+"{ ws[i].n = 7; ws[i].id = i; }", ""), scan.ThreadLocal},
		{"one more", with(up+"ws[i].id = i + 1;", ""), scan.ThreadLocal},
		{"by a while", with("int k = 0; while (k < n) { ws[k].id = k; k++; }", ""), scan.ThreadLocal},
		{"on the heap", with(heap+good, ""), scan.ThreadLocal},
		{"in a local array", with("struct w ws[8]; "+good, ""), scan.ThreadLocal},
		{"by a pointer that is a global", of("struct w *ptr; "+work, "ptr = calloc(n, sizeof *ptr); "+up+"ptr[i].id = i;"+up+"pthread_create(&t[i], 0, work, &ptr[i]);"), scan.ThreadLocal},
		{"constants", of(work, "n = 8; for (int i = 0; i < 8; i++) ws[i].id = i; for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, &ws[i]);"), scan.ThreadLocal},
		{"downwards", of(work, "for (int i = n - 1; i >= 0; i--) ws[i].id = i; for (int i = n - 1; i >= 0; i--) pthread_create(&t[i], 0, work, &ws[i]);"), scan.ThreadLocal},
		{"as a whole", with(up+"ws[i] = (struct w){ 7, i, 0 };", ""), scan.ThreadLocal},
		{"and in the same turn", of(work, good+up+"{ ws[i].id = i; pthread_create(&t[i], 0, work, &ws[i]); }"), scan.ThreadLocal},
		{"and perhaps in the same turn", of(work, good+up+"{ if (argc > 2) ws[i].id = i; pthread_create(&t[i], 0, work, &ws[i]); }"), scan.ThreadLocal},
		{"twice", with(good+good, ""), scan.ThreadLocal},
		{"by a function", helper("x->id = k;", "set(&ws[i], i);"), scan.ThreadLocal},
		{"elements that overlap", of("struct __attribute__((packed)) pk { int id; }; static char buf[64]; static void *work(void *p) { struct pk *w = p; data[w->id]++; return 0; } ", up+"((struct pk *)(buf + i))->id = i;"+up+"pthread_create(&t[i], 0, work, buf + i);"), scan.Suspected},
		{"by a function, one more", helper("x->n = 3; if (k > 7) return; x->id = k + 1;", "set(&ws[i], i);"), scan.Suspected}, // not always
		{"by a function, as a whole", helper("*x = (struct w){ 1, k, 2 };", "set(&ws[i], i);"), scan.ThreadLocal},
		{"by a function that is given the array", helper("x[k].id = k;", "set(ws, i);"), scan.ThreadLocal},
		{"by a function, in the same turn", of(work+"static void set(struct w *x, int k) { x->id = k; } ", up+"{ set(&ws[i], i); pthread_create(&t[i], 0, work, &ws[i]); }"), scan.ThreadLocal},
		{"by who creates it", inside("ws[i].id = i; "+createIt, ""), scan.ThreadLocal},
		{"before who creates it", inside(createIt, "ws[i].id = i;"), scan.ThreadLocal},
		{"elements that are reached by a pointer", of("static int *mine; static void *work(void *p) { struct w *w = p; mine[w->id] = 1; return 0; } ", "mine = data; "+good+create), scan.ThreadLocal},
		{"in a function", of("static void put(int at, int what) { data[at] = what; } static void *work(void *p) { struct w *w = p; put(w->id, 1); return 0; } ", good+create), scan.ThreadLocal},

		{"half", with(up+"ws[i].id = i / 2;", ""), scan.Suspected},
		{"a remainder", with(up+"ws[i].id = i % 2;", ""), scan.Suspected},
		{"bits", with(up+"ws[i].id = i & 1;", ""), scan.Suspected},
		{"the same", with(up+"ws[i].id = 0;", ""), scan.Suspected},
		{"a byte", with(up+"ws[i].id = (char)i;", ""), scan.Suspected},
		{"what something else holds", with(up+"ws[i].id = h;", ""), scan.Suspected},
		{"fewer", with("for (int i = 0; i < n - 1; i++) ws[i].id = i;", ""), scan.Suspected},
		{"more", with("for (int i = 0; i < m; i++) ws[i].id = i;", ""), scan.Suspected}, // right, but the loops do not run equally often
		{"from one on", with("for (int i = 1; i < n; i++) ws[i].id = i;", ""), scan.Suspected},
		{"each second one", with("for (int i = 0; i < n; i += 2) ws[i].id = i;", ""), scan.Suspected},
		{"until one is there", with(up+"{ if (data[i]) break; ws[i].id = i; }", ""), scan.Suspected},
		{"until a jump", with(up+"{ if (data[i]) goto out; ws[i].id = i; } out:;", ""), scan.Suspected},
		{"but one", with(up+"{ if (i == 1) continue; ws[i].id = i; }", ""), scan.Suspected},
		{"in some case", with(up+"if (argc > 2) ws[i].id = i;", ""), scan.Suspected},
		{"perhaps at all", with("if (argc > 2) "+good, ""), scan.Suspected},
		{"perhaps not, by a jump", with("if (argc > 2) goto out; "+good+" out:;", ""), scan.Suspected},
		{"one number too many", with(good, " n = n + 1;"), scan.Suspected},
		{"one number too many in some case", with(good, " if (argc > 3) n++;"), scan.Suspected},
		{"the next element", with(up+"ws[i + 1].id = i;", ""), scan.Suspected},
		{"the number of the next one", with(up+"ws[i + 1].id = i + 1;", ""), scan.Suspected},
		{"another member", with(up+"ws[i].n = i;", ""), scan.Suspected},
		{"another array", with("struct w xs[8]; "+up+"xs[i].id = i;", ""), scan.Suspected},
		{"another array, by a pointer", of(work, "struct w *q = calloc(8, sizeof *q); "+up+"q[i].id = i; q = calloc(8, sizeof *q);"+up+"pthread_create(&t[i], 0, work, &q[i]);"), scan.Suspected},
		{"another array in some case", of(work, "struct w *q = calloc(8, sizeof *q); "+up+"q[i].id = i; if (argc > 2) q = calloc(8, sizeof *q);"+up+"pthread_create(&t[i], 0, work, &q[i]);"), scan.Suspected},
		{"another array by a global", of("struct w *ptr; "+work, "ptr = calloc(n, sizeof *ptr); "+up+"ptr[i].id = i; ptr = calloc(n, sizeof *ptr); "+up+"pthread_create(&t[i], 0, work, &ptr[i]);"), scan.Suspected},
		{"another array by a global, in a function", of("struct w *ptr; static void again(int n) { ptr = calloc(n, sizeof *ptr); } "+work, "again(n); "+up+"ptr[i].id = i; again(n); "+up+"pthread_create(&t[i], 0, work, &ptr[i]);"), scan.Suspected},
		{"another array by a global, in a thread", of("struct w *ptr; static void *again(void *p) { ptr = calloc(8, sizeof *ptr); return 0; } "+work, "ptr = calloc(n, sizeof *ptr); pthread_create(&a, 0, again, 0); "+up+"ptr[i].id = i; "+up+"pthread_create(&t[i], 0, work, &ptr[i]);"), scan.Suspected},
		{"another array by a global, in the turn", of("struct w *ptr; "+work, "ptr = calloc(n, sizeof *ptr); "+up+"{ ptr[i].id = i; if (argc > 2) ptr = calloc(n, sizeof *ptr); pthread_create(&t[i], 0, work, &ptr[i]); }"), scan.Suspected},
		{"the array grows", of(work, "struct w *q = calloc(n, sizeof *q); "+up+"q[i].id = i; q = realloc(q, 9 * sizeof *q); "+up+"pthread_create(&t[i], 0, work, &q[i]);"), scan.Suspected}, // right, but what realloc copies is not followed
		{"further on", of(work, "struct w *q = ws; "+up+"q[i].id = i; q++; "+up+"pthread_create(&t[i], 0, work, &q[i]);"), scan.Suspected},
		{"further on, in between", of(work, "struct w *q = ws; "+up+"q[i].id = i; q++; "+up+"q[i].id = i; q--; "+up+"pthread_create(&t[i], 0, work, &q[i]);"), scan.Suspected},
		{"further on, there is another number", of(work, "struct w *q = ws + 1; "+up+"{ q[i].id = i; q--; } q = ws; "+up+"pthread_create(&t[i], 0, work, &q[i]);"), scan.Suspected},
		{"further on each time", of(work, "for (int r = 0; r < 2; r++) { struct w *q = ws + r; "+up+"q[i].id = i; "+up+"pthread_create(&t[i], 0, work, &q[i]); }"), scan.Suspected},
		{"each time", of(work, "for (int r = 0; r < 2; r++) { "+good+create+" }"), scan.Suspected},
		{"each time, when the others have ended", of(work, "for (int r = 0; r < 2; r++) { "+good+create+join+" }"), scan.ThreadLocal},
		{"further on each time, before the others have ended", of(work, "struct w *q = ws; for (int r = 0; r < 2; r++) { "+up+"q[i].id = i; if (r)"+join+up+"pthread_create(&t[i], 0, work, &q[i]); q++; }"), scan.Suspected},
		{"one is changed", with(good, " ws[1].id = 0;"), scan.Suspected},
		{"one is changed in some case", with(good, " if (argc > 2) ws[1].id = 0;"), scan.Suspected},
		{"one is changed later", of(work, good+create+" ws[1].id = 0;"), scan.Suspected},
		{"all are changed later", of(work, good+create+up+"ws[i].id = i + 1;"), scan.Suspected},
		{"all are written again later", of(work, good+create+good), scan.Suspected}, // right for these elements, but it races with the threads
		{"two change places", with(good, " struct w x = ws[0]; ws[0] = ws[1]; ws[1] = x; ws[2] = ws[1];"), scan.Suspected},
		{"sorted", with(good, " int by(const void *, const void *); qsort(ws, n, sizeof *ws, by);"), scan.Suspected},
		{"cleared", with(good, " memset(ws, 0, sizeof ws);"), scan.Suspected},
		{"copied from elsewhere", with("struct w xs[8]; memset(xs, 0, sizeof xs);"+good, " memcpy(ws, xs, sizeof ws);"), scan.Suspected},
		{"by another type", with(good, " int *z = (int *)ws; z[1] = z[4];"), scan.Suspected},
		{"the thread changes it", of("static void *work(void *p) { struct w *w = p; data[w->id]++; w->id = 0; return 0; } ", good+create), scan.Suspected},
		{"the thread changes its neighbour's", of("static void *work(void *p) { struct w *w = p; w[1].id = 0; data[w->id]++; return 0; } ", good+create), scan.Suspected},
		{"the thread uses its neighbour's", of("static void *work(void *p) { struct w *w = p; data[w->id]++; data[w[1].id]++; return 0; } ", good+create), scan.Suspected},
		{"the thread uses the next one", of("static void *work(void *p) { struct w *w = p; data[w->id]++; data[w->id + 1]++; return 0; } ", good+create), scan.Suspected},
		{"the thread uses half", of("static void *work(void *p) { struct w *w = p; data[w->id / 2]++; return 0; } ", good+create), scan.Suspected},
		{"all are given the first one", of(work, good+up+"pthread_create(&t[i], 0, work, &ws[0]);"), scan.Suspected},
		{"two are given one", of(work, good+up+"pthread_create(&t[i], 0, work, &ws[i / 2]);"), scan.Suspected},
		{"each is given to two", of(work, good+create+up+"pthread_create(&t[i], 0, work, &ws[i]);"), scan.Suspected},
		{"each is given to two, in one turn", of(work, good+up+"{ pthread_create(&t[i], 0, work, &ws[i]); pthread_create(&a, 0, work, &ws[i]); }"), scan.Suspected},
		{"the other way round", of(work, good+"for (int i = n - 1; i >= 0; i--) pthread_create(&t[i], 0, work, &ws[i]);"), scan.Suspected}, // right, but the loops are not alike
		{"another number of threads", of(work, good+"for (int i = 0; i < m; i++) pthread_create(&t[i], 0, work, &ws[i]);"), scan.Suspected},
		{"main takes part", of(work, good+create+" work(&ws[0]);"), scan.Suspected},
		{"filled inside", of(work, up+"{ for (int j = 0; j < n; j++) ws[j].id = i; pthread_create(&t[i], 0, work, &ws[i]); }"), scan.Suspected},
		{"created inside", of(work, up+"{ ws[i].id = i; for (int j = 0; j < n; j++) pthread_create(&t[j], 0, work, &ws[j]); }"), scan.Suspected},
		{"filled later", of(work, create+good), scan.Suspected},
		{"a number that goes on twice", with("for (int i = 0; i < n; i++) { ws[i].id = i; i++; }", ""), scan.Suspected},
		{"by a jump back", of(work, "int r = 0; back: "+good+create+" if (r++ < 1) goto back;"), scan.Suspected},
		{"a jump in between", of(work, "int r = 0; "+good+" back: "+create+" if (r++ < 1) { n = m; goto back; }"), scan.Suspected},

		{"by a function, half", helper("x->id = k / 2;", "set(&ws[i], i);"), scan.Suspected},
		{"by a function, given half", helper("x->id = k;", "set(&ws[i], i / 2);"), scan.Suspected},
		{"by a function, in some case", helper("if (h) x->id = k;", "set(&ws[i], i);"), scan.Suspected},
		{"by a function, called in some case", helper("x->id = k;", "if (h) set(&ws[i], i);"), scan.Suspected},
		{"by a function, for the next one", helper("x->id = k;", "set(&ws[i + 1], i);"), scan.Suspected},
		{"by a function, for the next one there", helper("x++; x->id = k;", "set(&ws[i], i);"), scan.Suspected},
		{"by a function, with another number", helper("k = 0; x->id = k;", "set(&ws[i], i);"), scan.Suspected},
		{"by a function, with another number in some case", helper("if (h) k = 0; x->id = k;", "set(&ws[i], i);"), scan.Suspected},
		{"by a function that is called elsewhere", of(work+"static void set(struct w *x, int k) { x->id = k; } ", up+"set(&ws[i], i); set(&ws[1], 0); "+create), scan.Suspected},
		{"by a function that another thread calls", of(work+"static void set(struct w *x, int k) { x->id = k; } static void *one(void *p) { set(ws, 1); return 0; } ", "pthread_create(&a, 0, one, 0); "+up+"set(&ws[i], i); "+create), scan.Suspected},
		{"by a function that calls itself", of(work+"static void set(struct w *x, int k) { x->id = k; if (k > 0 && h) set(x, k - 1); } ", up+"set(&ws[i], i); "+create), scan.Suspected},
		{"by a function by its pointer", of(work+"static void set(struct w *x, int k) { x->id = k; } static void zero(struct w *x, int k) { x->id = 0; } void (*how)(struct w *, int) = set; ", up+"how(&ws[i], i); "+create+" how = zero;"), scan.Suspected},
		{"by a function that creates it, in some case", inside("if (some > 2) ws[i].id = i; "+createIt, ""), scan.Suspected},
		{"before a function that creates it, in some case", inside(createIt, "if (argc > 2) ws[i].id = i;"), scan.Suspected},
		{"by a function that creates it, afterwards", inside(createIt+" ws[i].id = i;", ""), scan.Suspected},
		{"by a function that creates it, half", inside("ws[i].id = i / 2; "+createIt, ""), scan.Suspected},
		{"by a function that creates it, another number", inside("i = 0; ws[i].id = i; "+createIt, ""), scan.Suspected},
		{"by a function that creates it, behind a jump", inside("if (some > 2) goto out; ws[i].id = i; out: "+createIt, ""), scan.Suspected},
		{"by a function that calls itself for the next ones", "static void *work(void *p) { struct w *w = p; data[w->id]++; return 0; } static void run(struct w *q, int d, int n) { pthread_t t[8]; " + up + "q[i].id = i; if (d > 0) run(q + 1, d - 1, n); " + up + "pthread_create(&t[i], 0, work, &q[i]); " + join + "} int main(int argc, char **argv) { run(ws, 1, 4); return 0; }", scan.Suspected},
		{"by a function that is called for the next ones", "static void *work(void *p) { struct w *w = p; data[w->id]++; return 0; } static void run(struct w *q, int n) { pthread_t t[8]; " + up + "q[i].id = i; " + up + "pthread_create(&t[i], 0, work, &q[i]); " + join + "} int main(int argc, char **argv) { run(ws, 4); run(ws + 1, 4); return 0; }", scan.ThreadLocal},
		{"by a function that is called for the next ones before the others have ended", "static void *work(void *p) { struct w *w = p; data[w->id]++; return 0; } static void run(struct w *q, int n) { pthread_t t[8]; " + up + "q[i].id = i; " + up + "pthread_create(&t[i], 0, work, &q[i]); } int main(int argc, char **argv) { run(ws, 4); run(ws + 1, 4); return 0; }", scan.Suspected},
	})
}

// TestKeptPointers has threads that find the array with their elements in what they are given.
func TestKeptPointers(t *testing.T) {
	const header = leadHeader + "struct v { int id; int *to, *too; } vs[8]; int *mine = data; "
	const work = "static void *work(void *p) { struct v *v = p; v->to[v->id] = 1; return 0; } "
	const create = "for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, &vs[i]);"
	of := func(more, body string) string {
		return more + "int main(int argc, char **argv) { pthread_t t[8]; int n = argc > 4 ? 4 : argc; int *q = data; " + body + " for (int i = 0; i < n; i++) pthread_join(t[i], 0); return 0; }"
	}
	with := func(to, between string) string {
		return of(work, "for (int i = 0; i < n; i++) { vs[i].id = i; "+to+" } "+between+create)
	}
	thread := func(body string) string {
		return of("static void *work(void *p) { struct v *v = p; "+body+" return 0; } ", "for (int i = 0; i < n; i++) { vs[i].id = i; vs[i].to = data; vs[i].too = data + 1; } "+create)
	}
	helper := func(body, call string) string {
		return of(work+"static void set(struct v *v, int k, int *to) { "+body+" } ", "for (int i = 0; i < n; i++) "+call+create)
	}
	checkLeadsOf(t, header, "data[…]", []ruled{
		{"an array", with("vs[i].to = data;", ""), scan.ThreadLocal},
		{"behind its beginning", with("vs[i].to = data + 1;", ""), scan.ThreadLocal},
		{"a local", with("vs[i].to = q;", ""), scan.ThreadLocal},
		{"a global", with("vs[i].to = mine;", ""), scan.ThreadLocal},
		{"in the same turn", of(work, "for (int i = 0; i < n; i++) { vs[i].id = i; vs[i].to = q; pthread_create(&t[i], 0, work, &vs[i]); }"), scan.ThreadLocal},
		{"as a whole", of(work, "for (int i = 0; i < n; i++) vs[i] = (struct v){ i, q, 0 }; "+create), scan.ThreadLocal},
		{"by a function", helper("v->id = k; v->to = to;", "set(&vs[i], i, q);"), scan.ThreadLocal},
		{"by a function, an array", helper("v->id = k; v->to = data;", "set(&vs[i], i, q);"), scan.ThreadLocal},
		{"in a function", of("static void put(int *to, int at) { to[at] = 1; } static void *work(void *p) { struct v *v = p; put(v->to, v->id); return 0; } ", "for (int i = 0; i < n; i++) { vs[i].id = i; vs[i].to = data; } "+create), scan.ThreadLocal},
		{"kept in a local", thread("int *to = v->to; for (int k = 0; k < 3; k++) to[v->id]++;"), scan.ThreadLocal},

		{"in some case", with("if (h) vs[i].to = data;", ""), scan.Suspected},
		{"one of two", with("vs[i].to = h ? data : data + 1;", ""), scan.Suspected},
		{"another one", with("vs[i].to = data; if (i == 1) vs[i].to = data - 1;", ""), scan.Suspected},
		{"further on", with("vs[i].to = data + i;", ""), scan.Suspected}, // right, as they are two apart
		{"further back", with("vs[i].to = data + 4 - i;", ""), scan.Suspected},
		{"further back, by a local", with("vs[i].to = q; q--;", ""), scan.Suspected},
		{"further back, by a local in some case", with("vs[i].to = q; if (h) q--;", ""), scan.Suspected},
		{"further back, by a global", with("vs[i].to = mine; mine--;", ""), scan.Suspected},
		{"further back, by a function", of("static void back(void) { mine--; } "+work, "for (int i = 0; i < n; i++) { vs[i].id = i; vs[i].to = mine; back(); } "+create), scan.Suspected},
		{"further back, by a thread", of("static void *back(void *p) { mine--; return 0; } "+work, "pthread_create(&a, 0, back, 0); for (int i = 0; i < n; i++) { vs[i].id = i; vs[i].to = mine; } "+create), scan.Suspected},
		{"further back, the first ones", of(work, "for (int i = 0; i < n; i++) { vs[i].id = i; vs[i].to = q; } q--; for (int i = 0; i < n; i++) { if (i > 1) vs[i].to = q; pthread_create(&t[i], 0, work, &vs[i]); }"), scan.Suspected},
		{"changed", with("vs[i].to = data;", "vs[1].to = data - 1;"), scan.Suspected},
		{"changed later", of(work, "for (int i = 0; i < n; i++) { vs[i].id = i; vs[i].to = data; } "+create+" vs[1].to = data - 1;"), scan.Suspected},
		{"changed by the thread", thread("v->to[v->id] = 1; v->to--;"), scan.Suspected},
		{"changed by its neighbour", thread("v->to[v->id] = 1; v[1].to--;"), scan.Suspected},
		{"the neighbour's number", thread("v->to[v->id] = 1; v->to[v[1].id] = 1;"), scan.Suspected},
		{"another element, too", thread("v->to[v->id] = 1; v->to[v->id + 1] = 1;"), scan.Suspected},
		{"another pointer, too", thread("v->to[v->id] = 1; v->too[v->id] = 1;"), scan.Suspected},
		{"the first element", thread("v->to[0] = 1;"), scan.Suspected},
		{"half of the number", thread("v->to[v->id / 2] = 1;"), scan.Suspected},
		{"moved", thread("int *to = v->to; to += v->id; to[v->id] = 1; to[0] = 1;"), scan.Suspected},
		{"moved back", thread("int *to = v->to; to -= v->id; to[v->id] = 1;"), scan.Suspected},
		{"in another array", with("vs[i].too = data;", "for (int i = 0; i < n; i++) vs[i].to = vs[0].too - i;"), scan.Suspected},
		{"by a function, further on", helper("v->id = k; v->to = to;", "set(&vs[i], i, data + 4 - i);"), scan.Suspected},
		{"by a function, moved", helper("v->id = k; to -= k; v->to = to;", "set(&vs[i], i, data);"), scan.Suspected},
		{"by a function, moved by the number", helper("v->id = k; v->to = to + 4 - k;", "set(&vs[i], i, data);"), scan.Suspected},
		{"by a function, in some case", helper("v->id = k; if (h) v->to = to;", "set(&vs[i], i, data);"), scan.Suspected},
	})
}

// TestSameLowBits has elements that are filled whose numbers have the lowest bits in common with those of the elements that threads are given: the checker does not confirm that these find their numbers.
func TestSameLowBits(t *testing.T) {
	for name, main := range map[string]string{
		"a loop before":    "for (int i = -4; i < 0; i++) ws[(unsigned)i + 4UL].id = i; for (int i = -4; i < 0; i++) pthread_create(&t[i + 4], 0, work, &ws[i + 4]);",
		"in the same turn": "for (int i = -4; i < 0; i++) { ws[(unsigned)i + 4UL].id = i; pthread_create(&t[i + 4], 0, work, &ws[i + 4]); }",
		"subtracted":       "for (int i = 0; i < 4; i++) ws[(unsigned)(i - 4) + 4UL].id = i; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, &ws[(long)(i - 4) + 4]);",
	} {
		p := load(t, text(t, "#include <pthread.h>\n#include <stdlib.h>\nstruct w { int id; }; int data[300];\nstatic void *work(void *p) { struct w *w = p; data[w->id + 100]++; return 0; }\n"+
			"int main(int argc, char **argv) { pthread_t t[4]; struct w *ws = calloc(4294967400UL, sizeof *ws); "+main+" for (int i = 0; i < 4; i++) pthread_join(t[i], 0); return 0; }\n"))
		r, err := scan.Analyse(t.Context(), p.Program, nil, scan.Options{Certificate: true, Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := scancheck.Check(t.Context(), p.Program, r.Points, r.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		if _, suspects := r.RaceFree(); suspects == 0 && !slices.ContainsFunc(rep.Wrong, func(s string) bool { return s != "" }) {
			t.Errorf("%s: certified", name)
		}
	}
}
