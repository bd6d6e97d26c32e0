package annotate

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"comus/specialise"
)

// Log is what a run of comus writes as SARIF.
type Log struct {
	Version   string   // of comus
	Arguments []string // the command line, without the command
	Dir       string   // the working directory, which file names are relative to
	Exit      int
	// Verdicts are those on the properties, one a line for people, and what else the user should know. They are no results:
	// services take each result for a problem.
	Verdicts []Verdict
	Findings []Finding
}

// Verdict is the one on a property.
type Verdict struct {
	Property string
	Decided  bool
	Text     string
}

// maxSteps bounds the steps of an execution that are written: services refuse more. Those at the end matter most.
const maxSteps = 5000

// Write writes the log.
func (l *Log) Write(w io.Writer) error {
	s := &writer{files: newFiles(l.Dir), rules: []rule{}}
	out := run{Results: []result{}, ColumnKind: "unicodeCodePoints"}
	prints := fingerprints{}
	for i := range l.Findings {
		f := &l.Findings[i]
		r := s.result(f)
		print := f.Fingerprint
		if print == "" {
			print = prints.of(f, s.files)
		}
		r.PartialFingerprints = map[string]string{fingerprintName: print}
		out.Results = append(out.Results, r)
	}
	out.Tool.Driver = driver{Name: "comus", Version: l.Version, Rules: s.rules}
	call := invocation{ExecutionSuccessful: true, ExitCode: l.Exit, Arguments: append([]string{}, l.Arguments...)}
	if base := s.files.base(); base != "" {
		out.OriginalURIBaseIDs = map[string]artifact{baseID: {URI: base}}
		call.WorkingDirectory = &artifact{URI: base}
	}
	for _, v := range l.Verdicts {
		level := "note"
		if !v.Decided {
			level = "warning"
		}
		call.Notifications = append(call.Notifications, notification{message{escape(v.Text)}, level})
	}
	out.Invocations = []invocation{call}
	text, err := json.MarshalIndent(document{schemaURI, "2.1.0", []run{out}}, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// schemaURI is where the schema of the standard is.
const schemaURI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// writer collects what the findings of a log share.
type writer struct {
	files *files
	rules []rule
}

// rule returns the index of a property's rule.
func (s *writer) rule(property string) int {
	if i := slices.IndexFunc(s.rules, func(r rule) bool { return r.ID == property }); i >= 0 {
		return i
	}
	about := rules[property]
	s.rules = append(s.rules, rule{ID: property, Name: about.name, Short: message{about.short}, Full: message{about.full},
		Help: message{about.full}, Configuration: configuration{"error"},
		Properties: ruleProperties{[]string{"concurrency", "external/cwe/" + about.cwe}, "error", "very-high"}})
	return len(s.rules) - 1
}

// rules say what the properties are about.
var rules = map[string]struct{ name, short, full, cwe string }{
	specialise.Assert:    {"AssertionFails", "An assertion can fail", "There is an execution in which an assertion fails.", "cwe-617"},
	specialise.Race:      {"DataRace", "Data race", "Two threads access the same memory, at least one of them writes, at least one access is not atomic, and nothing orders the accesses (C11 5.1.2.4). The program is undefined.", "cwe-362"},
	"signal":             {"SignalInterruption", "Memory that a signal handler shares", "The handler of a signal and a thread that it may interrupt access the same memory, which is neither atomic nor a volatile sig_atomic_t. What is read there is unspecified (C11 5.1.2.3).", "cwe-364"},
	specialise.Deadlock:  {"Deadlock", "Deadlock", "Threads wait for ever, each for something that only another one of them could give.", "cwe-833"},
	specialise.Memory:    {"InvalidAccess", "Invalid access to memory", "The program accesses memory that is null, freed, out of bounds or no longer alive, or frees memory that it must not free.", "cwe-119"},
	specialise.Leak:      {"MemoryLeak", "Memory leak", "At the end of the program, no pointer leads to some allocated memory.", "cwe-401"},
	specialise.Cleanup:   {"MemoryKept", "Memory that is not freed", "At the end of the program, some allocated memory was not freed.", "cwe-401"},
	specialise.Overflows: {"Overflow", "Undefined arithmetic", "A signed integer overflows, a division is by zero, or a shift is undefined in C.", "cwe-190"},
	specialise.Locks:     {"LockMisuse", "Misuse of locks or threads", "A lock or thread is used in a way that POSIX leaves undefined. For example, a thread unlocks a mutex that another thread holds.", "cwe-667"},
}

// result returns a finding in its form.
func (s *writer) result(f *Finding) result {
	r := result{RuleID: f.Property, RuleIndex: s.rule(f.Property), Kind: "fail", Level: "error", Baseline: string(f.Baseline)}
	if f.maybe() {
		r.Level = "warning"
	}
	if f.Suppressed != "" {
		r.Suppressions = []suppression{{"inSource", f.Suppressed}}
	}
	text := f.headline()
	r.Locations = []location{s.location(f.Location)}
	for i, x := range f.Involved {
		text += "\n" + x.does()
		at := s.location(x.Location)
		at.ID, at.Message = i+1, &message{escape(x.does())}
		r.Related = append(r.Related, at)
		for _, st := range s.stacks(x.Location) { // two threads may have come the same way
			if !slices.ContainsFunc(r.Stacks, func(of stack) bool { return reflect.DeepEqual(of, st) }) {
				r.Stacks = append(r.Stacks, st)
			}
		}
	}
	if f.Involved == nil {
		r.Stacks = s.stacks(f.Location)
	}
	for _, n := range f.Notes {
		text += "\n" + n
	}
	r.Message = message{escape(text)}
	if len(f.Steps) > 0 {
		r.CodeFlows = []codeFlow{s.flow(f)}
	}
	return r
}

// location returns where a thread stands.
func (s *writer) location(at Location) location {
	l := location{Physical: s.files.physical(at.Place)}
	if len(at.Calls) > 0 {
		l.Logical = []logical{{at.Calls[0].Function, "function"}}
	}
	return l
}

// stacks returns the calls that led to a location, and those that led to the creation of its thread.
func (s *writer) stacks(at Location) []stack {
	var out []stack
	for _, c := range []struct {
		what  string
		calls []Call
	}{{"calls of thread " + at.Thread, at.Calls}, {"creation of thread " + at.Thread, at.Created}} {
		st := stack{Message: message{escape(c.what)}}
		for _, call := range c.calls {
			st.Frames = append(st.Frames, frame{location{Physical: s.files.physical(call.Place), Logical: []logical{{call.Function, "function"}}}})
		}
		if st.Frames != nil {
			out = append(out, st)
		}
	}
	return out
}

// flow returns the execution, with the steps of each thread by themselves.
func (s *writer) flow(f *Finding) codeFlow {
	steps, before := f.Steps, 0
	if len(steps) > maxSteps {
		before = len(steps) - maxSteps
		steps = steps[before:]
	}
	var flow codeFlow
	if before > 0 {
		flow.Message = &message{fmt.Sprintf("the last %d of %d steps", maxSteps, len(f.Steps))}
	}
	if f.Weak != "" {
		text := "the memory model " + f.Weak + " allows this execution, which is not sequentially consistent: each thread takes its steps in this order, but there is no order of the steps of all threads"
		if flow.Message != nil {
			text = flow.Message.Text + "; " + text
		}
		flow.Message = &message{text}
	}
	index := map[string]int{}
	for i, st := range steps {
		at, ok := index[st.Thread]
		if !ok {
			at = len(flow.ThreadFlows)
			index[st.Thread] = at
			flow.ThreadFlows = append(flow.ThreadFlows, threadFlow{ID: st.Thread, Message: message{escape("thread " + st.Thread)}})
		}
		loc := flowLocation{Importance: "important", Kinds: kinds(st.Text),
			Location: location{Physical: s.files.physical(st.Place), Message: &message{escape(st.String())}}}
		if f.Weak == "" {
			loc.Order = before + i + 1
		}
		if i == len(steps)-1 {
			loc.Importance, loc.Kinds = "essential", append(loc.Kinds, "danger")
		}
		for _, c := range st.Changes {
			if loc.State == nil {
				loc.State = map[string]message{}
			}
			loc.State[c.Variable] = message{escape(c.New)}
		}
		flow.ThreadFlows[at].Locations = append(flow.ThreadFlows[at].Locations, loc)
	}
	return flow
}

// kinds says of a statement whether it takes or gives a lock.
func kinds(text string) []string {
	if m := lockCall.FindStringSubmatch(text); m != nil {
		return []string{map[bool]string{true: "release", false: "acquire"}[m[1] == "un"], "lock"}
	}
	return nil
}

var lockCall = regexp.MustCompile(`\b(?:pthread_(?:mutex|spin|rwlock)_|mtx_)(?:timed)?(?:rd|wr)?(un)?lock\(`)

// escape writes a text so that nothing in it is read as a placeholder or a link.
func escape(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
	return link.ReplaceAllString(text, `\[$1\](`)
}

var link = regexp.MustCompile(`\[([^\[\]]*)\]\(`)
