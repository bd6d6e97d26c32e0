// expect: SAFE
%:include <assert.h>
%:define JOIN(a, b) a%:%:b
int f(int x) <%
  switch (x) <%
  case 1 ... 3:
    return 2;
  default:
  %>
  return x;
%>
int main(void) {
  int JOIN(x, y) = 3, a<:2:> = <%1, 2%>; // <: is a bracket
  assert(a<:1:> == 2 && xy % 2 == 1 && f(3) == 2 && f(20) == 20 && "<:"[0] == '<');
  return 0;
}
