// Package read preprocesses a unit of C: from the command line of its compilation to the tokens
// that package syntax parses, each with the place where the user wrote it.
//
//	command.Invocation ── the host's gcc -E -dD ──► text ──► places ──► syntax.Input
//	                   ├─ or our preprocessor, with the host's headers
//	                   └─ or our preprocessor, with embedded headers
//
// Preprocessing is the host compiler's work: only it knows its headers and predefined macros. To start it takes longer than all else that
// is done with a small program, so it is asked once for what has to be known of it, which is kept in the user's cache folder. Our preprocessor then reads small units with the host's headers,
// where both are sure to make the same of them; see compiler.go.
//
// gcc's output has lines but no columns, and macros are gone; the places of tokens and
// [syntax.Input]'s Text need both. So it is asked for the definitions of macros as well, and the
// user's files are expanded a second time beside it; see aligner. Without a host compiler, our
// preprocessor reads the embedded headers: see preprocessor. A file that is preprocessed
// already is taken as it is, with lines by its line markers.
//
// # What a later phase sees
//
//   - The tokens are as written, without line splices; digraphs are what they stand for. String
//     literals are not joined.
//   - A pragma that is not the preprocessor's own is a token of Kind [syntax.Pragma] where it
//     stands, that of a _Pragma as well.
//   - What comes from a macro is at the macro's name. Tokens of the system's headers have no column.
//   - A stray character and a literal that its line does not end are tokens of Kind
//     [syntax.Invalid].
//
// # What is refused though gcc compiles it
//
//   - Brackets within brackets, or prefix operators in a row, more than 10,000; statements with more
//     than 30,000 operators or labels outside of inner brackets and commas; 5,000 branches of one
//     if ... else if; files and preprocessed units of more than 256 MiB.
//   - Without a compiler: headers other than the embedded ones and the user's own.
package read
