/** How a Node is started so that its requests to one origin carry headers. */
export interface HeaderArguments {
  readonly nodeArgs: readonly string[]
  readonly env: { readonly [name: string]: string }
}

const variable = 'PARLEY_SUITE_HEADERS'

/**
 * Runs in the suite's process, which has no flag for headers, and sees its requests whether they go by `fetch` or by hand.
 * The headers come by a variable: others can see arguments.
 */
const source = `
  import { subscribe } from 'node:diagnostics_channel'
  const { href, headers } = JSON.parse(process.env.${variable})
  const { origin, hostname } = new URL(href)
  delete process.env.${variable}
  subscribe('undici:request:create', ({ request }) => {
    if (request.origin !== origin) return
    for (const [name, value] of headers) request.addHeader(name, value)
  })
  subscribe('http.client.request.created', ({ request }) => {
    if (request.host !== hostname) return
    for (const [name, value] of headers) request.setHeader(name, value)
  })
`

/** Nothing where there are none. */
export function addHeaders(
  url: string,
  headers: { readonly [name: string]: string },
): HeaderArguments {
  const pairs = Object.entries(headers)
  if (pairs.length === 0) return { nodeArgs: [], env: {} }
  return {
    nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(source)}`],
    env: { [variable]: JSON.stringify({ href: url, headers: pairs }) },
  }
}
