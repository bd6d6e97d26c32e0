"""The results that BenchExec knows."""

RESULT_TRUE_PROP = "true"
RESULT_FALSE_PROP = "false"
RESULT_UNKNOWN = "unknown"
RESULT_ERROR = "ERROR"
RESULT_DONE = "done"
