import { memberOf, type ConfigNode } from '@parley/foundation/config'

import type { SearchSettings } from '../search/search-settings.ts'
import type { ConfigReader } from './config-reader.ts'

const modes = ['auto', 'on', 'off'] as const

/** `search: auto`, or `search: { mode: auto, above: 100, pinned: [] }`. */
export function readSearch(
  reader: ConfigReader,
  parent: ConfigNode | undefined,
  key: string,
): SearchSettings | undefined {
  const node = memberOf(parent, 'search')?.node
  if (node === undefined) return undefined
  if (typeof node.value === 'boolean') return { mode: node.value ? 'on' : 'off' } // on and off, as YAML 1.1 reads them
  if (typeof node.value === 'string') {
    const mode = reader.choice(parent, 'search', key, modes)
    return mode && { mode }
  }
  const fields = reader.object(node, key, ['mode', 'above', 'pinned'])
  const mode = reader.choice(fields, 'mode', `${key}.mode`, modes) ?? 'auto'
  const above = reader.parsed(fields, 'above', `${key}.above`, readCount)
  const pinned = reader.texts(fields, 'pinned', `${key}.pinned`)
  return { mode, ...(above !== undefined && { above }), ...(pinned && { pinned }) }
}

function readCount(text: string, key: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new Error(`${key} ${JSON.stringify(text)} is not a number of tools: write 100`)
}
