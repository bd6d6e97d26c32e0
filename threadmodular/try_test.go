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
	ctx, c := context.WithTimeout(context.Background(), 60*time.Second)
	defer c()
	start := time.Now()
	pr, err := Prove(ctx, src.Program, hclog.New(&hclog.LoggerOptions{Level: hclog.Debug}))
	fmt.Println(f, err, time.Since(start))
	if err == nil {
		fmt.Println(pr.Method)
		if os.Getenv("SHOW") != "" {
			for _, i := range pr.Invariants {
				fmt.Println(i.Places, i.Formula)
			}
		}
	}
}
