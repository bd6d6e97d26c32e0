package cfront

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"comus/ir"
)

// ParseFile reads a C program.
func ParseFile(file string, opts Options) (*Result, error) {
	opts = opts.withDefaults()
	src, err := readFile(file, opts.MaxFileSize)
	if err != nil {
		return nil, err
	}
	return Parse(file, src, opts)
}

// readFile reads a regular file of limited size.
func readFile(file string, limit int64) ([]byte, error) {
	pos := ir.Pos{File: file}
	st, err := os.Stat(file)
	if err != nil {
		return nil, fileError(pos, err)
	}
	switch {
	case st.IsDir():
		return nil, errorf(pos, "is a directory, not a C source file")
	case st.Mode()&(fs.ModeDevice|fs.ModeSocket) != 0:
		return nil, errorf(pos, "is not a regular file")
	case st.Size() > limit:
		return nil, tooLarge(pos, limit)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fileError(pos, err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fileError(pos, err)
	}
	return src, nil
}

func tooLarge(pos ir.Pos, limit int64) *Error {
	return errorf(pos, "file too large: more than %d bytes", limit)
}

func fileError(pos ir.Pos, err error) *Error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return errorf(pos, "%v", err)
}

// lineMarker matches the line markers of gcc -E: # 12 "file.c" 2 3.
var lineMarker = regexp.MustCompile(`(?m)^[ \t]*#[ \t]+(\d+)[ \t]+("(?:[^"\\\n]|\\.)*")[ \t\d]*$`)

// prepare checks the raw source text and makes it digestible for the parser.
func prepare(name string, src []byte, limit int64) ([]byte, error) {
	pos := ir.Pos{File: name}
	if int64(len(src)) > limit {
		return nil, tooLarge(pos, limit)
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return nil, errorf(pos, "not a C source file: it contains a NUL byte")
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	src = digraphs(src)
	if err := checkNesting(name, src); err != nil {
		return nil, err
	}
	if bytes.Contains(src, []byte("# ")) {
		src = lineMarker.ReplaceAllFunc(src, func(m []byte) []byte {
			sub := lineMarker.FindSubmatch(m)
			if strings.HasPrefix(string(sub[2]), `"<`) { // <built-in>, <command-line>
				return []byte("#line " + string(sub[1]) + ` "` + strings.Trim(string(sub[2]), `"<>`) + `"`)
			}
			return []byte("#line " + string(sub[1]) + " " + string(sub[2]))
		})
	}
	return append(bytes.Clone(checkDirectives(joinCharacters(src))), lastLine...), nil
}

// lastLine follows every file: cc would not come back from one that ends with a backslash
// and a newline, which a newline follows here, as in gcc.
const lastLine = "\n\n"
