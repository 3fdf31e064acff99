/* theme, print, size */
function theme(t,keep){document.documentElement.dataset.theme=t;$('theme').textContent=t==='dark'?'Light':'Dark';$('theme').setAttribute('aria-label','switch to '+(t==='dark'?'light':'dark')+' colours');if(keep)try{localStorage.setItem('tarn-theme',t)}catch(e){}readCss();legend();draw()}
$('theme').onclick=function(){theme(document.documentElement.dataset.theme==='dark'?'light':'dark',true)};
if(window.matchMedia){var mq=matchMedia('(prefers-color-scheme: dark)'),onmq=function(e){var s=null;try{s=localStorage.getItem('tarn-theme')}catch(x){}if(!s)theme(e.matches?'dark':'light')};if(mq.addEventListener)mq.addEventListener('change',onmq)}
var before=null;addEventListener('beforeprint',function(){before=document.documentElement.dataset.theme;theme('light')});addEventListener('afterprint',function(){if(before)theme(before)});
var rw=0;addEventListener('resize',function(){if(map.clientWidth!==rw){rw=map.clientWidth;redraw()}});
if(window.ResizeObserver)new ResizeObserver(function(){if(map.clientWidth!==rw){rw=map.clientWidth;redraw()}}).observe(map);
theme(document.documentElement.dataset.theme);rw=map.clientWidth;inspect();
document.documentElement.dataset.ready=Math.round(performance.now());
function tables(){if(tables.done)return;tables.done=1;drawTable('layers');drawTable('tensors');document.documentElement.dataset.done=Math.round(performance.now())}
if($('bud')){$('bud').oninput=drawPlans;drawPlans()}
setTimeout(tables,0);addEventListener('beforeprint',tables);
/* deep links: #tensor=name, #step=3 */
(function(){var m=/[#&](tensor|step)=([^&]*)/.exec(location.hash);if(!m)return;var v=decodeURIComponent(m[2]);if(m[1]==='tensor'&&byName[v])setPin(byName[v],null,true);if(m[1]==='step'&&+v<N)setPin(null,+v)})();
