"""The reviewed set from parses; run at the root of the repository, with tracebank on the path and the example built."""
import re,subprocess,collections
blocks=open('treebank/relations/reviewed.txt').read().strip().split('\n\n')
sents=[b.split('\n')[0].split(' ',3)[3] for b in blocks]
open('rp.tok','w').write('\n'.join(sents)+'\n')
for d in ['penn']:
    out=subprocess.run(['tracebank','parse','-i','tokens','--dialect',d,'--output','penn','rp.tok'],capture_output=True,text=True).stdout
    open('rp.mrg','w').write(out)
    o=subprocess.run(['target/debug/examples/relations',d,'rp.mrg','numbered'],capture_output=True,text=True).stdout.strip('\n').split('\n\n')
    print(len(o),len(blocks))
    def facts(lines):
        r=[]
        for l in lines:
            p=l.split('  '); t=int(p[0].split(' ')[0])
            for a in p[1:]:
                role,w=a.split('=',1); w=re.sub(r' \([^()]*\)$','',w); r.append((t,role,w))
        return r
    F=collections.Counter();W=collections.Counter();R=collections.Counter(); U=[0]
    for b,x in zip(blocks,o):
        g=facts(b.split('\n')[2:]); f=facts(x.split('\n')[2:])
        F.update(r for _,r,_ in f); W.update(r for _,r,_ in g)
        rest=list(f)
        for a in g:
            if a in rest: rest.remove(a); R[a[1]]+=1
        rest=[(t,w) for t,_,w in f]
        for t,_,w in g:
            if (t,w) in rest: rest.remove((t,w)); U[0]+=1
    print(d,'all P %.1f R %.1f; without role P %.1f R %.1f'%(100*sum(R.values())/sum(F.values()),100*sum(R.values())/sum(W.values()),100*U[0]/sum(F.values()),100*U[0]/sum(W.values())))
    for r in sorted(W): print('  %-14s P %5.1f R %5.1f (%d/%d)'%(r,100*R[r]/max(1,F[r]),100*R[r]/W[r],F[r],W[r]))
