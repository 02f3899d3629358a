import type { ElicitResult, McpError } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { metaKeys } from '../../src/wire/request-meta.ts'
import { openStandalone } from '../support/raw-modern-server.ts'

const content = [{ type: 'text', text: 'gone' }]
const requestedSchema = { type: 'object', properties: { yes: { type: 'boolean' } } }
const form = { method: 'elicitation/create', params: { message: 'Delete?', requestedSchema } }
const yes = { action: 'accept', content: { yes: true } } as const
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
}

function asked(rest: object): object {
  return { resultType: 'input_required', ...rest }
}

describe('a call that asks back', () => {
  test.each<[string, (client: Client) => Promise<unknown>, object]>([
    ['tools/call', (client) => client.callTool('rm', { path: 'a' }), { content }],
    ['prompts/get', (client) => client.getPrompt('p', { a: 'b' }), { messages: [] }],
    ['resources/read', (client) => client.readResource('a:b'), { contents: [] }],
  ])(
    'is sent again with answers and state: %s [N07-MRTR-07] [N07-MRTR-09]',
    async (method, call, result) => {
      const server = openStandalone({ elicit: () => yes })
      const client = await server.discovered()
      const calling = call(client)
      const inputRequests = { ok: form }
      const first = await server.answer(method, asked({ inputRequests, requestState: 'v1.sealed' }))
      const second = await server.answer(method, { resultType: 'complete', ...result })

      expect(await calling).toEqual(result)
      expect(second.params).toEqual({
        ...first.params,
        inputResponses: { ok: yes },
        requestState: 'v1.sealed',
      })
      expect(second.id).not.toBe(first.id)
      expect(second.params).toHaveProperty(['_meta', metaKeys.version])
      await client.close()
    },
  )

  test('gives the state back byte for byte [N07-MRTR-07]', async () => {
    const server = openStandalone()
    const client = await server.discovered()

    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (requestState) => {
        const calling = client.callTool('rm')
        await server.answer('tools/call', asked({ inputRequests: {}, requestState }))
        const again = await server.answer('tools/call', { content })
        await calling
        expect(again.params?.['requestState']).toBe(requestState)
      }),
      { numRuns: tries(20) },
    )
    await client.close()
  })

  test('sends no state that the last answer did not have, and answers of one round only [N07-MRTR-08] [N07-MRTR-16]', async () => {
    const server = openStandalone({ elicit: () => yes })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    await server.answer('tools/call', asked({ inputRequests: { a: form }, requestState: 'one' }))
    await server.answer('tools/call', asked({ inputRequests: { b: form } }))
    const last = await server.answer('tools/call', { content })
    await calling

    expect(last.params).not.toHaveProperty('requestState')
    expect(last.params?.['inputResponses']).toEqual({ b: yes })
    await client.close()
  })

  test('keeps two conversations on one connection apart [N07-MRTR-08] [N07-STATE-04]', async () => {
    const server = openStandalone({ elicit: () => yes })
    const client = await server.discovered()
    const both = ['a', 'b'].map((name) => client.callTool(name))
    for (const _ of both) {
      const request = await server.expect('tools/call')
      const result = asked({
        inputRequests: {},
        requestState: `of ${String(request.params?.['name'])}`,
      })
      server.send({ jsonrpc: '2.0', id: request.id, result })
    }
    for (const _ of both) {
      const { params } = await server.answer('tools/call', { content })
      expect(params?.['requestState']).toBe(`of ${String(params?.['name'])}`)
    }
    await Promise.all(both)
    await client.close()
  })

  test('asks all questions of a round at once, and waits for every answer [N07-MRTR-06]', async () => {
    const open: ((answer: ElicitResult) => void)[] = []
    const server = openStandalone({
      elicit: () => new Promise<ElicitResult>((resolve) => open.push(resolve)),
      roots: ['file:///home'],
    })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    const inputRequests = { a: form, b: form, c: { method: 'roots/list' } }
    await server.answer('tools/call', asked({ inputRequests }))
    await expect.poll(() => open.length).toBe(2)
    open[1]?.({ action: 'decline' })
    expect(await server.quiet()).toEqual([])
    open[0]?.(yes)
    const again = await server.answer('tools/call', { content })
    await calling

    expect(again.params?.['inputResponses']).toEqual({
      a: yes,
      b: { action: 'decline' },
      c: { roots: [{ uri: 'file:///home' }] },
    })
    await client.close()
  })

  test('answers without a kind and without _meta [N07-MRTR-17]', async () => {
    const server = openStandalone({
      elicit: () => ({ ...yes, _meta: { 'com.example/a': 1 } }) as ElicitResult,
      sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'ho' } }),
      roots: [],
    })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    const inputRequests = { a: form, b: sampling, c: { method: 'roots/list' } }
    await server.answer('tools/call', asked({ inputRequests }))
    const again = await server.answer('tools/call', { content })
    await calling

    const responses = again.params?.['inputResponses'] as Record<string, object>
    expect(responses['a']).toEqual(yes)
    expect(responses['b']).toEqual({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'ho' },
    })
    expect(responses['c']).toEqual({ roots: [] })
    await client.close()
  })

  test.each(['decline', 'cancel'] as const)(
    'takes %s for an answer [N07-MRTR-15]',
    async (action) => {
      const server = openStandalone({ elicit: () => ({ action }) })
      const client = await server.discovered()
      const calling = client.callTool('rm')
      await server.answer('tools/call', asked({ inputRequests: { ok: form } }))
      const again = await server.answer('tools/call', { content })
      await calling

      expect(again.params?.['inputResponses']).toEqual({ ok: { action } })
      await client.close()
    },
  )

  test('shows a link again as often as the server asks, and each time there is a way out [N07-ELI-03]', async () => {
    const answers = [{ action: 'accept' }, { action: 'cancel' }] as const
    let count = 0
    const server = openStandalone({ elicit: () => answers[count++] ?? { action: 'cancel' } })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    const link = { mode: 'url', message: 'Sign in', url: 'https://example.com/' }
    const inputRequests = { link: { method: 'elicitation/create', params: link } }
    await server.answer('tools/call', asked({ inputRequests, requestState: '1' }))
    const second = await server.answer('tools/call', asked({ inputRequests, requestState: '2' }))
    const third = await server.answer('tools/call', { content })
    await calling

    expect(second.params?.['inputResponses']).toEqual({ link: { action: 'accept' } })
    expect(third.params?.['inputResponses']).toEqual({ link: { action: 'cancel' } })
    await client.close()
  })

  test('tells the handler on whose behalf it is asked', async () => {
    const abouts: object[] = []
    const server = openStandalone({ elicit: (_, about) => (abouts.push(about), yes) })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    await server.answer('tools/call', asked({ inputRequests: { ok: form } }))
    await server.answer('tools/call', { content })
    await calling

    expect(abouts).toMatchObject([
      { operation: 'tools/call', name: 'rm', server: { name: 'raw-server' } },
    ])
    await client.close()
  })
})

