// Package syntax is C's grammar with GNU's extensions: it makes a tree of the tokens of a
// preprocessed unit. The tree says what is written, every attribute and every
// token's place; what names mean and which types things have is package sema's matter. The
// grammar itself hangs on one meaning only: whether a name is a typedef name where it
// stands, and so the parser keeps scopes of names.
package syntax
