package comus_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/comus"
	"comus/scan/certificate"
	"comus/seqmc"
	"comus/specialise"
)

// ordered is a program with two threads and what they do, that is proved by an order of its locks.
func ordered(t *testing.T, f, g string) (*comus.Result, string) {
	t.Helper()
	text := deadlockHead + "static void *f(void *p) { " + f + " return 0; }\nstatic void *g(void *p) { " + g + " return 0; }\n" +
		"int main(void) {\npthread_t t, u;\npthread_create(&t, 0, f, 0);\npthread_create(&u, 0, g, 0);\npthread_join(t, 0);\npthread_join(u, 0);\nreturn 0; }\n"
	s, file := sourceOf(t, text)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	res, err := s.Verify(ctx, comus.Options{Strategy: "scan", Question: asksDeadlocks})
	if err != nil {
		t.Fatal(err)
	}
	return res, file
}

// TestLockOrder proves a program by an order of its locks, as a whole; the certificate says so again, and none that was changed does.
func TestLockOrder(t *testing.T) {
	const f = "pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);"
	res, file := ordered(t, f, f)
	if res.Verdict != seqmc.Safe || res.Certificate == nil || res.Certificate.Method != check.MethodLockOrder {
		t.Fatal(res.Verdict, res.Reason)
	}
	const back = "pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);"
	other, otherFile := ordered(t, f, back)
	if other.Verdict != seqmc.Unsafe {
		t.Fatal(other.Verdict, other.Reason)
	}
	for name, change := range map[string]func(*check.Certificate){
		"":                   func(*check.Certificate) {},
		"backwards":          func(c *check.Certificate) { slices.Reverse(c.Orders.Order) },
		"two are exchanged":  func(c *check.Certificate) { o := c.Orders.Order; o[len(o)-1], o[len(o)-2] = o[len(o)-2], o[len(o)-1] },
		"one is missing":     func(c *check.Certificate) { c.Orders.Order = c.Orders.Order[1:] },
		"one is there twice": func(c *check.Certificate) { c.Orders.Order = append(c.Orders.Order, c.Orders.Order[0]) },
		"none is there":      func(c *check.Certificate) { c.Orders.Order = nil },
		"another kind":       func(c *check.Certificate) { c.Orders.Order[len(c.Orders.Order)-1].Kind = "thread" },
		"another place":      func(c *check.Certificate) { c.Orders.Order[len(c.Orders.Order)-1].Off++ },
		"another version":    func(c *check.Certificate) { c.Orders.Version++ },
		"no order":           func(c *check.Certificate) { c.Orders = nil },
		"another method":     func(c *check.Certificate) { c.Method = check.MethodScan },
		"no method":          func(c *check.Certificate) { c.Method = "" },
		"another property":   func(c *check.Certificate) { c.Program.Check = []string{specialise.Race} },
		"two properties":     func(c *check.Certificate) { c.Program.Check = []string{specialise.Deadlock, specialise.Race} },
		"a part":             func(c *check.Certificate) { c.Program.About = "main\t1" },
		"statements":         func(c *check.Certificate) { c.Program.Atomic = "statement" },
		"any number":         func(c *check.Certificate) { c.Program.Parametric = true },
		"a scan, too":        func(c *check.Certificate) { c.Scan = &certificate.Certificate{Version: certificate.Version} },
		"unsafe":             func(c *check.Certificate) { c.Verdict = "UNSAFE" },
	} {
		cert, orders := *res.Certificate, *res.Certificate.Orders
		orders.Order = slices.Clone(orders.Order)
		cert.Orders = &orders
		change(&cert)
		again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, &cert)
		if right := err == nil && again.Verdict == seqmc.Safe; right != (name == "") {
			t.Errorf("%q: %v", name, err)
		}
	}
	cert := *res.Certificate
	cert.Program = other.Certificate.Program
	if again, err := comus.CheckUnits(t.Context(), comus.File(otherFile), cfront.Options{}, &cert); err == nil && again.Verdict == seqmc.Safe {
		t.Error("the order of another program is confirmed")
	}
}
