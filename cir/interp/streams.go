package interp

import "encoding/binary"

// Streams are objects that nobody sees (hidden.go). Functions lock the stream while they use it. That orders nothing, unless the program takes
// such locks itself, by flockfile: then the models of all functions do (use_locked), and their accesses are made there, with the lock.

// aStream is what reports call a stream.
const aStream = "a stream"

// standardStreams are the variables that lead to them.
var standardStreams = map[string]string{"standard input": "stdin", "standard output": "stdout", "standard error": "stderr"}

// streams tells what functions of <stdio.h> do to their streams.
func streams(each func(s hiddenState, names ...string)) {
	given := func(arg int, names ...string) { each(hiddenState{object: aStream, arg: arg, locked: true}, names...) }
	given(1, "fprintf", "vfprintf", "fscanf", "vfscanf", "fgetc", "getc", "fflush", "fseek", "fseeko", "ftell", "ftello", "rewind", "fgetpos",
		"fsetpos", "clearerr", "setvbuf", "setbuf")
	given(2, "fputc", "putc", "fputs", "ungetc")
	given(3, "fgets")
	given(4, "fread", "fwrite")
	each(hiddenState{object: aStream, arg: 1, locked: true, read: true}, "feof", "ferror")
	each(hiddenState{object: "standard input", locked: true}, "getchar", "scanf", "vscanf")
	each(hiddenState{object: "standard output", locked: true}, "printf", "vprintf", "putchar", "puts")
	each(hiddenState{object: "standard error", locked: true}, "perror")

	plain := func(arg int, names ...string) { each(hiddenState{object: aStream, arg: arg}, names...) }
	plain(1, "fclose", "pclose", "fgetc_unlocked", "getc_unlocked", "fflush_unlocked", "clearerr_unlocked")
	plain(2, "fputc_unlocked", "putc_unlocked", "fputs_unlocked")
	plain(3, "fgets_unlocked")
	plain(4, "fread_unlocked", "fwrite_unlocked")
	each(hiddenState{object: aStream, arg: 1, read: true}, "feof_unlocked", "ferror_unlocked")
	each(hiddenState{object: "standard input"}, "getchar_unlocked")
	each(hiddenState{object: "standard output"}, "putchar_unlocked")
}

// standard returns a standard stream: the one that its variable leads to, if the program has that.
func (r *races) standard(name string) hiddenKey {
	for _, g := range r.m.prog.Globals {
		if g.Source != standardStreams[name] || !g.Library {
			continue
		}
		o, err := r.m.object(g)
		if err != nil {
			break
		}
		var address [8]byte
		b, _ := r.m.bytesAt(o, 0, r.m.wordSize())
		copy(address[:], b)
		if p := r.m.getPointer(o, 0, binary.LittleEndian.Uint64(address[:])); p.obj != nil {
			return hiddenKey{name: aStream, obj: p.obj, off: p.lo}
		}
	}
	return hiddenKey{name: name}
}

// waitsForStreams reports whether the models wait for the locks of streams.
func (r *races) waitsForStreams() bool {
	if !r.streamsKnown {
		r.streamsKnown = true
		for _, f := range r.m.prog.Funcs {
			r.streamsLocked = r.streamsLocked || f.Library && f.Source == usesStream && len(f.Blocks) > 0
		}
	}
	return r.streamsLocked
}

// usesStream is the model that takes a stream's lock and gives it back.
const usesStream = "use_locked"

// usedStream is the end of a section of that model: the thread held the lock before, and still does.
func usedStream(r *races, t *thread, f *frame, _ bool) {
	lock := lockOf(f)
	o, off := r.find(lock, 4)
	if o == nil || o.dead {
		return
	}
	if b, _ := r.m.bytesAt(o, off, 4); binary.LittleEndian.Uint32(b) == uint32(t.id+1) {
		r.usesStream(t, f)
	}
}

// usesStream notes what the function that the program has called does to the stream whose lock the thread holds.
func (r *races) usesStream(t *thread, f *frame) {
	outer := f
	for outer.caller != nil && outer.caller.fn.f.Library {
		outer = outer.caller
	}
	ps := f.fn.f.Params
	if len(ps) < 2 {
		return
	}
	p := f.s[ps[1].Reg.Index]
	for _, h := range hiddenStates[outer.fn.name()] {
		if h.locked && !isNull(p) {
			r.hiddenAccess(t, f, hiddenKey{name: aStream, obj: p.obj, off: p.lo}, !h.read, true)
		}
	}
}
