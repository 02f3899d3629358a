import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import type { ServerEntry } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { certificate, privateKey } from '../../../../test-support/certificate.ts'
import { serveEverything } from '../service/everything.ts'
import { nextLine, openPage, type PageClient } from '../service/page-client.ts'

const changing = {
  command: execPath,
  args: [fileURLToPath(new URL('fixtures/changing-server.mjs', import.meta.url))],
}

async function open(entry: ServerEntry): Promise<PageClient> {
  const page = await openPage({ servers: [{ name: 'one', entry }] })
  onTestFinished(() => page[Symbol.asyncDispose]())
  return page
}

async function openEverything(): Promise<PageClient> {
  const everything = await serveEverything()
  onTestFinished(() => everything[Symbol.asyncDispose]())
  const page = await open(everything.entry)
  await page.ask('servers/connect', { name: 'one' })
  return page
}

function call(page: PageClient, name: string, args: { [name: string]: unknown } = {}) {
  return page.ask('runs/start', {
    server: 'one',
    run: crypto.randomUUID(),
    method: 'tools/call',
    params: { name, arguments: args },
  })
}

const answered = new Set<string>()

async function answerNext(page: PageClient, answer: { action: 'decline' } | { action: 'model' }) {
  const isNew = ({ id, state }: { id: string; state: string }) =>
    state === 'open' && !answered.has(id)
  const { questions } = await page.next('questions/changed', (data) => data.questions.some(isNew))
  const { id = '' } = questions.find(isNew) ?? {}
  answered.add(id) // a page keeps what it was told, also that this one was open
  await page.ask('questions/answer', { id, answer })
}

