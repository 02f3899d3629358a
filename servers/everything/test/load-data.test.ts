import { createServer, type RequestListener } from 'node:http'

import { expect, test } from 'vitest'

import { limitsFromEnvironment, loadData, type LoadLimits } from '../src/load-data.ts'

const limits: LoadLimits = { maxBytes: 100, timeoutMs: 5_000, allowedDomains: ['localhost'] }
const { signal } = new AbortController()

/** A host of this machine. */
async function openHost(listener: RequestListener) {
  const host = createServer(listener)
  await new Promise<void>((resolve) => host.listen(0, 'localhost', resolve))
  const address = host.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      host.closeAllConnections()
      await new Promise((resolve) => host.close(resolve))
    },
  }
}

test('reads a data URL without being allowed any host', async () => {
  const bytes = await loadData(
    'data:text/plain;base64,aGk=',
    { ...limits, allowedDomains: [] },
    signal,
  )

  expect(Buffer.from(bytes).toString()).toBe('hi')
})

test('reads from a host that is allowed by name', async () => {
  await using host = await openHost((_, response) => response.end('hello'))

  const bytes = await loadData(host.url, limits, signal)

  expect(Buffer.from(bytes).toString()).toBe('hello')
})

test.each([
  ['http://evil-localhost/', 'evil-localhost'],
  ['http://localhost.example.com/', 'localhost.example.com'],
  ['http://127.0.0.1/', '127.0.0.1'],
  ['http://localhost@example.com/', 'example.com'],
])('refuses %s, which only looks like it', async (url, hostname) => {
  await expect(loadData(url, limits, signal)).rejects.toThrow(`Domain ${hostname} is not`)
})

test.each(['http://127.0.0.1:1/', 'http://169.254.169.254/latest', 'http://[::ffff:10.0.0.1]/'])(
  'without a list it asks the internet, which %s is not',
  async (url) => {
    const anywhere = { ...limits, allowedDomains: [] }

    await expect(loadData(url, anywhere, signal)).rejects.toMatchObject({ rule: 'allowPrivate' })
  },
)

test('does not follow a redirect to another place', async () => {
  await using host = await openHost((_, response) =>
    response.writeHead(302, { location: 'http://example.com/' }).end(),
  )

  await expect(loadData(host.url, limits, signal)).rejects.toThrow()
})

test('refuses a page that failed', async () => {
  await using host = await openHost((_, response) => response.writeHead(404).end('not here'))

  await expect(loadData(host.url, limits, signal)).rejects.toThrow('status 404')
})

test.each([
  ['says so', { 'content-length': '200' }],
  ['does not say so', {}],
])('refuses what is too large and %s', async (_, headers) => {
  await using host = await openHost((_request, response) => {
    response.writeHead(200, headers)
    response.write('x'.repeat(150))
    response.end('x'.repeat(50))
  })

  await expect(loadData(host.url, limits, signal)).rejects.toThrow(
    /more than the limit of 100|longer than 100/,
  )
})

test('gives up on a host that does not answer', async () => {
  await using host = await openHost(() => undefined)

  await expect(loadData(host.url, { ...limits, timeoutMs: 20 }, signal)).rejects.toThrow(
    'longer than 20 ms',
  )
})

test('has limits when the environment sets none', () => {
  expect(limitsFromEnvironment()).toEqual({
    maxBytes: 10 * 1024 * 1024,
    timeoutMs: 30_000,
    allowedDomains: [],
  })
})
