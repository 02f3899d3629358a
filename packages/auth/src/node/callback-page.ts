/** Nothing on these pages loads, runs or tells anybody where they were. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const

/** What a person sees who came back from the issuer. */
export const waitingPage = page('Thank you', 'You can close this page and go back to the program.')

/** What anybody else sees. */
export const wrongPage = page('Not found', 'No sign-in is in progress at this address.')

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>
body{font:1.1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto;padding:0 1rem;color:#222;background:#fff}
@media (prefers-color-scheme:dark){body{color:#eee;background:#222}}
</style><main><h1>${title}</h1><p>${text}</p></main></html>
`
}
