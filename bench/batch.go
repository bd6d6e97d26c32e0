package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"comus/internal/whole"
)

// A batch is an array of tasks of a scheduler: a folder below slurmFolder with the orders, a line for each, the script
// that a task runs, and the results, a file for each. Its name is that of the job, too.

// slurmFolder is the folder in the output folder for all that is between comus and the scheduler.
const slurmFolder = "slurm"

// The files in the folder of a batch.
const (
	ordersFile   = "orders.jsonl"
	scriptFile   = "task.sh"
	resultFolder = "results"
	closedFile   = "closed" // there once nothing is expected of the batch any more
)

// batch is one that has been submitted, or is about to be.
type batch struct {
	name, dir string
	orders    []*order
	over      []bool // those orders of which nothing is expected any more
	closed    bool
}

// ref names an order: no other one in the world has that name.
func (b *batch) ref(n int) string { return fmt.Sprintf("%s/%d", b.name, n) }

// newBatch writes a batch to a folder below another one.
func newBatch(in, name string, orders []*order, worker Program) (*batch, error) {
	b := &batch{name: name, dir: filepath.Join(in, name), orders: orders, over: make([]bool, len(orders))}
	if err := os.MkdirAll(filepath.Join(b.dir, resultFolder), 0o755); err != nil {
		return nil, err
	}
	script := fmt.Sprintf("#!/bin/sh\nexec %s bench task %s \"$SLURM_ARRAY_TASK_ID\"\n", quoted(worker.Path), quoted(b.dir))
	if err := whole.WriteFile(filepath.Join(b.dir, scriptFile), []byte(script)); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	for _, o := range orders {
		line, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		text.Write(append(line, '\n'))
	}
	return b, whole.WriteFile(filepath.Join(b.dir, ordersFile), text.Bytes())
}

// quoted quotes a word for the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// openBatches reads the batches in a folder of which something is still expected, in the order in which they were made.
func openBatches(in string) ([]*batch, error) {
	entries, err := os.ReadDir(in)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []*batch
	for _, e := range entries {
		dir := filepath.Join(in, e.Name())
		if _, closed := os.Stat(filepath.Join(dir, closedFile)); !e.IsDir() || closed == nil {
			continue
		}
		b := &batch{name: e.Name(), dir: dir}
		b.orders, err = readOrders(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // not written to its end, and so not submitted
		}
		if err != nil {
			return nil, err
		}
		b.over = make([]bool, len(b.orders))
		out = append(out, b)
	}
	return out, err
}

// readOrders reads the orders of a batch.
func readOrders(dir string) ([]*order, error) {
	file := filepath.Join(dir, ordersFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []*order
	for line := range bytes.Lines(text) {
		o := new(order)
		if err := json.Unmarshal(line, o); err != nil {
			return nil, fmt.Errorf("%s:%d: not an order: %w", file, len(out)+1, err)
		}
		out = append(out, o)
	}
	return out, nil
}

// finished returns the numbers of the orders that have results.
func (b *batch) finished() ([]int, error) {
	entries, err := os.ReadDir(filepath.Join(b.dir, resultFolder))
	if err != nil {
		return nil, err
	}
	var out []int
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json") // others are being written
		if n, err := strconv.Atoi(name); ok && err == nil && n < len(b.orders) {
			out = append(out, n)
		}
	}
	return out, nil
}

// result reads the result of an order.
func (b *batch) result(n int) (*Result, error) {
	text, err := os.ReadFile(resultOf(b.dir, n))
	if err != nil {
		return nil, err
	}
	r := new(Result)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: not a result: %w", resultOf(b.dir, n), err)
	}
	return r, nil
}

// close notes that nothing is expected of the batch, if that is so.
func (b *batch) close() error {
	if b.closed || slices.Contains(b.over, false) {
		return nil
	}
	b.closed = true
	return whole.WriteFile(filepath.Join(b.dir, closedFile), nil)
}

// resultOf returns the file for the result of an order.
func resultOf(dir string, n int) string {
	return filepath.Join(dir, resultFolder, strconv.Itoa(n)+".json")
}

// Work makes the run of an order and writes its result: it is what a task of a scheduler does. It does nothing if the
// result is there already: a scheduler that has lost sight of a node may have a task run twice.
func Work(ctx context.Context, dir string, n int) error {
	if _, err := os.Stat(resultOf(dir, n)); err == nil {
		return nil
	}
	orders, err := readOrders(dir)
	if err != nil {
		return err
	}
	if n < 0 || n >= len(orders) {
		return fmt.Errorf("%s: has no order %d", dir, n)
	}
	o := orders[n]
	r := &Result{Key: o.Key, Expect: o.Expect, Verdict: VerdictError, Exit: -1}
	if err := o.unchanged(); err != nil {
		r.Reason = err.Error()
	} else if made, err := o.run(ctx); ctx.Err() != nil {
		return context.Cause(ctx) // it is made again elsewhere
	} else if err != nil {
		r.Reason = err.Error()
	} else {
		r = made
	}
	if r.Node = os.Getenv("SLURMD_NODENAME"); r.Node == "" {
		r.Node, _ = os.Hostname() // it is for people
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return whole.WriteFile(resultOf(dir, n), text)
}
