// Package race finds the pairs of accesses of a whole cir.Program that may be data races.
//
// Memory is what package pointsto makes of it: objects, and ranges of bytes in them, where all elements of an array are one. Each thread
// (package thread) runs some functions, whose instructions and calls of the library access some ranges (touch.go, library.go).
// Of objects that several threads may get at, these accesses are collected, grouped by all that decides about a pair: the
// thread, the bytes, whether it writes, is atomic, which locks are held, what may be running then (collect.go). An object is cut at
// the bounds of the ranges into locations, such that the same accesses go to all bytes of one (locate.go). Then each pair of groups at a location is
// looked at: it is excluded if both only read, or both are atomic, or they share a lock, or are never made at the same time, or one
// of them is made before any other thread may know the object. What is left are suspects (pair.go).
//
// What the library does inside is no part of races: what it synchronises by counts as atomic, and of its hidden state the contracts say
// which function uses it how. What code outside of the program does is what contracts say, or, without one, an access of all that it can
// reach from its arguments.
package race
