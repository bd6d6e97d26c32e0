// safe: a configuration on the heap, made by whoever needs it first; strings are copied into it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct config {
	pthread_mutex_t lock;
	char host[16];
	short ports[4];
	int used;
};

static struct config *config;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static struct config *make(const char *host)
{
	struct config *c = malloc(sizeof *c);
	if (!c)
		abort();
	memset(c, 0, sizeof *c);
	pthread_mutex_init(&c->lock, NULL);
	strcpy(c->host, host);
	c->ports[0] = 80;
	return c;
}

static struct config *get(void)
{
	pthread_mutex_lock(&making);
	if (!config)
		config = make("localhost");
	struct config *c = config;
	pthread_mutex_unlock(&making);
	return c;
}

static void *client(void *arg)
{
	struct config *c = get(), copy;
	int i = *(int *)arg;
	pthread_mutex_lock(&c->lock);
	c->ports[i]++;
	c->used++;
	memcpy(&copy, c, sizeof copy);
	pthread_mutex_unlock(&c->lock);
	assert(copy.used > 0);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int ids[2] = {0, 1};
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, client, &ids[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(config->used == 2);
	free(config);
	return 0;
}
