package gen

import (
	"fmt"
	"strings"
)

// What the templates of programs ask for whose threads share something in roles: relay,
// buffer, alike, accounts, list, ticket and readers.

// defaultSize returns the size unless it is given; 0 is without an end.
func (in *instance) defaultSize() int {
	return map[string]int{"relay": 1, "buffer": 4, "accounts": 3}[in.Kind]
}

// Finite tells whether each thread of list puts some number of nodes only.
func (in *instance) Finite() bool { return in.Size > 0 }

// Producers returns how many threads produce, or read: half of them, rounded up.
func (in *instance) Producers() int { return (in.Threads + 1) / 2 }

// Consumers returns how many threads consume, or write.
func (in *instance) Consumers() int { return in.Threads - in.Producers() }

// Half returns the stage of relay that may be broken.
func (in *instance) Half() int { return in.Last() / 2 }

// From and To return the accounts between which a thread transfers if these are fixed: two
// threads have the same.
func (in *instance) From(thread int) int { return thread / 2 % in.Size }

// To returns the account that a thread transfers to.
func (in *instance) To(thread int) int { return (thread/2 + 1) % in.Size }

// Reading returns the condition that somebody reads.
func (in *instance) Reading() string {
	var parts []string
	for i := range in.Producers() {
		parts = append(parts, fmt.Sprintf("reading[%d]", i))
	}
	return strings.Join(parts, " || ")
}

// Functions returns the functions of the threads.
func (in *instance) Functions() []string {
	prefix := map[string]string{"mat": "row", "pas": "row", "long": "index", "tree": "node", "pipe": "stage", "relay": "stage"}[in.Kind]
	if prefix == "" {
		prefix = "thread"
	}
	first := 0
	if in.Kind == "pas" {
		first = 1
	}
	var names []string
	for i := range in.Threads {
		name := fmt.Sprint(prefix, first+i)
		switch {
		case in.Kind == "ticket", in.Kind == "alike", in.Kind == "accounts" && !in.Varies("fixed"):
			name = prefix
		case in.Kind == "readers" && i < in.Producers() && in.Varies("flags"):
			name = fmt.Sprint("reader", i)
		case in.Kind == "readers":
			name = in.role(i, "reader", "writer")
		case in.Kind == "buffer", in.Kind == "list":
			name = in.role(i, "producer", "consumer")
		}
		names = append(names, name)
	}
	return names
}

// role returns the name of what a thread does.
func (in *instance) role(thread int, produces, consumes string) string {
	if thread < in.Producers() {
		return produces
	}
	return consumes
}
