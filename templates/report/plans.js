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
