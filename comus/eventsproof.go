package comus

import (
	"context"
	"time"

	"comus/check"
	"comus/cutpoints"
	"comus/envmove/locpairs"
)

// proveLoopsLeast is the least time for one attempt to prove a program whose loops were
// cut. An attempt may also take as long as everything before it.
const proveLoopsLeast = time.Second

// proveLoops has the modular algorithm verify a program of which the search for
// executions cut off a loop. It reports whether that decided; the result then says that
// this engine did.
func (v *verifier) proveLoops(ctx context.Context, cert *check.Certificate) (done bool, err error) {
	limited, cancel := context.WithTimeout(ctx, max(proveLoopsLeast, time.Since(v.start)))
	defer cancel()
	var blocks []*cutpoints.Block
	for _, t := range v.p.Threads {
		if !t.HasErrors() {
			continue
		}
		run, found, err := v.mainThread(limited, v.order(t.Index, nil))
		if err != nil {
			v.log.Info("no proof for every number of rounds", "error", err)
			cert.Runs = nil
			locpairs.Reset(v.graphs)
			return false, nil
		}
		if blocks = found; blocks != nil {
			break
		}
		cert.Runs = append(cert.Runs, *run)
	}
	v.res.Engine = "modular"
	if blocks != nil {
		return true, v.unsafe(ctx, cert, blocks)
	}
	return true, v.safe(ctx, cert)
}
