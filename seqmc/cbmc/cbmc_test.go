package cbmc

import (
	"slices"
	"strings"
	"testing"

	"comus/seqmc"
)

// TestParse reads what CBMC 6.6 prints, shortened.
func TestParse(t *testing.T) {
	const assigned = `{"stepType": "assignment", "hidden": %h, "lhs": "return_value_nondet_choice%n", "value": {"data": "%v"}}`
	step := func(hidden, n, v string) string {
		return strings.NewReplacer("%h", hidden, "%n", n, "%v", v).Replace(assigned)
	}
	trace := strings.Join([]string{
		`{"stepType": "function-call", "hidden": true, "function": {"displayName": "main"}}`,
		`{"stepType": "assignment", "hidden": false, "lhs": "x", "value": {"data": "7"}}`,
		step("true", "", "0"), step("false", "", "3"), // the declaration of a temporary, and its value
		step("true", "$2", "0"), step("false", "$2", "1"),
		`{"stepType": "failure"}`}, ", ")
	failed := func(property string) string {
		return `{"property": "` + property + `", "status": "FAILURE", "description": "d", "trace": [` + trace + `]}`
	}
	for _, tt := range []struct {
		name, out string
		want      seqmc.Verdict
		choices   []int64
		reason    string
		again     bool
	}{
		{"safe", `[{"program": "CBMC 6.6.0"}, {"result": [{"property": "main.assertion.1", "status": "SUCCESS"}]}, {"cProverStatus": "success"}]`,
			seqmc.Safe, nil, "", false},
		{"unsafe", `[{"result": [` + failed("main.assertion.1") + `]}, {"cProverStatus": "failure"}]`, seqmc.Unsafe, []int64{3, 1}, "", false},
		{"unsafe within the bound", `[{"result": [` + failed("main.unwind.0") + `, ` + failed("main.assertion.1") + `]}, {"cProverStatus": "failure"}]`,
			seqmc.Unsafe, []int64{3, 1}, "", false},
		{"the bound is too small", `[{"result": [` + failed("main.unwind.0") + `]}, {"cProverStatus": "failure"}]`, seqmc.Unknown, nil, "", true},
		{"another property", `[{"result": [` + failed("main.overflow.1") + `]}, {"cProverStatus": "failure"}]`,
			seqmc.Unknown, nil, "it reports main.overflow.1", false},
		{"an error", `[{"messageType": "ERROR", "messageText": "syntax error"}]`, seqmc.Unknown, nil, "syntax error", false},
		{"not JSON", "out of memory\nsorry\n", seqmc.Unknown, nil, "its output is no JSON: out of memory", false},
		{"cut off", `[{"cProverStatus": "success"}`, seqmc.Unknown, nil, "its output is no JSON", false},
	} {
		ans, again := Parse([]byte(tt.out))
		if ans.Verdict != tt.want || !slices.Equal(ans.Choices, tt.choices) || !strings.HasPrefix(ans.Reason, tt.reason) || again != tt.again {
			t.Errorf("%s: %+v, again %t", tt.name, ans, again)
		}
	}
}

// TestMissing runs a CBMC that is not there.
func TestMissing(t *testing.T) {
	_, err := (&Tool{Command: "no-cbmc"}).Run(t.Context(), t.TempDir())
	if err == nil || err.Error() != `there is no command "no-cbmc" on the PATH (`+hint+`)` {
		t.Error(err)
	}
}
