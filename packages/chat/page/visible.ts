import { showHidden } from '@parley/foundation/text-safety'

/** Text of a server or a model as it may be shown: hidden characters and marks of direction can be seen. */
export function visible(text: string): string {
  return showHidden(text)
}

const deepest = 100

/** The same for every text and name in a value. */
export function visibleIn(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return visible(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '…'
  if (Array.isArray(value)) return value.map((item) => visibleIn(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [visible(name), visibleIn(member, depth + 1)]),
  )
}

/** A block of content with its text made visible; pictures stay as they are. */
export function visibleBlock(block: unknown): unknown {
  if (typeof block !== 'object' || block === null || !('type' in block)) return visibleIn(block)
  return block.type === 'image' || block.type === 'audio' ? block : visibleIn(block)
}
