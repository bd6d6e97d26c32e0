/* The environment: any values of any variables, chosen when the program asks for them first. */
#include "libc.h"

static struct variable {
  struct variable *next;
  char *name;
  char *value; /* null if it is not set */
} *variables;
static int cleared; /* what is not in the list is not set */

/* The length of a variable's name at the beginning of s. */
static size_t name_length(const char *s) {
  size_t n = 0;
  while (s[n] && s[n] != '=')
    n++;
  return n;
}

static int is_named(const struct variable *v, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (v->name[i] != name[i])
      return 0;
  return !v->name[length];
}

static char *any_string(void) {
  size_t n = __comus_nondet_ulong();
  __comus_assume(n < PTRDIFF_MAX);
  char *s = __comus_alloc(n + 1);
  __comus_havoc_bytes(s, n);
  s[n] = 0;
  return s;
}

static char *any_value(const char *name) {
  (void)*name;
  return __comus_nondet_bool() ? any_string() : 0;
}

/* The variable, with a value that is chosen now or was before. */
static struct variable *variable(const char *name, size_t length) {
  struct variable *v = variables;
  while (v && !is_named(v, name, length))
    v = v->next;
  if (v)
    return v;
  v = __comus_alloc(sizeof *v);
  v->name = __comus_alloc(length + 1);
  memcpy(v->name, name, length);
  v->name[length] = 0;
  v->value = cleared ? 0 : any_value(v->name);
  v->next = variables;
  variables = v;
  return v;
}

char *getenv(const char *name) {
  __comus_atomic_begin();
  char *value = variable(name, strlen(name))->value;
  __comus_atomic_end();
  return value;
}

char *secure_getenv(const char *name) { return __comus_nondet_bool() ? 0 : getenv(name); }

static int is_variable(const char *name) {
  if (name && *name && !name[name_length(name)])
    return 1;
  errno = EINVAL;
  return 0;
}

int setenv(const char *name, const char *value, int replace) {
  if (!is_variable(name))
    return -1;
  __comus_atomic_begin();
  struct variable *v = variable(name, strlen(name));
  if (!v->value || replace) {
    v->value = __comus_alloc(strlen(value) + 1);
    strcpy(v->value, value);
  }
  __comus_atomic_end();
  return 0;
}

int unsetenv(const char *name) {
  if (!is_variable(name))
    return -1;
  __comus_atomic_begin();
  variable(name, strlen(name))->value = 0;
  __comus_atomic_end();
  return 0;
}

/* The string itself is part of the environment from now on. */
int putenv(char *s) {
  size_t n = name_length(s);
  __comus_atomic_begin();
  struct variable *v = variable(s, n);
  v->value = s[n] ? s + n + 1 : 0;
  __comus_atomic_end();
  return 0;
}

int clearenv(void) {
  __comus_atomic_begin();
  variables = 0;
  cleared = 1;
  __comus_atomic_end();
  return 0;
}
