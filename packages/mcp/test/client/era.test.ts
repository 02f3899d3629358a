import type { McpError } from '@parley/mcp'
import type { ConnectOptions } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { createRevisionCache } from '../../src/client/connection/revision-cache.ts'
import { metaKeys } from '../../src/wire/request-meta.ts'
import {
  openStandalone,
  standalone,
  type RawStandaloneOptions,
  type RawStandaloneServer,
} from '../support/raw-modern-server.ts'

describe('a server whose era is unknown', () => {
  test('is asked first by server/discover, in the newest revision without handshake [N07-COMP-01]', async () => {
    const server = openStandalone()
    const client = await server.discovered()

    const [first] = server.received
    expect(first).toMatchObject({ method: 'server/discover' })
    expect(first?.params).toMatchObject({ _meta: { [metaKeys.version]: standalone } })
    expect(server.received).toHaveLength(1)
    expect(client.negotiated).toMatchObject({ revision: standalone, transport: 'memory' })
    expect(client.server.info).toEqual({ name: 'raw-server', version: '1.0.0' })
    await client.close()
  })

  test('need not say who it is, and the rest is known all the same [N07-DISC-01] [N07-STATE-08]', async () => {
    const server = openStandalone()
    const client = await server.discovered({ _meta: {}, instructions: 'Be brief.' })

    expect(client.server.info).toBeUndefined()
    expect(client.server.instructions).toBe('Be brief.')
    expect(client.server.capabilities.tools).toEqual({ listChanged: true })
    await client.close()
  })

  test('is spoken to in the newest mutual revision without handshake, whatever else it lists [N07-DISC-05]', async () => {
    const server = openStandalone()
    const client = await server.discovered({ supportedVersions: ['2025-11-25', standalone] })

    expect(client.negotiated.revision).toBe(standalone)
    await client.close()
  })

  test('is greeted if only revisions with handshake are mutual [N07-DISC-05] [N07-T-02]', async () => {
    const server = openStandalone()
    const supportedVersions = ['2027-01-01', '2025-06-18']
    await server.answer('server/discover', { supportedVersions, capabilities: {} })
    const hello = await server.expect('initialize')
    server.send({ jsonrpc: '2.0', id: hello.id, result: welcomeOf('2025-06-18') })
    const client = await server.client

    expect(hello.params).toMatchObject({ protocolVersion: '2025-06-18' })
    expect(client.negotiated.revision).toBe('2025-06-18')
    await client.close()
  })

  test('that speaks nothing we do is told apart from one that does not answer [N07-VER-02]', async () => {
    const server = openStandalone()
    await server.answer('server/discover', { supportedVersions: ['2027-01-01'], capabilities: {} })

    await expect(server.client).rejects.toMatchObject({
      code: 'no_common_version',
      details: { theirs: ['2027-01-01'] },
    })
  })

  test.each([
    ['-32601', { code: -32601, message: 'no such method' }],
    ['-32602', { code: -32602, message: 'bad params' }],
    ['-32000', { code: -32000, message: 'not initialized' }],
    ['-32603', { code: -32603, message: 'oops' }],
    ['-32022 without a list', { code: -32022, message: 'odd' }],
    ['-32021 without its data', { code: -32021, message: 'odd' }],
  ])('that refuses with %s is an old one [N07-COMP-02]', async (_, error) => {
    const server = openStandalone()
    await server.reject('server/discover', error)
    const client = await server.accept()

    expect(client.negotiated.revision).toBe('2025-11-25')
    await client.close()
  })

  test('that answers with something else than versions is an old one [N07-COMP-02]', async () => {
    const server = openStandalone()
    await server.answer('server/discover', { tools: [] })
    const client = await server.accept()

    expect(client.negotiated.revision).toBe('2025-11-25')
    await client.close()
  })

  test('that stays silent is an old one after five seconds, and its late answer is ignored [N07-COMP-02]', async () => {
    const clock = createVirtualClock()
    const errors: unknown[] = []
    const server = openStandalone({ clock, onError: (error) => errors.push(error) })
    const probe = await server.expect('server/discover')
    await clock.advance(4_999)
    expect(server.received).toHaveLength(1)
    await clock.advance(1)
    const client = await server.accept()
    server.send({ jsonrpc: '2.0', id: probe.id, result: { supportedVersions: [standalone] } })
    await server.quiet()

    expect(client.negotiated.revision).toBe('2025-11-25')
    expect(server.received.map(({ method }) => method)).not.toContain('notifications/cancelled')
    expect(errors).toEqual([])
    await client.close()
  })

  test('that was only slow, and knows no handshake, is discovered after all [N07-COMP-03]', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock })
    await server.expect('server/discover')
    await clock.advance(5_000)
    await server.reject('initialize', { code: -32601, message: 'no such method' })
    const client = await server.discovered()

    expect(client.negotiated.revision).toBe(standalone)
    await client.close()
  })

  test('is given all of connectMs, of which the probe is a part', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock, timeouts: { connectMs: 8_000 } })
    await server.expect('server/discover')
    await clock.advance(5_000)
    await server.expect('initialize')
    await clock.advance(3_000)

    await expect(server.client).rejects.toMatchObject({
      code: 'timeout',
      details: { limit: 'connect', ms: 8_000 },
    })
  })

  test('is greeted in time however short connectMs is [N07-COMP-02]', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock, timeouts: { connectMs: 3_000 } })
    await server.expect('server/discover')
    await clock.advance(1_500)
    const client = await server.accept()

    expect(client.negotiated.revision).toBe('2025-11-25')
    await client.close()
  })

  test('that dies of the question is started again and greeted [N07-COMP-02]', async () => {
    let again: RawStandaloneServer | undefined
    const server = openStandalone({ kind: 'stdio', onReopened: (next) => (again = next) })
    await server.expect('server/discover')
    await server.close()
    await expect.poll(() => again).toBeDefined()
    const client = await again?.accept()

    expect(client?.negotiated.revision).toBe('2025-11-25')
    expect(again?.received[0]).toMatchObject({ method: 'initialize' })
    await client?.close()
  })

  test('over a transport that cannot be opened again fails for the first reason', async () => {
    const server = openStandalone()
    await server.expect('server/discover')
    await server.close()

    await expect(server.client).rejects.toMatchObject({ code: 'connection_lost' })
  })

  test.each([
    [-32020, undefined, 'header_mismatch'],
    [-32021, { requiredCapabilities: { sampling: {} } }, 'missing_client_capability'],
  ])('that refuses with %i is new: no handshake follows [N07-T-09]', async (code, data, name) => {
    const server = openStandalone()
    await server.reject('server/discover', { code, message: 'no', data })

    await expect(server.client).rejects.toMatchObject({ code: name })
    expect(server.received.map(({ method }) => method)).toEqual(['server/discover'])
  })

  test('that refuses the version it says it speaks is asked once more [N07-VER-02]', async () => {
    const server = openStandalone()
    const data = { supported: [standalone], requested: standalone }
    await server.reject('server/discover', { code: -32022, message: 'no', data })
    const client = await server.discovered()

    expect(client.negotiated.revision).toBe(standalone)
    expect(server.received).toHaveLength(2)
    await client.close()
  })

  test('that goes on refusing the version it says it speaks is not asked for ever [N07-VER-02]', async () => {
    const server = openStandalone()
    const data = { supported: [standalone], requested: standalone }
    await server.reject('server/discover', { code: -32022, message: 'no', data })
    await server.reject('server/discover', { code: -32022, message: 'no', data })

    await expect(server.client).rejects.toMatchObject({ code: 'unsupported_version' })
    expect(server.received).toHaveLength(2)
  })

  test('that names only revisions with handshake in its refusal is greeted [N07-T-02]', async () => {
    const server = openStandalone()
    const data = { supported: ['2025-11-25'], requested: standalone }
    await server.reject('server/discover', { code: -32022, message: 'no', data })
    const client = await server.accept()

    expect(client.negotiated.revision).toBe('2025-11-25')
    await client.close()
  })
})

