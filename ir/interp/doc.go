// Package interp runs programs of package ir on concrete values, one step at a
// time. It is the reference for what a step means, so it checks everything and
// is written to be read; package explore is the fast one.
//
// [Replay] decides whether a schedule is a real violation: it runs it from the
// initial state and accepts it only if every step is possible and an error
// location is reached at the end. Its [Trace] is what a report prints.
package interp
