/**
 * What the pages of a site run. No cookie, nothing stored, nothing sent but that a page was seen or a goal reached; who asks
 * not to be followed is not counted. It stays below a kilobyte.
 */
export const beaconScript = `!function(){var s=document.currentScript,n=navigator;if(!s||!s.dataset.site||n.globalPrivacyControl||n.doNotTrack=="1")return;
var u=new URL("/beacon/"+s.dataset.site,s.src).href,p;
function t(b){fetch(u,{method:"POST",body:b,keepalive:true,credentials:"omit",referrerPolicy:"no-referrer"}).catch(function(){})}
function v(){if(p!==location.pathname){p=location.pathname;t("view")}}
function g(x){t("goal "+x)}
window.beaconGoal=g;
document.addEventListener("click",function(e){var a=e.target.closest&&e.target.closest("[data-goal]");a&&g(a.dataset.goal)});
var h=history,o=h.pushState;h.pushState=function(){o.apply(h,arguments);v()};addEventListener("popstate",v);
document.prerendering?document.addEventListener("prerenderingchange",v,{once:true}):v()}();
`

export const mostScriptBytes = 1024
