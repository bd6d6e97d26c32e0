// Package graph writes data that leads to one another by pointers as bytes, and makes it again of them: structs, slices, arrays, strings, numbers,
// pointers, and interfaces that hold one of the types that were named before ([Of]). What several pointers lead to is one thing afterwards, too, and cycles are kept.
// Where a pointer leads into the middle of something, or slices share an array, what comes out is apart.
//
// It knows no other types: those with fields that are not exported, maps and functions are errors. The form says nothing of the types, so that it has to be
// read by the same program that wrote it.
package graph
