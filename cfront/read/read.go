package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"comus/cfront/command"
)

// Options are what does not come with the command line of a unit.
type Options struct {
	ILP32       bool   // int, long and pointers have 32 bits; else as the unit's own flags say
	LP64        bool   // the unit's own -m32 does not count
	CC          string // the host's compiler; "": $CC, cc or gcc
	NoHost      bool   // do not use it
	MaxFileSize int64  // 0: DefaultMaxFileSize

	headers map[string]string // that are no files, by their names
}

// DefaultMaxFileSize bounds the size of a source file, and of a preprocessed unit.
const DefaultMaxFileSize = 256 << 20

// Pos is a place in what the user wrote. Line and Col begin at 1; they are 0 where they are not
// known (Col always in the system's headers).
type Pos struct {
	File      string
	Line, Col int
}

// String returns file:line:col, without what is not known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Error is why a unit cannot be read.
type Error struct {
	Pos  Pos
	Msg  string
	Hint string // what to do about it, or ""
}

// Error returns "file:line:col: message (hint: ...)" in one line.
func (e *Error) Error() string {
	s := e.Msg
	if e.Pos != (Pos{}) {
		s = e.Pos.String() + ": " + s
	}
	if e.Hint != "" {
		s += " (hint: " + e.Hint + ")"
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

// Warning is something that was ignored or approximated.
type Warning struct {
	Pos Pos
	Msg string
}

// String returns the warning in one line.
func (w Warning) String() string {
	if w.Pos == (Pos{}) {
		return w.Msg
	}
	return w.Pos.String() + ": " + w.Msg
}

var (
	anyMarker    = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(line[ \t]+)?\d+[ \t]+"`)
	anyDirective = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(include|include_next|import|define|undef|if|ifdef|ifndef|elif|else|endif|error|warning)\b`)
)

// isPreprocessed tells whether a file is the output of a preprocessor: by its name, by -x, or
// because it has line markers but no directives.
func isPreprocessed(text []byte, inv *command.Invocation) bool {
	switch inv.Language {
	case "cpp-output":
		return true
	case "":
		if strings.HasSuffix(inv.File, ".i") && !anyDirective.Match(text) {
			return true
		}
	}
	return anyMarker.Match(text) && !anyDirective.Match(text)
}

// readFile reads a regular file of limited size; name is what the user calls it.
func readFile(path, name string, limit int64) ([]byte, error) {
	fail := func(format string, args ...any) error {
		return &Error{Pos: Pos{File: name}, Msg: fmt.Sprintf(format, args...)}
	}
	pathError := func(err error) error {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return fail("%v", err)
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, pathError(err)
	case st.IsDir():
		return nil, fail("is a directory, not a C source file")
	case st.Mode()&(fs.ModeDevice|fs.ModeSocket) != 0:
		return nil, fail("is not a regular file")
	case st.Size() > limit:
		return nil, tooLarge(name, limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, pathError(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, pathError(err)
	case int64(len(text)) > limit:
		return nil, tooLarge(name, limit)
	case bytes.IndexByte(text, 0) >= 0:
		return nil, fail("not a C source file: it contains a NUL byte")
	}
	blankBOM(text)
	return text, nil
}

// blankBOM overwrites a byte order mark by blanks.
func blankBOM(text []byte) {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		copy(text, "   ")
	}
}

func tooLarge(name string, limit int64) error {
	return &Error{Pos: Pos{File: name}, Msg: fmt.Sprintf("file too large: more than %d bytes", limit)}
}
