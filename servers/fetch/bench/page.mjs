#!/usr/bin/env node
/**
 * How much memory and time a page of 5 MB takes to become markdown: `node servers/fetch/bench/page.mjs`. Each kind of
 * page is measured in a process of its own, which prints what it took above what it had before: as JSON with
 * `page.mjs KIND --json`.
 */

import { spawnSync } from 'node:child_process'
import { argv, execPath, memoryUsage, resourceUsage } from 'node:process'
import { fileURLToPath } from 'node:url'

const pageBytes = 5_000_000

/** What a page repeats until it is large enough. */
const kinds = {
  article: (index) =>
    `<h2>Section ${index}</h2><p>Paragraph ${index} with <b>bold</b> words, a <a href="/x/${index}">link</a> and ${'some more plain text, '.repeat(20)}</p>`,
  'wide letters': (index) => `<p>Absatz ${index}, für alle 字. ${'mehr Text, '.repeat(20)}</p>`,
  scripts: (index) =>
    `<script>const x${index} = "${'a'.repeat(3_000)}"</script><p>Paragraph ${index}, with <a href="/x">a link</a>.</p>`,
  'tiny elements': () => '<div><span>a</span><i>b</i></div>',
  'deep nesting': () => '<div>x',
  'nested as deeply as allowed': (index) =>
    index < 60
      ? `${'<div>word, word '.repeat(95)}${'</div>'.repeat(95)}`
      : `<!--${' '.repeat(1_000)}-->`,
  'one paragraph': () => 'Words without any element. ',
  'end tags of nothing': () => '</x>',
  'a list': () => '<li>x',
  'a table': (index) => `<tr><td>${index}</td><td>cell</td><td>another cell</td></tr>`,
  'just below the limits': (index) =>
    index < 2_350 ? `<p>Paragraph ${index} with <b>bold</b> words</p>` : '<!-- nothing to read -->',
}

const [kind, isJson] = argv.slice(2)
if (kind === undefined) {
  console.log('a page of 5 MB                  time    peak above base   markdown')
  for (const name of Object.keys(kinds)) {
    const { stdout, stderr } = spawnSync(
      execPath,
      ['--expose-gc', fileURLToPath(import.meta.url), name],
      { encoding: 'utf8' },
    )
    console.log(stdout.trimEnd() || stderr)
  }
} else await measure(kind, kinds[kind])

async function measure(name, makePart) {
  const { simplifyHtml } = await import('../dist/page/simplify.js')
  simplifyHtml('<html><body><p>Warm up.</p></body></html>')
  const bytes = Buffer.from(makePage(makePart))
  globalThis.gc?.()

  const base = memoryUsage().rss
  const start = performance.now()
  const html = new TextDecoder().decode(bytes)
  const page = simplifyHtml(html)
  const ms = Math.round(performance.now() - start)

  // The operating system keeps the highest value; what a page needs in between counts too.
  const peak = Math.max(0, resourceUsage().maxRSS * 1024 - base)
  const peakMb = peak / 1e6
  const markdown = page?.markdown.length ?? 0
  if (isJson) {
    console.log(JSON.stringify({ kind: name, bytes: pageBytes, ms, peakMb, markdown }))
    return
  }
  const columns = [`${ms} ms`.padStart(9), `${peakMb.toFixed(1)} MB`.padStart(14)]
  console.log(`${name.padEnd(28)}${columns.join('')}${String(markdown).padStart(15)}`)
}

function makePage(makePart) {
  const parts = ['<!doctype html><html><head><title>Large</title></head><body><article>']
  let length = 0
  for (let index = 0; length < pageBytes; index += 1) {
    const part = makePart(index)
    parts.push(part)
    length += part.length
  }
  return `${parts.join('')}</article></body></html>`
}
