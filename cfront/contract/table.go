package contract

import (
	"embed"
	"path"
	"sort"
	"sync"
)

// A Table holds contracts by name.
type Table struct {
	functions map[string]*Function
	unread    map[string]*unread // contracts that are read when somebody asks
	types     map[string]*Type
	handles   map[string]State
	states    map[State]string
	variables map[string]State
}

// A File is the text of a table.
type File struct{ Name, Text string }

//go:embed data/*.txt
var data embed.FS

// Default is the table that comes with comus.
var Default = sync.OnceValue(func() *Table {
	t, err := parse(nil, true, files())
	if err != nil {
		panic(err) // a test parses it
	}
	return t
})

// files are the embedded tables.
func files() []File {
	entries, err := data.ReadDir("data")
	if err != nil {
		panic(err)
	}
	var fs []File
	for _, e := range entries {
		text, err := data.ReadFile(path.Join("data", e.Name()))
		if err != nil {
			panic(err)
		}
		fs = append(fs, File{e.Name(), string(text)})
	}
	return fs
}

// Lookup gives the contract of a function in the table that comes with comus.
func Lookup(name string) (*Function, bool) { return Default().Lookup(name) }

// All gives all contracts that come with comus, by name.
func All() []*Function { return Default().All() }

// Lookup gives the contract of a function.
func (t *Table) Lookup(name string) (*Function, bool) {
	if u := t.unread[name]; u != nil {
		return u.function(t), true
	}
	f, ok := t.functions[name]
	return f, ok
}

// All gives all contracts, by name.
func (t *Table) All() []*Function {
	all := make([]*Function, 0, len(t.functions)+len(t.unread))
	for _, f := range t.functions {
		all = append(all, f)
	}
	for _, u := range t.unread {
		all = append(all, u.function(t))
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Types gives the types of the table, by name.
func (t *Table) Types() []*Type {
	all := make([]*Type, 0, len(t.types))
	for _, x := range t.types {
		all = append(all, x)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// StateOf gives the hidden state that objects of a handle type belong to.
func (t *Table) StateOf(handle string) (State, bool) {
	s, ok := t.handles[handle]
	return s, ok
}

// Variable gives the hidden state that a variable of the library, as optarg, is part of.
func (t *Table) Variable(name string) (State, bool) {
	s, ok := t.variables[name]
	return s, ok
}

// clone copies the maps of a table, so that a copy may grow.
func (t *Table) clone() *Table {
	c := &Table{map[string]*Function{}, map[string]*unread{}, map[string]*Type{}, map[string]State{}, map[State]string{}, map[string]State{}}
	if t == nil {
		return c
	}
	for k, v := range t.functions {
		c.functions[k] = v
	}
	for k, u := range t.unread {
		c.functions[k] = u.function(t)
	}
	for k, v := range t.types {
		c.types[k] = v
	}
	for k, v := range t.handles {
		c.handles[k] = v
	}
	for k, v := range t.states {
		c.states[k] = v
	}
	for k, v := range t.variables {
		c.variables[k] = v
	}
	return c
}
