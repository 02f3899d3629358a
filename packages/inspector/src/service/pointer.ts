import type { SchemaIssue } from '@parley/mcp'

/** A path as a JSON Pointer (RFC 6901). */
export function pointerOf(path: NonNullable<SchemaIssue['path']>): string {
  return path
    .map((step) => String(typeof step === 'object' ? step.key : step))
    .map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

/** What a JSON Pointer points to; undefined for nothing. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value
  let found = value
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as { readonly [name: string]: unknown })[key] // just looked
  }
  return found
}
