package threadmodular

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
)

func TestTry(t *testing.T) {
	f := os.Getenv("TRY")
	if f == "" {
		t.Skip()
	}
	src, err := cfront.ParseFile(f, cfront.Options{Parametric: true, DataModel: cfront.ILP32})
	if err != nil {
		t.Fatal(err)
	}
	src.Program.Renumber()
	if os.Getenv("SHOW") != "" {
		fmt.Println(src.Program)
	}
	for _, m := range []Method{{1, false}, {2, false}, {1, true}, {2, true}} {
		ctx, c := context.WithTimeout(context.Background(), 30*time.Second)
		start := time.Now()
		pr, err := Prove(ctx, src.Program, m, hclog.New(&hclog.LoggerOptions{Level: hclog.Debug}))
		c()
		fmt.Println(f, m, err, time.Since(start))
		if err == nil {
			if os.Getenv("SHOW") != "" {
				for _, i := range pr.Invariants {
					fmt.Println(i.Places, i.Formula)
				}
			}
			break
		}
	}
}
