// safe: a list on the heap that two threads fill by way of pointers to functions, one of them with buffers of another size.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct item *next;
	char name[12];
	void (*use)(struct item *);
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct item *first;
	int n;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void first(struct item *x) { x->name[0] = 'a'; }
static void last(struct item *x) { x->name[strlen(x->name)] = 'z'; }

static void put(const char *name, void (*use)(struct item *))
{
	struct item *x = calloc(1, sizeof *x);
	if (!x)
		abort();
	strncpy(x->name, name, 5);
	x->use = use;
	pthread_mutex_lock(&queue.lock);
	x->next = queue.first;
	queue.first = x;
	queue.n++;
	pthread_cond_signal(&queue.more);
	pthread_mutex_unlock(&queue.lock);
}

static void *fill(void *arg)
{
	char buffer[8];
	strcpy(buffer, arg ? "one" : "two");
	put(buffer, arg ? first : last);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, fill, &queue);
	pthread_create(&b, NULL, fill, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&queue.lock);
		while (queue.n == 0)
			pthread_cond_wait(&queue.more, &queue.lock);
		struct item *x = queue.first;
		queue.first = x->next;
		queue.n--;
		pthread_mutex_unlock(&queue.lock);
		x->use(x);
		free(x);
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(queue.n == 0);
	return 0;
}
