# SPDX-License-Identifier: Apache-2.0

"""
Tests of the tool-info module and of the benchmark definition, with BenchExec if it is installed and otherwise with a
stand-in for its classes. The comus that is tried is the one in PATH; cmd/comus/testdata/script/benchexec.txtar runs them.
"""

import collections
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
try:
    import benchexec.tools.template as template
    JUDGE = "BenchExec"
except ImportError:
    sys.path.insert(0, os.path.join(HERE, "standin"))
    import benchexec.tools.template as template
    JUDGE = "a stand-in for BenchExec, which is not installed"
sys.path.insert(0, HERE)
import comus  # noqa: E402

EXAMPLES = os.path.join(HERE, "..", "..", "examples")
Base = template.BaseTool2
ExitCode = collections.namedtuple("ExitCode", "value signal")


def lines(text):
    return Base.RunOutput(text.splitlines(keepends=True))


def ended(text, code, reason=None, cmdline=("comus",)):
    """A run with an output and an exit code; none for one that a signal has ended."""
    return Base.Run(cmdline, ExitCode(code, 9 if code is None else None), lines(text), reason)


class TestTool(unittest.TestCase):
    def setUp(self):
        self.tool = comus.Tool()

    def executable(self):
        return self.tool.executable(Base.ToolLocator(use_path=True))

    def verify(self, program, formula, **limits):
        """Runs comus as BenchExec would, and returns the result."""
        with tempfile.TemporaryDirectory() as folder:
            prp = os.path.join(folder, "p.prp")
            with open(prp, "w", encoding="utf-8") as f:
                f.write(f"CHECK( init(main()), LTL(G {formula}) )\n")
            path = os.path.join(EXAMPLES, program)
            if program.startswith("//"):
                path = os.path.join(folder, "made.c")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(program)
            task = Base.Task.with_files([path], property_file=prp, options={"language": "C", "data_model": "ILP32"})
            argv = self.tool.cmdline(self.executable(), ["--no-host-compiler"], task, Base.ResourceLimits(**limits))
            done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            run = ended(done.stdout, done.returncode, cmdline=argv)
            return self.tool.determine_result(run), run

    def test_name_and_version(self):
        self.assertEqual(self.tool.name(), "comus")
        self.assertRegex(self.tool.version(self.executable()), r"^\S+$")

    def test_cmdline(self):
        task = Base.Task.with_files(["a.c", "b.c"], property_file="p.prp", options={"data_model": "LP64"})
        limits = Base.ResourceLimits(cputime=900, cputime_hard=960, memory=1000)
        self.assertEqual(
            list(self.tool.cmdline("x/comus", ["--strategy", "modular"], task, limits)),
            ["x/comus", "--json", "--timeout=900", "--memory=950", "--property=p.prp", "--data-model=LP64",
             "--strategy", "modular", "--", "a.c", "b.c"])
        self.assertEqual(
            list(self.tool.cmdline("comus", [], Base.Task.with_files(["a.c"]), Base.ResourceLimits())),
            ["comus", "--json", "--timeout=0", "--", "a.c"])

    def test_verdicts(self):
        for program, formula, want in [
            ("peterson.c", "! call(reach_error())", "true"),
            ("counter_race.c", "! call(reach_error())", "false(unreach-call)"),
            ("counter_race.c", "! data-race", "false(no-data-race)"),
            ("// \nint main(void) { int x = 2147483647; return x + 1 < 0; }", "! overflow", "false(no-overflow)"),
            ("// \n#include <stdlib.h>\nint main(void) { int x, *p = &x; free(p); }", "valid-free", "false(valid-free)"),
            ("// \nint main(void) { int *p = 0; return *p; }", "valid-deref", "false(valid-deref)"),
            ("// \nint get(void);\nvoid reach_error(void);\nint main(void) { if (get()) reach_error(); }",
             "! call(reach_error())", "unknown"),
            ("// \nint main(void) { return 0", "! call(reach_error())", "ERROR (input)"),
        ]:
            with self.subTest(program=program, formula=formula):
                got, run = self.verify(program, formula, walltime=60, memory=4 * 10**9)
                self.assertEqual(got, want, str(run.output))

    def test_values(self):
        _, run = self.verify("peterson.c", "! call(reach_error())", walltime=60)
        value = self.tool.get_value_from_output
        self.assertRegex(value(run.output, "engine"), r"^[a-z-]+$")
        self.assertRegex(value(run.output, "components.reading.seconds"), r"^[0-9.]+$")
        self.assertEqual(value(run.output, "properties.0.verdict"), "SAFE")
        for none in ["nothing", "properties.9.verdict", "engine.x"]:
            self.assertEqual(value(run.output, none), "")
        self.assertEqual(value(lines("warning: x\n"), "engine"), "")

    def test_endings(self):
        unknown = '{\n"verdict": "UNKNOWN", "reason": "%s"\n}\n'
        leak = '{\n"verdict": "UNSAFE", "properties": [{"name": "assert", "verdict": "SAFE"}, {"name": "leak", "verdict": "UNSAFE"}]\n}\n'
        for run, want in [
            (ended("warning: a {\n" + unknown % "timeout after 60s" + "more\n", 20), "TIMEOUT (comus)"),
            (ended(unknown % "more than 4GB of memory needed", 20), "OUT OF MEMORY (comus)"),
            (ended(unknown % "too hard", 20), "unknown"),
            (ended(leak, 10), "false(valid-memtrack)"),
            (ended(leak.replace("leak", "cleanup"), 10), "false(valid-memcleanup)"),
            (ended('{\n"verdict": "SAFE"\n}\n', 10), "ERROR"),
            (ended('{\n"verdict": "SAFE"\n', 0), "ERROR"),
            (ended("comus: internal error: x\n", 70), "ERROR (internal)"),
            (ended("", None, "walltime"), "TIMEOUT"),
            (ended("", None, "memory"), "ERROR"),
        ]:
            with self.subTest(output=str(run.output)):
                self.assertEqual(self.tool.determine_result(run), want)

    def test_definition(self):
        root = xml.etree.ElementTree.parse(os.path.join(HERE, "comus.xml")).getroot()
        self.assertEqual(root.get("tool").replace(".", os.sep) + ".py", os.path.relpath(comus.__file__, os.path.join(HERE, "..", "..")))
        for tasks in root.iter("tasks"):
            self.assertRegex(tasks.findtext("propertyfile"), r"\.prp$")
            self.assertRegex(tasks.findtext("includesfile"), r"\.set$")
        self.assertEqual(len(list(root.iter("tasks"))), 4)


if __name__ == "__main__":
    print("judged by " + JUDGE)
    unittest.main()