/** What it is asked, by a server that answers as it is told. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

test('pings at the interval of the settings, and tells when none is answered [OBS-09]', async () => {
  const page = await open(changing)
  await page.ask('servers/connect', { name: 'one' })

  await page.ask('servers/settings', { name: 'one', settings: { pingEveryMs: 100 } })
  await page.next('trace/records', ({ records }) => /"ping"/.test(JSON.stringify(records)))
  const silenced = call(page, 'silence')
  const { servers } = await page.next('servers/changed', (data) =>
    data.servers.some(({ problem }) => problem?.code === 'ping_lost'),
  )
  const line = await nextLine(page, 'inspector')

  expect(servers[0]?.problem?.message).toContain('no answer to a ping')
  expect(line).toMatchObject({ server: 'one', level: 'warning' })
  await page.ask('servers/disconnect', { name: 'one' })
  await silenced
})

test('a time that was set can be taken back [OBS-03]', async () => {
  const page = await openEverything()
  const slow = { duration: 1, steps: 1 }

  await page.ask('servers/settings', { name: 'one', settings: { requestTimeoutMs: 50 } })
  const limited = await call(page, 'trigger-long-running-operation', slow)
  const view = await page.ask('servers/settings', {
    name: 'one',
    settings: { requestTimeoutMs: 0 },
  })
  const unlimited = await call(page, 'trigger-long-running-operation', slow)

  expect(limited.error?.code).toBe('timeout')
  expect(view.settings).not.toHaveProperty('requestTimeoutMs')
  expect(unlimited.error).toBeUndefined()
})

test('the trace tells of each call when, where, what, with what and how it ended, and who decided what [OBS-04, OBS-05, TOOL-28]', async () => {
  const page = await openEverything()
  await page.ask('servers/settings', { name: 'one', settings: { roots: [tmpdir()] } })
  await page.ask('servers/restart', { name: 'one' })
  await page.ask('rules/save', {
    rules: [{ id: 'no', kind: 'elicitation', answer: { action: 'decline' }, enabled: true }],
  })

  const { seq = 0, durationMs } = await call(page, 'echo', { message: 'audited' })
  await call(page, 'trigger-elicitation-request')
  await call(page, 'get-roots-list')
  const sampling = call(page, 'trigger-sampling-request', { prompt: 'Why?' })
  await answerNext(page, { action: 'decline' })
  await sampling
  await page.ask('runs/start', {
    server: 'one',
    run: 'read',
    method: 'resources/read',
    params: { uri: 'demo://resource/dynamic/text/1' },
  })
  const { records } = await page.ask('trace/page', { after: 0, limit: 5000 })

  const request = records.find((record) => record.seq === seq)
  const answer = records.find(({ kind, parent }) => kind === 'message' && parent === seq)
  expect(request).toMatchObject({
    connection: 'one',
    message: { params: { name: 'echo', arguments: { message: 'audited' } } },
  })
  expect(answer).toMatchObject({ direction: 'in', message: { result: expect.anything() } })
  expect((answer?.time ?? 0) - (request?.time ?? 0)).toBeGreaterThan(0)
  expect(durationMs).toBeGreaterThan(0)
  const decisions = records.filter(({ kind }) => kind === 'decision').map(({ text }) => text)
  expect(decisions).toEqual([
    'elicitation: decline, by rule no',
    'roots: accept, by the settings',
    'sampling: decline, by the user',
  ])
  expect(JSON.stringify(records)).toContain('"method":"resources/read"')
})

test('a model gets what the server sent for it, its limit too, and nothing of anything else [SUI-08, SUI-09, ARCH-05, N07-SAMP-02, N07-SAMP-03]', async () => {
  const asked: { messages: unknown[]; max_tokens?: number }[] = []
  const host = await listen(
    createServer(async (request, response) => {
      let text = ''
      for await (const part of request) text += String(part)
      asked.push(JSON.parse(text))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { content: 'So.' } }] }))
    }),
  )
  const page = await openEverything()
  await page.ask('model/save', { url: `http://${host}/v1`, model: 'm' })
  await call(page, 'echo', { message: 'said before' })

  const sampling = call(page, 'trigger-sampling-request', { prompt: 'Why?', maxTokens: 33 })
  await answerNext(page, { action: 'model' })
  const { result } = await sampling
  const again = call(page, 'trigger-sampling-request', { prompt: 'And?', maxTokens: 34 })
  await answerNext(page, { action: 'model' })
  await again

  expect(JSON.stringify(result)).toContain('So.')
  expect(asked.map(({ max_tokens }) => max_tokens)).toEqual([33, 34])
  expect(asked[0]?.messages.filter((one) => JSON.stringify(one).includes('Why?'))).toHaveLength(1)
  expect(JSON.stringify(asked[1])).toContain('And?')
  expect(JSON.stringify(asked[1])).not.toMatch(/Why|So\./)
  expect(JSON.stringify(asked)).not.toContain('said before')
})

test('headers of a server are sent to it, and shown to nobody [AUI-05, INSP-11, TRUST-17]', async () => {
  const seen: (string | string[] | undefined)[] = []
  const host = await listen(
    createServer((request, response) => {
      seen.push(request.headers['x-api-key'])
      response.statusCode = 404
      response.end()
    }),
  )
  await using page = await openPage({})

  await page.ask('servers/add', {
    name: 'keyed',
    entry: { url: `http://${host}/mcp`, headers: { 'x-api-key': 'a-key-of-mine' } },
  })
  await expect(page.ask('servers/connect', { name: 'keyed' })).rejects.toThrow()

  expect(seen).toContain('a-key-of-mine')
  const shown = [await page.ask('trace/page', { after: 0, limit: 1000 }), page.events]
  expect(JSON.stringify(shown)).not.toContain('a-key-of-mine')
})

test('a certificate that nobody vouches for is refused, and it is said why [AUI-07]', async () => {
  const host = await listen(
    createTlsServer({ cert: certificate, key: privateKey }, (_, response) => response.end()),
  )
  const page = await open({ url: `https://${host}/mcp` })

  await expect(page.ask('servers/connect', { name: 'one' })).rejects.toThrow()

  const { servers } = await page.ask('state/get', {})
  expect(servers[0]?.state).toBe('failed')
  expect(JSON.stringify(servers[0]?.problem)).toMatch(/certificate/i)
})

test('names of tools may be anything: it is shown and called as the server wrote it [TUI-17]', async () => {
  const page = await open(changing)
  await page.ask('servers/connect', { name: 'one' })

  const { items } = await page.ask('lists/all', { server: 'one', kind: 'tools' })
  const outcome = await call(page, 'Größe/messen v1.2', { note: 'x' })

  expect(items.map(({ name }) => name)).toContain('Größe/messen v1.2')
  expect(JSON.stringify(outcome.result)).toContain('done')
})

test('what is read from one server goes to no other [RUI-11, TRUST-05]', async () => {
  await using everything = await serveEverything()
  await using page = await openPage({
    servers: [
      { name: 'one', entry: changing, connect: true },
      { name: 'other', entry: everything.entry, connect: true },
    ],
  })
  await page.ask('servers/connect', { name: 'one' })
  await page.ask('servers/connect', { name: 'other' })

  const { result } = await page.ask('runs/start', {
    server: 'one',
    run: 'read',
    method: 'resources/read',
    params: { uri: 'note://listed' },
  })
  await page.ask('ping', { server: 'other' })
  const { records } = await page.ask('trace/page', { after: 0, limit: 5000 })

  expect(JSON.stringify(result)).toContain('text of note://listed')
  const told = records.filter(({ connection }) => connection === 'other')
  expect(told.length).toBeGreaterThan(0)
  expect(JSON.stringify(told)).not.toContain('note://listed')
})

test('roots that are gone or no folders are found [ROOTUI-03, ROOT-17]', async () => {
  await using page = await openPage({})
  const file = fileURLToPath(import.meta.url)

  const found = await page.ask('roots/check', {
    roots: [tmpdir(), 'file:///no-such-folder-anywhere', file, 'https://example.com'],
  })

  expect(found).toEqual([
    { root: 'file:///no-such-folder-anywhere', why: 'does not exist' },
    { root: file, why: 'is not a folder' },
    { root: 'https://example.com', why: expect.any(String) },
  ])
})
