package resourceinv
import ("testing";"fmt";"os";"comus/internal/csource";"comus/ir/passes";"comus/cutpoints")
func TestDbg(t *testing.T){
 f:=os.Getenv("F"); b,_:=os.ReadFile(f)
 src,err:=csource.Parse(f,b,csource.Options{Parametric: os.Getenv("EVERY")!=""}); if err!=nil{t.Fatal(err)}
 _ = passes.Names
 p:=src.Program
 if os.Getenv("EVERY")=="" { r,err:=passes.Run(p,passes.Default()); if err!=nil{t.Fatal(err)}
 p=r.Program }; p.Renumber()
 q,_:=p.Instances(3); m:=newModel(p,cutpoints.Compute(q,cutpoints.Options{})[:len(p.Threads)])
 for _,v:=range m.shared{fmt.Println(v.Name,m.guards[v].lock,m.guards[v].early)}
 for _,sets:=range m.choices(){
 s:=newSystem(m,sets)
 for _,c:=range s.clauses{ for _,a:=range c.body{fmt.Print(a.rel.name,a.args," ")}; fmt.Print(" & ",c.cond," => "); if c.head!=nil{fmt.Print(c.head.rel.name,c.head.args)}; fmt.Println()}
 found,err:=s.spacer(t.Context(),s.clauses)
 fmt.Println(err)
 if err==nil{ for r,f:=range found{fmt.Println(r.name,r.params,f)}; break}
 }
}
