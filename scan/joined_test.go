package scan_test

import (
	"strings"
	"testing"

	"comus/scan"
)

// TestJoinedElements has a loop that joins threads and accesses what was theirs.
func TestJoinedElements(t *testing.T) {
	const create = "pthread_create(&ids[i], 0, number, (void *)(long)i);"
	join := func(loop, body string) string { return loop + " { " + body + " }" }
	main := func(more string) string { return creating("", upTo4, create, more) }
	checkRules(t, privateHeader, "d[…]", []ruled{
		{"the one that was joined", main(join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.ThreadLocal},
		{"written", main(join(upTo4, "pthread_join(ids[i], 0); d[i] = 0;")), scan.ThreadLocal},
		{"before the join", main(join(upTo4, "total += d[i]; pthread_join(ids[i], 0);")), scan.Suspected},
		{"joined in some case", main(join(upTo4, "if (argc > i) pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"read in some case", main(join(upTo4, "pthread_join(ids[i], 0); if (argc > i) total += d[i];")), scan.ThreadLocal},
		{"the next one", main(join(upTo4, "pthread_join(ids[i], 0); total += d[i + 1];")), scan.Suspected},
		{"the one before", main(join(upTo4, "pthread_join(ids[i], 0); if (i) total += d[i - 1];")), scan.Suspected},
		{"of another id", main(join(upTo4, "pthread_join(ids[3 - i], 0); total += d[i];")), scan.Suspected},
		{"ids from the second one", creating("", upTo4, "pthread_create(&ids[i + 1], 0, number, (void *)(long)i);", join(upTo4, "pthread_join(ids[i + 1], 0); total += d[i];")), scan.ThreadLocal},
		{"ids from the second one, joined from the first one", creating("", upTo4, "pthread_create(&ids[i + 1], 0, number, (void *)(long)i);", join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids from the second one, counted from there", creating("", upTo4, "pthread_create(&ids[i + 1], 0, number, (void *)(long)i);", join("for (int i = 1; i < 5; i++)", "pthread_join(ids[i], 0); total += d[i - 1];")), scan.ThreadLocal},
		{"downwards", main(join("for (int k = 3; k >= 0; k--)", "pthread_join(ids[k], 0); total += d[k];")), scan.ThreadLocal},
		{"only some", main(join("for (int k = 1; k < 3; k++)", "pthread_join(ids[k], 0); total += d[k];")), scan.ThreadLocal},
		{"another number", creating("", upTo4, "pthread_create(&ids[i], 0, number, (void *)(long)(i + 2));", join(upTo4, "pthread_join(ids[i], 0); total += d[i + 2];")), scan.ThreadLocal},
		{"another number, not that one", creating("", upTo4, "pthread_create(&ids[i], 0, number, (void *)(long)(i + 2));", join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids are exchanged", main("pthread_t x = ids[0]; ids[0] = ids[1]; ids[1] = x; " + join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids are moved", main("memmove(ids, ids + 1, 2 * sizeof *ids); " + join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids are written by a thread", "static void *mix(void *p) { ids[0] = ids[1]; return 0; } " + creating("pthread_t x; pthread_create(&x, 0, mix, 0);", upTo4, create, join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids are copied", main("pthread_t x; memcpy(&x, &ids[0], sizeof x); memcpy(&ids[0], &ids[1], sizeof x); memcpy(&ids[1], &x, sizeof x); " + join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids are given to unknown code", "void mix(pthread_t *); " + main("mix(ids); "+join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids are exchanged through a pointer that may be another one", "pthread_t others[4]; " + main("pthread_t *q = argc > 1 ? others : ids; pthread_t x = q[0]; q[0] = q[1]; q[1] = x; "+join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"other ids are exchanged through a pointer", "pthread_t others[4]; " + main("pthread_t *q = others; pthread_t x = q[0]; q[0] = q[1]; q[1] = x; "+join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.ThreadLocal},
		{"any ids are exchanged", main("pthread_t x = ids[0]; ids[0] = ids[argc & 3]; ids[argc & 3] = x; " + join(upTo4, "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"every second id", creating("", upTo4, "pthread_create(&ids[2 * i], 0, number, (void *)(long)i);", join("for (int j = 0; j < 8; j += 2)", "pthread_join(ids[j], 0); total += d[j];")), scan.Suspected},
		{"ids in every second place", creating("struct { pthread_t id, more; } *my = (void *)ids;", upTo4, "pthread_create(&my[i].id, 0, number, (void *)(long)i);", join("for (int j = 0; j < 8; j += 2)", "pthread_join(ids[j], 0); total += d[j];")), scan.Suspected},
		{"ids behind the first one", creating("", upTo4, "pthread_create(&(ids + 1)[i], 0, number, (void *)(long)i);", join("for (int j = 1; j < 5; j++)", "pthread_join(ids[j], 0); total += d[j];")), scan.Suspected},
		{"some places behind the next id", main(join("for (int i = 0; i < 3; i++)", "pthread_t *q = &ids[i]; pthread_join(q[argc], 0); total += d[i];")), scan.Suspected},
		{"ids some places behind the next one", creating("", upTo4, "pthread_t *q = &ids[i]; pthread_create(q + argc, 0, number, (void *)(long)i);", join("for (int i = 1; i < 4; i++)", "pthread_join(ids[i], 0); total += d[i];")), scan.Suspected},
		{"ids elsewhere in the same struct", "struct { pthread_t id, more; } my[8]; " + creating("", upTo4, "pthread_create(&my[i].id, 0, number, (void *)(long)i);", "for (int k = 0; k < 4; k++) my[k].more = my[3 - k].id; "+join(upTo4, "pthread_join(my[i].more, 0); total += d[i];")), scan.Suspected},
		{"with an index behind it", main(join(upTo4, "pthread_join(ids[i], 0); int *p = &d[i]; total += p[argc];")), scan.Suspected},
		{"some number of bytes from there on", main(join(upTo4, "pthread_join(ids[i], 0); fread(&d[i], 1, argc, stdin);")), scan.Suspected},
		{"created again in between", main(join(upTo4, "pthread_join(ids[i], 0); pthread_create(&ids[i], 0, number, (void *)(long)i); total += d[i];")), scan.Suspected},
		{"the counter moves behind the join", main(join("for (int i = 0; i < 4;)", "pthread_join(ids[i], 0); i++; total += d[i];")), scan.Suspected},
		{"by a local", main(join(upTo4, "pthread_t x = ids[i]; pthread_join(x, 0); total += d[i];")), scan.ThreadLocal},
		{"local ids", creating("pthread_t my[8];", upTo4, "pthread_create(&my[i], 0, number, (void *)(long)i);", join(upTo4, "pthread_join(my[i], 0); total += d[i];")), scan.ThreadLocal},
		{"ids on the heap", creating("pthread_t *my = malloc(argc * sizeof *my);", upTo4, "pthread_create(&my[i], 0, number, (void *)(long)i);", join(upTo4, "pthread_join(my[i], 0); total += d[i];")), scan.ThreadLocal},
		{"other ids on the heap", creating("pthread_t *my = malloc(argc * sizeof *my);", upTo4, "pthread_create(&my[i], 0, number, (void *)(long)i);", "my = ids; "+join(upTo4, "pthread_join(my[i], 0); total += d[i];")), scan.Suspected},
		{"other elements", creating("int *q = d;", upTo4, "pthread_create(&ids[i], 0, element, q + i);", "q = d + 1; "+join(upTo4, "pthread_join(ids[i], 0); total += q[i];")), scan.Suspected},
		{"the same elements", creating("int *q = d;", upTo4, "pthread_create(&ids[i], 0, element, q + i);", join(upTo4, "pthread_join(ids[i], 0); total += q[i];")), scan.ThreadLocal},
		{"tried", "int pthread_tryjoin_np(pthread_t, void **); " + main(join(upTo4, "pthread_tryjoin_np(ids[i], 0); total += d[i];")), scan.Suspected},
		{"in an outer loop, of which the base moves", "int main(int argc, char **argv) { int *q = d; for (int k = 0; k < 2; k++) { if (argc > k) " + upTo4 + " pthread_create(&ids[i], 0, element, q + i); q = k ? d : d + 1; " + upTo4 + " { pthread_join(ids[i], 0); total += q[i]; } } return 0; }", scan.Suspected},
	})
}

// TestJoinedBits has many threads, more than some types have numbers.
func TestJoinedBits(t *testing.T) {
	main := func(body string) string {
		return "int e[512]; pthread_t many[512]; static void *numbered(void *arg) { int k = (long)arg; e[k] = 1; return 0; } " +
			creating("", "for (int i = 0; i < 300; i++)", "pthread_create(&many[i], 0, numbered, (void *)(long)i);", "for (int k = 256; k < 300; k++) { "+body+" }")
	}
	checkRules(t, privateHeader, "e[…]", []ruled{
		{"the one that was joined", main("pthread_join(many[k], 0); total += e[k];"), scan.ThreadLocal},
		{"another one was joined, by fewer bits", main("pthread_join(many[(unsigned char)k], 0); total += e[k];"), scan.Suspected},
		{"another one is read, by fewer bits", main("pthread_join(many[k], 0); total += e[(unsigned char)k];"), scan.Suspected},
	})
}

// TestJoinedText has threads whose characters a function of the library writes behind the join.
func TestJoinedText(t *testing.T) {
	const own = "char cs[16]; static void *letter(void *arg) { int k = (long)arg; cs[k] = 1; return 0; } "
	main := func(body string) string {
		return own + creating("", upTo4, "pthread_create(&ids[i], 0, letter, (void *)(long)i);", upTo4+" { pthread_join(ids[i], 0); "+body+" }")
	}
	checkRules(t, privateHeader, "cs[…]", []ruled{
		{"one", main("cs[i] = 'x';"), scan.ThreadLocal},
		{"a text", main(`strcpy(&cs[i], "x");`), scan.Suspected},
		{"two bytes", main(`memcpy(&cs[i], "xy", 2);`), scan.Suspected},
		{"one byte", main(`memcpy(&cs[i], "x", 1);`), scan.ThreadLocal},
		{"two bytes, one after the other", main(`memccpy(&cs[i], "xy", 0, 2);`), scan.Suspected},
	})
}

// TestJoinedObjects has threads whose objects have their ids.
func TestJoinedObjects(t *testing.T) {
	const own = "struct th { pthread_t id; int a; } *ths[8], *other; static void *use(void *arg) { struct th *r = arg; r->a = 1; return 0; } "
	const make = "struct th *r = malloc(sizeof *r); ths[i] = r; pthread_create(&r->id, 0, use, r);"
	main := func(more string) string { return creating("", upTo4, make, upTo4+" { "+more+" }") }
	for _, c := range []struct {
		name, src string
		why       scan.Why
	}{
		{"freed", main("pthread_join(ths[i]->id, 0); total += ths[i]->a; free(ths[i]);"), scan.ThreadLocal},
		{"by a local", main("struct th *r = ths[i]; pthread_join(r->id, 0); total += r->a; free(r);"), scan.ThreadLocal},
		{"freed before", main("struct th *r = ths[i]; total += r->a; pthread_join(r->id, 0);"), scan.Suspected},
		{"another one", main("struct th *r = ths[i]; pthread_join(r->id, 0); total += ths[i ^ 1]->a;"), scan.Suspected},
		{"the next one", main("pthread_join(ths[i]->id, 0); total += ths[i + 1]->a;"), scan.Suspected},
		{"written in between", main("pthread_join(ths[i]->id, 0); ths[i] = ths[i ^ 1]; total += ths[i]->a;"), scan.Suspected},
		{"written by a thread", "static void *mix(void *p) { ths[0] = ths[1]; return 0; } " + creating("pthread_create(&ids[0], 0, mix, 0);", upTo4, make, upTo4+" { pthread_join(ths[i]->id, 0); total += ths[i]->a; }"), scan.Suspected},
		{"ids are exchanged", creating("", upTo4, make, "ths[0]->id = ths[1]->id; "+upTo4+" { pthread_join(ths[i]->id, 0); total += ths[i]->a; }"), scan.Suspected},
		{"by a function", "static void stop(struct th *r) { pthread_join(r->id, 0); total += r->a; free(r); } " + main("stop(ths[i]);"), scan.ThreadLocal},
		{"by a function, in some case", "static void stop(struct th *r) { if (total) pthread_join(r->id, 0); total += r->a; } " + main("stop(ths[i]);"), scan.Suspected},
		{"by a function that changes it", "static void stop(struct th *r) { pthread_join(r->id, 0); if (total) r = other; total += r->a; } " + main("other = ths[i ^ 1]; stop(ths[i]);"), scan.Suspected},
		{"a list", "struct th *ask(void); " + creating("", "while (argc--)", "int i = argc & 7; "+make, "struct th *r; for (int i = 0; (r = ths[i]); i++) { pthread_join(r->id, 0); total += r->a; }"), scan.ThreadLocal},
		{"of the one before", creating("", upTo4, make, "struct th *last = ths[0]; "+upTo4+" { pthread_join(ths[i]->id, 0); total += last->a; last = ths[i ^ 1]; }"), scan.Suspected},
		{"the id of another one", creating("struct th *old = malloc(sizeof *old);", upTo4, "struct th *r = malloc(sizeof *r); ths[i] = r; pthread_create(&old->id, 0, use, r); old = r;", upTo4+" { pthread_join(ths[i]->id, 0); total += ths[i]->a; }"), scan.Suspected},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := analyse(t, load(t, text(t, privateHeader+own+c.src)).Program)
			found := false
			for _, l := range r.Locations {
				if strings.HasSuffix(l.Name, ").a") {
					found = true
					if l.Why != c.why {
						t.Errorf("%s: %s instead of %s", l.Name, l.Why, c.why)
					}
				}
			}
			if !found {
				t.Errorf("not found")
			}
		})
	}
}

// TestFewerThreads has programs that go on with fewer threads where a creation fails, which is assumed not to be; each that is suspected changes the number where creations succeed.
func TestFewerThreads(t *testing.T) {
	const header = "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\nint g, total;\nstatic void *f(void *p) { __atomic_fetch_add(&total, g, __ATOMIC_RELAXED); return 0; }\n"
	main := func(create, join string) string {
		return "int main(int argc, char **argv) { int n = argc, i, rc; pthread_t *t = malloc(n * sizeof *t); g = 1;\n" + create + "\n" + join + "\ng = 2; return n; }\n"
	}
	const join = "for (i = 0; i < n; i++) pthread_join(t[i], 0);"
	checkRules(t, header, "g", []ruled{
		{"where it fails", main(`for (i = 0; i < n; i++) if (pthread_create(&t[i], 0, f, 0)) { perror("f"); n = i; break; }`, join), scan.ReadOnly},
		{"where it succeeds", main("for (i = 0; i < n; i++) if (!pthread_create(&t[i], 0, f, 0)) { n = i; break; }", join), scan.Suspected},
		{"where something else is", main("for (i = 0; i < n; i++) { if (pthread_create(&t[i], 0, f, 0)) break; if (argv[i][0] == 'x') { n = i; break; } }", join), scan.Suspected},
		{"by a variable", main("for (i = 0; i < n; i++) { rc = pthread_create(&t[i], 0, f, 0); if (rc != 0) { n = i; goto out; } }\nout:;", join), scan.ReadOnly},
		{"by a variable that is another one's", main("for (i = 0; i < n; i++) { rc = pthread_create(&t[i], 0, f, 0); rc = argv[i][0]; if (rc != 0) { n = i; goto out; } }\nout:;", join), scan.Suspected},
		{"by a variable that says both", main("for (i = 0; i < n; i++) { rc = pthread_create(&t[i], 0, f, 0); if (argv[i][0]) rc = 1; if (rc != 0) { n = i; goto out; } }\nout:;", join), scan.Suspected},
		{"one less", main("for (i = 0; i < n; i++) if (pthread_create(&t[i], 0, f, 0)) { n = i; break; }", "n--; "+join), scan.Suspected},
		{"joined up to there", main("for (i = 0; i < n; i++) if (pthread_create(&t[i], 0, f, 0)) { while (i--) pthread_join(t[i], 0); g = 3; return 1; }", join), scan.ReadOnly},
	})
}
