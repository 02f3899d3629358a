import { join } from 'node:path'

import { openApiKeyFile, type ApiKeyFile, type Gateway } from '@parley/gateway'
import type { AuthInfo } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { policyCheck } from '../../src/checks/policy/policy.ts'
import { insidesOf } from '../../src/gateway/insides.ts'
import { send } from '../raw-http.ts'
import { post } from './raw-requests.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const nothing = { servers: {} }

function keyFile(): ApiKeyFile {
  return openApiKeyFile({ path: join(folderWith({}), 'keys.json') })
}

async function statusOf(gateway: Gateway, headers = {}): Promise<number> {
  return (await post(gateway, 'tools/list', {}, headers)).status
}

/** A stream of each era, read to its end; resolves when both are open. */
async function openStreams(gateway: Gateway, headers = {}) {
  const url = gateway.url as URL // over HTTP there is one
  const { headers: given } = await send(url, headers)
  const session = { 'mcp-session-id': String(given['mcp-session-id']) }
  const opened = await fetch(url, {
    headers: { ...headers, ...session, accept: 'text/event-stream' },
  })
  const legacy = opened.text()
  const { whole } = insidesOf(gateway).cores
  const before = whole.listeners.size
  const filter = { notifications: { toolsListChanged: true } }
  const modern = post(gateway, 'subscriptions/listen', filter, headers)
  await vi.waitFor(() => expect(whole.listeners.size).toBe(before + 1))
  return { legacy, modern }
}

test('a guard that a reload adds refuses the next request, and ends open streams', async () => {
  await using gateway = await startTestGateway(nothing)
  const streams = await openStreams(gateway)
  const file = keyFile()
  const { key } = await file.createKey({ name: 'ada' })
  expect(await statusOf(gateway)).toBe(200)

  gateway.reload({ ...nothing, auth: file.guard() })

  expect(await statusOf(gateway)).toBe(401)
  expect(await statusOf(gateway, { 'x-api-key': key })).toBe(200)
  expect(await streams.legacy).toContain('retry:')
  expect((await streams.modern).text).toContain('"id":1')
})

test('another file of keys lets in its own keys alone; without one, callers stay as they were', async () => {
  const [one, two] = [keyFile(), keyFile()]
  const headers = { 'x-api-key': (await one.createKey({ name: 'ada' })).key }
  const others = { 'x-api-key': (await two.createKey({ name: 'grace' })).key }
  await using gateway = await startTestGateway({ ...nothing, auth: one.guard() })
  const streams = await openStreams(gateway, headers)

  gateway.reload(nothing)
  expect(await statusOf(gateway, headers)).toBe(200)
  gateway.reload({ ...nothing, auth: two.guard() })

  expect(await statusOf(gateway, headers)).toBe(401)
  expect(await statusOf(gateway, others)).toBe(200)
  await Promise.all([streams.legacy, streams.modern])
})

test('a revoked key ends its streams and calls; those of another key of its holder go on', async () => {
  const server = createServer({ name: 'slow', version: '1.0.0' })
  const finish: (() => void)[] = []
  let aborted = 0
  server.tool('wait', {}, async (_, { signal }) => {
    signal.addEventListener('abort', () => (aborted += 1))
    await new Promise<void>((resolve) => finish.push(resolve))
    return 'finished'
  })
  await using served = await serveTest(server)
  const file = keyFile()
  const [mine, other] = [
    await file.createKey({ name: 'ada' }),
    await file.createKey({ name: 'ada' }),
  ]
  const auth = file.guard()
  await using gateway = await startTestGateway({
    servers: { slow: { url: served.url.href } },
    auth,
  })
  await gateway.started
  const headers = { 'x-api-key': mine.key }
  const streams = await openStreams(gateway, headers)
  const call = post(gateway, 'tools/call', { name: 'slow__wait' }, headers)
  await using client = await connect(gateway.url as URL, { headers: { 'x-api-key': other.key } })
  const kept = client.callTool('slow__wait')
  await vi.waitFor(() => expect(finish).toHaveLength(2))

  await file.revoke(mine.stored.id)

  expect(await call).toMatchObject({ status: 401 })
  await Promise.all([streams.legacy, streams.modern])
  await vi.waitFor(() => expect(aborted).toBe(1))
  for (const each of finish) each()
  expect(await kept).toMatchObject({ content: [{ text: 'finished' }] })
})

