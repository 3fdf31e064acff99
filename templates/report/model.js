var R=JSON.parse(document.getElementById('tarn-report').textContent);
var $=function(i){return document.getElementById(i)},NS='\u202f';
var KIND=['activation','input','output','scratch','state'];

/* ---- numbers and words ---- */
function grp(n){n=String(Math.round(n));return n.length<4?n:n.replace(/\B(?=(\d{3})+$)/g,NS)}
function B(n){return grp(n)+NS+'B'}
function ib(n){if(n<1024)return '';if(n<1048576)return (n/1024).toFixed(n<10240?2:1)+NS+'KiB';return (n/1048576).toFixed(2)+NS+'MiB'}
function BK(n){var k=ib(n);return B(n)+(k?' ('+k+')':'')}
function hex(n){return '0x'+n.toString(16).toUpperCase().padStart(hexw,'0')}
function pct(a,b,d){if(!b)return '';var v=100*a/b;return v.toFixed(d==null?(v>=10||v===0?0:v>=1?1:2):d)+NS+'%'}
function esc(s){return String(s).replace(/[&<>"']/g,function(c){return '&#'+c.charCodeAt(0)+';'})}
function shp(s){return typeof s==='string'?s:!s||!s.length?'scalar':s.join('\u00d7')}
function si(n){return n>=1e9?(n/1e9).toFixed(2)+NS+'G':n>=1e6?(n/1e6).toFixed(2)+NS+'M':n>=1e4?(n/1e3).toFixed(1)+NS+'k':grp(n)}
/* estimates of time: cycles where the core's are modelled, else instructions; "more than" where steps are missing */
var TM=R.time,UNIT=!TM?null:TM.cycles!=null||(R.steps||[]).some(function(s){return s.cycles!=null})?'cycles':(R.steps||[]).some(function(s){return s.instructions!=null})?'instructions':null;
function costOf(s){return UNIT?s[UNIT]:null}
var COST=(R.steps||[]).reduce(function(a,s){return a+(costOf(s)||0)},0);
function msOf(n){var ms=TM.clock?1e3*n/TM.clock:null;return ms==null?'':ms<0.01?ms.toFixed(4)+NS+'ms':ms<1?ms.toFixed(3)+NS+'ms':ms<100?ms.toFixed(1)+NS+'ms':grp(ms)+NS+'ms'}
function pl(n,w){return grp(n)+NS+w+(n===1?'':'s')}
var IC={ok:'<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11" fill="currentColor"/><path d="M6.5 12.5l3.7 3.7 7.3-8" fill="none" stroke="var(--panel)" stroke-width="2.6"/></svg>',
bad:'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z" fill="currentColor"/><path d="M7.5 7.5l9 9m0-9l-9 9" stroke="var(--panel)" stroke-width="2.6"/></svg>',
mut:'<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" stroke-width="2"/><path d="M7 12h10" stroke="currentColor" stroke-width="2.4"/></svg>',
warn:'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2l11 20H1z" fill="currentColor"/><path d="M12 9v6m0 2v2.4" stroke="var(--panel)" stroke-width="2.4"/></svg>'};

/* ---- model of the report: everything that is derived, derived once ---- */
/* by lines: what has a place in memory are rings of lines, kept lines and sums */
var ST=R.stream,NOUN=ST?'block':'tensor';
function blocksOf(){var by={},seen={},o=[];(R.tensors||[]).forEach(function(t){by[t.name]=t});
 ST.memories.forEach(function(m){var t=m.holds==='tensor'&&by[m.name]||{},ps=m.parts||[{offset:m.offset,bytes:m.bytes}],n=m.holds==='tensor'||m.name===m.holds?m.name:m.name+' ('+m.holds+')';
  seen[n]=(seen[n]||0)+1;if(seen[n]>1)n+=' #'+seen[n];
  ps.forEach(function(p,i){o.push({name:ps.length>1?n+' part '+(i+1):n,kind:m.kind,dtype:t.dtype||'',shape:m.holds==='tensor'&&m.slots<m.lines?m.slots+' of '+m.lines+' lines':t.shape||'',bytes:p.bytes,offset:p.offset,first:m.first,end:m.end,mem:m})})});return o}
var T=ST?blocksOf():R.tensors||[],S=R.steps||[],P=R.plan,RAM=R.ram,FL=R.flash||{},BUD=R.budget||{},N=Math.max(1,S.length);
/* several memories: drawn end to end, each from its base */
var MEM=R.banks||[],bankOf={};MEM.forEach(function(b){bankOf[b.name]=b});
T.forEach(function(t){t.base=t.bank&&bankOf[t.bank]?bankOf[t.bank].base:0;t.offset+=t.base});
var ARENA=MEM.reduce(function(a,b){return Math.max(a,b.base+b.arena)},P.arena),hexw=Math.max(4,Math.max(1,ARENA-1).toString(16).length),byName={};
T.forEach(function(t,i){t.i=i;t.prod=[];t.cons=[];t.sharedBy=[];byName[t.name]=t});
T.forEach(function(t){t.isView=!!(t.shares&&t.shares.how==='view');if(t.shares&&byName[t.shares['with']])byName[t.shares['with']].sharedBy.push(t)});
S.forEach(function(s){
 (s.reads||[]).forEach(function(n){if(byName[n]&&byName[n].cons.indexOf(s.step)<0)byName[n].cons.push(s.step)});
 (s.writes||[]).concat(s.scratch||[]).forEach(function(n){if(byName[n])byName[n].prod.push(s.step)})});
T.forEach(function(t){if(!t.prod.length&&t.kind!=='input'&&!t.isView)t.prod=[t.first]});
function baseOf(t){for(var g=0;t.isView&&byName[t.shares['with']]&&g<64;g++)t=byName[t.shares['with']];return t}
T.forEach(function(t){if(!t.isView)return;var b=baseOf(t);t.cons.forEach(function(c){if(b.cons.indexOf(c)<0)b.cons.push(c)})});
T.forEach(function(t){t.cons.sort(function(a,b){return a-b})});
var liveAt=[],liveB=[],soloB=[],scrB=[];
(function(){for(var k=0;k<N;k++){liveAt.push([])}
 T.forEach(function(t){for(var k=Math.max(0,t.first);k<Math.min(N,t.end);k++)liveAt[k].push(t)});
 for(var k=0;k<N;k++){var solo=0,sc=0;liveAt[k].forEach(function(t){if(!t.isView){solo+=t.bytes;if(t.kind==='scratch')sc+=t.bytes}});
  soloB.push(solo);scrB.push(sc);liveB.push(union(liveAt[k]))}})();
function union(ts){var v=ts.slice().sort(function(a,b){return a.offset-b.offset}),s=0,e=0;v.forEach(function(t){var a=Math.max(e,t.offset),b=t.offset+t.bytes;if(b>a){s+=b-a;e=b}});return s}
var mean=liveB.reduce(function(a,b){return a+b},0)/N;
var PEAK=P.peak_step==null?liveB.indexOf(Math.max.apply(null,liveB)):P.peak_step;
var opOf=function(t){var s=S[t.prod[0]];return t.kind==='input'?'(input)':s?(s.op||s.kernel.replace(/_[a-z]\d+$/,'')):t.isView?'(view)':'(none)'};
var OVER=[];if(ST&&T.length<600)T.forEach(function(a,i){T.forEach(function(b,j){if(j<=i)return;var f=Math.max(a.first,b.first),e=Math.min(a.end,b.end),l=Math.max(a.offset,b.offset),h=Math.min(a.offset+a.bytes,b.offset+b.bytes);if(f<e&&l<h)OVER.push([f,e,l,h])})});
function suffix(n,k){var p=n.split(';')[0].split('/').filter(Boolean);return p.length>k?p.slice(-k).join('/'):p.join('/')||n}
(function(){for(var k=1;k<5;k++){var m=Object.create(null);T.forEach(function(t){if(t.short)return;var s=suffix(t.name,k);m[s]=(m[s]||0)+1});T.forEach(function(t){if(!t.short&&m[suffix(t.name,k)]===1)t.short=suffix(t.name,k)})}})();
function sname(t){return t.short||t.name}
/* what a tensor does at a step: the answer to "why is it in memory now?" */
function role(t,k){if(t.mem)return t.kind==='scratch'?'scratch while this layer makes lines':t.mem.holds==='history'?'lines kept for the next ones':t.mem.holds==='accumulator'?'sums over lines':t.mem.holds==='driver'?'how far the layers are':t.mem.slots<t.mem.lines?'its last '+pl(t.mem.slots,'line')+' of '+t.mem.lines:'all its lines';
 var s=S[k]||{},has=function(a){return (a||[]).some(function(n){var x=byName[n];return x&&(x===t||baseOf(x)===t)})};
 if(t.kind==='scratch')return 'scratch of this step';
 if(has(s.writes))return 'written by this step';
 var nx=t.cons.filter(function(c){return c>k}).sort(function(a,b){return a-b})[0];
 if(has(s.reads))return t.end<=k+1?'read by this step, then free':'read by this step'+(nx!=null?', and again by step '+nx:t.kind==='output'?', and kept for the caller':', and kept');
 if(nx!=null)return 'waits for step '+nx;
 return t.kind==='output'?'kept for the caller':t.kind==='state'?'state, always kept':t.end>k+1?'kept until step '+(t.end-1):'alive'}
/* a budget of time is one of nanoseconds or of instructions */
var rb=BUD.ram,fb=BUD.flash,tb=BUD.nanoseconds||BUD.instructions,SPL=R.split,over=(rb&&!rb.fits)||(fb&&!fb.fits)||(tb&&!tb.fits)||(SPL&&!SPL.fits);
function timeText(n){return BUD.nanoseconds?msOf(n*(TM.clock||1e9)/1e9)||(n/1e6).toFixed(3)+NS+'ms':si(n)+' instructions'}
function timeOf(a){return !BUD.nanoseconds?a.instructions:TM.clock&&(a.cycles||a.instructions)?(a.cycles||a.instructions)/TM.clock*1e9:null}
var arenaLimit=rb?rb.limit-(RAM.static||0)-(RAM.stack||0):null;

/* ---- the page re-checks the report: sums and the packing itself ---- */
var CHECK=(function(){var bad=[],pairs=0,shared=0;
 if(RAM.activations+RAM.scratch+RAM.padding!==RAM.arena)bad.push('activations + scratch + padding is not the arena');
 if(RAM.arena+(RAM.static||0)+(RAM.stack||0)!==RAM.total)bad.push('arena + static + stack is not the total');
 T.forEach(function(t){if(t.offset<0||t.offset+t.bytes>ARENA)bad.push(t.name+' leaves the arena');if(!ST&&P.align&&!t.isView&&t.offset%P.align)bad.push(t.name+' is not aligned')});
 var rootOf=baseOf;T.forEach(function(t){if(t.isView){var b=baseOf(t);if(b===t||t.first<b.first||t.end>b.end||t.offset<b.offset||t.offset+t.bytes>b.offset+b.bytes)bad.push('view '+t.name+' is not inside '+t.shares['with'])}});
 for(var k=0;k<N;k++){var v=liveAt[k];for(var i=0;i<v.length;i++){var a=v[i];for(var j=i+1;j<v.length;j++){var b=v[j];
   if(ST||a.first<k&&b.first<k)continue;pairs++;
   if(a.offset+a.bytes<=b.offset||b.offset+b.bytes<=a.offset)continue;
   var x=rootOf(a),y=rootOf(b);if(x===y){shared++;continue}
   var o=x.shares&&x.shares['with']===y.name?x:y.shares&&y.shares['with']===x.name?y:null;
   if(o){var g=o===x?y:x,by=Math.min(o.offset+o.bytes,g.offset+g.bytes)-Math.max(o.offset,g.offset);
    if(by===o.shares.bytes&&g.end-1===o.first){shared++;continue}
    bad.push(o.name+' shares '+by+' bytes with '+g.name+(g.end-1===o.first?', declared '+o.shares.bytes:' beyond the step that writes it'));continue}
   bad.push(a.name+' and '+b.name+' meet at step '+k)}}
  if(S[k]&&S[k].live_bytes!=null&&S[k].live_bytes!==liveB[k])bad.push('live bytes of step '+k+' do not add up')}
 return{bad:bad,pairs:pairs,shared:shared}})();

