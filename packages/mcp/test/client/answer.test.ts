import { isMcpError, type JsonObject } from '@parley/mcp'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import type { InputHandlers } from '../../src/client/input/input-handlers.ts'
import {
  createServerRequests,
  type ServerRequests,
} from '../../src/client/input/server-requests.ts'
import { codecFor } from '../../src/wire/revisions.ts'

const form: JsonObject = {
  message: 'Which?',
  requestedSchema: {
    type: 'object',
    properties: { size: { type: 'string', enum: ['s', 'l'], default: 's' } },
  },
}
const link: JsonObject = { mode: 'url', message: 'Pay', url: 'https://bank.example/' }
const sampling: JsonObject = {
  messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
  maxTokens: 1,
}
const said = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' } as const
const server = { name: 'shop', version: '1.0.0' }

function open(handlers: InputHandlers, clock = createVirtualClock()): ServerRequests {
  const known = codecFor('2025-11-25')
  if (known === undefined) throw new TypeError('the revision is spoken')
  return createServerRequests({
    codec: () => ({ ...known, has: { ...known.has, elicitationIds: false } }),
    handlers: () => handlers,
    about: () => ({ server: undefined }),
    inputMs: 1_000,
    clock,
    compileSchema: undefined,
    deprecated: () => undefined,
    onError: () => undefined,
  })
}

function about(signal = new AbortController().signal) {
  return { operation: 'tools/call', name: 'order', signal, server }
}

describe('a question that comes in a result', () => {
  test('is answered as one that comes by itself [N11-ELI-06]', async () => {
    const seen: unknown[] = []
    const inputRequests = open({
      elicit: (inputRequest, { signal: _, ...asked }) => {
        seen.push([inputRequest.mode, asked])
        return { action: 'accept', content: {} }
      },
      sample: () => said,
      roots: ['/work'],
    })

    expect(await inputRequests.answer('elicitation/create', form, about())).toEqual({
      action: 'accept',
      content: { size: 's' },
    })
    expect(await inputRequests.answer('elicitation/create', link, about())).toEqual({
      action: 'accept',
    })
    expect(await inputRequests.answer('sampling/createMessage', sampling, about())).toEqual(said)
    expect(await inputRequests.answer('roots/list', {}, about())).toEqual({
      roots: [{ uri: 'file:///work' }],
    })
    const by = { operation: 'tools/call', name: 'order', server }
    expect(seen).toEqual([
      ['form', by],
      ['url', by],
    ])
  })

  test.each<[string, string, JsonObject, InputHandlers, string]>([
    ['nobody to show a form to', 'elicitation/create', form, {}, 'elicit'],
    ['no model', 'sampling/createMessage', sampling, {}, 'sample'],
    ['no roots', 'roots/list', {}, {}, 'roots'],
    [
      'nobody to show a link to',
      'elicitation/create',
      link,
      { elicit: () => ({ action: 'accept' }), elicitModes: ['form'] },
      'elicit',
    ],
    [
      'a model without tools',
      'sampling/createMessage',
      { ...sampling, tools: [] },
      { sample: () => said },
      'sample',
    ],
  ])('cannot be answered with %s', async (_, method, params, handlers, kind) => {
    const failure = await open(handlers).answer(method, params, about()).catch(asPlain)

    expect(failure).toMatchObject({ code: 'input_unavailable', details: { kind }, peer: 'shop' })
  })

  test.each<[string, string, JsonObject, string]>([
    ['elicit', 'elicitation/create', form, 'elicit'],
    ['sample', 'sampling/createMessage', sampling, 'sample'],
    ['roots', 'roots/list', {}, 'roots'],
  ])('is refused when %s throws, and says why', async (_, method, params, kind) => {
    const cause = new Error('the user said no')
    const fail = () => Promise.reject(cause)

    const failure = await open({ elicit: fail, sample: fail, roots: fail })
      .answer(method, params, about())
      .catch(asPlain)

    expect(failure).toMatchObject({ code: 'input_refused', details: { kind }, cause })
  })

  test('is refused when its answer does not fit', async () => {
    const inputRequests = open({ elicit: () => ({ action: 'accept', content: { size: 'xl' } }) })

    await expect(inputRequests.answer('elicitation/create', form, about())).rejects.toMatchObject({
      code: 'input_refused',
    })
  })

  test.each<[string, JsonObject]>([
    ['elicitation/create', { message: 'Which?' }],
    ['elicitation/create', { ...link, url: 'javascript:alert(1)' }],
    ['sampling/createMessage', { messages: [] }],
    ['tools/call', {}],
  ])('%s that breaks the protocol is the fault of the server: %j', async (method, params) => {
    const inputRequests = open({ elicit: () => ({ action: 'decline' }), sample: () => said })

    await expect(inputRequests.answer(method, params, about())).rejects.toMatchObject({
      code: 'invalid_message',
    })
  })

  test('is cancelled when nobody answers in time, or fails if it is for the model', async () => {
    const clock = createVirtualClock()
    const never = () => new Promise<never>(() => undefined)
    const inputRequests = open({ elicit: never, sample: never }, clock)

    const requesting = inputRequests.answer('elicitation/create', form, about())
    const sampled = inputRequests.answer('sampling/createMessage', sampling, about()).catch(asPlain)
    await clock.advance(1_000)

    expect(await requesting).toEqual({ action: 'cancel' })
    expect(await sampled).toMatchObject({ code: 'timeout', details: { limit: 'input', ms: 1_000 } })
  })

  test('ends with its call, for the reason of the call', async () => {
    const controller = new AbortController()
    const signals: AbortSignal[] = []
    const inputRequests = open({
      elicit: (_, { signal }) => (signals.push(signal), new Promise<never>(() => undefined)),
    })

    const requesting = inputRequests.answer('elicitation/create', form, about(controller.signal))
    const reason = new Error('enough')
    controller.abort(reason)

    await expect(requesting).rejects.toBe(reason)
    expect(signals[0]?.reason).toBe(reason)
    await expect(
      inputRequests.answer('elicitation/create', form, about(controller.signal)),
    ).rejects.toBe(reason)
  })
})

function asPlain(error: unknown): unknown {
  if (!isMcpError(error)) return error
  const { code, details, peer, cause } = error
  return { code, details, peer, cause }
}
