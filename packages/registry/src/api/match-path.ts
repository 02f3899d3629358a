import type { Operation } from './operation.ts'

/** Which operations a path has, by method. */
export interface PathMatch {
  readonly operations: readonly Operation[]
  readonly parameters: { readonly [name: string]: string }
}

/**
 * Finds the operations of a path below the prefix, as it was sent: each segment is decoded once. Names whose slash a
 * proxy has decoded on the way are put together again. Undefined: no such path; `malformed`: no path at all.
 */
export function matchPath(
  path: string,
  operations: readonly Operation[],
): PathMatch | 'malformed' | undefined {
  const segments: string[] = []
  for (const raw of path.split('/')) {
    const segment = decode(raw)
    if (segment === undefined) return 'malformed'
    segments.push(segment)
  }
  const found = segments[0] === 'servers' ? matchServer(segments) : matchPlain(segments, operations)
  const matching = operations.filter((operation) => operation.path === found?.template)
  if (found === undefined || matching.length === 0) return undefined
  return { operations: matching, parameters: found.parameters }
}

interface Found {
  readonly template: string
  readonly parameters: { readonly [name: string]: string }
}

/** Paths whose last segment may be a parameter. */
function matchPlain(
  segments: readonly string[],
  operations: readonly Operation[],
): Found | undefined {
  const exact = segments.join('/')
  if (operations.some(({ path }) => path === exact)) return { template: exact, parameters: {} }
  const start = segments.slice(0, -1).join('/')
  const last = segments.at(-1) ?? ''
  const template = operations.find(
    ({ path }) => path.startsWith(`${start}/{`) && path.split('/').length === segments.length,
  )?.path
  const name = /\{(\w+)\}$/.exec(template ?? '')?.[1]
  return template === undefined || name === undefined
    ? undefined
    : { template, parameters: { [name]: last } }
}

function matchServer([, ...rest]: readonly string[]): Found | undefined {
  if (rest.length === 0) return { template: 'servers', parameters: {} }
  const { name, tail } = splitName(rest)
  const parameters = { serverName: name }
  const base = 'servers/{serverName}'
  if (tail.length === 1 && tail[0] === 'status') return { template: `${base}/status`, parameters }
  if (tail[0] !== 'versions') return undefined
  if (tail.length === 1) return { template: `${base}/versions`, parameters }
  const isStatus = tail.length > 2 && tail.at(-1) === 'status'
  const version = tail.slice(1, isStatus ? -1 : undefined).join('/')
  if (version === '') return undefined
  return {
    template: `${base}/versions/{version}${isStatus ? '/status' : ''}`,
    parameters: { ...parameters, version },
  }
}

/** A name has one slash: in its segment, or between two. */
function splitName(rest: readonly string[]): { name: string; tail: readonly string[] } {
  const [first = '', second = ''] = rest
  const isWhole = first.includes('/') || (rest.length <= 2 && /^(?:versions|status)$/.test(second))
  const isNameless = second === 'versions' && rest[2] !== 'versions' && rest[2] !== 'status'
  return isWhole || isNameless
    ? { name: first, tail: rest.slice(1) }
    : { name: `${first}/${second}`, tail: rest.slice(2) }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
