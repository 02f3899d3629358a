/** Pages without script, that nobody may frame and no other page may send to. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self' https: http://127.0.0.1:* http://localhost:*; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const style =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:12vh auto;padding:0 1rem}label,input,button{display:block;font:inherit}input{width:100%;box-sizing:border-box;padding:.5rem;margin:.25rem 0 1rem}button{padding:.5rem 1rem}'

/** A page with a few words. */
export function page(status: number, title: string, text: string, form = ''): Response {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${style}</style></head><body><main><h1>${escape(title)}</h1><p>${escape(text)}</p>${form}</main></body></html>`
  return new Response(body, { status, headers })
}

/** Asks for the key by which the gateway knows the person. */
export function keyPage(upstream: string, problem?: string): Response {
  const text = `To sign in to ${upstream} through this gateway, show first that the link is yours: enter your key for the gateway.`
  const alert = problem === undefined ? '' : `<p role="alert">${escape(problem)}</p>`
  const form = `${alert}<form method="post"><label for="key">Key</label><input id="key" name="key" type="password" autocomplete="off" required autofocus><button>Continue</button></form>`
  return page(problem === undefined ? 200 : 403, `Sign in to ${upstream}`, text, form)
}

export function redirect(location: string): Response {
  const { 'content-type': _, ...rest } = headers
  return new Response(null, { status: 303, headers: { ...rest, location } })
}

/** The same answer, and the browser can be known again for ten minutes. */
export function withCookie(
  response: Response,
  name: string,
  value: string,
  isSecure: boolean,
): Response {
  const copy = new Response(response.body, response)
  const [prefix, secure] = isSecure ? ['__Host-', '; Secure'] : ['', ''] // browsers take neither over http
  copy.headers.append(
    'set-cookie',
    `${prefix}${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secure}`,
  )
  return copy
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
