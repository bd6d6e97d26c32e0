package world

import (
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/cir/interp"
)

// World is what is outside of one run of a program.
type World struct {
	Outside Outside
	Wanted  Wanted

	// choose returns a number below n: 0 is what usually happens.
	choose func(n int) int
	opts   *options
	zone   interp.Value // the name of the time zone

	files    map[int64]*descriptor
	next     int64 // the next descriptor
	segments map[int64]*segment

	connections int // that have come
}

// New returns the world of a run. Choices are made by what gives inputs.
func New(give func(name string, t cir.Type) (lo, hi uint64)) *World {
	return &World{choose: func(n int) int {
		v, _ := give("", cir.U32)
		return int(uint32(v)) % n
	}}
}

// Instead are the functions of the library that the world performs although they have a model.
var Instead = map[string]bool{"getopt_any": true, "getopt_long_any": true, "to_date": true, "to_text": true, "close": true, "read": true, "fopen": true, "sigwait": true, "descriptor_of_file": true, "bytes_of_file": true,
	"any_value": true, "sign": true, "strcmp": true, "strncmp": true, "strcasecmp": true, "strncasecmp": true, "strstr": true, "memcmp": true,
	"strtol": true, "strtoul": true, "strtoll": true, "strtoull": true, "atoi": true, "atol": true, "atoll": true, "strtod": true, "atof": true}

// call is a call of a function.
type call struct {
	*World
	m    *interp.Machine
	name string
	args []interp.Value
}

// function performs a call. It may say that it does not know what happens.
type function struct {
	args int
	do   func(c *call) (r interp.Value, known bool, err error)
}

// Call performs a call of a function without a body. If it does not know exactly what the function may do, it says so and has done nothing.
func (w *World) Call(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
	c := &call{w, m, name, args}
	if f, ok := functions[strings.TrimSuffix(name, "64")]; ok && len(args) >= f.args {
		r, known, err := f.do(c)
		if known || err != nil || Instead[name] { // the model knows the rest, as what a pipe has
			return r, known, err
		}
	}
	if f, ok := contract.Lookup(name); ok && c.wellFormed(f) {
		switch {
		case mayFail(f):
			return c.fails(f)
		case mayBeNull(f):
			return null(), true, c.setErrno(errnos["ENOMEM"])
		}
	}
	return interp.Value{}, false, nil
}

// kernel are the headers of functions of the kernel: each may fail, whatever it is asked for.
var kernel = []string{"fcntl.h", "unistd.h", "dirent.h", "poll.h", "termios.h", "mqueue.h", "sys/"}

// mayFail reports whether a function may return -1, with errno set and nothing else done.
func mayFail(f *contract.Function) bool {
	ours := func(h string) bool {
		return f.Header == h || strings.HasSuffix(h, "/") && strings.HasPrefix(f.Header, h)
	}
	if !f.Errno || f.NoReturn || f.Twice || f.Threads || !slices.ContainsFunc(kernel, ours) {
		return false
	}
	for _, p := range append(slices.Clone(f.Params), some(f.Variadic)...) {
		if p.Frees || p.FreesBelow || len(p.Calls) > 0 {
			return false
		}
	}
	return slices.ContainsFunc(f.Results, func(v contract.Value) bool {
		b := v.Range.Low
		return v.Kind == contract.Within && b != nil && b.Negative && len(b.Product) == 1 && b.Product[0].Kind == contract.Number && b.Product[0].Number == 1
	})
}

// mayBeNull reports whether a function may return a null pointer because there is no memory left, with errno set and nothing else done.
func mayBeNull(f *contract.Function) bool {
	if !f.Errno || f.NoReturn || f.Twice || f.Threads || !slices.Contains(f.Errors, "ENOMEM") {
		return false
	}
	if slices.ContainsFunc(f.Params, func(p contract.Param) bool { return p.Frees || p.FreesBelow || len(p.Calls) > 0 }) {
		return false
	}
	return slices.ContainsFunc(f.Results, func(v contract.Value) bool { return v.Kind == contract.Null })
}

// wellFormed reports whether the call has no null pointers where there may be none.
func (c *call) wellFormed(f *contract.Function) bool {
	for i, p := range f.Params {
		if i < len(c.args) && len(p.Accesses) > 0 && !p.Nullable && c.args[i].IsNull() {
			return false
		}
	}
	return len(c.args) >= len(f.Params)
}

func some(p *contract.Param) []contract.Param {
	if p == nil {
		return nil
	}
	return []contract.Param{*p}
}

// fails is a call that fails with one of the errors that are documented.
func (c *call) fails(f *contract.Function) (interp.Value, bool, error) {
	e := int64(12) // no memory
	if known := slices.DeleteFunc(slices.Clone(f.Errors), func(name string) bool { return errnos[name] == 0 }); len(known) > 0 {
		e = errnos[known[c.choose(len(known))]]
	}
	return c.error(e)
}

// error returns -1 with errno.
func (c *call) error(e int64) (interp.Value, bool, error) {
	if err := c.setErrno(e); err != nil {
		return interp.Value{}, true, err
	}
	return interp.Value{Type: cir.I64, Lo: ^uint64(0)}, true, nil
}

// setErrno sets errno, if the program has one.
func (c *call) setErrno(e int64) error {
	p, err := c.m.Global("errno")
	if err != nil {
		return nil
	}
	return c.m.SetBytes(p, little(e, 4))
}

// little is a number as n bytes.
func little(v int64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
	return b
}

// number returns a result.
func number(n int64) (interp.Value, bool, error) {
	return interp.Value{Type: cir.I64, Lo: uint64(n)}, true, nil
}

// errnos are the numbers of errors on Linux.
var errnos = map[string]int64{"EPERM": 1, "ENOENT": 2, "EINTR": 4, "EIO": 5, "EBADF": 9, "EAGAIN": 11, "ENOMEM": 12, "EACCES": 13,
	"EBUSY": 16, "EEXIST": 17, "ENODEV": 19, "ENOTDIR": 20, "EINVAL": 22, "ENFILE": 23, "EMFILE": 24, "ENOTTY": 25, "ENOSPC": 28, "EROFS": 30, "ENOSYS": 38,
	"ENOTSOCK": 88, "EADDRINUSE": 98, "ENETUNREACH": 101, "ECONNRESET": 104, "ENOBUFS": 105, "ENOTCONN": 107, "ETIMEDOUT": 110, "ECONNREFUSED": 111}
