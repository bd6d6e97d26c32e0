package libc

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed c/*.c *.h
var files embed.FS

// Sources returns the texts of the models and their headers (comus.h, libc.h) by file name.
var Sources = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := files.ReadFile(name)
		m[path.Base(name)] = string(b)
		return err
	})
	if err != nil {
		panic(err) // they are part of the binary
	}
	return m
})

// Index returns the file that defines it for each function and variable of the models.
var Index = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for file, text := range Sources() {
		if strings.HasSuffix(file, ".c") {
			for _, name := range defined(text) {
				m[name] = file
			}
		}
	}
	return m
})

// File returns the file that defines a function or variable, and the name it has there, which
// differs for aliases; "" if there is none.
func File(name string) (file, canonical string) {
	if to, ok := Aliases[name]; ok {
		name = to
	}
	return Index()[name], name
}

// Needs returns the files that define the names, and what these files need in turn, sorted.
func Needs(names ...string) []string {
	var list []string
	for i := 0; i < len(names); i++ {
		f, _ := File(names[i])
		if f == "" || slices.Contains(list, f) {
			continue
		}
		list = append(list, f)
		names = append(names[:len(names):len(names)], uses()[f]...)
	}
	slices.Sort(list)
	return list
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// uses returns the names that each file mentions and others define.
var uses = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	header := uncommented(Sources()["libc.h"])
	_, macros, _ := strings.Cut(header, "int __comus_cancels;") // what libc.h's own code calls
	for file, text := range Sources() {
		if !strings.HasSuffix(file, ".c") {
			continue
		}
		text = uncommented(text)
		for _, macro := range []string{"CANCELLATION_POINT", "INTERRUPTED"} {
			if strings.Contains(text, macro) {
				_, body, _ := strings.Cut(macros, "#define "+macro)
				body, _, _ = strings.Cut(body, "\n")
				text += body
			}
		}
		for _, w := range word.FindAllString(text, -1) {
			if at := Index()[w]; at != "" && at != file && !slices.Contains(m[file], w) {
				m[file] = append(m[file], w)
			}
		}
	}
	return m
})

var comment = regexp.MustCompile(`(?s)/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|//[^\n]*`)

// uncommented returns the text without comments and literals.
func uncommented(text string) string {
	return comment.ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '\'' || s[0] == '"' {
			return "0"
		}
		return " "
	})
}

var (
	line      = regexp.MustCompile(`(?m)^[ \t]*#(?:[^\\\n]|\\\n|\\.)*$`)
	attribute = regexp.MustCompile(`__attribute__\s*\(\(.*?\)\)`)
	external  = regexp.MustCompile(`^\s*(static|typedef|extern|enum)\b`)
	called    = regexp.MustCompile(`(\w+)\s*\(`)
	array     = regexp.MustCompile(`\[.*`)
)

// defined returns the functions and variables with external linkage that a source defines:
// as much of C's syntax as the models need.
func defined(text string) []string {
	var names []string
	text = attribute.ReplaceAllString(line.ReplaceAllString(uncommented(text), ""), "")
	for text != "" {
		end := strings.IndexAny(text, ";{")
		if end < 0 {
			break
		}
		head, body := text[:end], text[end] == '{'
		text = text[end+1:]
		if body {
			text = behind(text)
		}
		function := body && strings.HasSuffix(strings.TrimSpace(head), ")") && !strings.Contains(head, "=")
		if body && !function { // a type or an initialiser, up to its semicolon
			_, text, _ = strings.Cut(text, ";")
		}
		switch {
		case external.MatchString(head):
		case function:
			names = append(names, called.FindStringSubmatch(head)[1])
		case body && !strings.Contains(head, "="), !body && called.MatchString(head):
			// a struct, a declaration of a function
		default:
			for _, d := range strings.Split(head, ",") {
				d, _, _ = strings.Cut(d, "=")
				words := word.FindAllString(array.ReplaceAllString(d, ""), -1)
				if len(words) > 0 {
					names = append(names, words[len(words)-1])
				}
			}
		}
	}
	return names
}

// behind returns what follows the brace that closes one that was opened before the text.
func behind(text string) string {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[i+1:]
			}
		}
	}
	return ""
}
