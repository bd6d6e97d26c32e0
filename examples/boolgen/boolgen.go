// Package boolgen writes concurrent Boolean programs of any size, for measurements:
// the model of the Bluetooth driver of examples/boolprog with any number of threads.
package boolgen

import (
	"fmt"
	"strings"
)

// Bluetooth says which model of the driver to write.
type Bluetooth struct {
	Adders, Stoppers int  // threads; the adders come first in the schedule
	Bits             int  // of the counter of requests; an adder waits while it is full
	Unsafe           bool // with the driver's bug
}

// Check tells what is wrong with the sizes.
func (b Bluetooth) Check() error {
	switch {
	case b.Adders < 1 || b.Stoppers < 0:
		return fmt.Errorf("the model needs an adder at least, not %d adders and %d stoppers", b.Adders, b.Stoppers)
	case b.Bits < 2 || b.Bits > 30:
		return fmt.Errorf("the model needs a counter of 2 to 30 bits, not %d", b.Bits)
	}
	return nil
}

// Program returns the model. The driver is the one of bluetooth.bp or
// bluetooth_fixed.bp, but that only the first of several stoppers takes back the
// driver's own request.
func (b Bluetooth) Program() (string, error) {
	if err := b.Check(); err != nil {
		return "", err
	}
	var bits, same, plus, minus []string
	for i := range b.Bits {
		name := fmt.Sprintf("p%d", i)
		bits = append(bits, name)
		carry, borrow := "1", "1"
		if i > 0 {
			carry = strings.Join(bits[:i], " & ")
			borrow = "!" + strings.Join(bits[:i], " & !")
		}
		plus = append(plus, fmt.Sprintf("%s ^ (%s)", name, carry))
		minus = append(minus, fmt.Sprintf("%s ^ (%s)", name, borrow))
		if i > 0 {
			same = append(same, "!"+name)
		}
	}
	one := strings.Join(append([]string{"p0"}, same...), " & ")
	increment, after := countFirst, countedAfter
	if b.Unsafe {
		increment, after = lookFirst, notCountedAfter
	}
	threads := strings.Repeat(", adder", b.Adders) + strings.Repeat(", stopper", b.Stoppers)
	return strings.NewReplacer("@bits", strings.Join(bits, ", "), "@plus", strings.Join(plus, ", "), "@minus", strings.Join(minus, ", "),
		"@one", one, "@full", strings.Join(bits, " & "), "@threads", threads[2:], "@after", after).Replace(head + increment), nil
}

// The parts of the program.
const (
	head = `// A model of the Bluetooth driver of Windows NT: see examples/boolprog.
decl stopping, stopEvent, stopped;
decl @bits; // the requests under way and the driver itself, p0 counts 1
init !stopping & !stopEvent & !stopped & @one;
thread @threads;
void adder() begin
  decl ok;
  ok := increment();
  @after
end
void stopper() begin
  decl again;
  atomic begin again := stopping; stopping := 1; end
  if !again then
    decrement();
    assume(stopEvent);
    stopped := 1;
  fi
end
void decrement() begin
  decl last;
  atomic begin last := @one; @bits := @minus; end
  if last then stopEvent := 1; fi
end
`
	countFirst = `bool increment() begin
  atomic begin assume(!(@full)); @bits := @plus; end
  if stopping then decrement(); return 0; fi
  return 1;
end
`
	countedAfter = "if ok then assert !stopped; decrement(); fi"
	lookFirst    = `bool increment() begin
  if stopping then return 0; fi
  atomic begin assume(!(@full)); @bits := @plus; end
  return 1;
end
`
	notCountedAfter = "if ok then assert !stopped; fi decrement();"
)
