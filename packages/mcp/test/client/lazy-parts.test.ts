import { expect, test } from 'vitest'

import type { ClientInput } from '../../src/client/input/client-input.ts'
import { createLazyRequests } from '../../src/client/input/lazy-requests.ts'
import type { ServerRequests } from '../../src/client/input/server-requests.ts'
import type { Connection } from '../../src/rpc/connection.ts'
import type { Request } from '../../src/rpc/message.ts'
import { lazy } from '../../src/rpc/promise.ts'

test('a part is loaded once, by however many need it at once', async () => {
  let count = 0
  const part = lazy(() => Promise.resolve((count += 1)))

  const loaded = await Promise.all([part.load(), part.load(), part.load()])

  expect(loaded).toEqual([1, 1, 1])
  expect(part.loaded).toBe(1)
})

test('a part that could not be loaded is tried again by the next who needs it', async () => {
  let count = 0
  const part = lazy(() =>
    (count += 1) === 1 ? Promise.reject(new Error('no network')) : Promise.resolve('part'),
  )

  await expect(part.load()).rejects.toThrow('no network')

  expect(part.loaded).toBeUndefined()
  expect(await part.load()).toBe('part')
})

test('questions that come before what answers them is loaded are answered in order', async () => {
  const seen: string[] = []
  const gate = createGate<ClientInput>()
  const inputRequests = createLazyRequests(
    lazy(gate.wait),
    () => undefined,
    () => undefined,
  )

  inputRequests.onRequest(inputRequest(1), connection)
  inputRequests.onRequest(inputRequest(2), connection)
  inputRequests.cancel(1, 'not any more')
  inputRequests.onRequest(inputRequest(3), connection)
  inputRequests.abortAll(new Error('gone'))
  gate.open(requesting(seen))
  await inputRequests.answer(
    'roots/list',
    {},
    { operation: 't', signal: new AbortController().signal },
  )

  expect(seen).toEqual(['asked 1', 'asked 2', 'cancelled 1', 'asked 3', 'ended', 'answered'])
})

test('questions that nothing can be loaded for are refused, and that is reported', async () => {
  const rejected: unknown[] = []
  const reported: unknown[] = []
  const failing = lazy<ClientInput>(() => Promise.reject(new Error('no network')))
  const inputRequests = createLazyRequests(
    failing,
    () => undefined,
    (error) => reported.push(error),
  )

  inputRequests.onRequest(inputRequest(7), { ...connection, reject: (id) => rejected.push(id) })
  await expect.poll(() => reported).toMatchObject([{ message: 'no network' }])

  expect(rejected).toEqual([7])
})

const connection = {} as Connection // nobody here looks at it

function inputRequest(id: number): Request {
  return { kind: 'request', id, method: 'roots/list', params: {} }
}

/** Writes down what it is told, and answers with nothing. */
function requesting(seen: string[]): ClientInput {
  const inputRequests: ServerRequests = {
    onRequest: ({ id }) => void seen.push(`asked ${id}`),
    answer: () => Promise.resolve((seen.push('answered'), {})),
    cancel: (id) => void seen.push(`cancelled ${id}`),
    abortAll: () => void seen.push('ended'),
  }
  return { open: () => inputRequests, pendingUrls: {} as ClientInput['pendingUrls'] } // nobody here looks at them
}

function createGate<T>() {
  let open = (_: T): void => {}
  const opened = new Promise<T>((resolve) => (open = resolve))
  return { wait: () => opened, open: (value: T) => open(value) }
}
