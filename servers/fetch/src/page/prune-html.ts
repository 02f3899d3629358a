import { empty, unreadable } from './content-elements.ts'
import { readHtml } from './read-html.ts'

/** What finding the main content looks at, and what becomes a part of the text. */
const keptAttributes = new Set([
  'alt',
  'aria-hidden',
  'class',
  'colspan',
  'content',
  'hidden',
  'href',
  'id',
  'itemprop',
  'lang',
  'name',
  'property',
  'rel',
  'role',
  'rowspan',
  'src',
  'start',
  'style',
  'title',
])

/** Written anew, since pages need not have them. */
const frame = new Set(['html', 'head', 'body'])

/** How large a page may be for a tree to be made of it. */
export interface TreeLimits {
  readonly maxNodes: number
  readonly maxLength: number
  readonly maxDepth: number
}

/**
 * A page without what is nothing to read: scripts, styles, drawings, comments, and attributes without use. `undefined`
 * if what is left is still too much to make a tree of.
 */
export function pruneHtml(html: string, limits: TreeLimits): string | undefined {
  const head: string[] = []
  const body: string[] = []
  let isTitle = false
  let nodes = 0
  let length = 0
  let depth = 0
  let skipped = 0

  function put(part: string): void {
    ;(isTitle ? head : body).push(part)
    nodes += 1
    length += part.length
  }
  let deepest = 0
  const isTooMuch = () =>
    nodes > limits.maxNodes || length > limits.maxLength || deepest > limits.maxDepth

  readHtml(
    html,
    {
      onopentag(name, attributes) {
        if (unreadable.has(name)) skipped += 1
        if (skipped > 0 || frame.has(name)) return
        if (name === 'meta' || name === 'title') {
          isTitle = name === 'title'
          head.push(`<${name}${writeAttributes(attributes)}>`)
          return
        }
        if (!empty.has(name)) deepest = Math.max(deepest, (depth += 1))
        put(`<${name}${writeAttributes(attributes)}>`)
      },
      onclosetag(name) {
        if (unreadable.has(name) && skipped > 0) {
          skipped -= 1
        } else if (name === 'title' && isTitle) {
          isTitle = false
          head.push('</title>')
        } else if (skipped === 0 && !empty.has(name) && !frame.has(name)) {
          depth -= 1
          body.push(`</${name}>`)
        }
      },
      ontext(text) {
        if (skipped === 0) put(text.replaceAll(longBlank, shorten))
      },
    },
    // What is written again is not decoded in between.
    { isEnough: isTooMuch, decodeEntities: false },
  )
  if (isTooMuch()) return undefined
  return `<!doctype html><html><head>${head.join('')}</head><body>${body.join('')}</body></html>`
}

/** Nothing to read, and what looks for the end of a text takes the square of its length. */
const longBlank =
  /(?:\s|&(?:nbsp|ensp|emsp|thinsp|tab|newline|#0*(?:9|10|32|160)|#x0*(?:9|a|20|a0));){100,}/gi

function shorten(blank: string): string {
  return blank.includes('\n') ? '\n\n' : ' '
}

function writeAttributes(attributes: Readonly<Record<string, string>>): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes)) {
    const isKept = keptAttributes.has(name) && !value.startsWith('data:') && value.length < 4_000
    if (isKept) text += ` ${name}="${value.replaceAll('"', '&quot;')}"`
  }
  return text
}
