import { describe, expect, test } from 'vitest'

import { textOf } from '../../../test-support/text-of.ts'
import { createPageCache } from '../src/page-cache.ts'
import type { Page } from '../src/page.ts'
import { pdfOf } from './pdf.ts'
import { atHome, openClient, openHost } from './support.ts'

describe('asking again', () => {
  test('a page that did not change is not sent again', async () => {
    const { openLoggedServer } = await import('../../../test-support/http-log.ts')
    let text = 'first'
    await using host = await openLoggedServer(({ path, headers }) => {
      if (path === '/robots.txt') return { status: 404 }
      const etag = `"${text}"`
      if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
      return { body: text, headers: { etag } }
    })
    await using client = await openClient()
    const fetchOnce = async () => textOf(await client.callTool('fetch', { url: host.origin }))

    const first = await fetchOnce()
    const second = await fetchOnce()
    text = 'third'
    const third = await fetchOnce()

    expect([first, second, third].map((one) => one.split('\n').at(-1))).toEqual([
      'first',
      'first',
      'third',
    ])
    expect(host.at('/').map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"first"',
      '"first"',
    ])
  })

  test('a page that must not be kept is not', async () => {
    await using host = await openHost({
      '/': { type: 'text/plain', headers: { etag: '"1"', 'cache-control': 'no-store' } },
    })
    await using client = await openClient()

    await client.callTool('fetch', { url: host.origin })
    await client.callTool('fetch', { url: host.origin })

    expect(host.at('/').map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
    ])
  })

  test('pages that are kept are bounded in number and length', () => {
    const cache = createPageCache(1_000)
    const page = (length: number): Page => ({
      url: '',
      status: 200,
      contentType: '',
      kind: 'other',
      text: 'x'.repeat(length),
      simplified: async () => undefined,
    })

    for (const key of ['a', 'b', 'c', 'd', 'e'])
      cache.keep(key, { page: page(240), validators: {} })
    cache.keep('large', { page: page(900), validators: {} })

    expect(cache.get('a')).toBeUndefined()
    expect(cache.get('e')).toBeDefined()
    expect(cache.get('large')).toBeUndefined()
    for (let index = 0; index < 150; index += 1) {
      cache.keep(String(index), { page: page(0), validators: {} })
    }
    expect(cache.get('e')).toBeUndefined()
    expect(cache.get('149')).toBeDefined()
  })
})

describe('how often a host is asked', () => {
  test('is bounded, and says when to come back', async () => {
    await using host = await openHost({ '/': { type: 'text/plain', body: 'hi' } })
    await using client = await openClient({ ...atHome, pagesPerMinute: 2 })

    const results = []
    for (let count = 0; count < 3; count += 1) {
      results.push(await client.callTool('fetch', { url: host.origin }))
    }

    expect(results.map(({ isError }) => isError ?? false)).toEqual([false, false, true])
    expect(textOf(results[2] ?? { content: [] })).toMatch(
      /was asked too often\. Try again in \d+ s\./,
    )
    expect(host.at('/')).toHaveLength(2)
  })
})

test('who asks is told to the host', async () => {
  await using host = await openHost({ '/': { body: '<p>hi</p>' } })
  await using client = await openClient()
  await using named = await openClient({ ...atHome, userAgent: 'mine/1.0' })

  await client.callTool('fetch', { url: host.origin })
  await named.callTool('fetch', { url: host.origin })
  await named.getPrompt('fetch', { url: host.origin })

  const autonomous =
    'ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)'
  expect(host.seen.map(({ path, headers }) => [path, headers['user-agent']])).toEqual([
    ['/robots.txt', autonomous],
    ['/', autonomous],
    ['/robots.txt', 'mine/1.0'],
    ['/', 'mine/1.0'],
    ['/', 'mine/1.0'],
  ])
})

test('robots.txt can be left unasked', async () => {
  await using host = await openHost({
    '/': { body: '<p>hi there</p>' },
    '/robots.txt': { body: 'User-agent: *\nDisallow: /' },
  })
  await using client = await openClient({ ...atHome, ignoreRobots: true })

  expect(textOf(await client.callTool('fetch', { url: host.origin }))).toContain('hi there')
  expect(host.paths()).toEqual(['GET /'])
})

test('a robots.txt without end is read to its beginning', async () => {
  const rules = `User-agent: *\nDisallow: /private\n${'Disallow: /x\n'.repeat(100_000)}`
  await using host = await openHost({
    '/': { body: '<p>hi there</p>' },
    '/robots.txt': { body: rules },
  })
  await using client = await openClient()

  const open = await client.callTool('fetch', { url: host.origin })
  const closed = await client.callTool('fetch', { url: `${host.origin}/private` })

  expect(textOf(open)).toContain('hi there')
  expect(closed.isError).toBe(true)
  expect(textOf(closed).length).toBeLessThan(6_000)
})

test('the text of a PDF is read', async () => {
  const pdf = pdfOf('Hello from a PDF')
  await using host = await openHost({ '/': { type: 'application/pdf', body: pdf } })
  await using client = await openClient()

  const result = await client.callTool('fetch', { url: host.origin })

  expect(textOf(result)).toBe(`Contents of ${host.origin}/:\nHello from a PDF`)
})

test('a PDF that is broken is an error that says so', async () => {
  await using host = await openHost({ '/': { type: 'application/pdf', body: 'not a PDF' } })
  await using client = await openClient()

  const result = await client.callTool('fetch', { url: host.origin })

  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('It is a PDF that cannot be read')
})
