import { describe, expect, test } from 'vitest'

import { scriptedLookup } from '../../../test-support/scripted-lookup.ts'
import { textOf } from '../../../test-support/text-of.ts'
import { openClient, openHost } from './support.ts'

/** What a model was talked into fetching from the reference server (servers#4492, #4838). */
describe('a request inside is refused, and says how it could be allowed', () => {
  test.each([
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/iam/'],
    ['a database of this machine', 'http://localhost:6379/'],
    ['a decimal address', 'http://2130706433/'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]/'],
    ['a router', 'http://192.168.0.1/admin'],
  ])('%s', async (_, url) => {
    await using client = await openClient({})

    const result = await client.callTool('fetch', { url })

    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/^Failed to fetch http/)
    expect(textOf(result)).toContain('is not an address of the public internet')
    expect(textOf(result)).toContain('--allow-private-ips')
  })

  test('by the prompt too', async () => {
    await using client = await openClient({})

    const { messages } = await client.getPrompt('fetch', { url: 'http://127.0.0.1/' })

    expect(JSON.stringify(messages)).toContain('is not an address of the public internet')
  })

  test('a name that leads inside, before robots.txt is asked', async () => {
    await using host = await openHost({ '/': { body: 'secret' } })
    const { port } = new URL(host.origin)
    const { lookup } = scriptedLookup({ 'inside.test': [['127.0.0.1']] })
    await using client = await openClient({ guard: { lookup } })

    const result = await client.callTool('fetch', { url: `http://inside.test:${port}/` })

    expect(textOf(result)).toContain('inside.test leads to 127.0.0.1')
    expect(host.connections()).toBe(0)
  })

  test.each([
    ['the page', '/', 'http://10.0.0.1/'],
    ['the page, to a file', '/', 'file:///etc/passwd'],
    ['robots.txt', '/robots.txt', 'http://10.0.0.1/'],
  ])('a redirect of %s', async (_, path, location) => {
    const { lookup } = scriptedLookup({ 'front.test': [['127.0.0.1']] })
    await using host = await openHost({
      '/': { body: 'hi' },
      '/robots.txt': { status: 404 },
      [path]: { status: 302, headers: { location } },
    })
    const { port } = new URL(host.origin)
    await using client = await openClient({ guard: { lookup, allowPrivate: ['front.test'] } })

    const result = await client.callTool('fetch', { url: `http://front.test:${port}/` })

    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(`at ${location}, `)
  })
})

test.each([
  ['a host that is not allowed', { allowHosts: ['example.com'] }, '--allow-host'],
  ['a host that is denied', { denyHosts: ['127.0.0.1'] }, '--deny-host'],
  ['a page that is too long', { maxBytes: 10 }, '--max-bytes'],
])('names the flag for %s', async (_, guard, flag) => {
  await using host = await openHost({ '/': { body: 'x'.repeat(100) } })
  await using client = await openClient({ guard: { allowPrivate: true, ...guard } })

  const result = await client.callTool('fetch', { url: host.origin })

  expect(textOf(result)).toContain(flag)
})

test('an answer that never comes ends with the time for it', async () => {
  const { openLoggedServer } = await import('../../../test-support/http-log.ts')
  await using host = await openLoggedServer(() => undefined)
  const guard = { allowPrivate: true, timeoutMs: 50 }
  await using client = await openClient({ guard, ignoreRobots: true })

  const result = await client.callTool('fetch', { url: host.origin })

  expect(textOf(result)).toContain(
    'it takes longer than 50 ms. Start the server with a longer --timeout',
  )
})

describe('a user name and password in the URL', () => {
  const url = 'http://user:hunter2@127.0.0.1:1/'

  test('are not repeated by the tool, however often it is asked', async () => {
    await using client = await openClient()

    for (let time = 0; time < 25; time += 1) {
      const result = await client.callTool('fetch', { url })
      expect(textOf(result)).toBe(
        'Failed to fetch http://127.0.0.1:1/: it contains a user name or password. Leave user name and password out of the URL.',
      )
    }
  })

  test('are not repeated by the prompt', async () => {
    await using client = await openClient()

    const result = await client.getPrompt('fetch', { url })

    expect(result.description).toBe('Failed to fetch http://127.0.0.1:1/')
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })
})
