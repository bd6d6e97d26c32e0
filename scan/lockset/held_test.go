package lockset

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/internal/randprog"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// claim is a lock that an activation is said to hold at an access: its distance from the accessed address, or from a global.
type claim struct {
	global *cir.Global
	off    int64
	mode   Mode
	name   string
	sem    bool // it is a semaphore
}

// probed is an access of which runs tell: what is claimed of it in each activation, of which one at least has to be right.
type probed struct {
	fn      *cir.Func
	in      cir.Instr
	addr    cir.Value
	claims  [][]claim
	globals []*cir.Global
}

// findClaims collects the claims that a run can check.
func findClaims(p *cir.Program, pts *pointsto.Result, r *Result) []*probed {
	byInstr := map[cir.Instr]*probed{}
	var list []*probed
	seen := map[*Activation]bool{}
	for i := range pts.Roots {
		for _, x := range r.Reach(r.Root(i)) {
			if seen[x] {
				continue
			}
			seen[x] = true
			r.Each(x, func(at Point) {
				addr := accessed(at.Instr)
				if addr == nil {
					return
				}
				pr := byInstr[at.Instr]
				if pr == nil {
					pr = &probed{fn: x.Copy.Func, in: at.Instr, addr: addr}
					byInstr[at.Instr] = pr
					list = append(list, pr)
				}
				pr.claims = append(pr.claims, claimsOf(r, pr, at.Held(addr, -1)))
			})
		}
	}
	return list
}

func accessed(in cir.Instr) cir.Value {
	switch in := in.(type) {
	case *cir.Load:
		return in.Addr
	case *cir.Store:
		return in.Addr
	}
	return nil
}

func claimsOf(r *Result, pr *probed, held []Held) []claim {
	var out []claim
	for _, h := range held {
		sem := len(h.At) > 0 && r.a.semaphores.made[h.At[0]]
		for _, k := range h.Keys {
			v := k.Value
			switch {
			case k.Kind == Object || v.Index != nil || v.Base == nil:
			case v.Base.Kind == valuenum.Accessed:
				out = append(out, claim{nil, v.Off, h.Mode, h.Name, sem})
			case v.Base.Kind == valuenum.Global:
				if g, ok := v.Base.What.(*cir.Global); ok {
					out = append(out, claim{g, v.Off, h.Mode, h.Name, sem})
				}
			case v.Base.Kind == valuenum.Place:
				if g := v.Base.What.(*pointsto.Object).Global; g != nil {
					out = append(out, claim{g, v.Off, h.Mode, h.Name, sem})
				}
			}
		}
	}
	for _, c := range out {
		if c.global != nil {
			pr.globals = append(pr.globals, c.global)
		}
	}
	return out
}

// instrument puts a call of an external function before each access, which gets its number, the thread's id, the address and
// those of the globals that are claimed to be held.
func instrument(list []*probed) {
	probe := &cir.Func{Name: "__probe", Source: "__probe"}
	number := map[cir.Instr]int{}
	fns := map[*cir.Func]bool{}
	for i, pr := range list {
		number[pr.in] = i
		fns[pr.fn] = true
	}
	for fn := range fns {
		for _, b := range fn.Blocks {
			var out []cir.Instr
			for _, in := range b.Instrs {
				if i, ok := number[in]; ok {
					info := cir.Info{Site: in.Meta().Site}
					self := &cir.Reg{Index: fn.NumRegs, Type: cir.U64}
					fn.NumRegs++
					call := &cir.Call{Info: info, Callee: probe, Returns: true,
						Args: []cir.Arg{{X: cir.IntOf(cir.I64, int64(i))}, {X: self}, {X: list[i].addr}}}
					for _, g := range list[i].globals {
						call.Args = append(call.Args, cir.Arg{X: g})
					}
					call.Fixed = len(call.Args)
					out = append(out, &cir.Intrinsic{Info: info, Op: cir.ThreadSelf, Dst: self}, call)
				}
				out = append(out, in)
			}
			b.Instrs = out
		}
	}
}