describe('over HTTP', () => {
  const http = (options: RawStandaloneOptions = {}): RawStandaloneServer =>
    openStandalone({ kind: 'http', ...options })

  test.each([-32601, -32000, -32602])(
    'error %i means an old server [N07-COMP-05]',
    async (code) => {
      const server = http()
      await server.reject('server/discover', { code, message: 'no' })
      const client = await server.accept()

      expect(client.negotiated.revision).toBe('2025-11-25')
      await client.close()
    },
  )

  test('silence proves nothing, and takes as long as connecting may [N07-COMP-04]', async () => {
    const clock = createVirtualClock()
    const server = http({ clock })
    await server.expect('server/discover')
    await clock.advance(30_000)

    await expect(server.client).rejects.toMatchObject({ code: 'timeout' })
    expect(server.received.map(({ method }) => method)).not.toContain('initialize')
  })

  test('a connection that breaks proves nothing', async () => {
    const server = http({ onReopened: () => undefined })
    await server.expect('server/discover')
    await server.close()

    await expect(server.client).rejects.toMatchObject({ code: 'connection_lost' })
  })

  test('the older transport of two endpoints is not probed', async () => {
    const server = openStandalone({ kind: 'sse' })
    const client = await server.accept()

    expect(server.received[0]).toMatchObject({ method: 'initialize' })
    await client.close()
  })
})

