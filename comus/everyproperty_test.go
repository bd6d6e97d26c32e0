package comus_test

import (
	"flag"
	"testing"

	"comus/internal/long"
	"comus/internal/randprog"
	"comus/specialise"
)

var (
	propertyPrograms = flag.Int("comus.properties", 20, "number of random programs of which all properties are decided by the default strategy and by the explorer")
	propertySeed     = flag.Uint64("comus.propertiesseed", 1, "first seed of these programs")
)

// TestEveryProperty asks about each property of random programs, one by one, and compares the default strategy's verdict with the explorer's. In turn the programs synchronise in
// all ways, or read what is not initialised, or have everything that the generator knows.
func TestEveryProperty(t *testing.T) {
	long.Only(t)
	tally := map[string]int{}
	for i := range *propertyPrograms {
		seed := *propertySeed + uint64(i)
		var text string
		switch i % 3 {
		case 0:
			text = randprog.Synchronised(seed)
		case 1:
			text = randprog.Unset(seed)
		default:
			text = randprog.Generate(seed, randprog.Options{Features: randprog.All, MaxStatements: 4})
		}
		for _, name := range specialise.CheckNames {
			checks := specialise.Checks{NoAssert: name != specialise.Assert, Race: name == specialise.Race, Deadlock: name == specialise.Deadlock, Memory: name == specialise.Memory,
				Leak: name == specialise.Leak, Cleanup: name == specialise.Cleanup, Overflow: name == specialise.Overflows, Locks: name == specialise.Locks}
			ours, err := decided(t.Context(), text, checks, "")
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			explored, err := decided(t.Context(), text, checks, "explore")
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			a, b := short(ours), short(explored)
			tally[a+", explorer "+b]++
			if a != b && a != "UNKNOWN" && b != "UNKNOWN" {
				t.Errorf("seed %d, %s: %s, but the explorer says %s\n%s", seed, name, a, b, text)
			}
		}
	}
	t.Log(tally)
}
