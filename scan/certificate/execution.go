package certificate

import (
	"fmt"
	"strconv"
	"strings"

	"comus/memory"
)

// Execution is all that a run of a whole program in the interpreter of cir depends on: with it, the program does the same once more.
type Execution struct {
	Args  []string `json:"args,omitempty"`
	Stdin string   `json:"stdin,omitempty"`
	// Files are what files hold that are there, by their names, and Env the environment.
	Files map[string]string `json:"files,omitempty"`
	Env   map[string]string `json:"env,omitempty"`
	// Signalled says that a wait on a condition variable ends only when it is signalled, as it may.
	Signalled bool `json:"signalled,omitempty"`
	// Zeros says that memory that nobody has written holds 0, and not 0xA5 in each byte.
	Zeros  bool   `json:"zeros,omitempty"`
	Turns  Turns  `json:"turns"`
	Inputs Inputs `json:"inputs"` // in the order in which they are asked for
	// Graph says which writes atomic accesses read, in place of Turns and Inputs, where a weak memory model lets them read older ones than the last.
	Graph *memory.Graph `json:"graph,omitempty"`
	// Race has the places of the two accesses that are a race in it, as positions in the source, in the order of the run.
	Race [2]string `json:"race,omitzero"`
	// Fails is, in place of a race, the place of the assertion that the run ends with, as it fails.
	Fails string `json:"fails,omitempty"`
	// Waits has, in place of a race, the places where threads wait in a circle at its end, each for a lock that the next one holds, as
	// they follow one another from the thread on that was created first.
	Waits []string `json:"waits,omitempty"`
	// Undefined is, in place of a race, what C leaves undefined and the run ends with: the kind, as the interpreter calls it, and the place.
	Undefined [2]string `json:"undefined,omitzero"`
	// Kept has, in place of a race, the places where memory was allocated that is left when the program exits, sorted, and each once; Lost says that no pointer to it is.
	Kept []string `json:"kept,omitempty"`
	Lost bool     `json:"lost,omitempty"`
}

// Turn is a choice of a thread, where there was one, and how many steps it took.
type Turn struct {
	Thread int
	Steps  int64
}

// Turns are those of a run. In a file they are one text, "thread:steps" each, as there may be very many.
type Turns []Turn

// MarshalText writes the turns.
func (t Turns) MarshalText() ([]byte, error) {
	var b strings.Builder
	for i, x := range t {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d:%d", x.Thread, x.Steps)
	}
	return []byte(b.String()), nil
}

// UnmarshalText reads them.
func (t *Turns) UnmarshalText(text []byte) error {
	*t = nil
	for f := range strings.FieldsSeq(string(text)) {
		thread, steps, _ := strings.Cut(f, ":")
		n, err := strconv.Atoi(thread)
		if err != nil {
			return fmt.Errorf("no turn: %q", f)
		}
		k, err := strconv.ParseInt(steps, 10, 64)
		if err != nil || n < 0 || k < 0 {
			return fmt.Errorf("no turn: %q", f)
		}
		*t = append(*t, Turn{n, k})
	}
	return nil
}

// Input is a value from outside, or a choice of the library's.
type Input struct{ Lo, Hi uint64 }

// Inputs are those of a run. In a file they are one text, each a number or two, "low:high".
type Inputs []Input

// MarshalText writes the inputs.
func (in Inputs) MarshalText() ([]byte, error) {
	var b strings.Builder
	for i, x := range in {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatUint(x.Lo, 10))
		if x.Hi != 0 {
			b.WriteString(":" + strconv.FormatUint(x.Hi, 10))
		}
	}
	return []byte(b.String()), nil
}

// UnmarshalText reads them.
func (in *Inputs) UnmarshalText(text []byte) error {
	*in = nil
	for f := range strings.FieldsSeq(string(text)) {
		lo, hi, two := strings.Cut(f, ":")
		x, err := strconv.ParseUint(lo, 10, 64)
		if err != nil {
			return fmt.Errorf("no input: %q", f)
		}
		var y uint64
		if two {
			if y, err = strconv.ParseUint(hi, 10, 64); err != nil {
				return fmt.Errorf("no input: %q", f)
			}
		}
		*in = append(*in, Input{x, y})
	}
	return nil
}
