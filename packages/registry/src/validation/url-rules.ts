import { isLoopbackHost, parseUrl } from '@parley/mcp/address'

/** Names in braces of a URL template. */
export function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(/\{([a-zA-Z_][\w-]*)\}/g)].map(([, name = '']) => name)
}

/** A template as a URL, with something harmless in place of its variables. */
export function parseTemplate(template: string): URL | undefined {
  // At the very beginning a variable stands for scheme and host.
  const url = template
    .replace(/^\{[a-zA-Z_][\w-]*\}/, 'https://variable.invalid')
    .replaceAll(/:\{[a-zA-Z_][\w-]*\}/g, ':1')
    .replaceAll(/\{[a-zA-Z_][\w-]*\}/g, 'variable')
  return parseUrl(url)
}

/** Why a URL must not be shown or followed; undefined if it may. */
export function findLinkProblem(text: string): string | undefined {
  const url = parseUrl(text)
  if (url === undefined) return 'it is not a URL'
  if (url.protocol !== 'https:') return 'it must begin with https://'
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password'
  return undefined
}

/** Why a remote cannot be at this URL; undefined if it can. */
export function findRemoteProblem(template: string): string | undefined {
  const url = parseTemplate(template)
  if (url === undefined) return 'it is not a URL'
  if (url.protocol !== 'https:') return 'a remote must begin with https://'
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isLoopbackHost(host) || host.endsWith('.localhost')) {
    return 'a remote must not be on this machine: use a package with a local transport'
  }
  return undefined
}
