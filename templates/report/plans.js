/* ---- every plan that was made, against a budget that the reader moves ---- */
var PLANS=(function(){
 var fixed=RAM.total-RAM.arena,list=[],seen={};
 function add(name,options,ram,exact,note){
  var key=options||name;
  if(seen[key]||ram==null)return;
  seen[key]=1;
  list.push({name:name,options:options,ram:ram,exact:exact,note:note||''})}
 function mode(r){return !r||r.mode==='off'?'by layers':'by lines'+(r.mode==='fed'?', the input fed':', inputs in the arena')+(r.drain?', outputs drained':'')+(r.lines==='table'?', line by line':'')}
 var now=mode(ST);
 add(now,'',RAM.total,true,'this plan');
 (R.advice||[]).forEach(function(a){add(a.change,a.options,a.ram,a.proof!=='estimate',a.note)});
 (R.streams||[]).forEach(function(r){
  if(mode(r)!==now)add(mode(r),'--stream '+r.mode+(r.drain?' --drain':''),r.arena+fixed,false,r.proof==='optimal'?'optimal':'best found')});
 (R.compare||[]).forEach(function(c){add('strategy '+c.strategy.replace(/_/g,' '),'',c.arena+fixed,false,c.order==='given'?'in the given order':'')});
 return list.sort(function(a,b){return a.ram-b.ram})})();

function plansPanel(){
 if(PLANS.length<2)return '';
 var most=PLANS.reduce(function(m,p){return Math.max(m,p.ram)},rb?rb.limit:0),least=PLANS[0].ram;
 PLANS.most=Math.ceil(most*1.05);
 var start=rb?rb.limit:RAM.total;
 return '<section class="panel" aria-labelledby="ph" id="plans"><div class="head"><h2 id="ph">With another budget</h2><span class="sub">what each plan needs of RAM, by layers and by lines side by side; those of the same stack and static data are told with \u2248</span></div>'+
  '<div class="slide"><label for="bud">RAM budget</label><input type="range" id="bud" min="'+Math.floor(least*0.8)+'" max="'+PLANS.most+'" value="'+start+'" aria-describedby="budsay"><output id="budsay" for="bud"></output></div>'+
  '<ul class="plans" id="planlist"></ul></section>'}

function drawPlans(){
 var slider=$('bud');
 if(!slider)return;
 var limit=+slider.value,fits=PLANS.filter(function(p){return p.ram<=limit}).length;
 $('budsay').textContent=BK(limit)+': '+(fits?fits+' of '+pl(PLANS.length,'plan')+(fits===1?' fits':' fit'):'none of these plans fits');
 $('planlist').innerHTML=PLANS.map(function(p){
  var ok=p.ram<=limit;
  return '<li class="'+(ok?'':'no')+'"><span class="pn"><b>'+esc(p.name)+'</b>'+(p.options?' <code class="opt">'+esc(p.options)+'</code>':'')+(p.note?' <span class="sub">'+esc(p.note)+'</span>':'')+'</span>'+
   '<span class="num pv">'+(p.exact?'':'\u2248 ')+B(p.ram)+'</span><span class="chip '+(ok?'ok">\u2713 '+B(limit-p.ram)+' free':'bad">\u2715 '+B(p.ram-limit)+' over')+'</span>'+
   '<span class="cellbar"><i style="width:'+(100*p.ram/PLANS.most)+'%;background:var('+(ok?'--c1':'--c6')+')"></i><b style="left:'+(100*limit/PLANS.most)+'%"></b></span></li>'}).join('')}

/* RAM against time, all ways of running that were planned; the front is joined, the chosen one is marked */
function paretoPanel(rows){
 if(rows.length<2)return '';
 var timed=rows.every(function(r){return r.instructions!=null}),key=timed?'instructions':'macs',what=timed?'instructions':'MACs';
 function range(k){var v=rows.map(function(r){return r[k]});return [Math.min.apply(null,v),Math.max.apply(null,v)]}
 var x=range('ram'),y=range(key);
 function at(r){return [60+900*(r.ram-x[0])/Math.max(1,x[1]-x[0]),215-190*(r[key]-y[0])/Math.max(1,y[1]-y[0])]}
 function spot(r){var p=at(r);return '<circle cx="'+p[0].toFixed(1)+'" cy="'+p[1].toFixed(1)+'" r="'+(r.chosen?8:5)+'" fill="var('+(r.dominated?'--line':'--c0')+')"'+(r.chosen?' stroke="var(--bad)" stroke-width="3"':'')+'><title>'+esc(r.options+': '+grp(r.ram)+' B, '+grp(r[key])+' '+what+', '+grp(r.flash)+' B of flash'+(r.chosen?' (this plan)':''))+'</title></circle>'}
 /* flash aside, the least time within each arena */
 var best=Infinity,front=rows.slice().sort(function(a,b){return a.ram-b.ram||a[key]-b[key]}).filter(function(r){if(r[key]>=best)return false;best=r[key];return true});
 var steps=front.map(function(r,i){var p=at(r),q=i?at(front[i-1]):p;return (i?'H'+p[0].toFixed(1)+'V'+p[1].toFixed(1):'M'+p[0].toFixed(1)+' '+p[1].toFixed(1))}).join('');
 var shown=rows.filter(function(r){return !r.dominated||r.chosen});
 return '<section class="panel long" aria-labelledby="pfh" id="pareto"><div class="head"><h2 id="pfh">RAM against '+(timed?'time':'work')+'</h2><span class="sub">'+pl(rows.length,'way')+' of running, each planned; the line: the fewest '+what+' within an arena'+(rows.some(function(r){return r.chosen})?'; ringed: this plan':'')+'</span></div>'+
  '<svg viewBox="0 0 1000 250" style="width:100%;height:auto" role="img" aria-label="'+what+' over bytes of arena"><path d="M50 10V225H985" fill="none" stroke="var(--ink2)"/><path d="'+steps+'" fill="none" stroke="var(--c0)" stroke-width="2"/>'+rows.map(spot).join('')+
  '<text x="60" y="244" font-size="13" fill="var(--ink2)">'+B(x[0])+'</text><text x="980" y="244" text-anchor="end" font-size="13" fill="var(--ink2)">'+B(x[1])+' of arena</text><text x="62" y="18" font-size="13" fill="var(--ink2)">'+grp(y[1])+' '+what+'</text></svg>'+
  '<div class="scroll tight" tabindex="0" role="region" aria-labelledby="pfh"><table><caption class="vh">Ways of running that nothing beats</caption><thead><tr><th>options</th><th class="n">arena B</th>'+(timed?'<th class="n">instructions</th>':'')+'<th class="n">MACs</th><th class="n">flash B</th></tr></thead><tbody>'+
  shown.map(function(r){return '<tr'+(r.chosen?' class="sel"':'')+'><td><code>'+esc(r.options)+'</code></td><td class="n">'+grp(r.ram)+'</td>'+(timed?'<td class="n">'+grp(r.instructions)+'</td>':'')+'<td class="n">'+grp(r.macs)+'</td><td class="n">'+grp(r.flash)+'</td></tr>'}).join('')+'</tbody></table></div></section>'}
