import { parseUrl } from '@parley/mcp/address'
import MarkdownIt from 'markdown-it'

import { formulas } from './formula-rule.ts'
import type { MarkdownNode, MarkdownTag } from './markdown-node.ts'

/** What is read of a text; the rest is in its source. */
export const readableCharacters = 100_000
/** A browser becomes slow with more of them in one place. */
const maxNodes = 20_000
const maxNesting = 20

const followed = new Set(['http:', 'https:', 'mailto:'])
const tags = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote strong em s table thead tbody tr th td'.split(' '),
)
// HTML is text here, and a line break is one, as in what tools print.
const parser = new MarkdownIt({ html: false, breaks: true, maxNesting: maxNesting }).use(formulas)

/** Facts before a text, between two lines of dashes; as Markdown they would be a heading. */
const frontmatter = /^---\r?\n(?=[\w-]+:)(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s

/** A text in Markdown, as far as it was read. */
export interface MarkdownText {
  readonly nodes: readonly MarkdownNode[]
  readonly isCut: boolean
}

/** Reads Markdown into a tree of a few kinds of nodes. Total: any text gives one, within bounds. */
export function readMarkdown(text: string): MarkdownText {
  const budget = { left: maxNodes }
  const read = text.slice(0, readableCharacters)
  const [whole = '', facts] = frontmatter.exec(read) ?? []
  const tokens = parser.parse(read.slice(whole.length), {})
  const body = readTokens(tokens, budget)
  const nodes: readonly MarkdownNode[] =
    facts === undefined ? body : [{ kind: 'fence', text: facts, language: 'yaml' }, ...body]
  return { nodes, isCut: text.length > readableCharacters || budget.left <= 0 }
}

type Token = ReturnType<typeof parser.parse>[number]

/** A node that is still open. */
interface Open {
  readonly token: Token | undefined
  readonly children: MarkdownNode[]
}

/** Tokens are a flat list in which one opens and another closes. */
function readTokens(tokens: readonly Token[], budget: { left: number }): readonly MarkdownNode[] {
  const root: Open = { token: undefined, children: [] }
  const open: Open[] = [root]
  for (const token of tokens) {
    const inner = open.at(-1) ?? root
    if (token.nesting === 1) open.push({ token, children: [] })
    else if (token.nesting === -1) close(open, root)
    else if (token.type === 'inline')
      inner.children.push(...readTokens(token.children ?? [], budget))
    else if (budget.left-- > 0) inner.children.push(readLeaf(token))
  }
  while (open.length > 1) close(open, root)
  return root.children

  function close(parts: Open[], otherwise: Open) {
    if (parts.length < 2) return
    const { token, children } = parts.pop() ?? otherwise
    const outer = parts.at(-1) ?? otherwise
    if (token === undefined || budget.left-- <= 0) return
    outer.children.push(...readPair(token, children))
  }
}

function readLeaf(token: Token): MarkdownNode {
  const { type, content, info } = token
  switch (type) {
    case 'code_inline':
      return { kind: 'code', text: content }
    case 'fence':
    case 'code_block':
      return { kind: 'fence', text: content, language: info.trim() }
    case 'formula':
      return { kind: 'formula', text: content, isBlock: token.block }
    case 'softbreak':
    case 'hardbreak':
      return { kind: 'break' }
    case 'hr':
      return { kind: 'rule' }
    case 'image':
      return { kind: 'image', url: attributeOf(token, 'src'), alt: content }
    default:
      return { kind: 'text', text: content }
  }
}

/** Nothing around what has no tag of ours, such as the paragraph of a list without empty lines. */
function readPair(token: Token, children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  if (token.type === 'link_open') {
    const url = attributeOf(token, 'href')
    return [{ kind: isFollowed(url) ? 'link' : 'address', url, children }]
  }
  if (token.hidden || !isTag(token.tag)) return children
  const start = Number(attributeOf(token, 'start'))
  const [, align] = /^text-align:(left|center|right)$/.exec(attributeOf(token, 'style')) ?? []
  const task = token.tag === 'li' ? readTask(children) : undefined
  return [
    {
      kind: 'element',
      tag: token.tag,
      children: task?.children ?? children,
      ...(Number.isSafeInteger(start) && start > 1 && { start }),
      ...(align !== undefined && { align: align as 'left' | 'center' | 'right' }), // matched above
      ...(task !== undefined && { isChecked: task.isChecked }),
    },
  ]
}

/** An item that begins with `[ ]` or `[x]`, without these. */
function readTask(
  children: readonly MarkdownNode[],
): { readonly isChecked: boolean; readonly children: readonly MarkdownNode[] } | undefined {
  const [first, ...rest] = children
  if (first?.kind === 'element' && first.tag === 'p') {
    const inner = readTask(first.children)
    return inner && { ...inner, children: [{ ...first, children: inner.children }, ...rest] }
  }
  if (first?.kind !== 'text') return undefined
  const [mark, box] = /^\[([ xX])\] /.exec(first.text) ?? []
  if (mark === undefined) return undefined
  const text = first.text.slice(mark.length)
  return { isChecked: box !== ' ', children: [{ kind: 'text', text }, ...rest] }
}

function isFollowed(url: string): boolean {
  return followed.has(parseUrl(url)?.protocol ?? '')
}

function isTag(tag: string): tag is MarkdownTag {
  return tags.has(tag)
}

function attributeOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}