describe('what is known about a server', () => {
  test('skips the probe of an old one [N07-COMP-03] [N07-COMP-06]', async () => {
    const previous = { revision: '2025-06-18', transport: 'stdio', at: 0 } as const
    const server = openStandalone({ previous })
    const client = await server.accept()

    expect(server.received[0]).toMatchObject({ method: 'initialize' })
    await client.close()
  })

  test('may be wrong, which costs a probe', async () => {
    const previous = { revision: '2025-06-18', transport: 'stdio', at: 0 } as const
    const server = openStandalone({ previous })
    const data = { supported: [standalone] }
    await server.reject('initialize', { code: -32022, message: 'no', data })
    const client = await server.discovered()

    expect(client.negotiated.revision).toBe(standalone)
    await client.close()
  })

  test('is remembered for the same target [N07-COMP-03] [N07-COMP-06]', async () => {
    const target = { name: `test ${Math.random()}` }
    const first = openStandalone({ target })
    await first.reject('server/discover', { code: -32601, message: 'no' })
    await (await first.accept()).close()
    const second = openStandalone({ target })
    const client = await second.accept()

    expect(second.received[0]).toMatchObject({ method: 'initialize' })
    await client.close()
  })

  test.each([
    ['that is silent is an old one', false, 'initialize'],
    ['that was only slow is no old one', true, 'server/discover'],
  ])('is what one %s the next time [N07-COMP-02]', async (_, isSlow, method) => {
    const clock = createVirtualClock()
    const target = { name: `test ${Math.random()}` }
    const first = openStandalone({ clock, target })
    const { id } = await first.expect('server/discover')
    await clock.advance(5_000)
    const supported = { supportedVersions: [standalone], capabilities: {} }
    if (isSlow) first.send({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...supported } })
    const client = await first.accept()
    expect(client.negotiated.revision).toBe('2025-11-25')
    await client.close()

    const second = openStandalone({ target })
    expect(await second.expect(method)).toBe(second.received[0])
    await second.close()
    await second.client.catch(() => undefined)
  })

  test.each<RawStandaloneOptions>([
    { protocolVersion: 'legacy' },
    { protocolVersion: '2025-06-18' },
    { previous: { revision: '2025-06-18', transport: 'stdio', at: 0 } },
  ])('is not learned from what the caller wanted: %j', async (options) => {
    const target = { name: `test ${Math.random()}` }
    const first = openStandalone({ target, ...options })
    await (await first.accept({ protocolVersion: '2025-06-18' })).close()
    const second = openStandalone({ target })

    expect(await second.expect('server/discover')).toBeDefined()
    await second.close()
  })

  test('lets a new one take as long as connecting may', async () => {
    const clock = createVirtualClock()
    const previous = { revision: standalone, transport: 'stdio', at: 0 } as const
    const server = openStandalone({ previous, clock })
    await clock.advance(29_000)
    const client = await server.discovered()

    expect(client.negotiated.revision).toBe(standalone)
    await client.close()
  })

  test('is forgotten after an hour', () => {
    let now = 0
    const memory = createRevisionCache(() => now)
    memory.remember('a', '2025-06-18')

    now = 3_599_999
    expect(memory.recall('a')).toBe('2025-06-18')
    now = 3_600_000
    expect(memory.recall('a')).toBeUndefined()
  })

  test('does not grow without end', () => {
    const memory = createRevisionCache()
    for (let index = 0; index <= 1_000; index += 1) memory.remember(`${index}`, '2025-06-18')

    expect(memory.recall('0')).toBeUndefined()
    expect(memory.recall('1')).toBe('2025-06-18')
  })
})

describe('era', () => {
  test.each<[ConnectOptions['protocolVersion'], string]>([
    ['auto', 'server/discover'],
    ['modern', 'server/discover'],
    ['2026-07-28', 'server/discover'],
    ['legacy', 'initialize'],
    ['2025-06-18', 'initialize'],
  ])('%s begins with %s', async (protocolVersion, method) => {
    const server = openStandalone({ protocolVersion })

    expect(await server.expect(method)).toMatchObject({ method })
    await server.close()
  })

  test('modern fails cleanly with an old server', async () => {
    const server = openStandalone({ protocolVersion: 'modern' })
    await server.reject('server/discover', { code: -32601, message: 'no' })

    const error = await server.client.catch((reason: McpError) => reason)
    expect(error).toMatchObject({ code: 'no_common_version' })
    expect(server.received.map(({ method }) => method)).toEqual(['server/discover'])
  })

  test('modern does not take silence for an old server', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ protocolVersion: 'modern', clock })
    await clock.advance(20_000)
    const client = await server.discovered()

    expect(client.negotiated.revision).toBe(standalone)
    await client.close()
  })
})

test('an answer to server/discover that lists versions and breaks the rest is reported, not guessed at', async () => {
  const server = openStandalone()
  await server.answer('server/discover', { supportedVersions: [standalone], capabilities: 7 })

  await expect(server.client).rejects.toMatchObject({ code: 'invalid_message' })
})

test('connecting can be given up while the server is being probed', async () => {
  const controller = new AbortController()
  const server = openStandalone({ signal: controller.signal })
  await server.expect('server/discover')
  controller.abort(new Error('enough'))

  await expect(server.client).rejects.toThrow('enough')
})

function welcomeOf(protocolVersion: string): object {
  return { protocolVersion, capabilities: {}, serverInfo: { name: 'old', version: '1' } }
}