describe('a question that has no answer', () => {
  test.each([
    ['no handler', { a: form }, { kind: 'elicit' }],
    ['no model', { a: sampling }, { kind: 'sample' }],
    ['no roots', { a: { method: 'roots/list' } }, { kind: 'roots' }],
  ])(
    'for want of it: %s ends the call here [N07-VER-04] [N07-ELI-05]',
    async (_, inputRequests, details) => {
      const server = openStandalone()
      const client = await server.discovered()
      const failing = failed(client)
      await server.answer('tools/call', asked({ inputRequests }))

      expect(await failing).toMatchObject({ code: 'input_unavailable', details })
      expect(await server.quiet()).toEqual([])
      await client.close()
    },
  )

  test('in a mode that was not declared ends the call here [N07-ELI-05]', async () => {
    const server = openStandalone({ elicit: () => yes, elicitModes: ['url'] })
    const client = await server.discovered()
    const failing = failed(client)
    await server.answer('tools/call', asked({ inputRequests: { a: form } }))

    expect(await failing).toMatchObject({ code: 'input_unavailable' })
    await client.close()
  })

  test('because the model refused is not sent back, and makes the other questions void [N07-MRTR-15]', async () => {
    let aborted = false
    const server = openStandalone({
      sample: () => Promise.reject(new Error('no')),
      elicit: (_, { signal }) =>
        new Promise((__, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          })
        }),
    })
    const client = await server.discovered()
    const failing = failed(client)
    await server.answer('tools/call', asked({ inputRequests: { a: form, b: sampling } }))

    expect(await failing).toMatchObject({ code: 'input_refused', details: { kind: 'sample' } })
    await expect.poll(() => aborted).toBe(true)
    expect(await server.quiet()).toEqual([])
    await client.close()
  })

  test.each([
    ['a method that is none', { a: { method: 'ping' } }],
    ['neither question nor state', undefined],
  ])(
    'because it is none breaks the protocol: %s [N07-MRTR-03] [N07-MRTR-04]',
    async (_, inputRequests) => {
      const server = openStandalone({ elicit: () => yes })
      const client = await server.discovered()
      const failing = failed(client)
      await server.answer('tools/call', asked(inputRequests ? { inputRequests } : {}))

      expect(await failing).toMatchObject({ code: 'invalid_message' })
      await client.close()
    },
  )
})

