#include "compare.h"

/* Every setter with every value, and what its getter then gives. */
#define SET_GET(object, set, get, from, to, type)              \
  for (int v_ = (from); v_ <= (to); v_++) {                    \
    CALL(set, (&W->object, v_));                               \
    CALL(get, (&W->object, (type *)&W->out[0]));               \
  }

static void threads(void) {
  struct sched_param p;
  CALL(pthread_attr_init, (&W->attr));
  for (int i = 0; i < 3; i++) {
    SET_GET(attr, pthread_attr_setdetachstate, pthread_attr_getdetachstate, -2, 3, int)
    SET_GET(attr, pthread_attr_setscope, pthread_attr_getscope, -2, 3, int)
    SET_GET(attr, pthread_attr_setinheritsched, pthread_attr_getinheritsched, -2, 3, int)
    SET_GET(attr, pthread_attr_setschedpolicy, pthread_attr_getschedpolicy, -2, 8, int)
    CALL(pthread_attr_setschedpolicy, (&W->attr, i));
    for (p.sched_priority = -2; p.sched_priority < 102; p.sched_priority++) {
      CALL(pthread_attr_setschedparam, (&W->attr, &p));
      CALL(pthread_attr_getschedparam, (&W->attr, (struct sched_param *)&W->out[0]));
    }
  }
  static const size_t sizes[] = {0, 1, 4096, 16383, 16384, 1 << 20, SIZE_MAX};
  for (int i = 0; i < 7; i++) {
    CALL(pthread_attr_setguardsize, (&W->attr, sizes[i]));
    CALL(pthread_attr_getguardsize, (&W->attr, (size_t *)&W->out[0]));
    CALL(pthread_attr_setstacksize, (&W->attr, sizes[i]));
    if (i > 3)
      CALL(pthread_attr_getstacksize, (&W->attr, (size_t *)&W->out[0]));
    CALL(pthread_attr_setstack, (&W->attr, (void *)65536, sizes[i]));
  }
  CALL(pthread_attr_setstack, (&W->attr, (void *)65536, 65536));
  CALL(pthread_attr_getstack, (&W->attr, (void **)&W->out[0], (size_t *)&W->out[1]));
  CALL(pthread_attr_setstackaddr, (&W->attr, (void *)65536));
  EXPECT(model_pthread_attr_getstackaddr(&worlds[0].attr, &worlds[0].pointer) == 0 && worlds[0].pointer == (void *)65536);
  OUTCOME(RETURNED, pthread_attr_setaffinity_np, (&W->attr, 8, 0));
  OUTCOME(RETURNED, pthread_attr_getaffinity_np, (&W->attr, 8, (cpu_set_t *)W->text));
  memcpy(worlds[0].text, worlds[1].text, 8);
  CALL(pthread_attr_destroy, (&W->attr));
  CALL(pthread_attr_init, (&W->attr));
  CALL(pthread_attr_getdetachstate, (&W->attr, (int *)&W->out[0]));
  CALL(pthread_attr_getguardsize, (&W->attr, (size_t *)&W->out[0]));
  CHOOSE(0);
  CALL(pthread_attr_getstacksize, (&W->attr, (size_t *)&W->out[0]));
  pthread_attr_t a;
  CHOOSE(1, 1 << 20);
  EXPECT(model_pthread_getattr_np(model_pthread_self(), &a) == 0);
}

static void mutexes(void) {
  CALL(pthread_mutexattr_init, (&W->mutexattr));
  CALL(pthread_mutexattr_getprioceiling, (&W->mutexattr, (int *)&W->out[0]));
  SET_GET(mutexattr, pthread_mutexattr_settype, pthread_mutexattr_gettype, -2, 8, int)
  SET_GET(mutexattr, pthread_mutexattr_setrobust, pthread_mutexattr_getrobust, -2, 3, int)
  SET_GET(mutexattr, pthread_mutexattr_setprotocol, pthread_mutexattr_getprotocol, -2, 4, int)
  SET_GET(mutexattr, pthread_mutexattr_setpshared, pthread_mutexattr_getpshared, -2, 3, int)
  SET_GET(mutexattr, pthread_mutexattr_setprioceiling, pthread_mutexattr_getprioceiling, -2, 102, int)
  CALL(pthread_mutexattr_gettype, (&W->mutexattr, (int *)&W->out[0]));
  CALL(pthread_mutexattr_getrobust, (&W->mutexattr, (int *)&W->out[0]));
  CALL(pthread_mutexattr_destroy, (&W->mutexattr));
}

static void others(void) {
  CALL(pthread_condattr_init, (&W->condattr));
  SET_GET(condattr, pthread_condattr_setpshared, pthread_condattr_getpshared, -2, 3, int)
  SET_GET(condattr, pthread_condattr_setclock, pthread_condattr_getclock, -2, 13, clockid_t)
  CALL(pthread_condattr_destroy, (&W->condattr));
  CALL(pthread_rwlockattr_init, (&W->rwlockattr));
  SET_GET(rwlockattr, pthread_rwlockattr_setpshared, pthread_rwlockattr_getpshared, -2, 3, int)
  SET_GET(rwlockattr, pthread_rwlockattr_setkind_np, pthread_rwlockattr_getkind_np, -2, 4, int)
  CALL(pthread_rwlockattr_destroy, (&W->rwlockattr));
  CALL(pthread_barrierattr_init, (&W->barrierattr));
  SET_GET(barrierattr, pthread_barrierattr_setpshared, pthread_barrierattr_getpshared, -2, 3, int)
  CALL(pthread_barrierattr_destroy, (&W->barrierattr));
}

void compare_attributes(void) {
  threads();
  mutexes();
  others();
}
