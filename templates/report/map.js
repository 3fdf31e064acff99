/* ---- arena map ---- */
var map=$('map'),svg,view,W=0,G={l:74,r:150,t:34,gap:54,lh:110,mh:T.length>60?430:T.length>14?380:320,ov:0,th:UNIT&&S.length===N?56:0,tg:28},pin={t:null,s:null},hov={t:null,s:null},match=null,nameMode='auto',colBy='kind';
var soloMax=Math.max.apply(null,soloB.concat([0])),YMAX=Math.max(ARENA,P.lower_bound)*1.0,showBud=arenaLimit!=null&&arenaLimit>0&&arenaLimit<=ARENA*1.35;
if(showBud)YMAX=Math.max(YMAX,arenaLimit);YMAX=Math.max(YMAX*1.03,16);
var LMAX=Math.max(YMAX,soloMax<=ARENA*2.5?soloMax*1.03:0);
/* the addresses shown: all, or those of one memory, told from its beginning */
var floorY=0,topY=YMAX;
function full(){return{x0:0,x1:N,y0:floorY,y1:topY}}
view=full();
var css={};function readCss(){var g=getComputedStyle(document.documentElement);['c0','c1','c2','c3','c4','c5','c6','c7','panel','ink','bad','ok','free','blockink','occ'].forEach(function(k){css[k]=g.getPropertyValue('--'+k).trim()});fillCache={}}
function rgb(h){h=h.replace('#','');if(h.length===3)h=h.replace(/./g,'$&$&');return[0,2,4].map(function(i){return parseInt(h.substr(i,2),16)})}
function mix(a,b,f){a=rgb(a);b=rgb(b);return 'rgb('+a.map(function(x,i){return Math.round(x+(b[i]-x)*f)}).join(',')+')'}
var fillCache={},cats={};
(function(){function top(f){var m={},o;T.forEach(function(t){var k=f(t);m[k]=(m[k]||0)+t.bytes});o=Object.keys(m).sort(function(a,b){return m[b]-m[a]});return o}
 cats.kind={of:function(t){return t.kind},list:KIND.filter(function(k){return T.some(function(t){return t.kind===k})}),c:function(k){return KIND.indexOf(k)}};
 var d=top(function(t){return t.dtype});cats.dtype={of:function(t){return t.dtype},list:d,c:function(k){return Math.min(7,d.indexOf(k))}};
 var o=top(opOf),o7=o.slice(0,7);cats.op={of:function(t){var k=opOf(t);return o7.indexOf(k)<0?'other':k},list:o.length>7?o7.concat(['other']):o7,c:function(k){return k==='other'?7:o7.indexOf(k)}};
 var sh=['own bytes','in place','overlap','view','gives bytes'];cats.share={of:function(t){return t.shares?t.shares.how.replace('_',' '):t.sharedBy.some(function(x){return !x.isView})?'gives bytes':'own bytes'},list:null,c:function(k){return [7,1,2,4,0][sh.indexOf(k)]}};
 cats.share.list=sh.filter(function(k){return T.some(function(t){return cats.share.of(t)===k})})})();
