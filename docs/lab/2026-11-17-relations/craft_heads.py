"""Heads of ours against CRAFT's released dependencies, whose scheme is brought to that of Universal Dependencies first."""
import subprocess,sys,collections,re
# usage: craft_heads.py GIT_DIRECTORY_OF_CRAFT OURS.conllu [GOLD_LABEL,OUR_LABEL ...]
G=sys.argv[1]
files=subprocess.run(['git','--git-dir='+G,'ls-tree','-r','HEAD','--name-only','structural-annotation/dependency/conllu'],capture_output=True,text=True).stdout.split()
import os,pickle
def parse(text):
    out=[];cur=[]
    for l in text.split('\n'):
        if not l:
            if cur: out.append(cur)
            cur=[]
        elif l[0].isdigit():
            p=l.split('\t')
            if p[0].isdigit(): cur.append(p)
    return out
if not os.path.exists('craft.pkl'):
    d=collections.defaultdict(list)
    for f in files:
        t=subprocess.run(['git','--git-dir='+G,'show','HEAD:'+f],capture_output=True,text=True).stdout
        for s in parse(t): d[tuple(re.sub(r'\s','_',w[1]) for w in s)].append(s)
    pickle.dump(dict(d),open('craft.pkl','wb'))
d=pickle.load(open('craft.pkl','rb'))
def to_ud(s):
    n=len(s); h=[int(w[6]) for w in s]; l=[w[7] for w in s]
    kids=lambda i:[j for j in range(n) if h[j]==i+1]
    # copula flip
    for i in range(n):
        if s[i][2]=='be' and l[i] not in('aux','auxpass'):
            ks=kids(i)
            if any(l[j]=='expl' for j in ks): continue
            c=[j for j in ks if l[j] in('attr','acomp')] or [j for j in ks if l[j] in ('prep','advmod','ccomp','xcomp','advcl') and j>i and not any(l[k] in('attr','acomp') for k in ks)][:1]
            if c:
                a=c[0]; h[a]=h[i]; la=l[a]; l[a]=l[i]
                for j in ks:
                    if j!=a: h[j]=a+1
                h[i]=a+1; l[i]='cop'
                if la=='prep': l[a]='prep'
    # prep flip (inner first)
    for i in range(n-1,-1,-1):
        pass
    changed=True; guard=0
    done=set()
    while changed and guard<50:
        changed=False; guard+=1
        for j in range(n):
            if l[j] in('pobj','pcomp') and h[j] and j not in done:
                i=h[j]-1
                # flip i,j
                g=h[i]; li=l[i]
                for k in kids(i):
                    if k!=j: h[k]=j+1
                h[j]=g; h[i]=j+1; l[j]='NMOD' if li!='pcomp' else 'pcomp'; 
                if li in('pobj','pcomp'): l[j]=li
                else: done.add(j)
                l[i]='case'; changed=True
                if li in('pobj','pcomp'): pass
                break
    # conj chains -> first; cc -> next conj
    for j in range(n):
        if l[j]=='conj':
            i=h[j]-1; g=0
            while l[i]=='conj' and g<60: i=h[i]-1; g+=1
            h[j]=i+1
    for j in range(n):
        if l[j]=='cc':
            nx=[k for k in range(j+1,n) if l[k]=='conj' and h[k]==h[j]]
            if not nx:
                first=h[j]-1
                # cc attached to a later conjunct in chain
                r=h[first] if l[first]=='conj' else 0
                nx=[k for k in range(j+1,n) if l[k]=='conj' and h[k]==r]
            if nx: h[j]=nx[0]+1
    return h,l
sys_=parse(open(sys.argv[2]).read())
tot=ok=0; miss=0; bad=collections.Counter(); ex=collections.defaultdict(list); used=collections.Counter()
flt=set(sys.argv[3:])
for s in sys_:
    k=tuple(w[1] for w in s)
    if k not in d: miss+=1; continue
    g=d[k][min(used[k],len(d[k])-1)]; used[k]+=1
    h,l=to_ud(g)
    for i,w in enumerate(s):
        if w[3]=='PUNCT' or g[i][7] in('punct','hyph'): continue
        tot+=1
        if int(w[6])==h[i]: ok+=1
        else:
            key=(g[i][7],w[7]); bad[key]+=1
            gw=lambda x:'ROOT' if x==0 else s[x-1][1]
            ex[key].append(f"{w[1]}: craft {gw(h[i])} ours {gw(int(w[6]))} | {' '.join(k)[:220]}")
print('sentences',len(sys_),'missing',miss,'tokens',tot,'agree',ok/tot)
for k,v in bad.most_common(40): print(v,k)
for f in flt:
    print('==',f)
    for e in ex[tuple(f.split(','))][:7]: print('  ',e)
