package pointsto

import "comus/cir"

// Threads hand over work through pipes and sockets, too: one writes a pointer, or a struct with pointers, and another one reads it. What is written and read by a number of
// bytes that the program's text says (as sizeof does) is followed: any such read may get any pointer that was written so. Of other bytes it is assumed that they
// lead to no object of the program.

// carried is the state of what is on its way, which no contract speaks of.
const carried = "carried"

// carriers are functions of the library that write bytes, or read them, and which argument leads to these.
var carriers = map[string]struct {
	arg   int
	reads bool // the function reads from outside: it writes to memory
}{
	"write": {1, false}, "send": {1, false}, "sendto": {1, false}, "pwrite": {1, false}, "mq_send": {1, false}, "fwrite": {0, false},
	"read": {1, true}, "recv": {1, true}, "recvfrom": {1, true}, "pread": {1, true}, "mq_receive": {1, true}, "fread": {0, true},
}

// carry states that a call of a function of the library writes to a pipe what memory holds, or reads what was written there.
func (a *analysis) carry(x *instance, in *cir.Call, f *cir.Func) {
	c, ok := carriers[f.Source]
	if !ok || !a.open || x.fn.Library || !f.Library && len(f.Blocks) > 0 || len(in.Args) < 3 {
		return
	}
	size := constant(in.Args[c.arg+1].X)
	if c.arg == 0 { // so many of these
		if n := constant(in.Args[2].X); size >= 0 && n >= 0 && n < 1<<20 && size < 1<<20 {
			size *= n
		} else {
			size = -1
		}
	}
	if size < a.wordSize() {
		return
	}
	at := a.value(x, in.Args[c.arg].X)
	if c.reads {
		a.each(at, func(l Location) { a.floodAt(a.keeps(carried).all, l, size) })
		return
	}
	b := &buffer{size: size, all: a.keeps(carried).contents}
	a.each(at, func(l Location) {
		if !l.Obj.IsFunc() && !l.Obj.External {
			a.reading(l, b)
		}
	})
}
