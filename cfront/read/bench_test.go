package read

import "testing"

// BenchmarkHost and BenchmarkOwn read a small program.
func BenchmarkHost(b *testing.B) { benchmark(b, Options{}) }

// BenchmarkOwn reads it without a compiler.
func BenchmarkOwn(b *testing.B) { benchmark(b, Options{NoHost: true}) }

func benchmark(b *testing.B, opts Options) {
	for b.Loop() {
		if _, err := readC(b, "../../examples/counter_race.c", opts); err != nil {
			b.Fatal(err)
		}
	}
}
