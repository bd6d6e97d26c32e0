package witness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Error is what is wrong with a witness, and where.
type Error struct {
	File string
	At   At
	Msg  string
}

// Error returns "file:line:col: message" in one line.
func (e *Error) Error() string {
	msg := strings.Join(strings.Fields(e.Msg), " ")
	if e.At.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.At.Line, max(e.At.Col, 1), msg)
}

// IsWitness reports whether a text looks like a witness, and not like a certificate of comus's own, which is a JSON object.
func IsWitness(text []byte) bool {
	begin := bytes.TrimLeft(text, " \t\r\n\ufeff")
	return len(begin) > 0 && begin[0] != '{'
}

// Read reads a witness. The error is an *Error.
func Read(file string, text []byte) (Witness, error) {
	r := &reader{file: file, nodes: map[string]*yaml.Node{}}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&doc); err != nil {
		return nil, r.syntax(err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, r.errorf(&doc, "a witness is one YAML document, and there are more")
	}
	value, err := r.value(doc.Content[0], "", 0)
	if err != nil {
		return nil, err
	}
	if err := r.validate(value); err != nil {
		return nil, err
	}
	var w Witness
	for _, n := range doc.Content[0].Content {
		e, err := r.entry(n)
		if err != nil {
			return nil, err
		}
		w = append(w, e)
	}
	return w, r.consistent(w, doc.Content[0].Content)
}

// reader is what is known of the file.
type reader struct {
	file  string
	nodes map[string]*yaml.Node // by the JSON pointer of the value
}

func (r *reader) errorf(n *yaml.Node, format string, args ...any) *Error {
	return &Error{r.file, At{n.Line, n.Column}, fmt.Sprintf(format, args...)}
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

// syntax makes an Error of what the YAML parser says.
func (r *reader) syntax(err error) error {
	if errors.Is(err, io.EOF) {
		return &Error{r.file, At{}, "the file is empty"}
	}
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &Error{r.file, At{line, 1}, "no YAML: " + m[2]}
	}
	return &Error{r.file, At{}, "no YAML: " + msg}
}

// maxNesting bounds how deep values are nested.
const maxNesting = 50

// value returns what JSON would have for a node.
func (r *reader) value(n *yaml.Node, path string, depth int) (any, error) {
	r.nodes[path] = n
	if depth > maxNesting {
		return nil, r.errorf(n, "nested too deep")
	}
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for i, c := range n.Content {
			v, err := r.value(c, fmt.Sprintf("%s/%d", path, i), depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				return nil, r.errorf(key, "a key has to be a word")
			}
			if _, ok := m[key.Value]; ok {
				return nil, r.errorf(key, "%q is there twice", key.Value)
			}
			v, err := r.value(n.Content[i+1], path+"/"+key.Value, depth+1)
			if err != nil {
				return nil, err
			}
			m[key.Value] = v
		}
		return m, nil
	case yaml.ScalarNode:
		return r.scalar(n)
	}
	return nil, r.errorf(n, "aliases of YAML have no meaning in a witness")
}

// scalar returns the value of a scalar. A time is a string.
func (r *reader) scalar(n *yaml.Node) (any, error) {
	var v any
	switch n.ShortTag() {
	case "!!int":
		var i int64
		if err := n.Decode(&i); err != nil {
			return nil, r.errorf(n, "%q is no number that has a meaning here", n.Value)
		}
		return float64(i), nil
	case "!!bool", "!!float", "!!null":
		if err := n.Decode(&v); err != nil {
			return nil, r.errorf(n, "%q has no meaning here", n.Value)
		}
		return v, nil
	}
	return n.Value, nil
}

// compiled returns the schema.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const name = "https://comus.invalid/witness-2.schema.json"
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
})

