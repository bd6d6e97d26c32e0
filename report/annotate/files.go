package annotate

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// files names source files as URIs, and counts characters in their lines.
type files struct {
	dir   string
	lines map[string][]string
}

func newFiles(dir string) *files { return &files{dir, map[string][]string{}} }

// base returns the URI of the working directory, "" if it is not known.
func (f *files) base() string {
	if f.dir == "" {
		return ""
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(filepath.ToSlash(f.dir), "/") + "/"}).String()
}

// relative returns a file's name within the working directory, and whether it is there.
func (f *files) relative(name string) (string, bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(f.dir, name)
	}
	if f.dir != "" {
		if rel, err := filepath.Rel(f.dir, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return filepath.ToSlash(name), false
}

// physical returns a place in its form; nil if there is none.
func (f *files) physical(p Place) *physical {
	if p.File == "" {
		return nil
	}
	name, local := f.relative(p.File)
	u := url.URL{Path: name}
	out := &physical{}
	if local {
		out.Artifact.URIBaseID = baseID
	} else {
		u.Scheme = "file"
	}
	out.Artifact.URI = u.String()
	if p.Line > 0 {
		out.Region = &region{StartLine: p.Line, StartColumn: f.column(p)}
	}
	return out
}

// column returns the column of a place, in characters; 0 if it is not known.
func (f *files) column(p Place) int {
	if p.Column < 1 {
		return 0
	}
	lines, ok := f.lines[p.File]
	if !ok {
		if text, err := os.ReadFile(p.File); err == nil { // without it, bytes are what is known
			lines = strings.Split(string(text), "\n")
		}
		f.lines[p.File] = lines
	}
	if p.Line > len(lines) || p.Column-1 > len(lines[p.Line-1]) {
		return p.Column
	}
	return utf8.RuneCountInString(lines[p.Line-1][:p.Column-1]) + 1
}
