import { isMcpError, RpcError } from '@parley/mcp'
import { createServer, inputRequired, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'

import { describeStandalone } from '../support/modern-client.ts'
import { accept, resolveAll, driveRounds, roundOf } from '../support/rounds-driver.ts'

const capabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
}
const text = z.object({ text: z.string() })
const sampled = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }

function createClientInput(onError?: (error: unknown) => void): Server {
  return createServer({ name: 'asks', version: '1', onError: onError ?? (() => undefined) })
}

describeStandalone('asking', ({ open }) => {
  test('tools, prompts and resources ask alike [N07-MRTR-01, N07-MRTR-04]', async () => {
    const server = createClientInput()
    const inputRequest = { message: 'Text?', requestedSchema: text }
    server.tool('t', {}, async (_, context) => JSON.stringify(await context.elicit(inputRequest)))
    server.prompt('p', {}, async (_, context) => JSON.stringify(await context.elicit(inputRequest)))
    server.resource('r://1', {}, async (_, context) =>
      JSON.stringify(await context.elicit(inputRequest)),
    )
    const client = await open(server)

    for (const [method, params] of [
      ['tools/call', { name: 't' }],
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'r://1' }],
    ] as const) {
      const answer = () => accept({ text: 'hello' })
      const { last, rounds } = await driveRounds(client, method, params, { capabilities, answer })
      expect(rounds).toHaveLength(1)
      expect(JSON.stringify(last.result)).toContain('hello')
    }
  })

  test('questions are bare: a method and params, under keys of our own [N07-MRTR-04, N07-MRTR-17, N07-SAMP-01]', async () => {
    const server = createClientInput()
    server.tool('all', {}, async (_, context) => {
      const answers = await Promise.all([
        context.elicit({ message: 'Text?', requestedSchema: text, _meta: { 'a/b': 1 } }),
        context.elicit({
          mode: 'url',
          message: 'Go',
          url: 'https://a.example/',
          elicitationId: 'e',
        }),
        context.sample({ messages: [], maxTokens: 9, _meta: { 'a/b': 1 } }),
        context.listRoots(),
      ])
      return JSON.stringify(answers)
    })
    const client = await open(server)

    const first = await client.request('tools/call', { name: 'all' }, { capabilities })
    const round = roundOf(first)

    expect(Object.keys(first.result ?? {}).toSorted()).toEqual([
      '_meta',
      'inputRequests',
      'requestState',
      'resultType',
    ])
    expect(Object.values(round.inputRequests)).toEqual([
      {
        method: 'elicitation/create',
        params: {
          message: 'Text?',
          requestedSchema: expect.objectContaining({ type: 'object' }) as object,
        },
      },
      {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Go', url: 'https://a.example/' },
      },
      { method: 'sampling/createMessage', params: { messages: [], maxTokens: 9 } },
      { method: 'roots/list', params: {} },
    ])
    const answers: Record<string, object> = {
      'elicitation/create': accept({ text: 'a' }),
      'sampling/createMessage': { ...sampled, _meta: { 'a/b': 1 } },
      'roots/list': { roots: [{ uri: 'file:///a' }] },
    }
    const again = resolveAll(round, ({ method }) => answers[method])
    const last = await client.request('tools/call', { name: 'all', ...again }, { capabilities })
    expect(JSON.parse((last.result as { content: [{ text: string }] }).content[0].text)).toEqual([
      { action: 'accept', content: { text: 'a' } },
      { action: 'accept' },
      { ...sampled, _meta: { 'a/b': 1 } },
      [{ uri: 'file:///a' }],
    ])
  })

  test('a state alone ends a round too, and nothing at all cannot [N07-MRTR-03]', async () => {
    const server = createClientInput()
    server.tool('later', {}, (_, { requestState }) =>
      requestState === undefined
        ? inputRequired({ requestState: { step: 1 } })
        : JSON.stringify(requestState),
    )
    const client = await open(server)

    const first = await client.request('tools/call', { name: 'later' })
    const { inputRequests, requestState } = roundOf(first)
    const last = await client.request('tools/call', { name: 'later', requestState })

    expect(inputRequests).toEqual({})
    expect(first.result).not.toHaveProperty('inputRequests')
    expect(last.result).toMatchObject({ content: [{ text: '{"step":1}' }] })
    expect(() => inputRequired({})).toThrow(TypeError)
  })

  test.each([
    ['tools/list', {}],
    ['resources/list', {}],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } },
    ],
  ])('%s never asks, whatever its author tries [N07-MRTR-02]', async (method, params) => {
    const server = createClientInput()
    // Their contexts have no such members for TypeScript.
    const ask = async (context: object) => {
      await (context as { listRoots(): Promise<unknown> }).listRoots()
      return true
    }
    server.tool('t', { visible: ask }, () => 't')
    server.resource('r://1', { visible: ask }, () => 'r')
    const complete = {
      a: async (_: string, __: object, context: object) => ((await ask(context)) ? [] : []),
    }
    server.prompt('p', { argumentsSchema: z.object({ a: z.string() }), complete }, () => 'p')
    const client = await open(server)

    const { error } = await client.request(method, params, { capabilities })

    expect(error).toMatchObject({ code: -32603 })
  })

  test.each<[string, object, object]>([
    ['form', {}, { elicitation: {} }],
    ['form', { elicitation: { url: {} } }, { elicitation: {} }],
    ['url', { elicitation: {} }, { elicitation: { url: {} } }],
    ['url', { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ['sample', { elicitation: {} }, { sampling: {} }],
    ['tools', { sampling: {} }, { sampling: { tools: {} } }],
    ['roots', { sampling: {} }, { roots: {} }],
  ])(
    '%s is not asked of a client with %j [N07-MRTR-05, N07-ENV-05]',
    async (name, given, needed) => {
      const client = await open(createEveryQuestion())

      const { error, result } = await client.request(
        'tools/call',
        { name },
        { capabilities: given },
      )
      const explicit = await client.request(
        'tools/call',
        { name: `${name}-explicit` },
        { capabilities: given },
      )

      expect(result).toBeUndefined()
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: needed } })
      expect(explicit.error).toMatchObject({ code: -32021, data: { requiredCapabilities: needed } })
    },
  )

  test.each<[string, object]>([
    ['form', { elicitation: {} }],
    ['form', { elicitation: { form: {} } }],
    ['url', { elicitation: { url: {} } }],
    ['sample', { sampling: {} }],
    ['tools', { sampling: { tools: {} } }],
    ['roots', { roots: {} }],
  ])('%s is asked of a client with %j [N07-MRTR-05]', async (name, given) => {
    const client = await open(createEveryQuestion())

    for (const tool of [name, `${name}-explicit`]) {
      const answer = await client.request('tools/call', { name: tool }, { capabilities: given })
      expect(Object.keys(roundOf(answer).inputRequests)).toHaveLength(1)
    }
  })

  test('the context of servers is asked for only of who gives it [N07-MRTR-05]', async () => {
    const client = await open(createEveryQuestion())

    const asked = async (sampling: object) => {
      const options = { capabilities: { sampling } }
      const round = roundOf(await client.request('tools/call', { name: 'sample' }, options))
      return Object.values(round.inputRequests)[0]?.params
    }

    expect(await asked({})).not.toHaveProperty('includeContext')
    expect(await asked({ context: {} })).toMatchObject({ includeContext: 'thisServer' })
  })

  test('answers that are missing, do not fit or were not asked for: it asks again, or ignores them [N07-MRTR-14]', async () => {
    const server = createClientInput()
    server.tool('two', {}, async (_, context) => {
      const [left, right] = await Promise.all([
        context.elicit({ message: 'Left?', requestedSchema: text }, { key: 'left' }),
        context.elicit({ message: 'Right?', requestedSchema: text }, { key: 'right' }),
      ])
      return JSON.stringify([left, right])
    })
    const client = await open(server)
    const call = (more: object) =>
      client.request('tools/call', { name: 'two', ...more }, { capabilities })

    const first = roundOf(await call({}))
    expect(Object.keys(first.inputRequests)).toEqual(['left', 'right'])
    const partly = { left: accept({ text: 'l' }), other: accept({ text: 'o' }) }
    const second = roundOf(await call({ requestState: first.requestState, inputResponses: partly }))
    expect(Object.keys(second.inputRequests)).toEqual(['right'])
    const wrong = { right: accept({ text: 7 }) }
    const third = roundOf(await call({ requestState: second.requestState, inputResponses: wrong }))
    expect(Object.keys(third.inputRequests)).toEqual(['right'])
    const noAnswer = { right: { action: 'perhaps' } }
    const fourth = roundOf(
      await call({ requestState: third.requestState, inputResponses: noAnswer }),
    )
    expect(Object.keys(fourth.inputRequests)).toEqual(['right'])
    // An answer already given is not taken a second time.
    const right = { right: accept({ text: 'r' }), left: accept({ text: 'changed' }) }
    const last = await call({ requestState: fourth.requestState, inputResponses: right })

    expect(last.result).toMatchObject({
      content: [
        {
          text: JSON.stringify([
            { action: 'accept', content: { text: 'l' } },
            { action: 'accept', content: { text: 'r' } },
          ]),
        },
      ],
    })
  })

  test('answers without a state answer nothing [N07-MRTR-10, N07-MRTR-14]', async () => {
    const client = await open(createEveryQuestion())
    const first = roundOf(await client.request('tools/call', { name: 'form' }, { capabilities }))

    const { inputResponses } = resolveAll(first, () => accept({ text: 'x' }))
    const again = await client.request(
      'tools/call',
      { name: 'form', inputResponses },
      { capabilities },
    )

    expect(roundOf(again).inputRequests).toEqual(first.inputRequests)
  })

  test('an answer that a later run comes to only after another question is kept for it [N07-MRTR-16]', async () => {
    const server = createClientInput()
    let runs = 0
    server.tool('crossed', {}, async (_, context) => {
      runs += 1
      const ask = async (key: string) => {
        const answer = await context.elicit({ message: key, requestedSchema: text }, { key })
        return answer.action === 'accept' ? answer.content.text : ''
      }
      if (runs === 1) return (await Promise.all([ask('left'), ask('right')])).join('')
      return `${await ask('left')}${await ask('middle')}${await ask('right')}`
    })
    const client = await open(server)
    const answer = (_: object, key: string) => accept({ text: key[0] })

    const { last, rounds } = await driveRounds(
      client,
      'tools/call',
      { name: 'crossed' },
      { capabilities, answer },
    )

    expect(rounds.map(({ inputRequests }) => Object.keys(inputRequests))).toEqual([
      ['left', 'right'],
      ['middle'],
    ])
    expect(last.result).toMatchObject({ content: [{ text: 'lmr' }] })
  })

  test('many rounds carry what was learnt, and run only once what is to run once [N07-MRTR-16]', async () => {
    const server = createClientInput()
    const effect = vi.fn((step: number) => step * 10)
    server.tool('steps', {}, async (_, context) => {
      const learnt: string[] = []
      for (let step = 1; step <= 3; step += 1) {
        const made = await context.once(`made ${step}`, () => effect(step))
        const answer = await context.elicit({ message: `${made}?`, requestedSchema: text })
        learnt.push(answer.action === 'accept' ? answer.content.text : answer.action)
      }
      return learnt.join()
    })
    const client = await open(server)
    const answer = ({ params }: { params: { message?: unknown } }) =>
      accept({ text: String(params.message) })

    const { last, rounds } = await driveRounds(
      client,
      'tools/call',
      { name: 'steps' },
      { capabilities, answer },
    )

    expect(rounds).toHaveLength(3)
    expect(last.result).toMatchObject({ content: [{ text: '10?,20?,30?' }] })
    expect(effect.mock.calls).toEqual([[1], [2], [3]])
  })

  test('decline, cancel and a client that never returns are all answers to cope with [N07-ELI-04, N07-MRTR-13]', async () => {
    const client = await open(createEveryQuestion())

    for (const action of ['decline', 'cancel']) {
      const answer = () => ({ action })
      const { last } = await driveRounds(
        client,
        'tools/call',
        { name: 'form' },
        { capabilities, answer },
      )
      expect(last.result).toMatchObject({ content: [{ text: JSON.stringify({ action }) }] })
    }
    await client.request('tools/call', { name: 'form' }, { capabilities })
    expect((await client.request('tools/list')).result).toBeDefined()
  })

  test('the outcome of a link is learnt by coming again [N07-ELI-02]', async () => {
    const server = createClientInput()
    let isPaid = false
    server.tool('pay', {}, async (_, context) => {
      for (;;) {
        const link = { mode: 'url', message: 'Pay', url: 'https://pay.example/1' } as const
        const { action } = await context.elicit(link)
        if (action !== 'accept') return 'not paid'
        if (isPaid) return 'paid'
      }
    })
    const client = await open(server)
    let asked = 0
    const answer = () => {
      isPaid = ++asked === 2
      return { action: 'accept' }
    }

    const { last, rounds } = await driveRounds(
      client,
      'tools/call',
      { name: 'pay' },
      { capabilities, answer },
    )

    expect(last.result).toMatchObject({ content: [{ text: 'paid' }] })
    expect(rounds).toHaveLength(2)
    for (const { inputRequests } of rounds) {
      expect(Object.values(inputRequests)[0]?.params).not.toHaveProperty('elicitationId')
    }
  })

  test('links that an error names are asked for, and the handler runs again [N07-ELI-02, N07-ELI-01]', async () => {
    const server = createClientInput()
    const made = vi.fn(() => 1)
    let isSignedIn = false
    const elicitations = [
      { mode: 'url', message: 'Sign in', url: 'https://a.example/', elicitationId: 'e' },
    ] as const
    const requireLink = () => {
      if (isSignedIn) return
      throw new RpcError('url_elicitation_required', 'sign in first', { data: { elicitations } })
    }
    server.tool('sync', {}, () => {
      requireLink()
      return 'done'
    })
    server.tool('after', {}, async (_, context) => {
      const { action } = await context.elicit({ message: 'One?', requestedSchema: text })
      await context.once('made', made)
      requireLink()
      return `${action} done`
    })
    server.resource('a://b', {}, () => {
      requireLink()
      return 'read'
    })
    const client = await open(server)
    const inputRequest = { mode: 'url', message: 'Sign in', url: 'https://a.example/' }
    const answer = ({ params }: { params: object }) => {
      isSignedIn = 'url' in params
      return isSignedIn ? { action: 'accept' } : accept({ text: 'x' })
    }

    for (const [method, params, asked, result] of [
      ['tools/call', { name: 'sync' }, 1, 'done'],
      ['tools/call', { name: 'after' }, 2, 'accept done'],
      ['resources/read', { uri: 'a://b' }, 1, 'read'],
    ] as const) {
      isSignedIn = false
      const { last, rounds } = await driveRounds(client, method, params, { capabilities, answer })
      expect(rounds).toHaveLength(asked)
      expect(Object.values(rounds.at(-1)?.inputRequests ?? {})).toEqual([
        { method: 'elicitation/create', params: inputRequest },
      ])
      expect(JSON.stringify(last.result)).toContain(`"${result}"`)
    }
    expect(made).toHaveBeenCalledTimes(1)
    isSignedIn = false
    const decline = () => ({ action: 'decline' })
    const declined = await driveRounds(
      client,
      'tools/call',
      { name: 'sync' },
      { capabilities, answer: decline },
    )
    expect(declined.rounds).toHaveLength(1)
    expect(declined.last.result).toMatchObject({ isError: true })
    const unable = await client.request('tools/call', { name: 'sync' })
    expect(unable.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('https://a.example/') as string }],
    })
  })

  test('a handler that asks something else when it runs again is at fault, and the client hears no more than that', async () => {
    const report = vi.fn()
    const server = createClientInput(report)
    let runs = 0
    server.tool('fickle', {}, async (_, context) => {
      runs += 1
      const answer =
        runs === 1
          ? await context.listRoots()
          : await context.sample({ messages: [], maxTokens: 1 })
      return JSON.stringify(answer)
    })
    const client = await open(server, { onError: report })
    const answer = () => ({ roots: [] })

    const { last } = await driveRounds(
      client,
      'tools/call',
      { name: 'fickle' },
      { capabilities, answer },
    )

    expect(last.result).toMatchObject({ isError: true })
    expect(report.mock.calls.some(([error]) => isMcpError(error, 'replay_diverged'))).toBe(true)
  })

  test('two ways of asking in one call are a fault', async () => {
    const report = vi.fn()
    const server = createClientInput(report)
    server.tool('both', {}, async (_, context) => {
      await context.elicit({ message: 'One?', requestedSchema: text }, { key: 'one' })
      return inputRequired({ requestState: 1 })
    })
    const client = await open(server, { onError: report })
    const answer = () => accept({ text: 'x' })

    const { last } = await driveRounds(
      client,
      'tools/call',
      { name: 'both' },
      { capabilities, answer },
    )

    expect(last.result).toMatchObject({ isError: true })
    expect(String(report.mock.calls[0]?.[0])).toContain('not both')
  })

  test('when a round ends, the handler is told, and nothing it still does is sent or remembered', async () => {
    const server = createClientInput()
    const late = vi.fn(() => 1)
    const seen: unknown[] = []
    let ended: () => void = () => undefined
    const over = new Promise<void>((resolve) => (ended = resolve))
    server.tool('stubborn', {}, async (_, context) => {
      const { signal } = context
      try {
        await context.elicit({ message: 'One?', requestedSchema: text })
      } catch (error) {
        seen.push(error, signal.reason)
        context.log('error', 'late')
        await context.progress({ progress: 1 })
        await context.once('late', late).catch((rejected: unknown) => seen.push(rejected))
        await context.listRoots().catch((rejected: unknown) => seen.push(rejected))
        ended()
        return 'ignored'
      }
      return 'answered'
    })
    const client = await open(server)
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' }
    const answer = () => accept({ text: 'x' })

    const { last, rounds } = await driveRounds(
      client,
      'tools/call',
      { name: 'stubborn' },
      { capabilities, meta, answer },
    )
    await over

    expect(rounds).toHaveLength(1)
    expect(last.result).toMatchObject({ content: [{ text: 'answered' }] })
    expect(late).not.toHaveBeenCalled()
    const suspended = { code: 'cancelled', details: { by: 'suspended' } }
    expect(seen).toMatchObject([suspended, suspended, suspended, { code: 'closed' }])
    expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
  })

  test('what is under way as the round ends is waited for, and what follows it is not begun', async () => {
    const server = createClientInput()
    const effects: string[] = []
    const effect = (name: string) => async () => {
      effects.push(name)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return name
    }
    server.tool('beside', {}, async (_, context) => {
      const [answer, made] = await Promise.all([
        context.elicit({ message: 'One?', requestedSchema: text }),
        context.once('outer', async () => {
          await context.once('inner', effect('inner'))
          return effect('outer')()
        }),
      ])
      await new Promise((resolve) => setTimeout(resolve, 5))
      return `${answer.action} ${made} ${await context.once('after', effect('after'))}`
    })
    const client = await open(server)
    const answer = () => accept({ text: 'x' })

    const { last } = await driveRounds(
      client,
      'tools/call',
      { name: 'beside' },
      { capabilities, answer },
    )

    expect(last.result).toMatchObject({ content: [{ text: 'accept outer after' }] })
    expect(effects).toEqual(['inner', 'outer', 'after'])
  })

  test('logs and progress are not repeated', async () => {
    const server = createClientInput()
    server.tool('chatty', {}, async (_, context) => {
      context.log('info', 'begin')
      await context.progress({ progress: 1 })
      await context.elicit({ message: 'One?', requestedSchema: text })
      context.log('info', 'middle')
      await context.progress({ progress: 2 })
      await context.elicit({ message: 'Two?', requestedSchema: text })
      context.log('info', 'end')
      await context.progress({ progress: 3 })
      return 'done'
    })
    const client = await open(server)
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' }
    const answer = () => accept({ text: 'x' })

    await driveRounds(client, 'tools/call', { name: 'chatty' }, { capabilities, meta, answer })

    const told = client.received.flatMap(
      ({ params }) => params?.['data'] ?? params?.['progress'] ?? [],
    )
    expect(told).toEqual(['begin', 1, 'middle', 2, 'end', 3])
  })

  test.each(['constructor', 'toString', '__proto__', '', 'question-1'])(
    'a question may have any key: %j',
    async (key) => {
      const server = createClientInput()
      server.tool('keyed', {}, async (_, context) => {
        await context.elicit({ message: 'First?', requestedSchema: text }, { key: 'first' })
        const { action } = await context.elicit(
          { message: 'Keyed?', requestedSchema: text },
          { key },
        )
        return `${action} ${await context.once(key, () => 'made')}`
      })
      const client = await open(server)
      const answer = () => accept({ text: 'x' })

      const { last, rounds } = await driveRounds(
        client,
        'tools/call',
        { name: 'keyed' },
        { capabilities, answer },
      )

      expect(rounds.map(({ inputRequests }) => Object.keys(inputRequests))).toEqual([
        ['first'],
        [key],
      ])
      expect(last.result).toMatchObject({ content: [{ text: 'accept made' }] })
    },
  )
})

