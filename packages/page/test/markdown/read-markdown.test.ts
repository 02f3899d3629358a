import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import { looksLikeMarkdown } from '../../src/markdown/looks-like-markdown.ts'
import type { MarkdownNode } from '../../src/markdown/markdown-node.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { typeset } from '../../src/markdown/typeset.ts'
import { hostileMarkdown } from './hostile-markdown.ts'

/** The whole tree as a flat list. */
function flatten(nodes: readonly MarkdownNode[]): readonly MarkdownNode[] {
  return nodes.flatMap((node) => [node, ...('children' in node ? flatten(node.children) : [])])
}

function textIn(nodes: readonly MarkdownNode[]): string {
  return flatten(nodes)
    .map((node) => ('text' in node ? node.text : ''))
    .join('')
}

test('facts before the text are code, and no heading', () => {
  const { nodes } = readMarkdown('---\nname: tea\ndescription: How to\n---\n\nText')

  expect(nodes).toMatchObject([
    { kind: 'fence', text: 'name: tea\ndescription: How to' },
    { kind: 'element', tag: 'p' },
  ])
})

test('reads headings, lists, tables, code and emphasis', () => {
  const { nodes, isCut } = readMarkdown(
    '# Title\n\nOne **bold** `code`\nnext\n\n- a\n- b\n\n3. c\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a\n```\n\n> quote\n\n---',
  )

  const kinds = flatten(nodes).map((node) => (node.kind === 'element' ? node.tag : node.kind))
  expect(isCut).toBe(false)
  expect(kinds).toEqual(
    expect.arrayContaining([
      'h1',
      'strong',
      'code',
      'break',
      'ul',
      'li',
      'ol',
      'table',
      'th',
      'td',
    ]),
  )
  expect(kinds).toEqual(expect.arrayContaining(['fence', 'blockquote', 'rule']))
  expect(flatten(nodes)).toContainEqual(expect.objectContaining({ tag: 'ol', start: 3 }))
})

test('formulas are read in four spellings; amounts of money, code and what never ends stay text', () => {
  const read = (text: string) =>
    flatten(readMarkdown(text).nodes).flatMap((node) =>
      node.kind === 'formula' ? [`${node.isBlock ? 'block' : 'line'} ${node.text}`] : [],
    )

  expect(read('So $x^2$ and \\(y_1\\), then\n$$\na + b\n$$\n\n\\[c\\]')).toEqual([
    'line x^2',
    'line y_1',
    'block a + b',
    'block c',
  ])
  for (const text of [
    'It costs $5 and $10.',
    '`$x$`',
    'from $HOME to $PATH',
    '$HOME/$USER',
    '$$ never',
    '$ $',
  ]) {
    expect(read(text)).toEqual([])
  }
  expect(textIn(readMarkdown('It costs $5 and $10.').nodes)).toBe('It costs $5 and $10.')
})

test('a formula becomes MathML without addresses and scripts; one that is wrong or endless does not', () => {
  const html = (tex: string) => renderToStaticMarkup(typeset(tex, true))

  expect(html('\\frac{a}{b} + \\sqrt{x}')).toMatch(/^<math display="block".*<mfrac><mi>a<\/mi>/)
  expect(html('\\text{<script>alert(1)</script>}')).not.toContain('<script')
  const hostile = [
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://a.example}',
    '\\class{a" onload="1}{x}',
  ]
  for (const tex of hostile) expect(html(tex)).not.toMatch(/href|onload|https/)
  expect(typeset('\\frac{a', true)).toBeUndefined()
  expect(typeset('\\def\\a{\\a\\a}\\a', true)).toBeUndefined()
})

test('only http, https and mailto can be followed; other addresses are shown', () => {
  const { nodes } = readMarkdown(
    '[a](https://example.com/x) [b](mailto:a@example.com) [c](ftp://example.com) [d](/relative) <custom:x>',
  )

  const urls = flatten(nodes).flatMap((node) => ('url' in node ? [`${node.kind} ${node.url}`] : []))
  expect(urls).toEqual([
    'link https://example.com/x',
    'link mailto:a@example.com',
    'address ftp://example.com',
    'address /relative',
    'address custom:x',
  ])
})

test('an image is an address, and a name of a host that looks like another is spelled out', () => {
  const { nodes } = readMarkdown(
    '![a *cat*](https://example.com/c.png) [bank](https://bаnk.example)',
  )

  expect(flatten(nodes)).toContainEqual({
    kind: 'image',
    url: 'https://example.com/c.png',
    alt: 'a *cat*',
  })
  expect(flatten(nodes)).toContainEqual(
    expect.objectContaining({ kind: 'link', url: 'https://xn--bnk-6cd.example' }),
  )
})

describe('hostile text', () => {
  test.each(hostileMarkdown)('leads nowhere but to http, https and mailto: %s', (text) => {
    const all = flatten(readMarkdown(text).nodes)

    for (const node of all) {
      if (node.kind === 'link') expect(node.url).toMatch(/^(?:https?|mailto):/i)
    }
  })

  test('HTML stays text', () => {
    const html = '<script>alert(1)</script> <b onclick="x()">bold</b>'

    expect(textIn(readMarkdown(html).nodes)).toBe(html)
  })

  test.each([
    ['brackets', '['],
    ['links', '[a]('],
    ['stars', '*a_ '],
    ['quotes', '>'],
    ['images', '!['],
    ['marks', '*_'],
    ['words', '_a'],
    ['tildes', '~a~~'],
    ['angles', '<a '],
    ['backticks', '`a'],
    ['dots', 'a.'],
    ['references', '[a]: b\n'],
    ['rows', '| a | b |\n|---|---|\n'],
    ['items', '- '],
  ])('a flood of %s is read within bounds', (_, part) => {
    const { nodes } = readMarkdown(part.repeat(Math.ceil(200_000 / part.length)))

    expect(flatten(nodes).length).toBeLessThanOrEqual(20_000)
  })

  test('says that a very long text was cut', () => {
    expect(readMarkdown('word '.repeat(30_000)).isCut).toBe(true)
    expect(readMarkdown('*a* '.repeat(20_000)).isCut).toBe(true)
  })
})

test.each([
  ['# Title', true],
  ['see [this](https://example.com)', true],
  ['- one\n- two', true],
  ['use `name`', true],
  ['a | b\n--- | ---\n1 | 2', true],
  ['Echo: hello there', false],
  ['- one dash', false],
  ['2 * 3 * 4 = 24, snake_case_name', false],
  ['$ rm -rf # comment', false],
])('%j looks like Markdown: %s', (text, expected) => {
  expect(looksLikeMarkdown(text)).toBe(expected)
})
