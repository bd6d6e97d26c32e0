package z3

// #include "shim.h"
import "C"

import (
	"maps"
	"runtime"
	"slices"
	"time"
	"unsafe"
)

// Params is a set of named parameters for a solver, tactic, fixedpoint or the
// simplifier. It belongs to no context. The setters return their receiver:
//
//	params := z3.NewParams().SetSymbol("engine", "spacer").SetTimeout(time.Second)
//
// Unknown names and values of the wrong type are reported by the object that
// the parameters are given to; only the simplifier ignores them. The zero value
// is an empty set.
type Params struct {
	values map[string]any // bool, uint32, float64 or string
}

// NewParams returns an empty set of parameters.
func NewParams() *Params { return new(Params) }

// set stores a value.
func (p *Params) set(name string, value any) *Params {
	if p.values == nil {
		p.values = make(map[string]any)
	}
	p.values[name] = value
	return p
}

// SetBool sets a Boolean parameter.
func (p *Params) SetBool(name string, value bool) *Params { return p.set(name, value) }

// SetUint sets a numerical parameter.
func (p *Params) SetUint(name string, value uint32) *Params { return p.set(name, value) }

// SetFloat sets a floating-point parameter.
func (p *Params) SetFloat(name string, value float64) *Params { return p.set(name, value) }

// SetSymbol sets a symbolic parameter, such as the name of an engine.
func (p *Params) SetSymbol(name, value string) *Params { return p.set(name, value) }

// SetTimeout sets the parameter "timeout": the time limit of every single
// call, rounded up to milliseconds. Zero or less means no limit.
func (p *Params) SetTimeout(d time.Duration) *Params {
	if d <= 0 {
		return p.SetUint("timeout", 1<<32-1)
	}
	return p.SetUint("timeout", milliseconds(d))
}

// SetMaxMemory limits the memory of each call, in megabytes that Z3 may have
// allocated in all: a check that goes beyond them is Unknown. Solvers and tactics
// have it, fixedpoints do not; see SetMemoryLimit for the whole process.
func (p *Params) SetMaxMemory(megabytes uint32) *Params {
	return p.SetUint("max_memory", megabytes)
}

// SetRLimit sets the parameter "rlimit": the limit of every single call in Z3's
// resource units, which unlike time are reproducible. Zero means no limit.
func (p *Params) SetRLimit(units uint32) *Params { return p.SetUint("rlimit", units) }

// withoutRLimit splits the parameter "rlimit" off. It reports false if that is
// not set.
func (p *Params) withoutRLimit() (rest *Params, rlimit uint32, ok bool) {
	rlimit, ok = p.values["rlimit"].(uint32)
	if !ok {
		return p, 0, false
	}
	rest = &Params{values: maps.Clone(p.values)}
	delete(rest.values, "rlimit")
	return rest, rlimit, true
}

// build makes the Z3 object for the parameters. It reports false, and records
// an error, if that fails.
func (p *Params) build(c *Context, op string) (*object, bool) {
	o := c.object(op, C.COMUS_PARAMS, unsafe.Pointer(C.Z3_mk_params(c.c)))
	if o == nil {
		return nil, false
	}
	cp := C.Z3_params(o.ptr)
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		key := c.mkSymbol(name)
		switch v := p.values[name].(type) {
		case bool:
			C.Z3_params_set_bool(c.c, cp, key, C.bool(v))
		case uint32:
			C.Z3_params_set_uint(c.c, cp, key, C.uint(v))
		case float64:
			C.Z3_params_set_double(c.c, cp, key, C.double(v))
		case string:
			C.Z3_params_set_symbol(c.c, cp, key, c.mkSymbol(v))
		}
		if !c.check(op) {
			return nil, false
		}
	}
	runtime.KeepAlive(o)
	return o, true
}

// mkSymbol returns the Z3 symbol with the given text.
func (c *Context) mkSymbol(s string) C.Z3_symbol {
	return withCString(s, func(cs *C.char) C.Z3_symbol {
		return C.Z3_mk_string_symbol(c.c, cs)
	})
}

// keepSignals keeps Z3 from replacing the process's handler of SIGINT during a
// call, as it does unless told otherwise: it would swallow the signal, and leave
// Go a handler that Go cannot use.
func (c *Context) keepSignals(p *object) {
	C.Z3_params_set_bool(c.c, C.Z3_params(p.ptr), c.mkSymbol("ctrl_c"), C.bool(false))
}
