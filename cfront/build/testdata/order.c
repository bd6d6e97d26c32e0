#include <stdio.h>
int x, y; int a[4]; int *p;
int f(int v){ x = v; return 1; }
int seq[32], n; int t(int k){ seq[n++]=k; return k; }
int *ti(int k){ seq[n++]=k; return &a[k&3]; }
struct S { int a,b,c,d,e,f; } s1; struct S ts(int k){ seq[n++]=k; struct S r={k}; return r; }
void g(int a,int b,int c){} void gs(struct S a,struct S b, int c){}
void show(const char*w){ printf("%s:",w); for(int i=0;i<n;i++)printf(" %d",seq[i]); puts(""); n=0; }
struct S fs(int v){ s1.a = v; struct S r={1}; return r; }
long lx; double dx; char cx;
int fl(int v){ lx=v; dx=v; cx=v; return 1;}
int main(void){
 x=0; printf("x+f: %d\n", x+f(10));
 x=0; printf("f+x: %d\n", f(10)+x);
 x=0; x+=f(10); printf("x+=f: %d\n", x);
 x=0; x=x+f(10); printf("x=x+f: %d\n", x);
 x=0; x=f(10)+x; printf("x=f+x: %d\n", x);
 x=5; printf("x-f: %d\n", x-f(10));
 x=5; x-=f(10); printf("x-=f: %d\n", x);
 x=5; printf("x<f: %d\n", x<f(0));
 x=5; printf("x*f: %d\n", x*f(0));
 lx=0; lx+=fl(10); printf("lx+=f: %ld\n", lx);
 dx=0; dx+=fl(10); printf("dx+=f: %g\n", dx);
 cx=0; cx+=fl(10); printf("cx+=f: %d\n", cx);
 lx=0; printf("lx+f: %ld\n", lx+fl(10));
 lx=0; printf("(long)x+f: %ld\n", (long)cx+fl(10));
 cx=0; printf("cx+f: %d\n", cx+fl(10));
 int i=0; printf("i+(i=3): %d\n", i+(i=3));
 i=0; printf("i+i++: %d\n", i + i++); 
 i=0; printf("i++ + i: %d\n", i++ + i);
 i=0; i+=(i=3); printf("i+=(i=3): %d\n", i);
 i=1; a[i]=(i=2); printf("a[i]=(i=2): %d %d\n", a[1],a[2]);
 a[1]=a[2]=0; x=1; a[x]=f(2); printf("a[x]=f(2): %d %d\n", a[1],a[2]);
 a[1]=a[2]=0; p=a+1; int h(void){p=a+2;return 7;} *p=h(); printf("*p=h(): %d %d\n", a[1],a[2]);
 t(1)+t(2); show("t+t"); t(1)*t(2)+t(3); show("t*t+t"); *ti(1)=t(2); show("*t=t"); *ti(1)+=t(2); show("*t+=t"); a[t(1)]=t(2); show("a[t]=t"); ti(1)[t(2)&1]=3; show("t[t]"); t(1)<t(2); show("t<t"); *ti(1)=*ti(2); show("*t=*t");
 *ti(1) += *ti(2); show("*t+=*t"); 
 g(t(1),t(2),t(3)); show("g(t,t,t)");
 gs(ts(1),ts(2),t(3)); show("gs");
 struct {int a,b,c;} z={t(1),t(2),t(3)}; show("init"); int w[3]={t(1),t(2),t(3)}; show("init arr");
 struct S q={.b=t(1),.a=t(2)}; show("init b a"); (void)(struct S){t(1),t(2)}; show("lit");
 x=0; g(x,f(1),x); void g3(int a,int b,int c){printf("g(x,f,x): %d %d %d\n",a,b,c);} x=0; g3(x,f(1),x);
 i=0; g3(i,i++,i); i=0; g3(i++,i++,i++); i=0; g3(i,(i=5),i);
 void (*fp(int k))(int,int,int){ seq[n++]=k; return g; }
 fp(1)(t(2),t(3),0); show("fp()(t)");
 s1.a=0; void g4(struct S a, struct S b){printf("g4 %d %d\n",a.a,b.a);} g4(s1,fs(5)); s1.a=0; g4(fs(5),s1);
 *ti(1) = ts(2).a; show("*t=ts.a"); *(struct S*)(n=0,seq[n++]=1,&s1) = ts(2); show("*p=ts");
 (t(1)?1:0)+t(2); show("cond"); t(1)-t(2); show("t-t"); (long)t(1)+t(2); show("long t+t"); (t(1)+1)+(t(2)+1); show("p"); t(1)/(double)t(2); show("div"); t(1)<<t(2); show("shl"); ti(1)+t(2); show("ptr+"); ti(1)-ti(2); show("ptr-"); t(1)+ (t(2),t(3)); show(",");t(1)>t(2); show("t>t");
 int r1 = a[t(1)] + a[t(2)]; show("a+a");
 volatile int v=0; v + (v=2);
 _Complex double cc=t(1)+t(2)*1i; show("c");
 x=0; printf("-x+f: %d\n", -x+f(10)); x=0; printf("(x+1)+f: %d\n",(x+1)+f(10)); x=0; printf("f+(x+1): %d\n", f(10)+(x+1));
 x=3; printf("x==f: %d\n", x==f(1));x=3; printf("f==x: %d\n", f(1)==x);
 struct S *sp=&s1; s1.a=0; printf("sp->a+fs().a: %d\n", sp->a+fs(5).a);
 x = 1; x = x++ + 1; i=1; i = i++ + 5; printf("%d\n", i); i=1; int j = (i++, i) + i; printf("%d\n", j);
}
