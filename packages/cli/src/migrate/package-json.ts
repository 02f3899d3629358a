import { isJsonObject } from '@parley/mcp/json'

import { linkTo, type Place } from './source.ts'

/** Packages that are exchanged. */
const exchanged = /^(@modelcontextprotocol\/(sdk|server|client|node|core|express|hono)|fastmcp)$/

/** The oldest Zod that says what its schemas are. */
const neededZod = '^4.2.0'

/** What Parley is asked for as. */
const wanted = '^0.1.0'

/** The dependencies after the move; undefined if nothing of the official SDK is among them. */
export function exchangeDependencies(
  text: string,
  stillUsed: ReadonlySet<string>,
): string | undefined {
  const isNamed = [...text.matchAll(/"([^"\n]+)"\s*:\s*"[^"\n]*"/g)].some(([, name = '']) =>
    exchanged.test(name),
  )
  const parsed = isNamed ? parse(text) : undefined
  if (!isJsonObject(parsed)) return undefined
  const sections: Record<string, object> = {}
  let isAdded = false
  for (const section of ['dependencies', 'devDependencies', 'peerDependencies']) {
    const versions = parsed[section]
    if (!isJsonObject(versions)) continue
    const names = Object.keys(versions).filter((name) => exchanged.test(name))
    if (names.length === 0) continue
    const remaining = Object.entries(versions).filter(
      ([name]) => !names.includes(name) || stillUsed.has(name),
    )
    if (isOldZod(versions['zod'])) remaining.push(['zod', neededZod])
    const added = isAdded ? [] : [['@parley/mcp', versions['@parley/mcp'] ?? wanted] as const]
    isAdded = true
    const all = new Map<string, unknown>([...remaining, ...added])
    sections[section] = Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
  if (!isAdded) return undefined
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return (
    JSON.stringify({ ...parsed, ...sections }, undefined, indent) +
    (text.endsWith('\n') ? '\n' : '')
  )
}

/** What the new dependencies ask of a person. */
export function dependencyPlaces(before: string, after: string): readonly Place[] {
  const line =
    after.split('\n').findIndex((candidate) => candidate.includes(`"zod": "${neededZod}"`)) + 1
  if (line === 0 || before.includes(`"zod": "${neededZod}"`)) return []
  const message = 'zod 3 became zod 4, whose JSON Schemas we read: look at what changed in Zod'
  return [{ line, message, link: linkTo('steps') }]
}

function isOldZod(range: unknown): boolean {
  return typeof range === 'string' && /^[\^~>=v\s]*[0-3]\./.test(range)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
