// Package torture gives access to test programs for C compilers that are in the
// module modernc.org/ccorpus2, which is downloaded into the module cache and not
// linked: gcc's torture tests of execution, and those of tcc, lacc, mir, ccgo and
// CompCert. gcc's tests of compilation are not among them: they are not made to be run.
//
// [Programs] lists them with the flags they need, what they make use of, and the exit
// code that gcc's program has. Nearly all of them check themselves and end with 0; the
// list in judged.txt has the others, and those that gcc 12 does not compile, with the
// reason. The tests of this package find out whether it is right. Those that are not
// gcc's print something as well; [Program.Judge] tells what.
package torture
