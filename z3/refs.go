package z3

// #include "shim.h"
import "C"

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// drainBatch is the number of dead references that are collected before they
// are handed to Z3 in one go.
const drainBatch = 256

// minGCGoal is the number of live nodes below which no garbage collection is
// forced. A node costs Z3 between a hundred and a thousand bytes.
const minGCGoal = 1 << 18

// node is a counted reference to a Z3_ast: a term, a sort or a declaration.
type node struct {
	ctx *Context
	ast C.Z3_ast
}

// object is a counted reference to any other Z3 object.
type object struct {
	ctx  *Context
	kind C.int
	ptr  unsafe.Pointer
}

// deadObject is an object whose Go side has been collected.
type deadObject struct {
	kind C.int
	ptr  unsafe.Pointer
}

// releaseQueue holds the references that the garbage collector gave up. The
// cleanups run on a goroutine of the runtime, while a Z3 context must not be
// used by two goroutines at once, so a cleanup only enqueues; the goroutine
// that uses the context drains the queue.
type releaseQueue struct {
	size atomic.Int64 // weight of the entries, readable without the lock

	mu      sync.Mutex
	closed  bool
	asts    []C.Z3_ast
	objects []deadObject
}

// deadAST is the argument of the cleanup of a node.
type deadAST struct {
	queue *releaseQueue
	ast   C.Z3_ast
}

// cleanup enqueues the reference; it is the cleanup function of a node.
func (d deadAST) cleanup() {
	q := d.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.asts = append(q.asts, d.ast)
		q.size.Add(1)
	}
}

// addObject enqueues a dead object.
func (q *releaseQueue) addObject(d deadObject) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.objects = append(q.objects, d)
		q.size.Add(drainBatch) // objects may be large: drain at once
	}
}

// close drops everything that is pending and ignores what comes later.
func (q *releaseQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.asts, q.objects = nil, nil
	q.size.Store(0)
}

// drain passes the pending references on to Z3.
func (c *Context) drain() {
	q := &c.queue
	q.mu.Lock()
	asts, objects := q.asts, q.objects
	q.asts, q.objects = c.spareASTs[:0], nil
	q.size.Store(0)
	q.mu.Unlock()

	if len(asts) > 0 {
		C.comus_release_asts(c.c, C.size_t(len(asts)), &asts[0])
	}
	c.spareASTs = asts
	c.liveNodes -= len(asts)
	c.gcGoal = min(c.gcGoal, max(minGCGoal, 2*c.liveNodes))
	for _, d := range objects {
		delete(c.objects, d.ptr)
		C.comus_object_dec_ref(c.c, d.kind, d.ptr)
	}
}

// open reports whether the context can be used, recording ErrClosed if not.
// Every method that calls Z3 starts with it; it is also the point at which
// dead references are released.
func (c *Context) open() bool {
	if c.c == nil {
		c.fail(ErrClosed)
		return false
	}
	if c.queue.size.Load() >= drainBatch {
		c.drain()
	}
	return true
}

// node wraps a reference that the caller owns. A nil reference stands for a
// failed call: the error is recorded and the result is nil.
func (c *Context) node(op string, ast C.Z3_ast) *node {
	if ast == nil {
		if c.check(op) {
			c.fail(fmt.Errorf("z3: %s: no result", op))
		}
		return nil
	}
	c.paceGC()
	n := &node{ctx: c, ast: ast}
	runtime.AddCleanup(n, deadAST.cleanup, deadAST{&c.queue, ast})
	return n
}

// paceGC counts a new node, and forces a garbage collection when the number of
// nodes has doubled since dead ones were released last. The collector of Go
// does not know how much memory of Z3 hangs on the small nodes: in a program
// with a big heap it would let millions of dead terms pile up.
func (c *Context) paceGC() {
	c.liveNodes++
	if c.liveNodes < c.gcGoal {
		return
	}
	runtime.GC()
	c.gcGoal = 2 * c.liveNodes // lowered by drain, as far as that releases nodes
}

// owns reports whether n is a usable node of this context, recording an error
// for op if it is not.
func (c *Context) owns(op string, n *node) bool {
	switch {
	case n == nil:
		c.invalidOperand(op, "zero value used as operand")
		return false
	case n.ctx != c:
		c.invalidOperand(op, "operand belongs to another context")
		return false
	}
	return true
}

// object wraps a new Z3 object and takes a reference to it. A nil pointer
// stands for a failed call: the error is recorded and the result is nil.
func (c *Context) object(op string, kind C.int, ptr unsafe.Pointer) *object {
	if !c.check(op) {
		return nil
	}
	if ptr == nil {
		c.fail(fmt.Errorf("z3: %s: no result", op))
		return nil
	}
	C.comus_object_inc_ref(c.c, kind, ptr)
	o := &object{ctx: c, kind: kind, ptr: ptr}
	c.objects[ptr] = kind
	runtime.AddCleanup(o, c.queue.addObject, deadObject{kind, ptr})
	return o
}

// use reports whether the context and the object can be used. An object is nil
// if it is the result of a method that failed.
func (c *Context) use(o *object) bool {
	if !c.open() {
		return false
	}
	if o == nil {
		c.fail(fmt.Errorf("%w: the creation of the object failed", ErrInvalidOperand))
		return false
	}
	return true
}
