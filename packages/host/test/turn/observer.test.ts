import type { HostObserver } from '@parley/host'
import type { Model } from '@parley/host/models'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { inProcess, play, testHost } from '../playing.ts'

/** What an observer is told, in order. */
function watch() {
  const told: unknown[] = []
  let inside = 0
  function observe(what: string) {
    return {
      run<T>(work: () => T): T {
        inside += 1
        try {
          return work()
        } finally {
          inside -= 1
        }
      },
      end: (outcome: unknown) => void told.push([`${what} ended`, outcome]),
    }
  }
  const observer: HostObserver = {
    begin: () => undefined,
    beginTurn(turn) {
      told.push(['turn', turn.model, typeof turn.conversation])
      return observe('turn')
    },
    beginModelRequest(request) {
      told.push(['model', request])
      return observe('model')
    },
  }
  return { told, observer, isInside: () => inside > 0 }
}

test('an observer is told of each turn and each request to the model, of servers too, and nothing that was said', async () => {
  const { told, observer } = watch()
  const server = createServer({ name: 'asking', version: '1.0.0' })
  server.tool('ask', {}, async (_, { sample }) => {
    const { content } = await sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'a question' } }],
      maxTokens: 50,
    })
    return JSON.stringify(content)
  })
  const host = testHost(
    ({ messages, options }) => {
      if (options.maxTokens !== undefined) return 'for the server'
      const isCalled = messages.some(({ role }) => role === 'tool')
      return isCalled ? 'done' : { calls: [{ name: 'asking__ask' }] }
    },
    [inProcess('asking', server)],
    { observer, sampling: { policy: () => 'allow' } },
  )
  await play(host.turn('Ask.'))

  const answered = { isCancelled: false, error: undefined }
  expect(told).toMatchObject([
    ['turn', 'scripted', 'string'],
    ['model', { model: 'scripted', maxTokens: undefined }],
    ['model ended', { ...answered, finish: 'calls' }],
    ['model', { model: 'scripted', maxTokens: 50 }],
    ['model ended', { ...answered, finish: 'stop' }],
    ['model', { model: 'scripted', maxTokens: undefined }],
    ['model ended', { ...answered, finish: 'stop' }],
    ['turn ended', { reason: 'answered' }],
  ])
  expect(JSON.stringify(told)).not.toMatch(/done|for the server/)
})

test('what a model does is done inside, up to its last event', async () => {
  const { observer, isInside } = watch()
  const seen: boolean[] = []
  const model: Model = {
    name: 'looking',
    stream: () => ({
      [Symbol.asyncIterator]() {
        seen.push(isInside())
        let count = 0
        return {
          async next() {
            seen.push(isInside())
            count += 1
            if (count > 2) return { done: true, value: undefined }
            if (count === 2) return { done: false, value: { type: 'finish', reason: 'stop' } }
            return { done: false, value: { type: 'text', text: 'hello' } }
          },
        }
      },
    }),
  }
  await play(testHost([], [], { observer, model }).turn('Hello'))

  expect(seen).toEqual([true, true, true, true])
})

test('a model that is left in the middle of its answer is told so, and ended', async () => {
  const { told, observer } = watch()
  let isReturned = false
  const stop = new AbortController()
  const model: Model = {
    name: 'endless',
    stream: () => ({
      [Symbol.asyncIterator]: () => ({
        async next() {
          stop.abort()
          return { done: false, value: { type: 'text', text: 'on and ' } }
        },
        async return() {
          isReturned = true
          return { done: true, value: undefined }
        },
      }),
    }),
  }
  await play(testHost([], [], { observer, model }).turn('Go.', { signal: stop.signal }))

  expect(told).toMatchObject([
    ['turn', 'endless', 'string'],
    ['model', {}],
    ['model ended', { isCancelled: true }],
    ['turn ended', { reason: 'cancelled' }],
  ])
  expect(isReturned).toBe(true)
})
