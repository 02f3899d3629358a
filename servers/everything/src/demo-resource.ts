import { Buffer } from 'node:buffer'

import type { ResourceContents } from '@parley/mcp'

/** The two kinds of resources that exist for every positive integer. */
export const resourceTypes = ['Text', 'Blob'] as const
export type ResourceType = (typeof resourceTypes)[number]

/** The address of one of them. */
export function demoUri(type: ResourceType, id: number): string {
  return `demo://resource/dynamic/${type.toLowerCase()}/${id}`
}

/** What is found there: it names its id and the time it was made. */
export function demoContents(type: ResourceType, id: number): ResourceContents {
  const uri = demoUri(type, id)
  const time = new Date().toLocaleTimeString('en-US')
  if (type === 'Text') {
    const text = `Resource ${id}: This is a plaintext resource created at ${time}`
    return { uri, mimeType: 'text/plain', text }
  }
  const content = `Resource ${id}: This is a base64 blob created at ${time}`
  return { uri, mimeType: 'text/plain', blob: Buffer.from(content).toString('base64') }
}

/** Undefined for what is no positive integer. */
export function readId(text: string | number): number | undefined {
  if (!/^[1-9][0-9]*$/.test(`${text}`)) return undefined // `1e3` and ` 7` are numbers, but no ids
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** What to tell somebody who gave another id. */
export function describeBadId(id: string | number): string {
  return `Invalid resourceId: ${id}. Must be a finite positive integer.`
}

/** Completes a type by its beginning. */
export function completeType(value: string): readonly string[] {
  return resourceTypes.filter((type) => type.startsWith(value))
}

/** Completes a positive integer to itself; anything else cannot become one. */
export function completeId(value: string): readonly string[] {
  return readId(value) === undefined ? [] : [value]
}
