package comus

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/internal/csource"
	"comus/seqmc"
)

const race = `
#include <pthread.h>
#include <assert.h>
int x;
void *inc(void *arg) { x++; return 0; }
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, inc, 0);
	pthread_create(&b, 0, inc, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(x == 2);
	return 0;
}`

// TestFalseProofsBecomeUnknown: a proof that the checker does not confirm is no
// verdict.
func TestFalseProofsBecomeUnknown(t *testing.T) {
	src, err := csource.Parse("race.c", []byte(race), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := inquire(nil, &Reading{Program: src.Program}, Options{Passes: []string{}, Log: hclog.NewNullLogger()})
	if err != nil {
		t.Fatal(err)
	}
	a, err := q.confirm(context.Background(), Answer{Verdict: seqmc.Safe, Proof: &check.Certificate{Format: check.Format, Version: check.Version}}, nil)
	if err == nil || !strings.Contains(err.Error(), "not confirmed") || a.Verdict() != seqmc.Unknown {
		t.Errorf("a certificate without a proof gave %v, %v", a.Verdict(), err)
	}
}
