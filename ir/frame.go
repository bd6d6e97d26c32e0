package ir

import "slices"

// Frame is an activation of a function, as a debugger shows it. Frames are shared and do not change. Of the functions of the library, only
// those are shown that the program's own code calls.
type Frame struct {
	Func    string // as the source names it
	Library bool   // it is one of the library's: it has no places of its own
	// Call is where Caller calls it, or creates the thread that it is the beginning of. It is no place where Caller is the library's.
	Call   Pos
	Caller *Frame // nil: nobody that is known
	Starts bool   // a thread begins with it
}

// At is an entry of a call stack: a place in an activation of a function.
type At struct {
	Func string
	Pos  Pos // no place in a function of the library
}

// Stack returns the call stack of a thread that stands at a place in an activation, innermost first, and that of the
// thread which created it where it did, of thread 0 none.
func (f *Frame) Stack(at Pos) (calls, created []At) {
	list := &calls
	for ; f != nil; f = f.Caller {
		if f.Library {
			at = Pos{}
		}
		*list = append(*list, At{f.Func, at})
		at = f.Call
		if f.Starts && list == &calls {
			list = &created
		} else if f.Starts {
			break
		}
	}
	return calls, created
}

// Place is a place of the program that a step tells of in a report, and which is perhaps not its own.
type Place struct {
	Pos  Pos
	Text string // the statement
	In   *Frame
}

// frames are those that a program's places are in, each behind its caller.
type frames struct {
	list   []frameText
	places map[*Frame]int32
}

type frameText struct {
	Func            string
	Library, Starts bool
	Call            Pos
	Caller          int32 // its place, 0 being none
}

// place returns the number of a frame.
func (fs *frames) place(f *Frame) int32 {
	if f == nil {
		return 0
	}
	if n, ok := fs.places[f]; ok {
		return n
	}
	text := frameText{f.Func, f.Library, f.Starts, f.Call, fs.place(f.Caller)}
	fs.list = append(fs.list, text)
	fs.places[f] = int32(len(fs.list))
	return fs.places[f]
}

// decodeFrames makes the frames; the first is nil.
func decodeFrames(list []frameText) []*Frame {
	out := make([]*Frame, 1, len(list)+1)
	for _, f := range list {
		out = append(out, &Frame{Func: f.Func, Library: f.Library, Starts: f.Starts, Call: f.Call, Caller: out[f.Caller]})
	}
	return slices.Clip(out)
}
