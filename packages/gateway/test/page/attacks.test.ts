import { request } from 'node:http'

import { expect, test } from 'vitest'
import WebSocket from 'ws'

import { enter, openClient, startPage, type RunningPage } from './running-page.ts'

const plain = 'servers:\n  notes: { url: UPSTREAM }\n'

/** With a Host or Origin that `fetch` would not send. */
function post(
  { page }: RunningPage,
  path: string,
  headers: { readonly [name: string]: string },
  body = '{}',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: page.port, path, method: 'POST', headers },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function upgrade(
  { page }: RunningPage,
  protocols: readonly string[],
  headers: { readonly [name: string]: string },
): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${page.port}/api/channel`, [...protocols], {
      headers,
    })
    socket.once('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.once('error', (error) => resolve(error.message))
  })
}

test('a name that was rebound to loopback reaches nothing [TRUST-06]', async () => {
  await using running = await startPage(plain)
  const { headers } = await enter(running.page.createEntryUrl())

  const rebound = { ...headers, host: `evil.example:${running.page.port}` }

  expect(await post(running, '/api/ticket', rebound)).toBe(403)
  expect(await post(running, '/api/ticket', { ...headers, host: '0.0.0.0' })).toBe(403)
})

test('pages of other origins are refused, also with the cookie', async () => {
  await using running = await startPage(plain)
  const { headers } = await enter(running.page.createEntryUrl())

  for (const origin of [
    'https://evil.example',
    'null',
    `http://localhost:${running.page.port + 1}`,
  ]) {
    expect(await post(running, '/api/ticket', { ...headers, origin })).toBe(403)
  }
})

test('without a secret there is no cookie, and without a cookie nothing', async () => {
  await using running = await startPage(plain)
  const { origin } = running.page.url
  const json = { 'content-type': 'application/json', origin, 'x-parley': '1' }

  expect(await post(running, '/api/ticket', json)).toBe(401)
  expect(await post(running, '/api/enter', json, '{"secret":"guess"}')).toBe(401)
  const link = running.page.createEntryUrl()
  await enter(link)
  await expect(enter(link)).rejects.toThrow('401')
})

test('a form of another site can do nothing: no key, no JSON', async () => {
  await using running = await startPage(plain)
  const { headers } = await enter(running.page.createEntryUrl())
  const { cookie = '', origin = '' } = headers

  const form = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }
  const crossSite = { ...headers, 'sec-fetch-site': 'cross-site' }

  expect(await post(running, '/api/ticket', form)).toBe(401)
  expect(await post(running, '/api/ticket', { ...headers, 'x-parley': 'guess' })).toBe(401)
  expect(await post(running, '/api/ticket', crossSite)).toBe(403)
  expect(await post(running, '/api/enter', { origin, 'content-type': 'text/plain' })).toBe(403)
})

test('a WebSocket needs a fresh ticket, the cookie and our own origin', async () => {
  await using running = await startPage(plain)
  const { headers, base } = await enter(running.page.createEntryUrl())
  const { cookie = '', origin = '' } = headers
  const ticketOf = async (): Promise<string> => {
    const response = await fetch(new URL('api/ticket', base), {
      method: 'POST',
      headers,
      body: '{}',
    })
    const { ticket } = (await response.json()) as { readonly ticket: string } // as the listener answers
    return `ticket.${ticket}`
  }
  const protocol = 'parley.gateway.1'
  const used = await ticketOf()

  expect(await upgrade(running, [protocol], { cookie, origin })).toContain('401')
  expect(await upgrade(running, [protocol, await ticketOf()], { cookie })).toContain('403')
  expect(await upgrade(running, [protocol, await ticketOf()], { origin })).toContain('401')
  expect(
    await upgrade(running, [protocol, await ticketOf()], {
      cookie,
      origin: 'https://evil.example',
    }),
  ).toContain('403')
  expect(await upgrade(running, [protocol, used], { cookie, origin })).toBe('open')
  expect(await upgrade(running, [protocol, used], { cookie, origin })).toContain('401')
})

test('no method of the page starts a command or names an address', async () => {
  await using running = await startPage(plain)
  await using page = await openClient(running)
  const evil = {
    name: 'evil',
    command: process.execPath,
    args: ['-e', ''],
    url: 'http://127.0.0.1:1/',
  }

  for (const method of ['servers/add', 'servers/connect', 'config/write', 'servers/test']) {
    await expect(page.ask(method as 'state/get', evil)).rejects.toThrow('unknown_method')
  }
  const { overview } = await page.ask('state/get', {})
  expect(overview.servers.map(({ name }) => name)).toEqual(['notes'])
})

test('it listens on loopback unless told otherwise twice', async () => {
  await expect(startPage(plain, { settings: { host: '0.0.0.0' } })).rejects.toThrow(
    '--allow-remote',
  )
})

test('every answer forbids scripts and frames from elsewhere', async () => {
  await using running = await startPage(plain)

  const { headers } = await fetch(running.page.url)

  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})
