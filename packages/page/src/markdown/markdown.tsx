import { Fragment, useMemo, type ReactElement, type ReactNode } from 'react'

import { Icon } from '../icons.tsx'
import type { MarkdownNode, MarkdownTag } from './markdown-node.ts'
import { readMarkdown } from './read-markdown.ts'

/** Headings of a text stand below those of the page. */
const shownAs: { readonly [T in MarkdownTag]?: MarkdownTag } = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
}

/** A text in Markdown: elements of ours, never its markup; nothing is fetched. */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  const { nodes, isCut } = useMemo(() => readMarkdown(text), [text])
  return (
    <div className="markdown">
      {showAll(nodes)}
      {isCut && <p className="quiet">The rest is in the source: this text is very long.</p>}
    </div>
  )
}

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
      return <Fence text={node.text} language={node.language} />
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

function Fence({ text, language }: { readonly text: string; readonly language: string }) {
  const name = language === '' ? 'Code' : `Code: ${language.slice(0, 40)}`
  return (
    <pre className="markdown-code" tabIndex={0} role="region" aria-label={name}>
      <code>{text}</code>
    </pre>
  )
}

function Element({ node }: { readonly node: MarkdownNode & { kind: 'element' } }): ReactElement {
  const children = showAll(node.children)
  if (node.tag === 'table') {
    return (
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table">
        <table className="table">{children}</table>
      </div>
    )
  }
  if (node.tag === 'ol') return <ol start={node.start}>{children}</ol>
  if (node.tag === 'th') return <th scope="col">{children}</th>
  const Tag = shownAs[node.tag] ?? node.tag
  return <Tag>{children}</Tag>
}
