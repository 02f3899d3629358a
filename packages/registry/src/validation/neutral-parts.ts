import { isJsonObject } from '@parley/mcp/json'

import type { ServerDocument } from '../document/server-document.ts'

/** What stands in for a part of the wrong shape, and breaks no rule. */
const neutral = {
  name: 'neutral.part/neutral',
  version: '1.0.0',
  description: 'neutral',
  packages: {
    registryType: 'npm',
    identifier: 'neutral',
    version: '1.0.0',
    transport: { type: 'stdio' },
  },
  remotes: { type: 'sse', url: 'https://neutral.invalid' },
  icons: { src: 'https://neutral.invalid' },
} as const

/**
 * The document with every part that the schema refused replaced, so that the other rules can judge the rest in the same
 * run; undefined if it is no object.
 */
export function replaceParts(
  value: unknown,
  problemPaths: readonly (readonly PropertyKey[])[],
): ServerDocument | undefined {
  if (!isJsonObject(value)) return undefined
  const copy: { [field: string]: unknown } = { ...value }
  for (const [field, index] of problemPaths) {
    const list = copy[String(field)]
    if (isListField(field) && Array.isArray(list) && typeof index === 'number') {
      copy[field] = list.map((item: unknown, at) => (at === index ? neutral[field] : item))
    } else if (field !== undefined) delete copy[String(field)]
  }
  const { name, version, description } = neutral
  return { name, version, description, ...copy } // what is left has the shape of the schema
}

function isListField(field: PropertyKey | undefined): field is 'packages' | 'remotes' | 'icons' {
  return field === 'packages' || field === 'remotes' || field === 'icons'
}