function fill(t){var c=cats[colBy],k=c.c(c.of(t)),v=t.i%3,key=k+'/'+v;return fillCache[key]||(fillCache[key]=mix(css['c'+k],'#ffffff',(document.documentElement.dataset.theme==='dark'?[0,.13,.26]:[0,.18,.34])[v]))}
function dimmed(t){var k='d'+fill(t);return fillCache[k]||(fillCache[k]=mixr(fill(t),css.free,.74))}
function mixr(a,b,f){a=a.match(/\d+/g).map(Number);b=rgb(b);return 'rgb('+a.map(function(x,i){return Math.round(x+(b[i]-x)*f)}).join(',')+')'}
function edge(t){var c=cats[colBy],k=c.c(c.of(t)),key='e'+k;return fillCache[key]||(fillCache[key]=mix(css['c'+k],css.blockink,.42))}
var mctx=document.createElement('canvas').getContext('2d'),mcache={};
function tw(s,f){var k=f+s,v=mcache[k];if(v==null){mctx.font=f+'px system-ui,-apple-system,"Segoe UI",Roboto,Arial,"DejaVu Sans",sans-serif';v=mcache[k]=mctx.measureText(s).width*1.02}return v}
function fit(s,w,min){if(tw(s,11)<=w)return s;var lo=0,hi=s.length;while(lo<hi){var m=(lo+hi+1)>>1;if(tw(s.slice(0,m)+'\u2026',11)<=w)lo=m;else hi=m-1}return lo>=min?s.slice(0,lo)+'\u2026':''}
function label(t,w){var n=t.name;if(tw(n,11)<=w)return n;var s=sname(t);if(s!==n&&tw(s,11)<=w)return s;return fit(s,w,nameMode==='on'?1:7)}
function X(s){return G.l+(s-view.x0)/(view.x1-view.x0)*(W-G.l-G.r)}
function Y(a){return G.t+G.mh-(a-view.y0)/(view.y1-view.y0)*G.mh}
function LY(a){return G.t+G.mh+G.gap+G.lh-a/LMAX*G.lh}
function ticks(lo,hi,n){var raw=(hi-lo)/n,p=1;while(p<raw)p*=2;var o=[];for(var v=Math.ceil(lo/p)*p;v<=hi;v+=p)o.push(v);return o}
function stepTicks(){var px=(W-G.l-G.r)/(view.x1-view.x0),st=1,c=[1,2,5];for(var e=0;px*st<26;e++)st=c[e%3]*Math.pow(10,Math.floor(e/3));return{st:st,px:px}}
function tickLab(v){if(v===0)return '0';var u=v>=1048576&&v*8%1048576===0?[1048576,'MiB']:v>=1024&&v*8%1024===0?[1024,'KiB']:null;return u?grp2(v/u[0])+NS+u[1]:grp(v)+NS+'B'}
function grp2(x){var i=Math.floor(x),f=String(+(x-i).toFixed(3)).slice(1);return grp(i)+f}
function related(t){var made={},feeds={};t.prod.forEach(function(k){(S[k]&&S[k].reads||[]).forEach(function(n){if(byName[n])made[byName[n].i]=1})});
 t.cons.forEach(function(k){(S[k]&&S[k].writes||[]).forEach(function(n){if(byName[n])feeds[byName[n].i]=1})});return{made:made,feeds:feeds}}
function r1(v){return Math.round(v*10)/10}
/* what each of the steps [from,to) takes, bars that stand on `base`; hatched where a step is not modelled */
function lane(costs,from,to,at,left,right,base,height,small){
 var top=Math.max.apply(null,costs.map(function(c){return c||0}).concat([1])),all=costs.reduce(function(a,c){return a+(c||0)},0),o='<g id="lane" pointer-events="none">',slow=costs.indexOf(top);
 for(var i=from;i<to;i++){var a=Math.max(at(i),left),b=Math.min(at(i+1),right),none=costs[i]==null,h=none?height:costs[i]/top*height;if(b<=a||!none&&!costs[i])continue;
  o+='<rect x="'+r1(a)+'" y="'+r1(base-Math.max(h,1))+'" width="'+r1(Math.max(b-a-(b-a>4?.8:0),.6))+'" height="'+r1(Math.max(h,1))+'" fill="'+(none?'url(#pfree)':i===slow?'var(--c6)':'var(--c1)')+'"/>'}
 o+='<path d="M'+left+' '+(base-height)+'V'+base+'H'+right+'" fill="none" stroke="var(--line2)"/><text x="'+(left-8)+'" y="'+(base+3)+'" text-anchor="end">0</text><text x="'+(left-8)+'" y="'+(base-height+8)+'" text-anchor="end">'+short(top)+'</text><text class="ax" x="'+left+'" y="'+(base-height-7)+'">'+UNIT+' of each step, estimated</text>';
 if(!small&&slow>=0)o+='<text class="h" x="'+(right+11)+'" y="'+(base-height+14)+'">slowest: step '+slow+'</text><text x="'+(right+11)+'" y="'+(base-height+27)+'">'+short(top)+' ('+pct(top,all)+')</text>';
 return o+'</g>'}
