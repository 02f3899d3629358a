import { createHash } from 'node:crypto'

import { parseUrl } from '../../shared/url-rules.ts'
import { html, type Html } from './html.ts'

/** Works without script, in light and dark, at any size, and with a keyboard alone. */
const style = `
:root{color-scheme:light dark;--text:#14161c;--soft:#596071;--page:#f6f7f9;--card:#fff;--line:#878ea0;--rule:#e4e6ec;--main:#5049c4;--link:#5049c4;--on-main:#fff;--warn:#8a5200;--warn-page:#fdf3e1;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#e6e8ee;--soft:#a0a6b6;--page:#0f1116;--card:#171a21;--line:#6c7488;--rule:#282d38;--main:#5e57d9;--link:#aaa6f7;--warn:#f0b45b;--warn-page:#33260f;--bad:#ff9087}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem 1rem;font:.9375rem/1.6 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text);background:var(--page)}
main{width:100%;max-width:27rem;padding:1.75rem;background:var(--card);border-radius:14px;border:1px solid var(--rule)}
h1{margin:0 0 .25rem;font-size:1.125rem;line-height:1.25;overflow-wrap:anywhere}
h2{margin:1.4rem 0 .35rem;font-size:.9375rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
.soft{color:var(--soft)}
label{display:block;margin:1rem 0 .3rem;font-weight:600}
input{width:100%;padding:.65rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.5rem}
button{width:100%;margin-top:.6rem;padding:.7rem 1rem;font:inherit;font-weight:600;border-radius:.5rem;border:1px solid var(--line);color:inherit;background:transparent;cursor:pointer}
button.main{margin-top:1.4rem;color:var(--on-main);background:var(--main);border-color:var(--main)}
button.link{width:auto;margin:0;padding:0;border:0;color:var(--link);font-weight:500;text-decoration:underline}
.who{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;margin:1rem 0 0;padding:.6rem .8rem;border:1px solid var(--rule);border-radius:10px;overflow-wrap:anywhere}
.answers{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:1.4rem}
.answers button{flex:1 1 8rem;margin:0}
details{margin-top:1.2rem;border-top:1px solid var(--rule);padding-top:.8rem}
summary{cursor:pointer;color:var(--soft)}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
dl{margin:1rem 0 0;display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem}
dt{color:var(--soft)}
dd{margin:0;font-weight:600;overflow-wrap:anywhere}
ul{margin:0;padding-left:1.2rem}
li{margin:.2rem 0;overflow-wrap:anywhere}
.warn{margin:1.2rem 0 0;padding:.75rem .9rem;border-left:4px solid var(--warn);border-radius:.3rem;color:var(--warn);background:var(--warn-page)}
.bad{color:var(--bad);font-weight:600}
@media (forced-colors:active){main,.warn{border:1px solid}}
`

const styleHash = createHash('sha256').update(style).digest('base64')
/** Written here, because a space more or less inside would be another hash. */
const styleElement: Html = { html: `<style>${style}</style>` }

/** A whole page. `title` is the window's; the heading is part of `content`. */
export function renderPage(title: string, content: Html): string {
  const { html: text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `
  return text
}

/** Nothing loads, nothing runs, nobody frames it. A form leads to us, and from there to an app at `redirectUri` if it is one. */
export function pageHeaders(redirectUri?: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      'img-src data:',
      "base-uri 'none'",
      `form-action 'self'${appScheme(redirectUri)}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    // Not `no-referrer`: forms would then come without an origin to check.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'publickey-credentials-get=(self)',
  }
}

function appScheme(redirectUri: string | undefined): string {
  const { protocol = '' } = parseUrl(redirectUri) ?? {}
  return ['', 'https:', 'http:'].includes(protocol) ? '' : ` ${protocol}`
}
