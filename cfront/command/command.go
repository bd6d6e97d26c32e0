// Package command reads the command lines of C compilers: the flags of comus itself, which are
// those of gcc, and the entries of a compile_commands.json. What comes out is one Invocation for
// each source file.
//
// A flag of gcc does one of three things here. It matters to what the program means (-D, -I,
// -std, -funsigned-char, ...): it is kept, as a field if a later phase has to know, and in
// Preprocess if the preprocessor does. It is known not to matter (-O2, -Wall, -g, -o file, -c,
// -MD, -L, -l, most of -f and -m): it is dropped. Or it is not known: it is dropped with a
// warning. So a command line of any build can be given as it is.
package command

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Invocation is the compilation of one source file.
type Invocation struct {
	File string // as the user names it: relative to Dir, or absolute
	Dir  string // the folder of the compiler's run; "": the current one
	// Preprocess holds the flags that the preprocessor needs, in their order, as gcc takes them.
	Preprocess []string
	Language   string // of -x; "": by the file's name
	Flags      Flags
}

// Path returns the path of the file for the current process.
func (i *Invocation) Path() string {
	if filepath.IsAbs(i.File) || i.Dir == "" {
		return i.File
	}
	return filepath.Join(i.Dir, i.File)
}

// Flags are those that matter to the meaning of a program after preprocessing.
type Flags struct {
	Std               string // c89, gnu17, ...; "": the compiler's default, gnu17
	ILP32             bool   // -m32
	LP64              bool   // -m64, said outright
	CharUnsigned      bool   // plain char is unsigned
	BitfieldsUnsigned bool   // plain int bit-fields are unsigned
	ShortEnums        bool   // an enum is as small as it can be
	ShortWchar        bool   // wchar_t is unsigned short
	Wrapv             bool   // signed overflow wraps around
	NoStrictAliasing  bool   // memory may be accessed as any type
	Trapv             bool   // signed overflow ends the program
	PackStruct        int    // -fpack-struct=N: the largest alignment of members; 0: none
	Common            bool   // -fcommon: tentative definitions merge across units
	MSExtensions      bool   // -fms-extensions, -fplan9-extensions: tagged structs without a name are members
	NoBuiltin         bool   // -fno-builtin, -ffreestanding
	GNU89Inline       bool   // inline as in gnu89
	Pthread           bool   // -pthread
}

// Strict tells whether the dialect is ISO C without GNU's keywords.
func (f Flags) Strict() bool { return strings.HasPrefix(f.Std, "c") || strings.HasPrefix(f.Std, "iso") }

// Words returns the flags of gcc that say the same, but for those that the preprocessor has to know: they are in [Invocation].Preprocess.
func (f Flags) Words() (words []string) {
	for _, x := range []struct {
		is   bool
		word string
	}{
		{f.ILP32, "-m32"}, {f.LP64, "-m64"}, {f.BitfieldsUnsigned, "-funsigned-bitfields"}, {f.ShortEnums, "-fshort-enums"}, {f.Wrapv, "-fwrapv"}, {f.NoStrictAliasing, "-fno-strict-aliasing"},
		{f.Trapv, "-ftrapv"}, {f.PackStruct > 0, fmt.Sprintf("-fpack-struct=%d", f.PackStruct)}, {f.Common, "-fcommon"}, {f.NoBuiltin, "-fno-builtin"},
	} {
		if x.is {
			words = append(words, x.word)
		}
	}
	return words
}

// Error is a command line or a database of them that cannot be used.
type Error struct {
	Where string // "file:line:col", the file of @file, or ""
	Msg   string
	Hint  string // what to do about it, or ""
}

// Error returns "where: message (hint)" in one line.
func (e *Error) Error() string {
	s := e.Msg
	if e.Where != "" {
		s = e.Where + ": " + s
	}
	if e.Hint != "" {
		s += " (hint: " + e.Hint + ")"
	}
	return strings.ReplaceAll(s, "\n", " ")
}

// Warning tells of a flag that was ignored.
type Warning struct {
	File string // the unit, or ""
	Msg  string
}

// String returns the warning in one line.
func (w Warning) String() string {
	if w.File == "" {
		return w.Msg
	}
	return w.File + ": " + w.Msg
}

func warnf(format string, args ...any) Warning { return Warning{Msg: fmt.Sprintf(format, args...)} }

// Words returns how many words a flag of gcc takes on a command line, with itself.
func Words(flag string) int {
	if _, ok := withArgument[flag]; ok {
		return 2
	}
	return 1
}

// Long tells whether a word that begins with -- is a flag of gcc.
func Long(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	_, one := alone[name]
	_, two := withArgument[name]
	return one && name != "--help" && name != "--version" || two || name == "--std"
}
