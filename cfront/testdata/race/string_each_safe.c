// expect: SAFE --check=race
// A function prints the string of the thread's own struct, or of the next one.
#include <pthread.h>
#include <stdio.h>
struct worker { pthread_t id; int number; char text[8]; } w[2];
static void say(const char *text) { fprintf(stderr, "%s\n", text); }
static void *work(void *arg) {
  struct worker *me = arg;
  for (int i = 0; i < 7; i++)
    me->text[i] = 'a' + me->number;
  say("begin");
  say(me->text);
  return 0;
}
int main(void) {
  for (int i = 0; i < 2; i++) {
    w[i].number = i;
    pthread_create(&w[i].id, 0, work, &w[i]);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(w[i].id, 0);
  return 0;
}