test('a key that another process revoked, or allows less, is noticed within a second', async () => {
  const path = join(folderWith({}), 'keys.json')
  const other = openApiKeyFile({ path })
  const { stored } = await other.createKey({ name: 'ada', scopes: ['read'] })
  vi.useFakeTimers()
  try {
    const file = openApiKeyFile({ path, now: Date.now })
    const auth = (...scopes: string[]) =>
      ({
        issuer: 'api-key',
        subject: 'ada',
        scopes: new Set(scopes),
        claims: { keyId: stored.id },
      }) as unknown as AuthInfo // what is looked at
    const asked = [auth('read'), auth('read', 'write'), undefined]
    let revoked: readonly boolean[] = []
    using _ = file.guard().watch?.((isRevoked) => (revoked = asked.map((each) => isRevoked(each))))
    vi.advanceTimersByTime(1_000)
    expect(revoked).toEqual([false, true, false])

    await other.revoke(stored.id)
    vi.advanceTimersByTime(1_000)

    expect(revoked).toEqual([true, true, false])
  } finally {
    vi.useRealTimers()
  }
})

test.each(['legacy', 'modern'] as const)(
  'nothing more is told of a resource that stricter rules forbid (%s)',
  async (protocolVersion) => {
    const server = createServer({ name: 'notes', version: '1.0.0' })
    const changed = new Map<string, () => void>()
    const uris = ['note://secret', 'note://open']
    for (const uri of uris) {
      const watch = (_: unknown, change: () => void) => {
        changed.set(uri, change)
      }
      server.resource(uri, { name: uri, watch }, () => uri)
    }
    await using notes = await serveTest(server)
    const servers = { notes: { url: notes.url.href } }
    await using gateway = await startTestGateway({ servers })
    await using client = await open(gateway, { protocolVersion })
    await using subscription = await client.listen({ resourceSubscriptions: uris })
    await vi.waitFor(() => expect(changed.size).toBe(2))
    const when = 'mcp.resource.uri == "note://secret"'

    gateway.reload({ servers, checks: [policyCheck({ rules: [{ when, decision: 'deny' }] })] })
    for (const uri of uris) changed.get(uri)?.()

    for await (const change of subscription) {
      if (!('uri' in change)) continue
      expect(change).toMatchObject({ uri: 'note://open' })
      break
    }
  },
)

test('an origin that is taken out of the file is refused at once', async () => {
  const origins = ['https://one.example', 'https://two.example']
  await using gateway = await startTestGateway({ ...nothing, origins })
  expect(await statusOf(gateway, { origin: 'https://two.example' })).toBe(200)

  gateway.reload({ ...nothing, origins: ['https://one.example'] })

  expect(await statusOf(gateway, { origin: 'https://one.example' })).toBe(200)
  expect(await statusOf(gateway, { origin: 'https://two.example' })).toBe(403)
})

test('auth cannot be taken away from a gateway that others can reach', async () => {
  const at = { ...nothing, host: '0.0.0.0', url: 'https://gw.example/mcp' }
  await expect(startTestGateway(at)).rejects.toThrow('a gateway that listens on 0.0.0.0 needs auth')
  await using gateway = await startTestGateway({ ...at, auth: keyFile().guard() })

  expect(() => gateway.reload({ ...nothing, auth: undefined })).toThrow('needs auth')

  const url = new URL(`http://127.0.0.1:${gateway.url?.port}/mcp`)
  expect(await statusOf({ ...gateway, url })).toBe(401)
})

test('a guard with paths of its own closes a gateway without a public address', async () => {
  await using gateway = await startTestGateway(nothing)
  const authenticate = () => ({ kind: 'allow' }) as const

  gateway.reload({ ...nothing, auth: { authenticate, route: async () => undefined } })

  const { status, text } = await post(gateway, 'tools/list', {})
  expect(status).toBe(503)
  expect(text).toContain('must be started again')
})
