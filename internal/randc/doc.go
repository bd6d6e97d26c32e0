// Package randc writes random C programs with one thread, of everything that C has
// for data: integers, bit-fields, structs and unions of any layout, floats, strings,
// pointers, variable arguments, jumps. A program prints values and checksums and
// ends with an exit code, and a C compiler tells what they have to be.
//
// The programs have no undefined behaviour, and none that C leaves to the compiler
// beyond what gcc documents (conversions to signed types, shifts of negative numbers
// to the right, members of unions read across). Each integer expression carries the
// values it may have, and where an operation could overflow it is done in another
// way; divisors are not zero; floating variables stay finite, and are converted to
// integers only where they fit; expressions have no side effects but where the order
// is fixed, and functions called in them write their own variables only; padding is
// never read; objects of unknown bytes have no _Bool.
//
// [Program] gives the text of a seed. [Judge] compiles and runs programs, many at
// once, and [Shrink] makes a failing one smaller.
package randc
