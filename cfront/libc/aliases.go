package libc

// Aliases are other names of functions: those that the headers of glibc use in declarations
// (asm("__isoc99_scanf")), macros and inline functions, and old ones. The names of setjmp mean an
// intrinsic, as no function can return twice.
var Aliases = map[string]string{
	"setjmp": "__comus_setjmp", "_setjmp": "__comus_setjmp", "sigsetjmp": "__comus_setjmp",
	"__sigsetjmp": "__comus_setjmp", "__sigsetjmp_cancel": "__comus_setjmp",

	"__isoc99_scanf": "scanf", "__isoc99_fscanf": "fscanf", "__isoc99_sscanf": "sscanf",
	"__isoc99_vscanf": "vscanf", "__isoc99_vfscanf": "vfscanf", "__isoc99_vsscanf": "vsscanf",
	"__isoc23_scanf": "scanf", "__isoc23_fscanf": "fscanf", "__isoc23_sscanf": "sscanf",
	"__isoc23_vscanf": "vscanf", "__isoc23_vfscanf": "vfscanf", "__isoc23_vsscanf": "vsscanf",
	"__isoc23_strtol": "strtol", "__isoc23_strtoll": "strtoll", "__isoc23_strtoul": "strtoul", "__isoc23_strtoull": "strtoull",
	"__isoc23_strtoimax": "strtoimax", "__isoc23_strtoumax": "strtoumax", "strtoq": "strtoll", "strtouq": "strtoull",

	"putc": "fputc", "_IO_putc": "fputc", "putc_unlocked": "fputc_unlocked",
	"getc": "fgetc", "_IO_getc": "fgetc", "getc_unlocked": "fgetc_unlocked",
	"_IO_feof": "feof", "_IO_ferror": "ferror", "__getdelim": "getdelim",
	"fopen64": "fopen", "freopen64": "freopen", "tmpfile64": "tmpfile", "fseeko64": "fseeko", "ftello64": "ftello", "lseek64": "lseek",
	"_IO_stdin": "stdin", "_IO_stdout": "stdout", "_IO_stderr": "stderr",

	"__strdup": "strdup", "__strndup": "strndup", "__stpcpy": "stpcpy", "__stpncpy": "stpncpy", "__mempcpy": "mempcpy",
	"__rawmemchr": "rawmemchr", "__strcasecmp": "strcasecmp", "__sysv_signal": "signal",
	"bsd_signal": "signal", "ssignal": "signal", "gsignal": "raise", "__sigaction": "sigaction", "__getpid": "getpid",
	"__pthread_mutex_lock": "pthread_mutex_lock", "__pthread_mutex_unlock": "pthread_mutex_unlock",
	"__pthread_mutex_trylock": "pthread_mutex_trylock", "__pthread_once": "pthread_once",
	"__pthread_key_create": "pthread_key_create", "__pthread_getspecific": "pthread_getspecific",
	"__pthread_setspecific":       "pthread_setspecific",
	"pthread_mutex_consistent_np": "pthread_mutex_consistent", "pthread_mutexattr_setrobust_np": "pthread_mutexattr_setrobust",
	"pthread_mutexattr_getrobust_np": "pthread_mutexattr_getrobust", "pthread_yield": "sched_yield",
	"pthread_mutexattr_setkind_np": "pthread_mutexattr_settype", "pthread_mutexattr_getkind_np": "pthread_mutexattr_gettype",
	"__environ": "environ", "_environ": "environ",
	// PostgreSQL's own versions of functions of the C library.
	"pqsignal": "signal", "pg_vsnprintf": "vsnprintf", "pg_snprintf": "snprintf", "pg_sprintf": "sprintf", "pg_fprintf": "fprintf", "pg_printf": "printf",
	"drem": "remainder", "gamma": "lgamma", "__fork": "fork", "__vfork": "vfork", "__getpagesize": "getpagesize",
}