// isHeld reports whether a claim is right.
func isHeld(m *interp.Machine, c claim, me int64, args []interp.Value, pr *probed) bool {
	at := args[2]
	for i, g := range pr.globals {
		if c.global == g {
			at = args[3+i]
		}
	}
	b, err := m.Bytes(at.Plus(c.off), 4)
	if err != nil {
		return false
	}
	n := int64(int32(binary.LittleEndian.Uint32(b)))
	if c.sem { // its value: nobody can take it
		return n == 0
	}
	// A mutex has its holder's id + 1; a read-write lock that with a minus sign, or the number of readers.
	return n == me+1 || n == -(me+1) || c.mode == Reading && n > 0
}

// checkHeld runs a program under random schedules, and returns what is wrong and how many claims were checked.
func checkHeld(t *testing.T, src string, runs int) (wrong map[string]bool, checked int) {
	t.Helper()
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "t.c"}, []byte(src), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		t.Fatal(err, src)
	}
	pts, err := pointsto.Analyse(t.Context(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyse(t.Context(), p.Program, pts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := findClaims(p.Program, pts, r)
	instrument(list)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	wrong = map[string]bool{}
	for i := range runs {
		_, err := interp.Run(ctx, p.Program, interp.Options{MaxSteps: 20_000, Scheduler: interp.NewRandom(uint64(i+1), 5),
			External: func(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
				if name != "__probe" {
					return interp.Value{}, false, nil
				}
				pr := list[args[0].Lo]
				right := false
				for _, cs := range pr.claims {
					all := true
					for _, c := range cs {
						all = all && isHeld(m, c, args[1].Int(), args, pr)
						checked++
					}
					right = right || all
				}
				if !right {
					wrong[fmt.Sprintf("%v: %v: %v", pr.fn.Name, pr.in.Meta().Site, pr.claims)] = true
				}
				return interp.Value{}, true, nil
			}})
		if err != nil {
			t.Fatal(err, src)
		}
	}
	return wrong, checked
}

// writer writes random programs that use locks in all ways, wrong ones included: a run ends where it gets undefined.
type writer struct {
	r     *rand.Rand
	b     strings.Builder
	funcs int // that may be called here
}

func (w *writer) pick(list ...string) string { return list[w.r.IntN(len(list))] }

// pointer is an expression for a struct.
func (w *writer) pointer() string {
	return w.pick("p", "p", "p", "q", "q", "p->next", "q->next", "gp", "(&arr[0])", "(&arr[1])", "(&arr[i])", "(&arr[i])", "fixed", "fixed->next")
}

// condition is one that may or may not hold.
func (w *writer) condition() string {
	return w.pick("__VERIFIER_nondet_int() & 1", "i", "p == q", "p->n > 1", "ok", "!ok", "T(&"+w.pointer()+"->m) == 0", "!T(&"+w.pointer()+"->m)", "ok && !T(&p->m)", "ok || T(&q->m)")
}

func (w *writer) statements(n, depth int) string {
	var b strings.Builder
	for range n {
		b.WriteString(w.statement(depth) + "\n")
	}
	return b.String()
}

func (w *writer) statement(depth int) string {
	e := w.pointer()
	inner := func() string { return "{ " + w.statements(1+w.r.IntN(3), depth-1) + "}" }
	switch k := w.r.IntN(24); {
	case k < 4:
		return fmt.Sprintf("%s->n++;", e)
	case k < 6:
		return fmt.Sprintf("L(&%s->m);", e)
	case k < 7:
		return fmt.Sprintf("U(&%s->m);", e)
	case k < 10 && depth > 0:
		e = w.pick("p", "q", "(&arr[i])", "fixed")
		return fmt.Sprintf("L(&%s->m);\n%s%s->n++;\nU(&%s->m);", e, w.statements(1+w.r.IntN(3), depth-1), e, e)
	case k < 12 && depth > 0:
		return fmt.Sprintf("if (%s) %s else %s", w.condition(), inner(), inner())
	case k < 13 && depth > 0:
		return fmt.Sprintf("for (int k = 0; k < 2; k++) %s", inner())
	case k < 14 && depth > 0:
		return fmt.Sprintf("ok = T(&%s->m);\n%s\nif (ok == 0) %s", e, w.statement(depth-1), inner())
	case k < 15:
		return fmt.Sprintf("%s = %s;", w.pick("p", "q", "gp", "p->next"), e)
	case k < 16:
		return w.pick("i = i ? 0 : 1;", "i = 1;", "ok = i;", "ok = 0;")
	case k < 17 && depth > 0:
		return fmt.Sprintf("pthread_rwlock_%slock(&%s->r);\n%s%s->n--;\npthread_rwlock_unlock(&%s->r);", w.pick("rd", "wr"), "p", w.statements(1, depth-1), "p", "p")
	case k < 18 && depth > 0:
		return fmt.Sprintf("switch (T(&%s->m)) { case 0: %s break; case 16: %s break; default: ok = 1; }", e, inner(), inner())
	case k < 19:
		return w.pick("if (i) return q;", "return p;", "if (ok) return 0;", "pthread_cond_timedwait(&cond, &p->m, &(struct timespec){0});")
	case k < 22 && w.funcs > 0:
		f := w.r.IntN(w.funcs)
		return fmt.Sprintf(w.pick("if (h%d(%s, q)) p->n++;", "h%d(%s, p);", "if (!h%d(%s, &arr[1])) U(&p->m);", "{ struct S *o = h%d(%s, q); if (o) p = o; }"), f, e)
	case k < 23 && w.funcs > 0:
		return fmt.Sprintf("table[%d](%s, q);", w.r.IntN(2), e)
	}
	return fmt.Sprintf("%s->n++;", e)
}

// text returns the program.
func (w *writer) text() string {
	w.b.WriteString(`#include <pthread.h>
#include <stdlib.h>
#define L pthread_mutex_lock
#define U pthread_mutex_unlock
#define T pthread_mutex_trylock
int __VERIFIER_nondet_int(void);
struct S { int n; pthread_mutex_t m; struct S *next; pthread_rwlock_t r; } arr[3], *gp = &arr[0], *fixed;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
struct S *(*table[2])(struct S *, struct S *);
`)
	for i := range 4 {
		w.funcs = i
		fmt.Fprintf(&w.b, "struct S *h%d(struct S *p, struct S *q) {\nint i = 0, ok = 0;\n%sreturn %s;\n}\n", i, w.statements(2+w.r.IntN(3), 2), w.pick("p", "q", "0", "ok ? p : 0"))
	}
	w.funcs = 4
	fmt.Fprintf(&w.b, "void *f(void *a) {\nstruct S *p = a, *q = gp; int i = __VERIFIER_nondet_int() & 1, ok = 0;\nif (q) { p->n = 0; }\n{ void *r = ({ struct S *g(struct S *, struct S *, int); g(p, q, i); }); (void)r; }\nreturn 0;\n}\n")
	fmt.Fprintf(&w.b, "struct S *g(struct S *p, struct S *q, int i) {\nint ok = 0;\n%sreturn 0;\n}\n", w.statements(8, 3))
	w.b.WriteString(`int main(void) {
  fixed = malloc(sizeof *fixed);
  fixed->n = 0; fixed->next = &arr[0];
  pthread_mutex_init(&fixed->m, 0); pthread_rwlock_init(&fixed->r, 0);
  table[0] = h0; table[1] = h1;
  for (int i = 0; i < 3; i++) { pthread_mutex_init(&arr[i].m, 0); pthread_rwlock_init(&arr[i].r, 0); arr[i].next = &arr[(i + 1) % 3]; }
  pthread_t a, b;
  pthread_create(&a, 0, f, &arr[0]); pthread_create(&b, 0, f, &arr[1]);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
`)
	return w.b.String()
}

var programs = flag.Int("programs", 10, "the number of random programs")

// TestHeld runs random programs and checks that what is said to be held is.
func TestHeld(t *testing.T) {
	total := 0
	for seed := range *programs {
		var src string
		switch seed % 5 {
		case 0:
			src = randprog.Synchronised(uint64(seed + 1))
		case 1:
			src = randprog.Generate(uint64(seed+1), randprog.Options{Features: randprog.Full, MaxStatements: 12})
		default:
			src = (&writer{r: rand.New(rand.NewPCG(uint64(seed), 1))}).text()
		}
		wrong, checked := checkHeld(t, src, 8)
		total += checked
		for w := range wrong {
			t.Errorf("seed %d: %s\n%s", seed+1, w, src)
		}
	}
	if total < 50**programs {
		t.Errorf("only %d claims were checked", total)
	}
	t.Log(total, "claims")
}