/** Each kind of question, asked by awaiting and by returning it. */
function createEveryQuestion(): Server {
  const server = createClientInput()
  const form = { message: 'Text?', requestedSchema: text }
  const link = { mode: 'url', message: 'Go', url: 'https://a.example/' } as const
  const message = { messages: [], maxTokens: 1, includeContext: 'thisServer' } as const
  const tools = {
    messages: [],
    maxTokens: 1,
    tools: [{ name: 't', inputSchema: { type: 'object' } as const }],
  }
  server.tool('form', {}, async (_, context) => JSON.stringify(await context.elicit(form)))
  server.tool('url', {}, async (_, context) => JSON.stringify(await context.elicit(link)))
  server.tool('sample', {}, async (_, context) => JSON.stringify(await context.sample(message)))
  server.tool('tools', {}, async (_, context) => JSON.stringify(await context.sample(tools)))
  server.tool('roots', {}, async (_, context) => JSON.stringify(await context.listRoots()))
  const ask = inputRequired
  server.tool('form-explicit', {}, () => inputRequired({ inputRequests: { q: ask.elicit(form) } }))
  server.tool('url-explicit', {}, () => inputRequired({ inputRequests: { q: ask.elicit(link) } }))
  server.tool('sample-explicit', {}, () =>
    inputRequired({ inputRequests: { q: ask.sample(message) } }),
  )
  server.tool('tools-explicit', {}, () =>
    inputRequired({ inputRequests: { q: ask.sample(tools) } }),
  )
  server.tool('roots-explicit', {}, () => inputRequired({ inputRequests: { q: ask.listRoots() } }))
  return server
}
