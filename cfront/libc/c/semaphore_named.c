/* Semaphores with a name: one for each name. None of the names exists before. */
#include "libc.h"

static struct named {
  struct named *next;
  char *name;
  const char *given; /* the name, if it is a constant: often the same one again, which is faster to compare */
  int exists; /* sem_unlink has not removed the name */
  int opened; /* how often, less how often it was closed */
  sem_t sem;
} *named;

static sem_t *open_fails(int why) {
  errno = why;
  return SEM_FAILED;
}

/* The name without slashes in front, null if it is none. */
static const char *plain(const char *name) {
  while (*name == '/')
    name++;
  return *name && !strchr(name, '/') ? name : 0;
}

static struct named *find(const char *name) {
  struct named *n = named;
  while (n && (!n->exists || (n->given != name && strcmp(n->name, name) != 0)))
    n = n->next;
  return n;
}

static struct named *add_name(const char *name, unsigned value) {
  struct named *n = __comus_alloc(sizeof *n);
  n->name = __comus_alloc(strlen(name) + 1);
  strcpy(n->name, name);
  n->given = __comus_is_const(name) ? name : 0;
  *(struct sem *)&n->sem = (struct sem){value, 1, 0};
  n->opened = 0;
  n->exists = 1;
  n->next = named;
  named = n;
  return n;
}

sem_t *sem_open(const char *name, int flags, ...) {
  __comus_assumption("a semaphore that the program opens by its name does not exist before");
  name = plain(name);
  if (!name)
    return open_fails(EINVAL);
  if (strlen(name) > NAME_MAX - 4)
    return open_fails(ENAMETOOLONG);
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list ap;
    va_start(ap, flags);
    (void)va_arg(ap, mode_t);
    value = va_arg(ap, unsigned);
    va_end(ap);
  }
  int why = 0;
  __comus_atomic_begin();
  struct named *n = find(name);
  if (n && (flags & O_CREAT) && (flags & O_EXCL))
    why = EEXIST;
  else if (!n && !(flags & O_CREAT))
    why = ENOENT;
  else if (!n && value > SEM_VALUE_MAX)
    why = EINVAL;
  else {
    if (!n)
      n = add_name(name, value);
    n->opened++;
  }
  __comus_atomic_end();
  if (!why && (flags & O_CREAT) && __comus_nondet_bool())
    errno = ENOENT; /* what success does to errno is open; glibc looks for the semaphore first */
  return why ? open_fails(why) : &n->sem;
}

/* The semaphore stays for those that have it open. */
int sem_close(sem_t *sem) {
  __comus_atomic_begin();
  struct named *n = named;
  while (n && &n->sem != sem)
    n = n->next;
  int open = n && n->opened > 0;
  __comus_undefined(open, "locks", "sem_close of a semaphore that is not open");
  if (open)
    n->opened--;
  __comus_atomic_end();
  if (!open) {
    errno = EINVAL;
    return -1;
  }
  return 0;
}

int sem_unlink(const char *name) {
  name = plain(name);
  __comus_atomic_begin();
  struct named *n = name ? find(name) : 0;
  if (n)
    n->exists = 0;
  __comus_atomic_end();
  if (n)
    return 0;
  errno = name && strlen(name) > NAME_MAX - 4 ? ENAMETOOLONG : ENOENT;
  return -1;
}
