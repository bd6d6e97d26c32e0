package race

import (
	"path/filepath"
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// What counts of the library's accesses is as in package specialise, for single questions.

// The beginnings of names of files of the library: of those whose functions access objects that threads synchronise by, or are made of what they
// allocate themselves; and of those that are thread-safe, whatever their variables are.
var (
	synchronising = []string{"pthread", "semaphore", "threads.c", "exit.c", "malloc.c"}
	threadSafe    = []string{"pthread", "semaphore", "threads.c", "exit.c", "malloc.c", "process.c", "sched.c", "signal.c", "stdio", "unistd"}
	lockFiles     = []string{"pthread", "semaphore", "threads.c"}
	// blockFiles are those of them whose functions access the library's own blocks only, which tell of threads, keys and what is called at their ends.
	blockFiles = []string{"pthread.c", "pthread_cancel", "pthread_cleanup", "pthread_key", "threads.c"}
)

// plainResults are the functions there that access memory which is the program's; results those of them that only write it, beside objects
// that threads synchronise by.
var (
	results = map[string]bool{"sem_getvalue": true, "pthread_setcancelstate": true, "pthread_setcanceltype": true,
		"pthread_mutex_getprioceiling": true, "pthread_mutex_setprioceiling": true}
	plainResults = map[string]bool{"pthread_create": true, "__comus_thread_begin": true, "end_join": true, "pthread_key_create": true,
		"thrd_create": true, "thrd_join": true, "tss_create": true, "free": true, "calloc": true, "realloc": true, "posix_memalign": true}
)

// isOf reports whether a file of the library has one of these beginnings, and is not about attributes, which are the program's.
func isOf(file string, prefixes []string) bool {
	name := filepath.Base(file)
	return !strings.Contains(name, "attr") && slices.ContainsFunc(prefixes, func(s string) bool { return strings.HasPrefix(name, s) })
}

// inside tells how an access within the library counts: not at all, or as an atomic one.
func inside(f *cir.Func, t *touch) (none, atomic bool) {
	write := t.write
	if !f.Library || t.beyond {
		return false, false
	}
	exempt := !plainResults[f.Source] && !results[f.Source] && !strings.Contains(f.Source, "attr") && isOf(f.Pos.File, synchronising)
	if isOf(f.Pos.File, lockFiles) && !(exempt && isOf(f.Pos.File, blockFiles)) && (exempt || results[f.Source] && !write) {
		return false, true
	}
	return exempt, false
}

// librarys reports whether an object is the library's own when one of its functions accesses it.
func librarys(o *pointsto.Object, library bool) bool {
	if o.Global != nil {
		return o.Global.Library && (isOf(o.Global.Pos.File, threadSafe) || isClocks(o.Global))
	}
	if !library || o.Func == nil || !o.Func.Library {
		return false
	}
	return o.Local != nil || o.Site != nil && (isOf(o.Func.Pos.File, lockFiles) || isFile(o))
}

// isClocks reports whether a variable is what the library notes of the clocks for all threads: asking for the time is thread-safe, unlike what else its file has.
func isClocks(g *cir.Global) bool {
	return g.Library && g.Source == "shown" && filepath.Base(g.Pos.File) == "time.c"
}

// isStandard reports whether an object is the standard streams.
func isStandard(o *pointsto.Object) bool {
	g := o.Global
	return g != nil && g.Library && g.Source == "standard" && filepath.Base(g.Pos.File) == "stdio.c"
}

// isFile reports whether an object is a FILE that was opened.
func isFile(o *pointsto.Object) bool {
	return o.Func != nil && o.Func.Library && o.Func.Source == "new_file"
}

// isPrograms reports whether an object is none of those that functions of the library make for programs, FILE and DIR and the like, though the program has
// functions of the library use it as such, as far as is known of its pointers: a variable of its own, what it has allocated, or what a thread is known by.
func isPrograms(o *pointsto.Object) bool {
	switch {
	case o.Global != nil:
		return !o.Global.External && (!o.Global.Library || isOf(o.Global.Pos.File, lockFiles))
	case o.Func == nil || !o.Func.Library:
		return o.Func != nil
	}
	return o.Site != nil && (isOf(o.Func.Pos.File, lockFiles) || isOf(o.Func.Pos.File, []string{"malloc.c"}))
}

// hidden is an access of state of the library that a call makes: the state that is one, or that of an object.
type hidden struct {
	state  string
	handle cir.Value // if set, the state is that of the object
	write  bool
	atomic bool
}

// ownState is each thread's own, or no memory of the process; lockedState has a lock of its own, which functions take that
// need not be thread-safe because of something else.
var (
	ownState = map[contract.State]bool{"errno": true, "h_errno": true, "fenv": true, "stack": true, "tls": true, "dlerror": true,
		"world": true}
	lockedState = map[contract.State]bool{"stdio": true, "tz": true, "exit": true}
)

// The standard streams are one state, as most functions do not tell which one they use; so is the environment, whose memory programs see.
const (
	streams     = "standard streams"
	environment = "environ"
)

// states returns what a call of the program's does to the library's hidden state.
func states(in *cir.Call, c *contract.Function) (hs []hidden) {
	handled := map[contract.State]bool{}
	for i := range c.Params {
		s, ok := contract.Default().StateOf(c.Params[i].Handle)
		if !ok || i >= len(in.Args) {
			continue
		}
		handled[s] = true
		w, a := accessOf(c, s)
		if c.Params[i].Frees {
			w, a = true, false
		}
		hs = append(hs, hidden{state: string(s), handle: in.Args[i].X, write: w, atomic: a})
	}
	for _, s := range append(slices.Clone(c.Writes), c.Reads...) {
		if handled[s] || ownState[s] || optional(c, s, in) {
			continue
		}
		handled[s] = true
		w, a := accessOf(c, s)
		name := string(s)
		if s == "stdio" {
			name = streams
		}
		hs = append(hs, hidden{state: name, write: w, atomic: a})
	}
	return hs
}

// accessOf returns what a call of a function does to a state.
func accessOf(c *contract.Function, s contract.State) (write, atomic bool) {
	plain := c.Unsafe && !lockedState[s] || s == "stdio" && c.Unsafe && (strings.Contains(c.Name, "_unlocked") || c.Name == "fcloseall")
	return slices.Contains(c.Writes, s), !plain
}

// optional reports whether a call does not use a state as it is given an object of the caller's for that: the address of one.
func optional(c *contract.Function, s contract.State, in *cir.Call) bool {
	for i := range c.Params {
		p := &c.Params[i]
		if (s == "shift" && p.Name == "st" || (s == "ctermid" || s == "tmpnam") && p.Nullable) && i < len(in.Args) {
			switch in.Args[i].X.(type) {
			case *cir.Local, *cir.Global:
				return true
			}
		}
	}
	return false
}

// contractOf returns the contract of a function that a call of the program's gets to, nil if there is none.
func contractOf(in *cir.Call, f *cir.Func) *contract.Function {
	if len(f.Blocks) > 0 {
		if !f.Library {
			return nil
		}
		c, _ := contract.Lookup(f.Source)
		return c
	}
	c := thread.ContractOf(in, f)
	if c == nil || len(c.Params) > len(in.Args) || c.Variadic == nil && len(c.Params) < len(in.Args) && !c.Formats() {
		return nil // a function of the program's, with the same name
	}
	return c
}

// unread are functions whose models do not look at all that they are given, or where that does not count; unwritten are those that may write more than their models do.
var (
	unread = map[string]bool{"fopen": true, "freopen": true, "popen": true, "remove": true, "rename": true, "system": true,
		"execv": true, "execve": true, "execvp": true, "execvpe": true, "execl": true, "execlp": true, "execle": true,
		"pthread_create": true, "pthread_cond_init": true, "pthread_barrier_init": true,
		"pthread_attr_setscope": true, "pthread_attr_setaffinity_np": true, "pthread_attr_getaffinity_np": true}
	unwritten = map[string]bool{"nanosleep": true, "clock_nanosleep": true, "thrd_sleep": true,
		"pthread_attr_setscope": true, "pthread_attr_setaffinity_np": true, "pthread_attr_getaffinity_np": true}
)

// beyondModel returns what such a function accesses, as its contract has it.
func beyondModel(m cir.Model, in *cir.Call, f *cir.Func) (list []touch) {
	if !f.Library || len(f.Blocks) == 0 || !unread[f.Source] && !unwritten[f.Source] {
		return nil
	}
	c := contractOf(in, f)
	if c == nil {
		return nil
	}
	for i, arg := range in.Args {
		p := c.Argument(i)
		if p == nil {
			continue
		}
		for _, a := range p.Accesses {
			if a.Reads && !a.Writes && unread[f.Source] || a.Writes && unwritten[f.Source] {
				list = append(list, throughAccess(m, in, a, arg.X)...)
			}
		}
	}
	return list
}

// unknown returns what a function without a body may access through the arguments of a call; c is its contract, nil if it has none.
func unknown(m cir.Model, in *cir.Call, c *contract.Function) (ts []touch) {
	for i, a := range in.Args {
		if c == nil {
			ts = append(ts, touch{ptr: a.X, span: deep, write: true, beyond: true})
			continue
		}
		ts = append(ts, byContract(m, in, c, c.Argument(i), a.X)...)
	}
	return ts
}

// byContract returns what a function with a contract accesses through an argument; p is nil for one that its contract does not know.
func byContract(m cir.Model, in *cir.Call, c *contract.Function, p *contract.Param, v cir.Value) (ts []touch) {
	if p == nil {
		t := touch{ptr: v, size: -1, write: true}
		for i := range c.Params {
			if c.Params[i].Format == contract.Printf {
				t.write, t.format = false, in.Args[i].X
			}
		}
		return []touch{t}
	}
	switch {
	case p.Handle != "":
		return nil
	case p.VaList:
		return []touch{{ptr: v, span: listed, write: true}}
	case p.Format != contract.NoFormat:
		ts = append(ts, reads(v, -1))
	}
	if p.Frees || p.FreesBelow {
		ts = append(ts, touch{ptr: v, span: object, write: true})
		if p.FreesBelow {
			ts = append(ts, touch{ptr: v, span: deep, write: true})
		}
	}
	for _, a := range p.Accesses {
		ts = append(ts, throughAccess(m, in, a, v)...)
	}
	for _, k := range p.Retains { // what later calls do counts as done by whoever gave it away
		for _, a := range k.Accesses {
			ts = append(ts, throughAccess(m, in, a, v)...)
		}
	}
	return ts
}

func throughAccess(m cir.Model, in *cir.Call, a contract.Access, v cir.Value) (ts []touch) {
	t := touch{ptr: v, size: -1, write: a.Writes}
	for _, l := range a.Extent {
		switch l.Kind {
		case contract.Whole:
			t.span = object
		case contract.Deep:
			t.span = deep
		case contract.Below:
			t.span = below
		case contract.Bytes:
			if n := pointsto.Product(m, in, l.Bytes); n >= 0 && (t.size < 0 || n < t.size) {
				t.size = n
			}
		}
	}
	if t.size >= 0 && (t.span == object || t.span == bytes) {
		t.span = bytes
	}
	return []touch{t}
}
