package main

import (
	"fmt"
	"io"
	"strings"

	"comus/ir"
)

// writeCalls prints the calls that led to a place of a thread, which has been told, and those that led to its creation. It prints nothing if the thread's
// first function stands there itself, or calls a function of the library there, and main created the thread.
func writeCalls(w io.Writer, t *ir.Thread, calls, created []ir.At) {
	own := calls
	if len(own) > 1 && own[0].Pos.Line == 0 {
		own = own[1:]
	}
	if len(own) == 0 || len(own) == 1 && len(created) < 2 && strings.HasPrefix(t.Name, own[0].Func) {
		return
	}
	fmt.Fprintf(w, "      in %s\n", calls[0].Func)
	for _, a := range calls[1:] {
		fmt.Fprintf(w, "      called by %s\n", inFunction(a))
	}
	how := "created"
	for _, a := range created {
		fmt.Fprintf(w, "      %s by %s\n", how, inFunction(a))
		how = "called"
	}
}

// inFunction tells an entry of a call stack.
func inFunction(a ir.At) string {
	if a.Pos.Line == 0 { // of the library
		return a.Func
	}
	return fmt.Sprintf("%s at %s", a.Func, a.Pos)
}

// jsonCall is an entry of a call stack. A function of the library has no place.
type jsonCall struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// jsonCalls returns a call stack in its form.
func jsonCalls(calls []ir.At) []jsonCall {
	var out []jsonCall
	for _, a := range calls {
		out = append(out, jsonCall{a.Func, a.Pos.File, a.Pos.Line, a.Pos.Col})
	}
	return out
}
