import { isJsonObject } from '@parley/mcp/json'

import type { Collection } from '../../protocol/index.ts'
import { checkParams } from '../checks.ts'
import { ProblemError } from '../problem.ts'

const format = 'parley-collection'

/** A collection as the text of a file. */
export function writeCollection(collection: Collection): string {
  return `${JSON.stringify({ format, version: 1, ...collection }, undefined, 2)}\n`
}

/** The collection in such a file; throws what is wrong with it. */
export function readCollection(text: string): Collection {
  const { format: fileFormat, version, ...collection } = parseObject(text)
  if (fileFormat !== format) {
    throw new ProblemError('not_a_collection', `it lacks "format": "${format}"`, {
      hint: 'Use a file that Export of a collection has written.',
    })
  }
  if (version !== 1) {
    throw new ProblemError('not_a_collection', `it has version ${JSON.stringify(version)}`, {
      hint: 'This inspector reads version 1.',
    })
  }
  checkParams('collections/save', collection)
  return collection as unknown as Collection // just checked
}

function parseObject(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { ...value }
  } catch {
    // said below
  }
  throw new ProblemError('not_a_collection', 'it is not a JSON object')
}
