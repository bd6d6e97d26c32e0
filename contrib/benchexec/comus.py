# SPDX-License-Identifier: Apache-2.0

"""
Tool-info module of comus for BenchExec (https://github.com/sosy-lab/benchexec): how comus is called for a task, and what
its output says. See docs/benchexec.md.
"""

import json

import benchexec.result as result
import benchexec.tools.template

# What BenchExec calls the violation of a property that comus names so. Where comus has one name for several of SV-COMP's,
# Tool.violated decides.
PROPERTIES = {
    "assert": "unreach-call",
    "race": "no-data-race",
    "deadlock": "no-deadlock",
    "overflow": "no-overflow",
    "memory": "valid-deref",
    "leak": "valid-memtrack",
    "cleanup": "valid-memcleanup",
}

# The part of the memory limit that comus keeps for itself, so that it ends by itself with an answer.
MEMORY_SHARE = 0.95


class Tool(benchexec.tools.template.BaseTool2):
    """
    comus: verification of multi-threaded C programs.
    """

    REQUIRED_PATHS = ["comus"]

    def name(self):
        return "comus"

    def executable(self, tool_locator):
        return tool_locator.find_executable("comus", subdir="bin")

    def version(self, executable):
        # "comus v1.2 (go1.26, Z3 4.8.12)"
        words = self._version_from_tool(executable, arg="version").split()
        return words[1] if len(words) > 1 else ""

    def cmdline(self, executable, options, task, rlimits):
        flags = ["--json"]
        # comus measures time by the clock. Processor time is at least that of one processor; BenchExec watches over it.
        times = [t for t in (rlimits.walltime, rlimits.cputime) if t]
        flags.append(f"--timeout={min(times) if times else 0}")
        if rlimits.memory:
            flags.append(f"--memory={int(rlimits.memory * MEMORY_SHARE)}")
        if task.property_file:
            flags.append(f"--property={task.property_file}")
        model = isinstance(task.options, dict) and task.options.get("data_model")
        if model:
            flags.append(f"--data-model={model}")
        # Options of the benchmark definition come last: of two that contradict each other the last one counts.
        return [executable, *flags, *options, "--", *task.input_files]

    def determine_result(self, run):
        report = self.report(run.output)
        verdict = report.get("verdict")
        if verdict == "SAFE" and run.exit_code.value == 0:
            return result.RESULT_TRUE_PROP
        if verdict == "UNSAFE" and run.exit_code.value == 10:
            return f"{result.RESULT_FALSE_PROP}({self.violated(report, run)})"
        if verdict == "UNKNOWN" and run.exit_code.value == 20:
            reason = report.get("reason", "")
            if reason.startswith("timeout"):
                return "TIMEOUT (comus)"
            if reason.endswith(" of memory needed"):
                return "OUT OF MEMORY (comus)"
            return result.RESULT_UNKNOWN
        if run.was_timeout:
            return "TIMEOUT"
        if run.exit_code.value == 2:
            return f"{result.RESULT_ERROR} (input)"
        if run.exit_code.value == 70:
            return f"{result.RESULT_ERROR} (internal)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """The value of a field of comus's report, such as "engine" or "components.checking.seconds"."""
        value = self.report(output)
        for name in identifier.split("."):
            if isinstance(value, list) and name.isdigit() and int(name) < len(value):
                value = value[int(name)]
            elif isinstance(value, dict) and name in value:
                value = value[name]
            else:
                return ""
        return value if isinstance(value, str) else json.dumps(value)

    @staticmethod
    def report(output):
        """
        The object that comus --json prints, {} if there is none. Warnings may stand before and after it, because BenchExec
        puts standard error and standard output together.
        """
        lines = [line.rstrip("\r\n") for line in output]
        for start, line in enumerate(lines):
            if line == "{":
                try:
                    return json.JSONDecoder().raw_decode("\n".join(lines[start:]))[0]
                except ValueError:
                    return {}
        return {}

    @staticmethod
    def violated(report, run):
        """SV-COMP's name of the property that the violation is one of."""
        names = [p["name"] for p in report.get("properties", []) if p.get("verdict") == "UNSAFE"]
        name = names[0] if names else "assert"
        text = (report.get("violation") or {}).get("text", "")
        if name == "memory" and text.startswith("memory is freed"):
            return "valid-free"
        return PROPERTIES.get(name, name)
