// Package secondreader reads units of C with modernc.org/cc/v4, a front end that shares nothing with ours, and
// says what it makes of them in a form that can be compared: facts about each declaration.
//
// Two readers that were written apart seldom make the same mistake. So where they agree on the type, size, layout or
// value of everything that a unit declares, both are likely right, and where they differ, gcc is asked. This is
// differential testing (McKeeman, Digital Technical Journal 10, 1998), of a front end. The test that
// compares is in package cfront/sema, as it looks at what that package knows of each scope; the one for
// preprocessors is in cfront/read. Differences that are known are in a table there, with who is right by gcc.
//
// A unit's [Facts] are, for each declaration, by its kind, name and place: the type with its whole structure, size,
// alignment, places of members and bit-fields, linkage, values of enumerators, the bytes that initialisers
// give, and the values of case labels. Its [Spans] are the tokens that declarations, statements and
// expressions stand for.
//
// What cc does not keep is not compared: qualifiers (of what pointers point to, it drops them) and most attributes.
package secondreader
