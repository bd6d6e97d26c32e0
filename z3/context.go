package z3

// #cgo LDFLAGS: -lz3
// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"time"
	"unsafe"
)

// Config holds the limits of a Context. The zero value means no limits.
type Config struct {
	// Timeout is the default time limit of every single check, query, tactic
	// application and simplification. It is rounded up to milliseconds. A
	// solver, fixedpoint or tactic can override it with Params.SetTimeout.
	Timeout time.Duration
	// RLimit is the default limit, in Z3's deterministic resource units, of
	// every single check. It can be overridden with Params.SetRLimit.
	RLimit uint32
}

// Context owns all terms, solvers and other objects created from it.
//
// A Context and everything created from it may be used by one goroutine at a
// time only. The exception is Interrupt. Values of different contexts must not
// be mixed; doing so is reported as ErrInvalidOperand.
type Context struct {
	c      C.Z3_context // nil after Close
	err    error        // first recorded error
	rlimit uint32       // Config.RLimit
	queue  releaseQueue

	spareASTs []C.Z3_ast               // recycled by drain
	argBuf    []C.Z3_ast               // recycled by args
	objects   map[unsafe.Pointer]C.int // live objects and their kinds
	liveNodes int                      // nodes that have not been released
	gcGoal    int                      // number of nodes that makes paceGC act

	boolSort, intSort *node

	callMu sync.Mutex
	call   *activeCall // the interruptible call under way, if any
}

// NewContext creates a context; a nil cfg means no limits. Release it with
// Close.
func NewContext(cfg *Config) (*Context, error) {
	if cfg == nil {
		cfg = new(Config)
	}
	var timeout, rlimit *C.char
	if cfg.Timeout > 0 {
		timeout = C.CString(strconv.FormatUint(uint64(milliseconds(cfg.Timeout)), 10))
		defer C.free(unsafe.Pointer(timeout))
	}
	if cfg.RLimit > 0 {
		rlimit = C.CString(strconv.FormatUint(uint64(cfg.RLimit), 10))
		defer C.free(unsafe.Pointer(rlimit))
	}
	c := &Context{
		c:       C.comus_new_context(timeout, rlimit),
		rlimit:  cfg.RLimit,
		gcGoal:  minGCGoal,
		objects: make(map[unsafe.Pointer]C.int),
	}
	if c.c == nil {
		return nil, errors.New("z3: cannot create a context: out of memory, or beyond the memory limit")
	}
	c.boolSort = c.node("BoolSort", C.comus_mk_bool_sort(c.c))
	c.intSort = c.node("IntSort", C.comus_mk_int_sort(c.c))
	if c.err != nil {
		err := c.err
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// setRLimit changes the default resource limit.
func (c *Context) setRLimit(units uint32) {
	name, value := C.CString("rlimit"), C.CString(strconv.FormatUint(uint64(units), 10))
	defer C.free(unsafe.Pointer(name))
	defer C.free(unsafe.Pointer(value))
	C.Z3_update_param_value(c.c, name, value)
}

// milliseconds converts a duration to Z3's unit, rounding up and saturating.
func milliseconds(d time.Duration) uint32 {
	const maxMillis = 1<<32 - 2 // Z3 reads 2^32-1 as no limit
	ms := (d + time.Millisecond - 1) / time.Millisecond
	return uint32(min(max(ms, 1), maxMillis))
}

// Close releases the context and all that belongs to it at once. Using the
// context or anything created from it afterwards has no effect other than
// reporting ErrClosed. Close returns ErrClosed when called again.
func (c *Context) Close() error {
	if c.c == nil {
		return ErrClosed
	}
	c.queue.close()
	c.callMu.Lock()
	defer c.callMu.Unlock()
	for ptr, kind := range c.objects {
		C.comus_object_dec_ref(c.c, kind, ptr)
	}
	C.Z3_del_context(c.c) // frees all remaining terms
	c.c = nil
	c.objects, c.spareASTs, c.argBuf = nil, nil, nil
	return nil
}

// args collects the references of the terms in a buffer that is valid until
// the next call of args. It reports false, and records an error for op, if one
// of the terms is not usable. The caller must keep ts alive while the buffer
// is in use.
func (c *Context) args(op string, ts []Term) ([]C.Z3_ast, bool) {
	buf := c.argBuf[:0]
	for _, t := range ts {
		if !c.owns(op, t.n) {
			return nil, false
		}
		buf = append(buf, t.n.ast)
	}
	c.argBuf = buf
	return buf, true
}

// first returns a pointer to the first element for passing a slice to C, or
// nil if there is none.
func first(asts []C.Z3_ast) *C.Z3_ast {
	if len(asts) == 0 {
		return nil
	}
	return &asts[0]
}

// SetMemoryLimit limits the memory that Z3 may allocate in the whole process,
// in megabytes; 0 removes the limit. It concerns all contexts of the process.
// A call that runs into the limit fails with CodeOutOfMemory; the context it
// belongs to should be closed then, as its state may be inconsistent.
func SetMemoryLimit(megabytes uint32) {
	setGlobalParam("memory_max_size", strconv.FormatUint(uint64(megabytes), 10))
}

// setGlobalParam sets a parameter of the process-wide Z3 configuration.
func setGlobalParam(name, value string) {
	cname, cvalue := C.CString(name), C.CString(value)
	defer C.free(unsafe.Pointer(cname))
	defer C.free(unsafe.Pointer(cvalue))
	C.Z3_global_param_set(cname, cvalue)
}

// EstimatedAllocSize returns the number of bytes that Z3 has allocated in this
// process at the moment, as far as Z3 accounts for them.
func EstimatedAllocSize() uint64 {
	return uint64(C.Z3_get_estimated_alloc_size())
}

// Version returns the version of the Z3 library that is in use, such as
// "4.8.12.0".
func Version() string {
	var major, minor, build, revision C.uint
	C.Z3_get_version(&major, &minor, &build, &revision)
	return fmt.Sprintf("%d.%d.%d.%d", major, minor, build, revision)
}

// withCString calls f with a C copy of s that is freed afterwards.
func withCString[T any](s string, f func(*C.char) T) T {
	cs := C.CString(s)
	defer C.free(unsafe.Pointer(cs))
	return f(cs)
}

// ParseSMTLIB2 parses SMT-LIB 2 commands and returns the asserted formulas.
// The text may use the names of the given declarations without declaring them.
// Sorts that occur in the declarations, if uninterpreted, are known by name as
// well.
func (c *Context) ParseSMTLIB2(text string, decls []FuncDecl) ([]Term, error) {
	const op = "ParseSMTLIB2"
	if !c.open() || c.err != nil {
		return nil, c.err
	}
	env := newParseEnv(len(decls))
	for _, d := range decls {
		if !c.owns(op, d.n) {
			return nil, c.err
		}
		env.add(c, d)
	}
	vector := withCString(text, func(s *C.char) C.Z3_ast_vector {
		return env.parse(c, s)
	})
	runtime.KeepAlive(decls)
	if err := c.z3Error(op); err != nil {
		return nil, err
	}
	return c.vector(op, vector)
}
