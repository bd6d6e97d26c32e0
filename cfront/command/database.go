package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-shellwords"
)

// split splits a text into words as a shell does, without expanding anything.
func split(text string) ([]string, error) {
	sp := shellwords.NewParser()
	sp.ParseEnv, sp.ParseBacktick = false, false
	// The parser stops at what a shell does not take as part of a command; here nothing is.
	words, err := sp.Parse(strings.NewReplacer("\r", " ", "\n", " ").Replace(text))
	if err != nil {
		return nil, errors.New("a quote is not closed")
	}
	if sp.Position >= 0 {
		return nil, fmt.Errorf("a character that only a shell understands, behind %q", text[:min(len(text), sp.Position)])
	}
	return words, nil
}

// entry is an entry of a compile_commands.json.
type entry struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// maxDatabase bounds the size of a database.
const maxDatabase = 256 << 20

// Database reads a compile_commands.json, or the one in a folder. Entries for files that are no
// C are left out with a warning; a file that is compiled more than once in the same way counts
// once.
func Database(path string) ([]Invocation, []Warning, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		path = filepath.Join(path, "compile_commands.json")
	}
	fail := func(where, format string, args ...any) error {
		return &Error{Where: where, Msg: fmt.Sprintf(format, args...)}
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, &Error{Where: path, Msg: "no such file", Hint: "bear -- make writes one"}
	case err != nil:
		return nil, nil, fail(path, "%v", errors.Unwrap(err))
	case !st.Mode().IsRegular():
		return nil, nil, fail(path, "is not a regular file")
	case st.Size() > maxDatabase:
		return nil, nil, fail(path, "is larger than %d bytes", maxDatabase)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fail(path, "%v", err)
	}
	var entries []entry
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &entries); err != nil {
		return nil, nil, fail(path+jsonPlace(text, err), "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, fail(path, "%v", err)
	}
	return fromEntries(path, filepath.Dir(abs), entries)
}

// jsonPlace returns ":line:col" of an error.
func jsonPlace(text []byte, err error) string {
	at := int64(-1)
	var s *json.SyntaxError
	var u *json.UnmarshalTypeError
	switch {
	case errors.As(err, &s):
		at = s.Offset
	case errors.As(err, &u):
		at = u.Offset
	}
	if at < 0 || at > int64(len(text)) {
		return ""
	}
	before := text[:at]
	return fmt.Sprintf(":%d:%d", bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n')-1)
}

func fromEntries(path, base string, entries []entry) (out []Invocation, warnings []Warning, err error) {
	seen := map[string]bool{}
	for i, e := range entries {
		where := fmt.Sprintf("%s: entry %d", path, i+1)
		words := e.Arguments
		if len(words) == 0 {
			if words, err = split(e.Command); err != nil {
				return nil, nil, &Error{Where: where, Msg: err.Error()}
			}
		}
		if len(words) == 0 {
			return nil, nil, &Error{Where: where, Msg: "neither command nor arguments"}
		}
		dir := e.Directory
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(base, dir)
		}
		words = compilerOf(words)
		p := &parser{reader: dir}
		if err := p.words(words); err != nil {
			return nil, nil, &Error{Where: where, Msg: err.Error()}
		}
		file, lang := e.File, p.lang
		if file == "" && len(p.files) == 1 {
			file = p.files[0]
		}
		if file == "" {
			return nil, nil, &Error{Where: where, Msg: "it names no file"}
		}
		for _, w := range p.warnings {
			w.File = file
			warnings = append(warnings, w)
		}
		if !isC(file, lang) {
			warnings = append(warnings, Warning{File: file, Msg: "is ignored: it is no C source"})
			continue
		}
		inv := Invocation{File: file, Dir: dir, Preprocess: p.inv.Preprocess, Language: lang, Flags: p.flags}
		key := fmt.Sprintf("%q %+v %q", inv.Path(), inv.Flags, inv.Preprocess)
		if seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, inv)
	}
	return out, warnings, nil
}

// compilerOf drops the name of the compiler, and those of programs that run it.
func compilerOf(words []string) []string {
	for len(words) > 1 {
		switch filepath.Base(words[0]) {
		case "ccache", "distcc", "sccache", "icecc", "env":
			words = words[1:]
			for len(words) > 1 && strings.Contains(words[0], "=") {
				words = words[1:]
			}
			continue
		}
		break
	}
	return words[1:]
}

// isC tells whether a file is C.
func isC(file, lang string) bool {
	switch lang {
	case "c", "cpp-output", "c-header":
		return true
	case "":
		ext := filepath.Ext(file)
		return ext == ".c" || ext == ".i" || ext == ".h" || ext == ""
	}
	return false
}