// validate checks a value against the schema.
func (r *reader) validate(v any) error {
	schema, err := compiled()
	if err != nil {
		return err
	}
	var bad *jsonschema.ValidationError
	if err := schema.Validate(v); !errors.As(err, &bad) {
		return err
	}
	for len(bad.Causes) > 0 { // the one that is deepest in the file
		bad = slices.MaxFunc(bad.Causes, func(a, b *jsonschema.ValidationError) int {
			return len(a.InstanceLocation) - len(b.InstanceLocation)
		})
	}
	path := ""
	for _, p := range bad.InstanceLocation {
		path += "/" + p
	}
	what := "the witness"
	if n := len(bad.InstanceLocation); n > 0 {
		what = bad.InstanceLocation[n-1]
		if _, err := strconv.Atoi(what); err == nil && n > 1 {
			what = bad.InstanceLocation[n-2] + " " + what
		}
	}
	return r.errorf(r.nodes[path], "%s: %s", what, bad.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
}

// entry reads an entry, which the schema has accepted.
func (r *reader) entry(n *yaml.Node) (*Entry, error) {
	e := &Entry{}
	if err := child(n, "entry_type").Decode(&e.Type); err != nil {
		return nil, r.syntax(err)
	}
	if err := child(n, "metadata").Decode(&e.Metadata); err != nil {
		return nil, r.syntax(err)
	}
	content := child(n, "content")
	switch e.Type {
	case Violation:
		for _, s := range content.Content {
			var segment Segment
			for _, p := range child(s, "segment").Content {
				var w Waypoint
				if err := decode(child(p, "waypoint"), &w, &w.At); err != nil {
					return nil, r.syntax(err)
				}
				segment = append(segment, w)
			}
			e.Segments = append(e.Segments, segment)
		}
	case Invariants:
		for _, c := range content.Content {
			var i Invariant
			if err := decode(child(c, "invariant"), &i, &i.At); err != nil {
				return nil, r.syntax(err)
			}
			e.Invariants = append(e.Invariants, i)
		}
	case Ghosts:
		for _, c := range child(content, "ghost_variables").Content {
			var v Variable
			if err := decode(c, &v, &v.At); err != nil {
				return nil, r.syntax(err)
			}
			e.Variables = append(e.Variables, v)
		}
		for _, c := range child(content, "ghost_updates").Content {
			var u Update
			if err := decode(c, &u, &u.At); err != nil {
				return nil, r.syntax(err)
			}
			e.Updates = append(e.Updates, u)
		}
	}
	return e, nil
}

// decode reads a value, and where it stands.
func decode(n *yaml.Node, v any, at *At) error {
	err := n.Decode(v)
	*at = At{n.Line, n.Column}
	return err
}

// child returns the value of a key; an empty one if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return &yaml.Node{}
}

// consistent checks what a schema cannot say.
func (r *reader) consistent(w Witness, nodes []*yaml.Node) error {
	for i, e := range w {
		if (e.Type == Violation) != w.IsViolation() {
			return r.errorf(nodes[i], "an entry of a violation and one of correctness are no witness together")
		}
		if e.Type == Violation {
			if err := r.segments(e); err != nil {
				return err
			}
		}
	}
	if w.IsViolation() && len(w) > 1 {
		return r.errorf(nodes[1], "a witness of a violation has one entry")
	}
	return nil
}

// segments checks that each segment has the waypoints that it needs.
func (r *reader) segments(e *Entry) error {
	last := len(e.Segments) - 1
	for i, s := range e.Segments {
		follows, targets := 0, 0
		for _, p := range s {
			if p.Action == Follow {
				follows++
			}
			if p.Type == Target {
				targets++
			}
			switch {
			case p.Type == Target && i < last:
				return &Error{r.file, p.At, "a target that is not in the last segment"}
			case p.Thread != nil && e.Metadata.Version == "2.0":
				return &Error{r.file, p.At, "format 2.0 has no thread_id"}
			}
		}
		switch {
		case follows == 0:
			return &Error{r.file, s[0].At, "a segment without a waypoint to follow"}
		case i == last && targets == 0:
			return &Error{r.file, s[0].At, "the last segment has no target"}
		case i == last && (targets > 2 || targets < follows):
			return &Error{r.file, s[0].At, "the last segment has one target, or two of a data race, and no other waypoint to follow"}
		case i < last && follows > 1:
			return &Error{r.file, s[0].At, "a segment with several waypoints to follow"}
		}
	}
	return nil
}