function short(n){return n>=1e6?(n/1e6).toFixed(1)+NS+'M':n>=1e3?(n/1e3).toFixed(1)+NS+'k':String(n)}
function draw(){
 W=map.clientWidth||900;var small=W<720;G.r=small?16:150;G.l=74;
 var zoomed=view.x1-view.x0<N-1e-6,H0=G.t+G.mh,HL=H0+G.gap+G.lh,HT=HL+(G.th?G.tg+G.th:0);G.ov=N>100||zoomed?40:0;
 var H=HT+8+(G.ov?G.ov+20:0),px=(W-G.l-G.r)/(view.x1-view.x0),x0=G.l,x1=W-G.r,o='',i;
 var cx='<clipPath id="cm"><rect x="'+x0+'" y="'+G.t+'" width="'+(x1-x0)+'" height="'+G.mh+'"/></clipPath><clipPath id="cl"><rect x="'+x0+'" y="'+(H0+G.gap-2)+'" width="'+(x1-x0)+'" height="'+(G.lh+2)+'"/></clipPath>';
 o+='<defs>'+cx+pats()+'</defs>';
 /* free ground of the arena */
 o+='<g clip-path="url(#cm)"><rect x="'+r1(X(0))+'" y="'+r1(Y(ARENA))+'" width="'+r1(X(N)-X(0))+'" height="'+r1(Y(0)-Y(ARENA))+'" fill="url(#pfree)"/>';
 var foc=pin.t||null,rel=foc?related(foc):null,vis=[],bw=px>=5?1:px>=2.5?.5:0;
 for(i=0;i<T.length;i++){var t=T[i];if(t.end<=view.x0||t.first>=view.x1||t.offset>=view.y1||t.offset+t.bytes<=view.y0)continue;vis.push(t)}
 vis.sort(function(a,b){return (a.isView?1:0)-(b.isView?1:0)||a.first-b.first||b.bytes-a.bytes});
 function dim(t){return match?!match[t.i]:foc?!(t===foc||rel.made[t.i]||rel.feeds[t.i]||(foc.shares&&foc.shares['with']===t.name)||(t.shares&&t.shares['with']===foc.name)):false}
 vis.forEach(function(t){t.bx=X(Math.max(t.first,view.x0-1));t.bX=X(Math.min(t.end,view.x1+1));t.by=Y(Math.min(t.offset+t.bytes,view.y1*1.2+view.y1-view.y0));t.bY=Y(Math.max(t.offset,view.y0-(view.y1-view.y0)));
  var w=Math.max(t.bX-t.bx,.8),h=t.bY-t.by;if(h<1.6){t.by-=1.6-h;h=1.6}
  var gx=w>4?bw:0,gy=h>4?Math.max(bw,.6):0;
  if(t.isView){var vi=h>30&&w>16?2.5:.5;o+='<rect x="'+r1(t.bx+vi)+'" y="'+r1(t.by+vi)+'" width="'+r1(Math.max(w-2*vi,1))+'" height="'+r1(Math.max(h-2*vi,1))+'" fill="none" stroke="'+css.blockink+'" stroke-width="1" stroke-dasharray="4 3"'+(dim(t)?' opacity=".2"':' opacity=".75"')+'/>'}
  else o+='<rect x="'+r1(t.bx+gx/2)+'" y="'+r1(t.by+gy/2)+'" width="'+r1(w-gx)+'" height="'+r1(h-gy)+'" fill="'+(dim(t)?dimmed(t):fill(t))+'"'+(w>10&&h>10?' rx="2"':'')+(w>5&&h>4?' stroke="'+(dim(t)?'var(--free)':edge(t))+'" stroke-width=".8"':'')+'/>'});
 /* lines of a ring, and what lies over each other */
 vis.forEach(function(t){var n=t.mem?t.mem.slots:0,h=t.bY-t.by,d='';if(n<2||t.mem.parts||h/n<3.5||t.bX-t.bx<6)return;
  for(var k=1;k<n;k++)d+='M'+r1(t.bx+1)+' '+r1(t.by+h*k/n)+'H'+r1(t.bX-1);o+='<path d="'+d+'" stroke="'+css.blockink+'" stroke-opacity=".28" stroke-width=".7" fill="none"'+(dim(t)?' opacity=".2"':'')+'/>'});
 var laid={};OVER.forEach(function(q){if(laid[q])return;laid[q]=1;var x=X(q[0]),w=X(q[1])-x,y=Y(q[3]),h=Y(q[2])-y;if(w>=1.2&&x<x1&&x+w>x0)o+='<rect x="'+r1(x)+'" y="'+r1(y)+'" width="'+r1(w)+'" height="'+r1(h)+'" fill="url(#pov'+(px<12?'s':'')+')"/>'});
 /* shared bytes */
 vis.forEach(function(t){if(!t.shares||t.isView)return;var a=byName[t.shares['with']];if(!a)return;
  var f=Math.max(t.first,a.first),e=Math.min(t.end,a.end),lo=Math.max(t.offset,a.offset),hi=Math.min(t.offset+t.bytes,a.offset+a.bytes);if(e<=f||hi<=lo)return;
  var x=X(f),w=X(e)-x,y=Y(hi),h=Y(lo)-y;if(w<1.2)return;
  o+='<rect x="'+r1(x)+'" y="'+r1(y)+'" width="'+r1(w)+'" height="'+r1(h)+'" fill="url(#p'+(t.shares.how==='in_place'?'in':'ov')+(px<12?'s':'')+')"'+(px>=8?' stroke="'+css.blockink+'" stroke-width=".8" stroke-opacity=".55"':'')+(dim(t)&&dim(a)?' opacity=".15"':'')+'/>'});
 if(showBud&&arenaLimit<ARENA)o+='<rect x="'+x0+'" y="'+r1(Y(ARENA))+'" width="'+(x1-x0)+'" height="'+r1(Math.max(0,Y(arenaLimit)-Y(ARENA)))+'" fill="var(--bad)" opacity=".16"/>';
 ticks(view.y0-floorY,view.y1-floorY,Math.max(3,G.mh/62)).forEach(function(from){var v=from+floorY;o+='<path d="M'+x0+' '+r1(Y(v))+'H'+x1+'" stroke="var(--ink)" stroke-opacity=".10"/>'});
 var pxa=X(PEAK),pxb=X(PEAK+1),pkd=pxb-pxa>=6;
 if(pxb>x0&&pxa<x1)o+='<rect x="'+r1(pxa)+'" y="'+(G.t-1)+'" width="'+r1(Math.max(pxb-pxa,1.5))+'" height="'+(G.mh+2)+'" fill="none" stroke="var(--ink)" stroke-opacity=".8" stroke-width="'+(pkd?1.3:1)+'"'+(pkd?' stroke-dasharray="5 3"':'')+'/>';
 /* names: none is drawn over one that stands there already */
 var placed=[];if(MEM.length<2)[P.lower_bound].concat(showBud?[arenaLimit]:[]).forEach(function(v){placed.push([x0,Y(v)-3,x1,Y(v)+3])});
 function room(x,y,w,h){for(var k=0;k<placed.length;k++){var q=placed[k];if(x<q[2]&&q[0]<x+w&&y<q[3]&&q[1]<y+h)return false}placed.push([x,y,x+w,y+h]);return true}
 if(nameMode!=='off')vis.forEach(function(t){
  var f=Math.max(t.first,view.x0),e=Math.min(t.end,view.x1),lo=Math.max(t.offset,view.y0),hi=Math.min(t.offset+t.bytes,view.y1);
  if(t.isView){if(px<40)return}
  else{var a=t.shares&&!t.isView&&byName[t.shares['with']],given=t.sharedBy.filter(function(b){return !b.isView&&b.end>t.end-1});
   if(a){if(e-f>1.01)f=Math.max(f,t.first+1);else{lo2(a)}}
   given.forEach(function(b){if(e-f>1.01)e=Math.min(e,t.end-1);else lo2(b)});}
  function lo2(b){var bl=b.offset,bh=b.offset+b.bytes;if(bl<=lo&&bh<hi)lo=Math.max(lo,bh);else if(bh>=hi&&bl>lo)hi=Math.min(hi,bl)}
  if(e<=f||hi<=lo)return;
  var x=X(f),w=X(e)-x,y=Y(hi),h=Y(lo)-y,s,op=dim(t)?' data-d="1"':' stroke="'+fill(t)+'"';
  if(h<15||w<13){return}
  if(t.isView){s=label(t,w-14);if(s&&h>26&&room(x+7,y+h-17,tw('view: '+fit(s,w-50,3),10),13))o+='<text class="b b2" x="'+r1(x+7)+'" y="'+r1(y+h-7)+'"'+op+'>view: '+esc(fit(s,w-50,3))+'</text>';return}
  s=label(t,w-8);
  if(s&&(w>=h||s.indexOf('\u2026')<0||w>90)){var two=h>=28&&tw(B(t.bytes),10)<=w-8,sw=tw(s,11),bw2=two?tw(B(t.bytes),10):0,all=two?24:13,at=[0,-9,9,-18,18];
   for(var q=0;q<at.length;q++){var cy=y+h/2+at[q];if(q&&Math.abs(at[q])+all/2>h/2||!room(x+w/2-Math.max(sw,bw2)/2,cy-all/2,Math.max(sw,bw2),all))continue;
    o+='<text class="b" x="'+r1(x+w/2)+'" y="'+r1(cy+(two?-2:4))+'" text-anchor="middle"'+op+'>'+esc(s)+'</text>';
    if(two)o+='<text class="b b2" x="'+r1(x+w/2)+'" y="'+r1(cy+11)+'" text-anchor="middle"'+op+'>'+B(t.bytes)+'</text>';
    break}}
  else if(h>w){s=label(t,h-10);if(s&&room(x+w/2-6,y+h/2-tw(s,11)/2,12,tw(s,11)))o+='<text class="b" transform="translate('+r1(x+w/2+4)+' '+r1(y+h/2)+') rotate(-90)" text-anchor="middle"'+op+(w<20?' style="stroke-width:2px"':'')+'>'+esc(s)+'</text>'}});
 /* outlines */
 function ol(t,st,wd,da){if(!t||t.bx==null||vis.indexOf(t)<0)return '';return '<rect x="'+r1(t.bx)+'" y="'+r1(t.by)+'" width="'+r1(Math.max(t.bX-t.bx,2))+'" height="'+r1(Math.max(t.bY-t.by,2))+'" fill="none" stroke="var(--panel)" stroke-width="'+(wd+2.5)+'"/><rect x="'+r1(t.bx)+'" y="'+r1(t.by)+'" width="'+r1(Math.max(t.bX-t.bx,2))+'" height="'+r1(Math.max(t.bY-t.by,2))+'" fill="none" stroke="'+st+'" stroke-width="'+wd+'"'+(da?' stroke-dasharray="'+da+'"':'')+'/>'}
 if(foc){Object.keys(rel.made).forEach(function(k){o+=ol(T[k],'var(--cursor)',1.4,'6 3')});Object.keys(rel.feeds).forEach(function(k){o+=ol(T[k],'var(--cursor)',1.4,'2 2')});o+=ol(foc,'var(--cursor)',2.6)}
 o+='<g id="hl"></g></g>';
 /* peak column */
 if(pxb>x0&&pxa<x1){var pa=Math.max(pxa,x0),pb=Math.min(Math.max(pxb,pxa+1.5),x1),mid=(pa+pb)/2,lab='peak: step '+PEAK+', '+B(liveB[PEAK])+(liveB[PEAK]!==ARENA?' in use':''),lw=tw(lab,11)+14,lx=Math.min(Math.max(mid-lw/2,x0),Math.max(x0,x1-lw));
  o+='<g pointer-events="none"><path d="M'+r1(mid-5)+' '+(G.t-8)+'h10l-5 7z" fill="var(--ink)"/><text class="h" x="'+r1(lx+7)+'" y="'+(G.t-13)+'">'+lab+'</text></g>'}
 /* axes */
 o+='<g pointer-events="none">';
 ticks(view.y0-floorY,view.y1-floorY,Math.max(3,G.mh/62)).forEach(function(from){var v=from+floorY;var y=r1(Y(v));o+='<path d="M'+(x0-5)+' '+y+'h5" stroke="var(--line2)"/><text x="'+(x0-8)+'" y="'+(y+4)+'" text-anchor="end">'+tickLab(from)+'</text>'});
 o+='<path d="M'+x0+' '+G.t+'V'+H0+'H'+x1+'" fill="none" stroke="var(--line2)"/><text class="ax" transform="translate(13 '+(G.t+G.mh/2)+') rotate(-90)" text-anchor="middle">'+(floorY||topY!==YMAX?'address in the memory':'address in the arena')+'</text>';
 var sx=stepTicks();
 for(i=Math.ceil(Math.max(0,view.x0)/sx.st)*sx.st;i<Math.min(N,view.x1);i+=sx.st){var c=X(i+.5);if(c<x0-1||c>x1+1)continue;o+='<path d="M'+r1(c)+' '+H0+'v4" stroke="var(--line2)"/><text x="'+r1(c)+'" y="'+(H0+16)+'" text-anchor="middle"'+(i===PEAK?' class="h"':'')+'>'+i+'</text>';
  if(sx.px>=64&&S[i]){var kn=fit(S[i].kernel,sx.px-8,5);if(kn)o+='<text x="'+r1(c)+'" y="'+(H0+29)+'" text-anchor="middle" style="font-size:10px">'+esc(kn)+'</text>'}}
 o+='<text class="ax" x="'+x1+'" y="'+(H0+(sx.px>=64?44:32))+'" text-anchor="end">execution step \u2192</text><text class="ax" transform="translate(13 '+(H0+G.gap+G.lh/2)+') rotate(-90)" text-anchor="middle">bytes in use</text>';
 /* producer and consumer marks */
 if(foc){foc.prod.forEach(function(k){o+=mk(k,'\u25b2 made',0)});foc.cons.slice(0,40).forEach(function(k){o+=mk(k,'\u25b2 read',1)})}
 function mk(k,txt,wh){var c=X(k+.5);if(c<x0||c>x1)return '';return '<path d="M'+r1(c-5)+' '+(H0+7)+'h10l-5-7z" fill="'+(wh?'var(--accent)':'var(--ok)')+'" stroke="var(--panel)"/>'}
 /* lines across with labels at the right */
 var L=MEM.length>1?[]:[{v:ARENA,n:'arena',c:'var(--ink)',d:''}];
 MEM.forEach(function(b){if(MEM.length>1&&b.arena)L.push({v:b.base+b.arena,n:b.name,c:'var(--ink)',d:'',t:b.arena})});
 if(MEM.length>1);else if(P.lower_bound===ARENA)L[0].n='arena = lower bound';else L.push({v:P.lower_bound,n:'lower bound',c:'var(--ok)',d:'7 4'});
 if(showBud)L.push({v:arenaLimit,n:(RAM.stack||RAM.static)?'budget for the arena':'budget',c:'var(--bad)',d:''});
 L.sort(function(a,b){return b.v-a.v});var lastY=-99;
 L.forEach(function(l){var y=Y(l.v);if(y<G.t-1||y>H0+1)return;o+='<path d="M'+x0+' '+r1(y)+'H'+x1+'" stroke="'+l.c+'" stroke-width="1.6"'+(l.d?' stroke-dasharray="'+l.d+'"':'')+'/>';
  if(!small){var ly=Math.max(y-2,lastY+29);lastY=ly;o+='<path d="M'+x1+' '+r1(y)+'L'+(x1+8)+' '+r1(ly)+'" stroke="'+l.c+'" fill="none"/><text x="'+(x1+11)+'" y="'+r1(ly+3)+'" style="fill:'+l.c+';font-weight:650">'+l.n+'</text><text x="'+(x1+11)+'" y="'+r1(ly+16)+'">'+B(l.t==null?l.v:l.t)+'</text>'}});
 if(arenaLimit!=null&&!showBud&&!small&&arenaLimit>ARENA)o+='<text x="'+(x1+11)+'" y="'+r1(Math.max(lastY+34,G.t+30))+'">budget is above</text><text x="'+(x1+11)+'" y="'+r1(Math.max(lastY+47,G.t+43))+'">this picture:</text><text x="'+(x1+11)+'" y="'+r1(Math.max(lastY+60,G.t+56))+'">'+B(arenaLimit)+'</text>';
 /* live plot */
 o+='<g clip-path="url(#cl)">';var d1='',d2='',d3='',a0=Math.max(0,Math.floor(view.x0)),a1=Math.min(N,Math.ceil(view.x1)),by=LY(0);
 for(i=a0;i<a1;i++){var xa=r1(X(i)),xb=r1(X(i+1));d1+=(i===a0?'M'+xa+' '+by+'L':'L')+xa+' '+r1(LY(liveB[i]))+'H'+xb;d2+=(i===a0?'M'+xa+' ':'L'+xa+' ')+r1(LY(soloB[i]))+'H'+xb;if(scrB[i])d3+='M'+xa+' '+r1(LY(liveB[i]))+'H'+xb+'V'+r1(LY(liveB[i]-Math.min(scrB[i],liveB[i])))+'H'+xa+'z'}
 o+='<path d="'+d1+'V'+by+'z" fill="var(--occ)"/><path d="'+d3+'" fill="var(--c3)"/>';
 if(pxb>x0&&pxa<x1)o+='<rect x="'+r1(pxa)+'" y="'+r1(LY(liveB[PEAK]))+'" width="'+r1(Math.max(pxb-pxa,1))+'" height="'+r1(by-LY(liveB[PEAK]))+'" fill="var(--ink)" opacity=".35"/>';
 o+='<path d="'+d2+'" fill="none" stroke="var(--ghost)" stroke-width="1.2" stroke-dasharray="2 2"/>';
 L.forEach(function(l){o+='<path d="M'+x0+' '+r1(LY(l.v))+'H'+x1+'" stroke="'+l.c+'" stroke-width="1.3"'+(l.d?' stroke-dasharray="'+l.d+'"':'')+'/>'});
 o+='</g>';
 ticks(0,LMAX,3).forEach(function(v){var y=r1(LY(v));o+='<path d="M'+(x0-5)+' '+y+'h5" stroke="var(--line2)"/><text x="'+(x0-8)+'" y="'+(y+4)+'" text-anchor="end">'+tickLab(v)+'</text>'});
 o+='<path d="M'+x0+' '+(H0+G.gap)+'V'+HL+'H'+x1+'" fill="none" stroke="var(--line2)"/>';
 if(!small){o+='<text class="h" x="'+(x1+11)+'" y="'+(H0+G.gap+34)+'">largest in use</text><text x="'+(x1+11)+'" y="'+(H0+G.gap+47)+'">'+B(liveB[PEAK])+'</text><text class="h" x="'+(x1+11)+'" y="'+(H0+G.gap+66)+'">mean over steps</text><text x="'+(x1+11)+'" y="'+(H0+G.gap+79)+'">'+B(mean)+' ('+pct(mean,ARENA)+')</text>'}o+='</g>';
 if(G.th)o+=lane(S.map(costOf),a0,a1,X,x0,x1,HT,G.th,small);
 /* overview */
 if(G.ov){var oy=HT+18,oh=G.ov-6,ow=x1-x0,q='M'+x0+' '+(oy+oh),st2=Math.max(1,Math.floor(N/ow));
  for(i=0;i<N;i+=st2){var mxv=0;for(var j=i;j<Math.min(N,i+st2);j++)mxv=Math.max(mxv,liveB[j]);q+='L'+r1(x0+i/N*ow)+' '+r1(oy+oh-mxv/ARENA*oh)+'H'+r1(x0+Math.min(N,i+st2)/N*ow)}
  var va=x0+Math.max(0,view.x0)/N*ow,vb=x0+Math.min(N,view.x1)/N*ow;
  o+='<g id="ovw"><rect x="'+x0+'" y="'+oy+'" width="'+ow+'" height="'+oh+'" fill="var(--sunk)"/><path d="'+q+'V'+(oy+oh)+'z" fill="var(--occ)" opacity=".55"/><rect x="'+r1(va)+'" y="'+(oy-1)+'" width="'+r1(Math.max(vb-va,3))+'" height="'+(oh+2)+'" fill="var(--accent)" fill-opacity=".14" stroke="var(--accent)" stroke-width="1.4"/><text x="'+(x0-8)+'" y="'+(oy+oh/2+4)+'" text-anchor="end">all steps</text></g>'}
 o+='<g id="cur" pointer-events="none"></g><g id="box" pointer-events="none"></g>';
 if(!svg){map.innerHTML='<svg xmlns="http://www.w3.org/2000/svg" role="img"></svg>';svg=map.firstChild;bind()}
 svg.setAttribute('height',H);svg.setAttribute('viewBox','0 0 '+W+' '+H);svg.setAttribute('aria-label','Arena map: '+T.length+' tensors over '+N+' steps in '+B(ARENA)+'; peak at step '+PEAK+' with '+B(liveB[PEAK])+' in use. The table of tensors below has the same content.');
 svg.innerHTML=o;G.H0=H0;G.HL=HT;G.x0=x0;G.x1=x1;hover()}