describe('a server that only wants to be called again', () => {
  test('is called after a while, each time a longer one [N07-MRTR-06]', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    await server.answer('tools/call', asked({ requestState: '1' }))
    await clock.advance(99)
    expect(calls(server.received)).toBe(1)
    await clock.advance(1)
    await server.answer('tools/call', asked({ requestState: '2' }))
    await clock.advance(199)
    expect(calls(server.received)).toBe(2)
    await clock.advance(1)
    const last = await server.answer('tools/call', { content })
    await calling

    expect(last.params).toMatchObject({ requestState: '2' })
    expect(last.params).not.toHaveProperty('inputResponses')
    await client.close()
  })

  test('is not called for ever [N07-MRTR-16]', async () => {
    const server = openStandalone({ elicit: () => yes, limits: { rounds: 2 } })
    const client = await server.discovered()
    const failing = failed(client)
    for (let round = 1; round <= 3; round += 1) {
      await server.answer('tools/call', asked({ inputRequests: { ok: form } }))
    }

    expect(await failing).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'rounds', allowed: 2 },
    })
    await client.close()
  })

  test('may do so sixteen times unless told otherwise [N07-MRTR-16]', async () => {
    const server = openStandalone({ elicit: () => yes })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    for (let round = 1; round <= 16; round += 1) {
      await server.answer('tools/call', asked({ inputRequests: { ok: form } }))
    }
    await server.answer('tools/call', { content })

    expect(await calling).toEqual({ content })
    await client.close()
  })
})

describe('time', () => {
  test('spent asking is not the call’s, and each round starts the idle limit anew [N07-CANC-06]', async () => {
    const clock = createVirtualClock()
    let answer: ((answer: ElicitResult) => void) | undefined
    const server = openStandalone({
      clock,
      elicit: () => new Promise<ElicitResult>((resolve) => (answer = resolve)),
    })
    const client = await server.discovered()
    const calling = client.callTool('rm', {}, { timeouts: { idleMs: 1_000, totalMs: 1_500 } })
    const request = await server.expect('tools/call')
    await clock.advance(900)
    const result = asked({ inputRequests: { ok: form } })
    server.send({ jsonrpc: '2.0', id: request.id, result })
    await untilIdle()
    await clock.advance(100_000)
    answer?.(yes)
    const again = await server.expect('tools/call')
    await clock.advance(500)
    server.send({ jsonrpc: '2.0', id: again.id, result: { content } })

    expect(await calling).toEqual({ content })
    await client.close()
  })

  test('of all rounds together is bounded by totalMs [N07-CANC-06]', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock, elicit: () => yes })
    const client = await server.discovered()
    const failing = failed(client, { timeouts: { totalMs: 1_500 } })
    const request = await server.expect('tools/call')
    await clock.advance(900)
    const result = asked({ inputRequests: { ok: form } })
    server.send({ jsonrpc: '2.0', id: request.id, result })
    await server.expect('tools/call')
    await clock.advance(600)

    expect(await failing).toMatchObject({ code: 'timeout', details: { limit: 'total' } })
    await client.close()
  })
})

