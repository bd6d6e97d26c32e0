// Package weave puts C into a unit that has been preprocessed: statements before a statement, around
// a call, into a condition. The parser of the front end says where these are ([Outline]), and what is put
// in is tokens like those around it, so that it is parsed and checked where it stands: its names are those
// in scope there, and a mistake in it is found by the rules of C.
//
// The tokens of a woven text have a place of their own, in the file that the caller names, so that nothing
// the program does there is taken for one of its own steps; all others keep theirs.
package weave
