/** They stand in the page; the policy names their hash. */
export const styles = `
:root{color-scheme:light dark;--text:#1f2430;--muted:#565e6e;--line:#d9dde5;--page:#f6f7f9;--card:#fff;--up:#1d7a46;--degraded:#a15c00;--down:#b3261e;--none:#c3c9d4}
@media (prefers-color-scheme:dark){:root{--text:#e8eaf0;--muted:#a6aebd;--line:#3a4150;--page:#14171d;--card:#1d2129;--up:#5cc98a;--degraded:#f0b255;--down:#ff8a80;--none:#4a5263}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:760px;margin:0 auto;padding:32px 16px}
h1{margin:0 0 16px;font-size:1.5rem;overflow-wrap:anywhere}
h2{margin:32px 0 12px;font-size:1.125rem}
h3{margin:0;font-size:1rem;font-weight:600;overflow-wrap:anywhere}
p{margin:0}
.headline{padding:16px;border:1px solid currentColor;border-radius:8px;background:var(--card);font-size:1.125rem;font-weight:600}
.sites,ol{margin:0;padding:0;list-style:none}
.sites>li,article{padding:16px;border:1px solid var(--line);border-radius:8px;background:var(--card)}
.sites>li+li,article+article{margin-top:12px}
ol>li{margin-top:12px;padding-top:12px;border-top:1px solid var(--line)}
.row{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 16px}
.small{font-size:.8125rem;color:var(--muted)}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
.state{font-weight:600}
.up{color:var(--up)}.degraded,.maintenance{color:var(--degraded)}.down{color:var(--down)}.unknown{color:var(--muted)}
svg{display:block;width:100%;height:28px;margin:12px 0 4px}
rect.up{fill:var(--up)}rect.degraded{fill:var(--degraded)}rect.down{fill:var(--down)}rect.none{fill:var(--none)}
footer{margin-top:32px}
`
