import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { flowMarkdown } from '../src/page/flow-markdown.ts'
import { pruneHtml } from '../src/page/prune-html.ts'
import { simplifyHtml } from '../src/page/simplify.ts'
import { article } from './support.ts'

const generous = { maxNodes: 1_000, maxLength: 100_000, maxDepth: 50 }

describe('what is nothing to read is left out before a tree is made', () => {
  test.each([
    ['<p>a<script>b()</script>c</p>', '<p>ac</p>'],
    ['<style>p{}</style><p>a</p>', '<p>a</p>'],
    ['<p>a<!-- b -->c</p>', '<p>ac</p>'],
    ['<svg><title>x</title><path d="1"/></svg><p>a</p>', '<p>a</p>'],
    ['<p onclick="x()" data-y="1" class="z">a</p>', '<p class="z">a</p>'],
    ['<img src="data:image/png;base64,AAAA" alt="a">', '<img alt="a">'],
    ['<a href="/?a=1&amp;b=&quot;">x</a>', '<a href="/?a=1&amp;b=&quot;">x</a>'],
    ['<p>1 &lt; 2 &amp; 3</p>', '<p>1 &lt; 2 &amp; 3</p>'],
    ['<p>a<br>b</p>', '<p>a<br>b</p>'],
    ['a</x></script>b', 'ab'],
  ])('%s', (html, body) => {
    expect(pruneHtml(html, generous)).toBe(
      `<!doctype html><html><head></head><body>${body}</body></html>`,
    )
  })

  test.each([
    ['too many elements', '<i>x</i>'.repeat(600)],
    ['too much text', 'x'.repeat(100_001)],
    ['too deeply nested', '<div>'.repeat(60)],
    ['too deeply nested, and closed again', '<div>'.repeat(60) + '</div>'.repeat(60)],
  ])('no tree is made of what is %s', (_, html) => {
    expect(pruneHtml(html, generous)).toBeUndefined()
  })
})

describe('a page too large for a tree is written as it is read', () => {
  test.each([
    ['<h1>One</h1><h3>Three</h3>', '# One\n\n### Three'],
    ['<p>One\n  two</p><p>Three</p>', 'One two\n\nThree'],
    ['<p>a <b>bold</b> and <em>other</em> word</p>', 'a **bold** and _other_ word'],
    ['<a href="/x">link</a>', '[link](/x)'],
    ['<a href="javascript:x()">no link</a>', 'no link'],
    ['<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>', '- a\n- b\n  - c'],
    ['<ol><li>a<li>b</ol>', '1. a\n2. b'],
    ['<pre><code>a  b\n  c</code></pre>', '```\na  b\n  c\n```'],
    ['<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>', 'a | b | \nc |'],
    ['<blockquote>said</blockquote>', '> said'],
    ['one<br>two', 'one\ntwo'],
    ['<img src="/a.png" alt="pic">', '![pic](/a.png)'],
    ['<img src="data:x" alt="pic">', 'pic'],
    ['<nav>menu</nav><p>text</p><footer>end</footer>', 'text'],
    ['<p>a</p><script>x</script><style>y</style>', 'a'],
    ['<div hidden>secret orders</div><p>a</p>', 'a'],
    ['<div style="display: none">secret orders</div><p>a</p>', 'a'],
    ['<span aria-hidden="true">secret <b>orders</b></span>a', 'a'],
    ['<p>1 &lt; 2</p>', '1 < 2'],
    ['', ''],
  ])('%s', (html, markdown) => {
    expect(flowMarkdown(html).markdown).toBe(markdown)
  })

  test('keeps the title apart', () => {
    expect(flowMarkdown('<title>T</title><p>a</p>')).toEqual({ title: 'T', markdown: 'a' })
  })

  test('says where it stops', () => {
    const { markdown } = flowMarkdown('<div>x'.repeat(100_000))

    expect(markdown).toMatch(/^x\n/)
    expect(markdown).toMatch(/\[The rest of the page is nested too deeply to be read\.\]$/)
  })

  test('never throws, whatever a host sends', () => {
    const piece = fc.constantFrom(
      '<div',
      '<p>',
      '</p>',
      '<li>',
      '</ul>',
      '<!--',
      '>',
      '"',
      '<a href=',
      '&',
      'x ',
      '<script>',
      '<title>',
      '<pre>',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(typeof flowMarkdown(pieces.join('')).markdown).toBe('string')
        simplifyHtml(pieces.join(''))
      }),
    )
  })
})

test('finds the main content of what is not too large', () => {
  const page = simplifyHtml(article('<h2>Here</h2>'))

  expect(page).toMatchObject({ title: 'A title', extent: 'main' })
  expect(page?.markdown).toContain('## Here')
  expect(page?.markdown).not.toContain('Imprint')
})

test.each([
  ['spaces in what is written as it is', '<pre>before', ' ', 'after</pre>'],
  ['lines', '<pre>before', ' \n', 'after</pre>'],
  ['spaces that keep their place', '<p>before', '&nbsp;', 'after</p>'],
  ['the same as a character', '<p>before', '\u00a0', 'after</p>'],
])('a page full of %s is read', (_, start, blank, end) => {
  const page = simplifyHtml(article(start + blank.repeat(900_000 / blank.length) + end))

  expect(page?.extent).toBe('main')
  expect(page?.markdown).toMatch(/before\s+after/)
})

test('takes all of what is too large', () => {
  const page = simplifyHtml(article('<p>again</p>'.repeat(20_000)))

  expect(page).toMatchObject({ title: 'A title', extent: 'all' })
  expect(page?.markdown.match(/again/g)).toHaveLength(20_000)
})
