// Package torture gives access to test programs for C compilers that are in the
// module modernc.org/ccorpus2, which is downloaded into the module cache and not
// linked: gcc's torture tests, and the smaller ones of tcc, lacc, mir and ccgo.
//
// [Programs] lists them with the flags they need, what they make use of, and the exit
// code that gcc's program has. Nearly all of them check themselves and end with 0; the
// list in judged.txt has the others, and those that gcc 12 does not compile, with the
// reason. The tests of this package find out whether it is right.
package torture
