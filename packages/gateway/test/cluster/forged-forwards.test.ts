import { request } from 'node:http'

import { expect, test, vi } from 'vitest'

import { startForwardListener, type Done } from '../../src/cluster/forward-listener.ts'
import type { Forward } from '../../src/cluster/forward-messages.ts'
import { createForwardSeal } from '../../src/cluster/forward-seal.ts'
import {
  boundTo,
  forwardHeader,
  lineBoundTo,
  nameExchange,
  writeName,
  type ExchangeName,
} from '../../src/cluster/forward-wire.ts'
import { secret } from './two-processes.ts'

const seal = createForwardSeal(() => [secret])
const done: Done = { answer: { kind: 'raw', result: { content: [] } }, isParked: false }
const forward: Forward = {
  upstream: 'one',
  id: 1,
  operation: 'tools/call',
  params: { name: 'who' },
  caller: { revision: '2026-07-28', client: { capabilities: {} } },
}

async function start(run = vi.fn<(given: Forward) => Promise<Done>>(() => Promise.resolve(done))) {
  const listener = await startForwardListener({
    node: 'here',
    seal,
    host: '127.0.0.1',
    port: 0,
    aliveMs: 60_000,
    run,
    onError: () => undefined,
  })
  return { listener, run }
}

interface Posted {
  readonly status: number
  readonly text: string
}

function post(
  address: string,
  name: ExchangeName,
  body: Buffer,
  { path = '/forward', method = 'POST', header = writeName(name) } = {},
): Promise<Posted> {
  const [host, port] = address.split(':')
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method, headers: { [forwardHeader]: header } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.end(body)
  })
}

function sealed(name: ExchangeName, message: object = forward, by = seal): Buffer {
  return by.seal(JSON.stringify(message), boundTo('/forward', name))
}

test('a forward of another process is done, and its answer opens for that exchange alone', async () => {
  const { listener, run } = await start()
  await using _ = listener
  const name = nameExchange('there', 'here')

  const { status, text } = await post(listener.address, name, sealed(name))

  expect(status).toBe(200)
  expect(run).toHaveBeenCalledTimes(1)
  const line = Buffer.from(text.trim(), 'base64')
  expect(JSON.parse(seal.open(line, lineBoundTo(name, 1)) ?? '')).toEqual({
    kind: 'answer',
    ...done,
  })
  expect(seal.open(line, lineBoundTo(name, 2))).toBeUndefined()
  expect(seal.open(line, lineBoundTo(nameExchange('there', 'here'), 1))).toBeUndefined()
})

test('a replayed forward is refused', async () => {
  const { listener, run } = await start()
  await using _ = listener
  const name = nameExchange('there', 'here')
  const body = sealed(name)

  const answers = [
    await post(listener.address, name, body),
    await post(listener.address, name, body),
    await post(listener.address, { ...name, at: name.at + 1 }, body),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403])
  expect(run).toHaveBeenCalledTimes(1)
  expect(listener.refused).toBe(2)
})

test('forged and altered forwards are refused, and told nothing', async () => {
  const { listener, run } = await start()
  await using _ = listener
  const { address } = listener
  const name = nameExchange('there', 'here')
  const body = sealed(name)
  const altered = Buffer.from(body)
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
  const other = createForwardSeal(() => ['another secret of the same length 0123456789'])
  const old = { ...name, at: Date.now() - 3_600_000 }
  const later = { ...name, at: Date.now() + 3_600_000 }
  const elsewhere = nameExchange('there', 'elsewhere')

  const answers = [
    await post(address, name, altered),
    await post(address, name, sealed(name, forward, other)),
    await post(address, name, Buffer.from(JSON.stringify(forward))),
    await post(address, name, Buffer.alloc(0)),
    await post(address, old, sealed(old)),
    await post(address, later, sealed(later)),
    await post(address, elsewhere, sealed(elsewhere)),
    await post(address, { ...name, from: 'other' }, body),
    await post(address, name, body, { path: '/answer' }),
    await post(address, name, body, { path: '/mcp' }),
    await post(address, name, body, { method: 'PUT' }),
    await post(address, name, body, { header: 'nothing' }),
  ]

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['']))
  expect(run).not.toHaveBeenCalled()
})

test('a secret that is being replaced still opens', async () => {
  const old = createForwardSeal(() => [secret])
  const both = createForwardSeal(() => ['a new secret of enough characters 0123456789', secret])
  const next = createForwardSeal(() => ['a new secret of enough characters 0123456789'])

  expect(both.open(old.seal('text', 'a'), 'a')).toBe('text')
  expect(next.open(both.seal('text', 'a'), 'a')).toBe('text')
  expect(next.open(old.seal('text', 'a'), 'a')).toBeUndefined()
})

test('one principal cannot use up a process for all others', async () => {
  let finish: (() => void) | undefined
  const waiting = new Promise<void>((resolve) => (finish = resolve))
  const { listener } = await start(
    vi.fn(async () => {
      await waiting
      return done
    }),
  )
  await using _ = listener
  const send = () => {
    const name = nameExchange('there', 'here')
    return post(listener.address, name, sealed(name)).then(({ text }) =>
      JSON.parse(seal.open(Buffer.from(text.trim(), 'base64'), lineBoundTo(name, 1)) ?? '{}'),
    ) as Promise<{ readonly kind: string }>
  }

  const sent = Array.from({ length: 201 }, send)
  const refused = await Promise.race(sent)
  finish?.()
  const kinds = (await Promise.all(sent)).map(({ kind }) => kind)

  expect(refused.kind).toBe('failed')
  expect(kinds.filter((kind) => kind === 'answer')).toHaveLength(200)
})
