// expect: SAFE
%:include <pthread.h>
%:include <assert.h>
int g<:2:> = <% 1, 2 %>;
static void h(void) <%
  if (g<:0:> == 1) goto end;
  g<:1:> = 3;
end:
%>
void *f(void *a) <% h(); return 0; %>
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(g[1] == 2);
  return 0;
}
