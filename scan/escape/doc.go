// Package escape is an escape analysis: it tells which objects have not escaped from the one thread that knows them. It has just
// allocated them, or they are its locals, and their addresses went nowhere yet. Whatever is done to them there is no race, and makes no lock of theirs useless.
//
// It follows, along the control flow of each function, the registers and locals that hold such an address ([valuenum.Value]), until it
// is stored, given to somebody who might keep it, or hard to follow: whatever else is done with it ends the object's being owned.
// Functions of the program's own are asked whether they let a parameter out, and a function that is only ever called with an owned
// object, an initialiser, owns it as well. Both answers begin with the best and are taken back until they fit: what is left holds,
// as a first call that breaks it would have been seen.
package escape
