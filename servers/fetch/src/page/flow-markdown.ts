import type { Handler } from 'htmlparser2'

import { isHidden, unreadable } from './content-elements.ts'
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts'
import { maxOpen, readHtml } from './read-html.ts'

/** Around the content of a page rather than in it. */
const surroundings = new Set(['nav', 'footer', 'aside', 'form', 'button', 'select', 'dialog'])

/** Signs before and after words. */
const signs: { readonly [element: string]: string | undefined } = {
  b: '**',
  strong: '**',
  em: '_',
  i: '_',
  code: '`',
}

const blocks = /^(?:p|div|section|article|main|header|dl|dt|dd|table|figure|figcaption|hr)$/

/**
 * Markdown of all of a page, as it is read: for pages too large to look for their main content, which would need a tree
 * of them. Memory is that of the text.
 */
export function flowMarkdown(html: string): { readonly title?: string; readonly markdown: string } {
  const writer = createMarkdownWriter()
  const open: OpenElement[] = []
  const lists: List[] = []
  let skippedFrom: number | undefined
  let title = ''

  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      const isSkipped = unreadable.has(name) || surroundings.has(name) || isHidden(attributes)
      if (skippedFrom === undefined && isSkipped) skippedFrom = open.length
      const end = skippedFrom === undefined ? begin(writer, name, attributes, lists) : nothing
      open.push({ name, end })
    },
    onclosetag(name) {
      if (open.at(-1)?.name !== name) return // closes what was never opened
      const { end } = open.pop() ?? { end: nothing }
      if (skippedFrom === open.length) skippedFrom = undefined
      else if (skippedFrom === undefined) end()
    },
    ontext(text) {
      if (skippedFrom !== undefined) return
      if (open.at(-1)?.name === 'title') title += text
      else writer.text(text)
    },
  }
  let isTooDeep = false
  readHtml(html, handler, { isEnough: () => (isTooDeep = open.length > maxOpen) })
  const markdown = `${writer.end()}${isTooDeep ? tooDeep : ''}`
  return { markdown, ...(title.trim() && { title: title.trim() }) }
}

const tooDeep = '\n\n[The rest of the page is nested too deeply to be read.]'

interface OpenElement {
  readonly name: string
  readonly end: () => void
}

interface List {
  readonly isNumbered: boolean
  items: number
}

const nothing = (): void => undefined

/** Writes what stands before an element, and returns what writes what stands behind it. */
function begin(
  writer: MarkdownWriter,
  name: string,
  attributes: Readonly<Record<string, string>>,
  lists: List[],
): () => void {
  const sign = signs[name]
  if (name === 'br') writer.line()
  else if (name === 'pre') return writer.fence()
  else if (name === 'tr') writer.line()
  else if (name === 'td' || name === 'th') return () => writer.sign(' | ')
  else if (name === 'blockquote') return block(writer, '> ')
  else if (name === 'li') return item(writer, lists)
  else if (name === 'ul' || name === 'ol') return list(writer, lists, name === 'ol')
  else if (/^h[1-6]$/.test(name)) return block(writer, `${'#'.repeat(Number(name[1]))} `)
  else if (blocks.test(name)) return block(writer, '')
  else if (name === 'img') writer.sign(pictureOf(attributes))
  else if (name === 'a' && attributes['href'] !== undefined) {
    return link(writer, attributes['href'])
  } else if (sign !== undefined) {
    writer.sign(sign)
    return () => writer.sign(sign)
  }
  return nothing
}

function block(writer: MarkdownWriter, mark: string): () => void {
  writer.block(mark)
  return () => writer.block('')
}

function list(writer: MarkdownWriter, lists: List[], isNumbered: boolean): () => void {
  const end = lists.length === 0 ? block(writer, '') : () => writer.line()
  lists.push({ isNumbered, items: 0 })
  return () => {
    lists.pop()
    end()
  }
}

function item(writer: MarkdownWriter, lists: readonly List[]): () => void {
  const inner = lists.at(-1)
  if (inner) inner.items += 1
  const mark = inner?.isNumbered ? `${inner.items}. ` : '- '
  writer.line(`${'  '.repeat(Math.min(Math.max(lists.length - 1, 0), 10))}${mark}`)
  return () => writer.line()
}

function link(writer: MarkdownWriter, href: string): () => void {
  if (/^\s*javascript:/i.test(href)) return nothing
  writer.sign('[')
  return () => writer.sign(`](${href.trim().slice(0, 2_000)})`)
}

function pictureOf({ alt = '', src = '' }: Readonly<Record<string, string>>): string {
  return src === '' || src.startsWith('data:') || src.length > 2_000 ? alt : `![${alt}](${src})`
}
