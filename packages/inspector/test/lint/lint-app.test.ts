import type { AppPage } from '@parley/mcp/apps'
import { expect, test } from 'vitest'

import { lintApp } from '../../src/lint/lint-app.ts'

const nothing = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }

function lint(html: string, csp: Partial<AppPage['csp']> = {}) {
  const page = `<!doctype html><script>send('ui/initialize')</script>${html}`
  return lintApp({
    uri: 'ui://x/y',
    html: page,
    csp: { ...nothing, ...csp },
    rejected: [],
    permissions: {},
  })
}

test('a page that keeps to itself has no remarks', () => {
  const html = `
    <style>body { background: url(data:image/png;base64,AA) } a { fill: url(#id) }</style>
    <img src="data:image/png;base64,AA"><svg><use href="#x"/></svg>
    <!-- <script src="https://cdn.example.com/x.js"></script> -->
    <a href="https://example.com">a link is only asked for</a>
    <script>const text = '<img src="x.png">'; document.title = "https://example.com"</script>`

  expect(lint(html)).toEqual([])
})

test.each([
  ['<script src="https://cdn.example.com/x.js"></script>', 'resourceDomains'],
  ["<link rel='stylesheet' href='https://cdn.example.com/x.css'>", 'resourceDomains'],
  ['<img src=https://cdn.example.com/x.png>', 'resourceDomains'],
  ['<style>@import "https://cdn.example.com/x.css";</style>', 'resourceDomains'],
  ['<p style="background:url(\'https://cdn.example.com/x.png\')">', 'resourceDomains'],
  [
    '<script type="module">import x from "https://cdn.example.com/x.js"</script>',
    'resourceDomains',
  ],
  ['<iframe src="https://cdn.example.com/"></iframe>', 'frameDomains'],
  ['<base href="https://cdn.example.com/">', 'baseUriDomains'],
  ['<script>fetch("https://cdn.example.com/api")</script>', 'connectDomains'],
  ['<script>x.open("GET", "https://cdn.example.com/api")</script>', 'connectDomains'],
  ['<img src="//cdn.example.com/x.png">', 'resourceDomains'],
] as const)('%s is forbidden until %s allows it', (html, list) => {
  const [finding] = lint(html)

  expect(finding).toMatchObject({ level: 'error', message: expect.stringContaining('forbids') })
  expect(finding?.hint).toContain(`"https://cdn.example.com" to csp.${list}`)
  expect(lint(html, { [list]: ['https://cdn.example.com'] })).toEqual([])
  expect(lint(html, { [list]: ['https://*.example.com'] })).toEqual([])
  expect(lint(html, { [list]: ['https://*.other.com'] })[0]?.level).toBe('error')
})

test('sockets need their own scheme', () => {
  const html = '<script>new WebSocket("wss://live.example.com/x")</script>'

  expect(lint(html, { connectDomains: ['https://live.example.com'] })[0]?.hint).toContain(
    '"wss://live.example.com"',
  )
  expect(lint(html, { connectDomains: ['wss://live.example.com'] })).toEqual([])
})

test.each([
  ['<script src="./app.js"></script>', 'loads a file beside it'],
  ['<link rel="icon" href="/favicon.ico">', 'loads a file beside it'],
  ['<form action="https://example.com/x"></form>', 'A form is sent'],
])('%s cannot work in any host', (html, message) => {
  expect(lint(html)[0]).toMatchObject({ level: 'error', message: expect.stringContaining(message) })
})

test('what is declared and not named, asked for, refused or forgotten is remarked', () => {
  const found = lintApp({
    uri: 'ui://x/y',
    html: '<p>hello</p><script>localStorage.x = 1</script>',
    csp: { ...nothing, resourceDomains: ['https://unused.example.com'] },
    rejected: [{ list: 'connectDomains', domain: '*', why: 'it is not an origin' }],
    permissions: { camera: {} },
  })

  expect(found.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    'error: An origin in its policy is not allowed.',
    'info: An origin is declared that the page does not name.',
    'warning: The page never sends ui/initialize.',
    'info: The page has no <!doctype html>.',
    'info: The page asks for permissions of the browser, which hosts may refuse.',
    'info: The page names storage of the browser, which most hosts do not give to apps.',
  ])
})

test('a page of megabytes is looked at in linear time', () => {
  const hostile = ['<script '.repeat(200_000), '<!--'.repeat(200_000), 'url('.repeat(300_000)]

  for (const html of hostile) expect(lint(html).length).toBeLessThan(200)
})
