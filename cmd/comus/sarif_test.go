package main

import (
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sarifSchema is the schema of SARIF 2.1.0.
const sarifSchema = "../../report/annotate/testdata/sarif-schema-2.1.0.json"

// cmdSARIF checks that a file is SARIF, and has a number of results: sarif FILE RESULTS
func cmdSARIF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sarif FILE RESULTS")
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile(sarifSchema)
	ts.Check(err)
	log, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(schema.Validate(log))
	run := log.(map[string]any)["runs"].([]any)[0].(map[string]any)
	if n := strconv.Itoa(len(run["results"].([]any))); n != args[1] {
		ts.Fatalf("%s has %s results, want %s", args[0], n, args[1])
	}
}
