package sample_test

import (
	"context"
	"testing"

	"comus/cfront"
	"comus/cir/interp"
)

// BenchmarkRaces measures what looking for races costs: a program that does little but access memory that threads share.
func BenchmarkRaces(b *testing.B) {
	p := load(b, includes+`int data[1000], sum; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		void *f(void *p) { for (int r = 0; r < 50; r++) { int s = 0; for (int i = 0; i < 1000; i++) s += data[i] * (i ^ r);
		  pthread_mutex_lock(&m); sum += s; pthread_mutex_unlock(&m); } return 0; }
		int main(void) { pthread_t t, u; for (int i = 0; i < 1000; i++) data[i] = i;
		pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); return sum == 0; }`, cfront.Options{})
	for _, races := range []bool{false, true} {
		b.Run(map[bool]string{false: "without", true: "with"}[races], func(b *testing.B) {
			steps := int64(0)
			for b.Loop() {
				res, err := interp.Run(context.Background(), p.Program, interp.Options{Races: races, Scheduler: interp.NewRandom(1, 20)})
				if err != nil || len(res.Races) > 0 {
					b.Fatal(err, res)
				}
				steps += res.Steps
			}
			b.ReportMetric(float64(steps)/b.Elapsed().Seconds()/1e6, "Msteps/s")
		})
	}
}