function pats(){var k=css.blockink;
 return '<pattern id="pfree" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--free)"/><rect width="1" height="6" fill="var(--freeline)"/></pattern>'+
 pat('in',8,'<path d="M0 8L8 0M-2 2L2-2M6 10l4-4" stroke="'+k+'" stroke-width="1.5" opacity=".55"/>')+pat('ins',4,'<path d="M0 4L4 0" stroke="'+k+'" stroke-width="1.3" opacity=".5"/>')+
 pat('ov',8,'<path d="M0 8L8 0M-2 2L2-2M6 10l4-4M0 0L8 8" stroke="'+k+'" stroke-width="1.1" opacity=".5"/>')+pat('ovs',4,'<path d="M0 4L4 0M0 0L4 4" stroke="'+k+'" stroke-width="1" opacity=".45"/>')}
function pat(id,s,c){return '<pattern id="p'+id+'" width="'+s+'" height="'+s+'" patternUnits="userSpaceOnUse">'+c+'</pattern>'}
function legend(){var c=cats[colBy],h=c.list.map(function(k){return '<span>'+'<svg viewBox="0 0 22 13"><rect width="22" height="13" rx="2" fill="var(--c'+c.c(k)+')"/></svg>'+esc(k)+'</span>'}).join('');
 function it(body,n){return '<span><svg viewBox="0 0 22 13">'+body+'</svg>'+n+'</span>'}
 var bs='<rect width="22" height="13" rx="2" fill="var(--c'+(colBy==='share'?7:0)+')"/>',has=function(x){return T.some(function(t){return t.shares&&t.shares.how===x})};
 if(has('in_place'))h+=it(bs+'<rect width="22" height="13" fill="url(#pin)"/>','written in place');
 if(has('overlap')||OVER.length)h+=it(bs+'<rect width="22" height="13" fill="url(#pov)"/>','partial overlap');
 if(has('view'))h+=it(bs+'<rect x="2" y="2" width="18" height="9" fill="none" stroke="var(--blockink)" stroke-dasharray="4 3"/>','view');
 h+=it('<rect width="22" height="13" rx="2" fill="url(#pfree)"/>','unused at that step')+it('<rect x="1" y="1" width="20" height="11" fill="none" stroke="var(--ink)" stroke-dasharray="5 3" stroke-width="1.3"/>','peak step')+it('<path d="M0 7H22" stroke="var(--ghost)" stroke-dasharray="2 2" stroke-width="1.6"/>','in use if nothing shared bytes');
 if(showBud&&arenaLimit<ARENA)h+=it('<rect width="22" height="13" fill="var(--bad)" opacity=".3"/><path d="M0 12H22" stroke="var(--bad)" stroke-width="2"/>','over budget');
 $('legend').innerHTML=h}
var raf=0;function redraw(){if(!raf)raf=requestAnimationFrame(function(){raf=0;draw()})}
