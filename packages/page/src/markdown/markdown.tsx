import { createContext, Fragment, use, useMemo, type ReactElement, type ReactNode } from 'react'

import { Icon } from '../icons.tsx'
import { CodeBlock } from './code-block.tsx'
import { Formula } from './formula.tsx'
import type { MarkdownNode, MarkdownTag } from './markdown-node.ts'
import { readMarkdown } from './read-markdown.ts'

import './markdown.css'

export interface MarkdownProps {
  readonly text: string
  /** The level that a heading of the first level has on the page. @defaultValue 3 */
  readonly top?: 2 | 3
}

/** A text in Markdown: elements of the page, never its markup; nothing is fetched. */
export function Markdown({ text, top = 3 }: MarkdownProps): ReactElement {
  const { nodes, isCut } = useMemo(() => readMarkdown(text), [text])
  return (
    <div className="markdown">
      <TopLevel value={top}>{showAll(nodes)}</TopLevel>
      {isCut && <p className="quiet">The rest is in the source: this text is very long.</p>}
    </div>
  )
}

const TopLevel = createContext(3)

function showAll(nodes: readonly MarkdownNode[]): ReactNode {
  // Parts of a text have no identity but their place.
  return nodes.map((node, index) => <Fragment key={index}>{show(node)}</Fragment>)
}

function show(node: MarkdownNode): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code className="code-inline">{node.text}</code>
    case 'fence':
      return <CodeBlock text={node.text} language={node.language} />
    case 'formula':
      return <Formula tex={node.text} isBlock={node.isBlock} />
    case 'break':
      return <br />
    case 'rule':
      return <hr />
    case 'link':
      return (
        <>
          <a href={node.url} target="_blank" rel="noreferrer noopener nofollow">
            {showAll(node.children)}
          </a>
          <Address url={node.url} words={node.children} />
        </>
      )
    case 'address':
      return (
        <>
          {showAll(node.children)}
          <Address url={node.url} words={node.children} />
        </>
      )
    case 'image':
      return (
        <span className="markdown-image">
          <Icon name="image" size={13} /> {node.alt === '' ? 'Picture' : node.alt}
          <span className="markdown-address"> (not loaded: {cut(node.url)})</span>
        </span>
      )
    case 'element':
      return <Element node={node} />
  }
}

/** Words can say anything, so where they lead stands beside them. */
function Address({
  url,
  words,
}: {
  readonly url: string
  readonly words: readonly MarkdownNode[]
}): ReactElement | null {
  const [only] = words
  if (words.length === 1 && only?.kind === 'text' && only.text === url) return null
  return <span className="markdown-address"> ({cut(url)})</span>
}

/** An address can be as long as the text. Its host comes first. */
function cut(url: string): string {
  return url.length > 300 ? `${url.slice(0, 300)}…` : url
}

function Element({ node }: { readonly node: MarkdownNode & { kind: 'element' } }): ReactElement {
  const top = use(TopLevel)
  const children = showAll(node.children)
  if (node.tag === 'table') {
    return (
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table">
        <table className="table">{children}</table>
      </div>
    )
  }
  if (node.tag === 'ol') return <ol start={node.start}>{children}</ol>
  if (node.tag === 'th')
    return (
      <th scope="col" {...alignment(node)}>
        {children}
      </th>
    )
  if (node.tag === 'td') return <td {...alignment(node)}>{children}</td>
  if (node.tag === 'li' && node.isChecked !== undefined) {
    return (
      <li className="task">
        <span
          className="task-box"
          role="img"
          aria-label={node.isChecked ? 'Done' : 'Not done'}
          data-checked={node.isChecked}
        >
          {node.isChecked && <Icon name="check" size={12} />}
        </span>
        <div>{children}</div>
      </li>
    )
  }
  const Tag = levelOf(node.tag, top)
  return <Tag>{children}</Tag>
}

function alignment({ align }: MarkdownNode & { kind: 'element' }) {
  return align === undefined ? {} : { style: { textAlign: align } }
}

/** Headings of a text stand below those of the page. */
function levelOf(tag: MarkdownTag, top: number): MarkdownTag {
  const [, level] = /^h([1-6])$/.exec(tag) ?? []
  if (level === undefined) return tag
  return `h${Math.min(6, Number(level) + top - 1)}` as MarkdownTag // between h2 and h6
}