describe('the end of a call that is asking', () => {
  test('comes at once when the caller gives up, and the question is void', async () => {
    let reason: unknown
    const server = openStandalone({
      elicit: (_, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => (reason = signal.reason))),
    })
    const client = await server.discovered()
    const controller = new AbortController()
    const failing = failed(client, { signal: controller.signal })
    await server.answer('tools/call', asked({ inputRequests: { ok: form } }))
    await untilIdle()
    controller.abort(new Error('enough'))

    expect(await failing).toMatchObject({ message: 'enough' })
    expect(reason).toMatchObject({ message: 'enough' })
    expect(await server.quiet()).toEqual([])
    await client.close()
  })

  test('comes with the client’s', async () => {
    const server = openStandalone({ elicit: () => new Promise(() => undefined) })
    const client = await server.discovered()
    const failing = failed(client)
    await server.answer('tools/call', asked({ inputRequests: { ok: form } }))
    await untilIdle()
    await client.close()

    expect(await failing).toMatchObject({ code: 'closed' })
  })

  test('comes while it waits to call again, too', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock })
    const client = await server.discovered()
    const controller = new AbortController()
    const failing = failed(client, { signal: controller.signal })
    await server.answer('tools/call', asked({ requestState: '1' }))
    await untilIdle()
    controller.abort(new Error('enough'))

    expect(await failing).toMatchObject({ message: 'enough' })
    expect(clock.pending).toBeLessThanOrEqual(1) // the deadline of what is over
    await client.close()
  })
})

describe('a server that floods', () => {
  function many(count: number): object {
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, form]))
  }

  test('with more than 50 questions in a round has none of them asked', async () => {
    const elicit = vi.fn(() => yes)
    const server = openStandalone({ elicit })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    const outcome = calling.catch((error: unknown) => error)
    await server.answer('tools/call', asked({ inputRequests: many(51) }))

    expect(await outcome).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'questions', allowed: 50, seen: 51 },
    })
    expect(elicit).not.toHaveBeenCalled()
    await client.close()
  })

  test('round after round is stopped, and ten a second are answered', async () => {
    const clock = createVirtualClock()
    const elicit = vi.fn(() => yes)
    const server = openStandalone({ clock, elicit })
    const client = await server.discovered()
    const calling = client.callTool('rm')
    const outcome = calling.catch((error: unknown) => error)
    await server.answer('tools/call', asked({ inputRequests: many(50) }))
    await clock.advance(1_000)
    await server.answer('tools/call', asked({ inputRequests: many(10) }))
    await server.answer('tools/call', asked({ inputRequests: many(1) }))

    expect(await outcome).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'questions', allowed: 50 },
    })
    expect(elicit).toHaveBeenCalledTimes(60)
    await client.close()
  })
})

test('many questions at once are no leak of listeners', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  const server = openStandalone({ elicit: () => yes })
  const client = await server.discovered()
  const calling = client.callTool('rm')
  const keys = Array.from({ length: 20 }, (_, index) => [`q${index}`, form])
  await server.answer('tools/call', asked({ inputRequests: Object.fromEntries(keys) }))
  await server.answer('tools/call', { content })
  await calling

  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
  await client.close()
})

test('middleware sees a call once, however often it asks', async () => {
  const server = openStandalone({ elicit: () => yes })
  const client = await server.discovered()
  const seen: string[] = []
  client.use(async ({ operation }, next) => {
    seen.push(operation)
    return next()
  })
  const calling = client.callTool('rm')
  await server.answer('tools/call', asked({ inputRequests: { ok: form } }))
  await server.answer('tools/call', { content })
  await calling

  expect(seen).toEqual(['tools/call'])
  await client.close()
})

function failed(client: Client, options?: Parameters<Client['callTool']>[2]): Promise<McpError> {
  return client.callTool('rm', {}, options).then(
    () => Promise.reject(new Error('the call did not fail')),
    (error: McpError) => error,
  )
}

function calls(received: readonly { readonly method?: string }[]): number {
  return received.filter(({ method }) => method === 'tools/call').length
}
