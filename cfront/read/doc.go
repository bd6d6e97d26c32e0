// Package read reads a unit of C: from the command line of its compilation to a syntax tree
// whose nodes know where the user wrote them.
//
//	command.Invocation ── the host's gcc -E -dD ──► tokens ──► places ──► text for cc ──► cc.AST
//	                   └─ or our preprocessor ───►
//
// Preprocessing is the host compiler's work: only it knows its headers and predefined macros.
// Its output has lines but no columns, and macros are gone; [Unit.Pos] and [Unit.Text] need both.
// So it is asked for the definitions of macros as well, and the user's files are expanded a
// second time beside it; see aligner. Without a host compiler, package read's own preprocessor
// reads the embedded headers: see preprocessor. A file that is preprocessed already is taken as
// it is, with lines by its line markers.
//
// The tokens are then written down anew for cc's parser, each with where it came from. Between
// what gcc takes and what cc takes there are differences, and all of them are dealt with here, on
// tokens, in [rewriter]: one method each. Only cc.Parse is used: names are known as far as the
// grammar needs them (which names are types), but nothing is typed or evaluated.
//
// # What a later phase sees
//
// The tree is cc's, of the preprocessed unit, with these conventions.
//
//   - __builtin_va_arg(ap, T) is a call of the identifier __builtin_va_arg with the arguments ap
//     and sizeof(T): a *cc.UnaryExpression of Case UnaryExpressionSizeofType, which has the
//     cc.TypeName. In the same way __builtin_types_compatible_p(sizeof(T), sizeof(U)),
//     __builtin_convertvector(v, sizeof(T)) and __builtin_bit_cast(sizeof(T), e).
//   - __builtin_offsetof(T, m.a[3].b) is the call
//     __builtin_offsetof(sizeof(T), __comus_object.m.a[3].b), see [Object].
//   - __builtin_choose_expr(c, a, b), __builtin_complex, __builtin_shuffle and all other builtins
//     are plain calls of undeclared identifiers.
//   - __builtin_va_list, __builtin_ms_va_list and __builtin_sysv_va_list are typedef names without
//     a declaration in the tree (in the scope they are int: give them their own type by name).
//   - __auto_type is the typedef name [AutoType]: the type is that of the initializer. Case
//     DeclarationAuto does not occur.
//   - typeof(const T) is typeof(T const).
//   - __float80 is long double. __extension__ is gone. __FUNCTION__ and __PRETTY_FUNCTION__ are
//     __func__; cc puts "static const char __func__[] = "f";" as the first item of the body of
//     each function f.
//   - u8"s" is "s"; u"s" and U"s" are L"s" in the tree, u'c', U'c' and u8'c' are L'c': [Unit.Prefix]
//     tells them apart. Adjacent string literals are one token. Raw strings are plain ones. Escape
//     sequences are as written (\x may have many digits), but where two literals met.
//   - Each attribute is a list of its own, __attribute__((name)) or ((name(arguments))), with its
//     name without __ around it. Those in a place where cc's parser forgets them are lost: after
//     an enumerator, in parentheses before a declarator, and of statements.
//     [[gnu::x]] and [[noreturn]] are such attributes, other [[...]] are gone.
//     Attributes between enum and its name or { are behind the } or name: in the specifiers.
//   - A _Static_assert without a message has the message "".
//   - In C23, alignas, alignof, bool, thread_local and static_assert are as in C11.
//   - Integer constants have no digit separators, but may be binary, may have no type in C
//     (a decimal above 2^63-1), and may be imaginary (then they are float tokens, 2i).
//   - Identifiers that cc would take for a keyword and the dialect does not (asm, typeof with
//     -std=c99, ...) have [IDPrefix] before them.
//   - Functions of verification (__VERIFIER_nondet_int, nondet_uint, __CPROVER_assume, reach_error,
//     ...) that the program uses without declaring them are declared before its first
//     declaration, with positions before all others: [Unit.Implicit].
//   - #pragma pack: [Unit.Pack] of a struct or union specifier. #pragma weak, redefine_extname:
//     [Unit.Weak], [Unit.Renamed].
//
// # What is refused though gcc compiles it
//
//   - Brackets within brackets, or prefix operators in a row, more than 10,000; statements with more
//     than 30,000 operators or labels outside of inner brackets and commas; 5,000 branches of one
//     if ... else if; files and preprocessed units of more than 256 MiB.
//   - Without a compiler: headers other than the embedded ones and the user's own, -traditional-cpp.
//   - Whatever else cc's parser does not take and no method of rewriter turns into what it takes;
//     the error says "cannot be read, though gcc compiles it". gcc's 1506 torture tests of its
//     execute folder have none, those of its compile folder none but such as meet the limits.
//
// Taken as they are not: __builtin_has_attribute is 0, and __seg_fs and __seg_gs are ignored, each
// with a warning, as are #pragma scalar_storage_order and omp.
package read
