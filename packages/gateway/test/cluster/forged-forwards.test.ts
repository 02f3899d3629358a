import { request } from 'node:http'

import { expect, test, vi } from 'vitest'

import { startForwardListener, type Done } from '../../src/cluster/forward-listener.ts'
import type { Forward } from '../../src/cluster/forward-messages.ts'
import { createForwardCipher } from '../../src/cluster/forward-seal.ts'
import {
  boundTo,
  forwardHeader,
  lineBoundTo,
  nameExchange,
  writeName,
  type ExchangeName,
} from '../../src/cluster/forward-wire.ts'
import { secret } from './two-processes.ts'

const encrypt = createForwardCipher(() => [secret])
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
    encrypt,
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

function encrypted(name: ExchangeName, message: object = forward, by = encrypt): Buffer {
  return by.encrypt(JSON.stringify(message), boundTo('/forward', name))
}

test('a forward of another process is done, and its answer opens for that exchange alone', async () => {
  const { listener, run } = await start()
  await using _ = listener
  const name = nameExchange('there', 'here')

  const { status, text } = await post(listener.address, name, encrypted(name))

  expect(status).toBe(200)
  expect(run).toHaveBeenCalledTimes(1)
  const line = Buffer.from(text.trim(), 'base64')
  expect(JSON.parse(encrypt.open(line, lineBoundTo(name, 1)) ?? '')).toEqual({
    kind: 'answer',
    ...done,
  })
  expect(encrypt.open(line, lineBoundTo(name, 2))).toBeUndefined()
  expect(encrypt.open(line, lineBoundTo(nameExchange('there', 'here'), 1))).toBeUndefined()
})

test('a replayed forward is refused', async () => {
  const { listener, run } = await start()
  await using _ = listener
  const name = nameExchange('there', 'here')
  const body = encrypted(name)

  const answers = [
    await post(listener.address, name, body),
    await post(listener.address, name, body),
    await post(listener.address, { ...name, at: name.at + 1 }, body),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403])
  expect(run).toHaveBeenCalledTimes(1)
  expect(listener.rejected).toBe(2)
})

test('forged and altered forwards are refused, and told nothing', async () => {
  const { listener, run } = await start()
  await using _ = listener
  const { address } = listener
  const name = nameExchange('there', 'here')
  const body = encrypted(name)
  const altered = Buffer.from(body)
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1
  const other = createForwardCipher(() => ['another secret of the same length 0123456789'])
  const old = { ...name, at: Date.now() - 3_600_000 }
  const later = { ...name, at: Date.now() + 3_600_000 }
  const elsewhere = nameExchange('there', 'elsewhere')

  const answers = [
    await post(address, name, altered),
    await post(address, name, encrypted(name, forward, other)),
    await post(address, name, Buffer.from(JSON.stringify(forward))),
    await post(address, name, Buffer.alloc(0)),
    await post(address, old, encrypted(old)),
    await post(address, later, encrypted(later)),
    await post(address, elsewhere, encrypted(elsewhere)),
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
  const old = createForwardCipher(() => [secret])
  const both = createForwardCipher(() => ['a new secret of enough characters 0123456789', secret])
  const next = createForwardCipher(() => ['a new secret of enough characters 0123456789'])

  expect(both.open(old.encrypt('text', 'a'), 'a')).toBe('text')
  expect(next.open(both.encrypt('text', 'a'), 'a')).toBe('text')
  expect(next.open(old.encrypt('text', 'a'), 'a')).toBeUndefined()
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
    return post(listener.address, name, encrypted(name)).then(({ text }) =>
      JSON.parse(encrypt.open(Buffer.from(text.trim(), 'base64'), lineBoundTo(name, 1)) ?? '{}'),
    ) as Promise<{ readonly kind: string }>
  }

  const sent = Array.from({ length: 201 }, send)
  const rejected = await Promise.race(sent)
  finish?.()
  const kinds = (await Promise.all(sent)).map(({ kind }) => kind)

  expect(rejected.kind).toBe('failed')
  expect(kinds.filter((kind) => kind === 'answer')).toHaveLength(200)
})
