import { isSafeIcon, type Icon } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'

import { counted, flat } from './printer.ts'

/** More of one thing's icons than anybody looks at. */
const maxIcons = 10

/** What icons something has, by what is said about them: a terminal fetches and draws none. */
export function describeIcons(icons: readonly Icon[]): string {
  const shown = icons.slice(0, maxIcons).map(describeIcon)
  const rest = icons.length - shown.length
  return `${counted(icons.length, 'icon')}: ${[...shown, ...(rest > 0 ? [`${rest} more`] : [])].join('; ')}`
}

function describeIcon(icon: Icon): string {
  const { mimeType, sizes, theme, src } = icon
  const notes = [
    mimeType === undefined ? 'no type' : flat(mimeType, 60),
    sizes === undefined ? 'any size' : flat(sizes.join(' '), 60),
    ...(theme === undefined ? [] : [`for ${flat(theme, 20)}`]),
    originOf(src),
    ...(isSafeIcon(icon) ? [] : ['not safe to show']),
  ]
  return notes.join(', ')
}

function originOf(src: string): string {
  if (/^data:/i.test(src)) return `in place (${src.length} characters)`
  const url = parseUrl(src)
  if (url === undefined) return 'from an invalid URL'
  const { origin, protocol } = url
  return `from ${flat(origin === 'null' ? protocol : origin, 200)}`
}
