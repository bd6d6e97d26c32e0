#include <stdio.h>
int a[8]; char c[8]; long l[8]; double d[8]; int seq[32], n; int t(int k){ seq[n++]=k; return k; }
int *ti(int k){ seq[n++]=k; return &a[k&3]; } char *tc(int k){ seq[n++]=k; return &c[k&3]; } long *tl(int k){seq[n++]=k;return l+(k&3);}
struct S {int a,b,c,d,e,f;} s1,s2; struct S *ts(int k){ seq[n++]=k; return &s1;} struct S tsv(int k){ seq[n++]=k; return s2;}
int *tp(int k){ seq[n++]=k; return a; } int **tpp(int k){ static int*q; seq[n++]=k; return &q; }
void show(const char*w){ printf("%s:",w); for(int i=0;i<n;i++)printf(" %d",seq[i]); puts(""); n=0; }
struct B {int x:3,y:5;} b; struct B*tb(int k){seq[n++]=k;return &b;}
int main(){
 *tc(1)=t(2); show("*tc=t"); *tl(1)=t(2); show("*tl=t"); *ti(1)=t(2)+1; show("*ti=t+1"); *ti(1)=-t(2); show("*ti=-t");
 *ts(1)=*ts(2); show("*ts=*ts"); *ts(1)=tsv(2); show("*ts=tsv"); ts(1)->a=t(2); show("ts->a=t"); ts(1)->a=t(2)+1; show("ts->a=t+1");
 *tpp(1)=tp(2); show("*tpp=tp"); *tpp(1)=tp(2)+1; show("*tpp=tp+1"); tb(1)->x=t(2); show("tb->x=t"); tb(1)->x=t(2)&3; show("tb->x=t&3");
 a[t(1)]=a[t(2)]; show("a[t]=a[t]"); a[t(1)]=(t(2),3); show("a[t]=(t,3)"); a[t(1)]=t(2)?3:4; show("a[t]=t?:"); a[t(1)]=t(2)&&t(3); show("a[t]=t&&t"); a[t(1)]=a[t(2)]=t(3); show("a=a=t"); a[t(1)]=5; 
 n=0; a[t(1)]+=t(2); show("a[t]+=t"); ts(1)->b+=t(2); show("ts->b+=t"); tb(1)->x+=t(2); show("tb->x+=t"); *tc(1)+=t(2); show("*tc+=t"); *tpp(1)+=t(2); show("*tpp+=t"); a[t(1)]+=a[t(2)]; show("a+=a"); *ti(1)<<=t(2); show("<<=");
 int i=0; printf("%d\n", i-(i=3)); i=0; printf("%d\n", i-i++); i=2; printf("%d\n", (i=5)-i); i=2; printf("%d\n", i+1-(i=7)); i=2; printf("%d\n",(i,i)-(i=7));
 int arr[4]={0}; i=0; arr[i]=i++; printf("%d %d\n",arr[0],arr[1]); i=0; arr[i++]=i; printf("%d %d\n",arr[0],arr[1]); i=0; arr[i]=++i; printf("%d %d %d\n",arr[0],arr[1],arr[2]);
 i=1; i = i + (i=5); printf("%d\n",i); i=1; i+=i++; printf("%d\n",i); i=1; i+=++i + i; printf("%d\n",i); i=1; i=i+++i; printf("%d\n",i); 
 int *p=a; a[0]=1;a[1]=2; *p++ = *p; printf("%d\n",a[0]); p=a; a[0]=1;a[1]=2;*p=*++p; printf("%d %d\n",a[0],a[1]); 
 volatile int v=1; i=v+(v=4); printf("%d\n",i); v=1; i=v-(v=4); printf("%d\n",i);
 int ad=1; int *q=&ad; printf("%d\n", ad-(*q=4)); ad=1; printf("%d\n", ad-(ad=4));
 static int st=1; printf("%d\n", st-(st=4));
 long lo=1; printf("%ld\n", lo-(lo=4)); double db=1; printf("%g\n", db-(db=4)); 
 i=0; a[i]=0; i = a[i] = 3; int k=0; k = (k++) + (k++); printf("%d\n",k);
}
