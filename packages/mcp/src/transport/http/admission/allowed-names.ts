import { invalidOption } from './public-options.ts'

/** The origins of `allowedOrigins` as browsers write them. Throws `invalid_definition` for what no browser sends. */
export function readOrigins(origins: readonly string[]): ReadonlySet<string> {
  return new Set(requireList('allowedOrigins', origins).map(readOrigin))
}

/** The hosts of `allowedHosts` as requests write them. Throws `invalid_definition` for what no request names. */
export function readHosts(hosts: readonly string[]): readonly string[] {
  return requireList('allowedHosts', hosts).map(readHost)
}

/** Plain JavaScript may give anything. */
function requireList(option: string, values: readonly string[]): readonly string[] {
  if (Array.isArray(values)) return values
  throw invalidOption(option, `${option} is a list, as in ['${String(values)}']`)
}

function readOrigin(origin: string): string {
  if (origin === 'null') return origin // pages without an origin, as those from a file
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#*]+\/?$/i.test(origin)) {
    throw invalidOption(
      'allowedOrigins',
      `allowedOrigins: ${origin} is no origin`,
      originHint(origin),
    )
  }
  const isWeb = /^https?:/i.test(origin) && URL.canParse(origin)
  return isWeb ? new URL(origin).origin : origin.replace(/\/$/, '').toLowerCase()
}

function originHint(origin: string): string {
  return origin.includes('*')
    ? "There are no patterns; allowedOrigins: '*' instead of a list allows all, and needs auth."
    : 'Scheme, host and port, as in https://app.example.'
}

function readHost(host: string): string {
  if (/^(\[[\da-f:.]+\]|[^\s/?#@:*[\]]+)(:\d+)?$/i.test(host)) return host.toLowerCase()
  throw invalidOption(
    'allowedHosts',
    `allowedHosts: ${host} is no host`,
    'A name, with or without a port, as in api.example; no scheme, no path, no pattern.',
  )
}
