"""The base class of tool-info modules, and what its methods are given."""

import abc
import collections
import os
import shutil
import subprocess


class BaseTool2(abc.ABC):
    REQUIRED_PATHS = []

    @abc.abstractmethod
    def name(self):
        pass

    @abc.abstractmethod
    def executable(self, tool_locator):
        pass

    @staticmethod
    def _version_from_tool(executable, arg="--version"):
        done = subprocess.run([executable, arg], capture_output=True, text=True, check=False)
        return "" if done.returncode or done.stderr else done.stdout.strip()

    class ToolLocator:
        def __init__(self, tool_directory=None, use_path=False):
            self.tool_directory, self.use_path = tool_directory, use_path

        def find_executable(self, name, subdir=""):
            path = shutil.which(name) if self.use_path else os.path.join(self.tool_directory, subdir, name)
            if not path or not os.access(path, os.X_OK):
                raise FileNotFoundError(name)
            return path

    class Task:
        def __init__(self, files, property_file, options):
            self.input_files, self.property_file, self.options = tuple(files), property_file, options

        @classmethod
        def with_files(cls, files, *, property_file=None, options=None):
            return cls(files, property_file, options)

    ResourceLimits = collections.namedtuple(
        "ResourceLimits", "cputime cputime_hard walltime memory cpu_cores", defaults=[None] * 5
    )

    class Run(collections.namedtuple("Run", "cmdline exit_code output termination_reason")):
        @property
        def was_timeout(self):
            return self.termination_reason in ("cputime", "cputime-soft", "walltime")

    class RunOutput(list):
        """Lines of output, here with the line separators that they have."""
