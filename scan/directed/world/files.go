package world

import (
	"slices"
	"strings"

	"comus/cir/interp"
)

// Outside is what lies ready for a run: files that are not empty, by their names as the program says them, and variables of the environment. Other files
// that are to be read do not exist, and other variables are not set.
type Outside struct {
	Files, Env map[string]string
	// Peer is what whoever connects to a socket sends.
	Peer string
}

// Wanted is what a run has asked for, which may be given to the next one.
type Wanted struct {
	Files, Env []string // that there were not
	Stdin      bool     // the standard input was read, or a connection
	// Compared are texts that the program has compared, each with another one, and Options what getopt was asked for.
	Compared [][2]string
	Options  []string
	// Numbers are texts that were read as numbers.
	Numbers []string
}

// mostWanted and longestWanted bound what is noted.
const mostWanted, longestWanted = 4000, 64

func want(list *[]string, s string) {
	if len(*list) < mostWanted && !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

// openStream opens a file for a stream: one that is to be read has to be there. If it is, the model does the rest.
func openStream(c *call) (interp.Value, bool, error) {
	name, mode, err := c.texts()
	if err != nil || !strings.HasPrefix(mode, "r") || c.isThere(name) {
		return interp.Value{}, err != nil, err
	}
	return null(), true, c.setErrno(errnos["ENOENT"])
}

// texts returns two arguments that are strings.
func (c *call) texts() (a, b string, err error) {
	if c.args[0].IsNull() || c.args[1].IsNull() {
		return "", "", nil
	}
	if a, err = c.m.String(c.args[0]); err == nil {
		b, err = c.m.String(c.args[1])
	}
	return a, b, err
}

// isThere reports whether there is a file, and notes that it is wanted.
func (c *call) isThere(name string) bool {
	_, ok := c.Outside.Files[name]
	if !ok {
		want(&c.Wanted.Files, name)
	}
	return ok
}

// descriptorOfFile is the descriptor of a stream that is opened.
func descriptorOfFile(c *call) (interp.Value, bool, error) {
	name, mode, err := c.texts()
	text, ok := c.Outside.Files[name]
	if err != nil || !ok || !strings.HasPrefix(mode, "r") {
		return interp.Value{}, err != nil, err
	}
	return number(c.add(&descriptor{kind: fileKind, text: text}))
}

// openFile opens a file: to read what is there, or to write a new one.
func openFile(c *call) (interp.Value, bool, error) {
	const writes, create = 3, 0o100
	if c.args[0].IsNull() {
		return interp.Value{}, false, nil
	}
	name, err := c.m.String(c.args[0])
	if err != nil {
		return interp.Value{}, true, err
	}
	flags := c.args[1].Int()
	path, err := c.isPath()
	switch {
	case err != nil:
		return interp.Value{}, true, err
	case flags&writes == 0 && c.isThere(name):
		return c.open(&descriptor{kind: fileKind, text: c.Outside.Files[name]})
	case flags&writes == 1 && flags&create != 0 && path:
		return c.open(&descriptor{kind: fileKind})
	}
	return c.error(errnos["ENOENT"])
}

// bytesOfFile is how much of a file is read into a buffer: all that there is, or up to the end of a line.
func bytesOfFile(c *call) (interp.Value, bool, error) {
	d := c.file(0)
	if d == nil || d.kind != fileKind {
		return interp.Value{}, false, nil
	}
	return c.take(d, c.args[1], c.args[2].Int(), c.args[3].Int() == 0)
}

// readFile reads from a descriptor of the world's. Of those that are no files or connections nothing comes.
func readFile(c *call) (interp.Value, bool, error) {
	d := c.file(0)
	switch {
	case d == nil:
		return interp.Value{}, false, nil
	case d.kind != fileKind && d.kind != connectionKind || c.args[1].IsNull():
		return c.error(errnos["EIO"])
	}
	c.Wanted.Stdin = c.Wanted.Stdin || d.kind == connectionKind
	return c.take(d, c.args[1], c.args[2].Int(), false)
}

// take reads what comes next in a file.
func (c *call) take(d *descriptor, to interp.Value, n int64, line bool) (interp.Value, bool, error) {
	part := d.text[:min(max(n, 0), int64(len(d.text)))]
	if i := strings.IndexByte(part, '\n'); line && i >= 0 {
		part = part[:i+1]
	}
	d.text = d.text[len(part):]
	r, _, _ := number(int64(len(part)))
	return r, true, c.m.SetBytes(to, []byte(part))
}

// anyValue is the value of a variable of the environment.
func anyValue(c *call) (interp.Value, bool, error) {
	name, err := c.m.String(c.args[0])
	if err != nil {
		return interp.Value{}, true, err
	}
	v, ok := c.Outside.Env[name]
	if name == "" || strings.ContainsRune(name, '=') || strings.ContainsRune(v, 0) { // there is no such variable
		return null(), true, nil
	}
	if !ok {
		want(&c.Wanted.Env, name)
		return null(), true, nil
	}
	p := c.m.Static("environment", int64(len(v))+1)
	return p, true, c.m.SetBytes(p, []byte(v))
}

// parsed notes what is read as a number; the model does it.
func parsed(c *call) (interp.Value, bool, error) {
	if s := c.m.Prefix(c.args[0], longestWanted); s != "" {
		want(&c.Wanted.Numbers, s)
	}
	return interp.Value{}, false, nil
}

// sign is how texts compare: as glibc says it where they are short.
func sign(c *call) (interp.Value, bool, error) {
	return number(int64(int32(c.args[0].Int())) - int64(int32(c.args[1].Int())))
}

// compare notes what is compared; the model does it.
func compare(c *call) (interp.Value, bool, error) {
	if len(c.Wanted.Compared) >= mostWanted {
		return interp.Value{}, false, nil
	}
	var s [2]string
	for i := range s {
		n := int64(longestWanted)
		if len(c.args) > 2 {
			n = min(n, max(c.args[2].Int(), 0))
		}
		s[i] = c.m.Prefix(c.args[i], n)
	}
	if s[0] != s[1] && s[0] != "" && s[1] != "" && !slices.Contains(c.Wanted.Compared, s) {
		c.Wanted.Compared = append(c.Wanted.Compared, s)
	}
	return interp.Value{}, false, nil
}
