package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/seqmc"
)

// TestVerdicts runs commands that print what verifiers print.
func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		line, safe, unsafe string
		want               seqmc.Verdict
		reason             string
	}{
		{"echo 'Verification result: TRUE. No property violation found' #", "", "", seqmc.Safe, ""},
		{"echo 'Verification result: FALSE. Property violation found' #", "", "", seqmc.Unsafe, ""},
		{"echo VERIFICATION SUCCESSFUL", "", "", seqmc.Safe, ""},
		{"echo VERIFICATION FAILED", "", "", seqmc.Unsafe, ""},
		{"echo RESULT: Ultimate proved your program to be correct!", "proved your program to be correct", "proved your program to be incorrect", seqmc.Safe, ""},
		{"echo RESULT: Ultimate proved your program to be incorrect!", "to be correct", "to be incorrect", seqmc.Unsafe, ""},
		{"echo 'Verification result: UNKNOWN, incomplete analysis.' #", "Verification result: TRUE", "Verification result: FALSE", seqmc.Unknown, "no verdict"},
		{"echo VERIFICATION UNKNOWN", "", "", seqmc.Unknown, "no verdict"},
		{"echo RESULT: Ultimate could not prove your program: unable to determine feasibility of some traces", "proved your program to be correct", "proved your program to be incorrect", seqmc.Unknown, "no verdict"},
		{"echo INCORRECT", "", "", seqmc.Unsafe, ""},
		{"echo TRUE FALSE", "", "", seqmc.Unknown, "both"},
		{"true", "", "", seqmc.Unknown, "no verdict (exit code 0)"},
		{"cat {file}", "int main", "", seqmc.Safe, ""},
	} {
		tool, err := New(tt.line, tt.safe, tt.unsafe)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "prog.c"), []byte("int main(void) { return 0; }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		ans, err := tool.Run(t.Context(), dir)
		if err != nil || ans.Verdict != tt.want || !strings.Contains(ans.Reason, tt.reason) {
			t.Errorf("%s: %v (%s), %v", tt.line, ans.Verdict, ans.Reason, err)
		}
	}
}

func TestNew(t *testing.T) {
	tool, err := New(`a "b c" 'd {file} e' f`, "", "")
	if err != nil || !slices.Equal(tool.Argv, []string{"a", "b c", "d {file} e", "f"}) {
		t.Errorf("%q, %v", tool.Argv, err)
	}
	if tool, _ := New("cpachecker -default", "", ""); tool.Argv[2] != "{file}" {
		t.Errorf("%q", tool.Argv)
	}
	for _, wrong := range [][3]string{{"", "", ""}, {"a 'b", "", ""}, {"a", "(", ""}, {"a", "", "["}} {
		if _, err := New(wrong[0], wrong[1], wrong[2]); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
