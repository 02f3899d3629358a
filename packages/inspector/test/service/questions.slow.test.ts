import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import type { Rule } from '../../src/protocol/index.ts'
import { serveEverything } from './everything.ts'
import { openPage, type PageClient } from './page-client.ts'
import { troubledEntry } from './troubled-server.ts'

async function openEverything(era: string) {
  const everything = await serveEverything()
  const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  await page.ask('servers/settings', { name: 'all', settings: { era } })
  await page.ask('servers/connect', { name: 'all' })
  return page
}

function start(page: PageClient, name: string, args = {}) {
  return page.ask('runs/start', {
    server: 'all',
    run: name,
    method: 'tools/call',
    params: { name, arguments: args },
  })
}

async function openQuestion(page: PageClient, contains = '') {
  const { questions } = await page.next('questions/changed', (data) =>
    data.questions.some(
      (one) => one.state === 'open' && JSON.stringify(one.params).includes(contains),
    ),
  )
  const found = questions.find(
    (one) => one.state === 'open' && JSON.stringify(one.params).includes(contains),
  )
  if (found === undefined) throw new Error('no question')
  return found
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('in %s', (era) => {
  test.each([
    ['accept', { action: 'accept', content: { name: 'Ada', integer: 7 } } as const],
    ['decline', { action: 'decline' } as const],
    ['cancel', { action: 'cancel' } as const],
  ])('a form ends by %s [EUI-02]', async (_, answer) => {
    const page = await openEverything(era)
    const running = start(page, 'trigger-elicitation-request')
    const question = await openQuestion(page)

    await page.ask('questions/answer', { id: question.id, answer })
    const outcome = await running

    expect(question).toMatchObject({
      kind: 'elicitation',
      operation: 'tools/call',
      name: 'trigger-elicitation-request',
    })
    expect(outcome.error).toBeUndefined()
    expect(JSON.stringify(outcome.result)).toContain(
      answer.action === 'accept' ? 'Ada' : answer.action,
    )
    const { questions } = await page.ask('state/get', {})
    expect(questions[0]?.state).toBe('answered')
    const { records } = await page.ask('trace/page', { after: 0, limit: 1000 })
    expect(records.find(({ kind }) => kind === 'decision')).toMatchObject({
      details: { how: answer.action, by: 'the user', kind: 'elicitation' },
    })
  })

  test('an answer that does not fit is not sent, by a person or by a rule [EUI-03]', async () => {
    const page = await openEverything(era)
    const rule: Rule = {
      id: 'misfit',
      kind: 'elicitation',
      answer: { action: 'accept', content: { name: 7 } },
      enabled: true,
    }
    await page.ask('rules/save', { rules: [rule] })
    const running = start(page, 'trigger-elicitation-request')
    const question = await openQuestion(page)

    const wrong = page.ask('questions/answer', { id: question.id, answer: rule.answer })
    await expect(wrong).rejects.toThrow('misfit')
    const { questions } = await page.ask('state/get', {})
    expect(questions[0]?.state).toBe('open')

    const answer = { action: 'accept', content: { name: 'Ada' } } as const
    await page.ask('questions/answer', { id: question.id, answer })
    expect(JSON.stringify((await running).result)).toContain('Ada')
  })

  test('declining to sample is an error of the call, not a silence [SUI-03, SAMP-02, TRUST-12]', async () => {
    const page = await openEverything(era)
    const running = start(page, 'trigger-sampling-request', { prompt: 'Why?' })
    const question = await openQuestion(page)

    await page.ask('questions/answer', { id: question.id, answer: { action: 'decline' } })
    const outcome = await running

    expect(outcome.error ?? outcome.result?.['isError']).toBeTruthy()
  })

  test('a question whose call was cancelled is void [EUI-07]', async () => {
    const page = await openEverything(era)
    const running = start(page, 'trigger-elicitation-request')
    const question = await openQuestion(page)

    await page.ask('runs/cancel', { run: 'trigger-elicitation-request' })
    await running
    await page.next('questions/changed', ({ questions }) => questions[0]?.state === 'void')

    const late = page.ask('questions/answer', { id: question.id, answer: { action: 'decline' } })
    await expect(late).rejects.toThrow('question_over')
  })

  test('a rule answers by itself, with what the question says [INSP-10]', async () => {
    const page = await openEverything(era)
    await page.ask('rules/save', {
      rules: [
        { id: 'off', kind: 'sampling', answer: { action: 'decline' }, enabled: false },
        {
          id: 'other',
          kind: 'sampling',
          contains: 'not in it',
          answer: { action: 'decline' },
          enabled: true,
        },
        {
          id: 'echo',
          kind: 'sampling',
          server: 'all',
          answer: {
            action: 'reply',
            result: {
              role: 'assistant',
              content: { type: 'text', text: 'You asked {{server}}: {{message}}' },
              model: 'rule',
            },
          },
          enabled: true,
        },
      ],
    })

    const outcome = await start(page, 'trigger-sampling-request', { prompt: 'Why {{server}}?' })

    expect(JSON.stringify(outcome.result)).toContain('You asked all:')
    // What was put in is not looked at again.
    expect(JSON.stringify(outcome.result)).toContain('Why {{server}}?')
    expect((await page.ask('state/get', {})).questions[0]).toMatchObject({
      rule: 'echo',
      state: 'answered',
    })
  })

  test('a model answers when asked to, by its own key', async () => {
    const asked: { authorization: string | undefined; body: unknown }[] = []
    const endpoint = createHttpServer((request, response) => {
      let text = ''
      request.on('data', (part) => (text += String(part)))
      request.on('end', () => {
        asked.push({ authorization: request.headers.authorization, body: JSON.parse(text) })
        const message = { role: 'assistant', content: 'The model says hello.' }
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ model: 'm-1', choices: [{ message, finish_reason: 'stop' }] }),
        )
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => endpoint.once('listening', resolve))
    onTestFinished(() => void endpoint.close())
    const { port } = endpoint.address() as AddressInfo
    const page = await openEverything(era)
    const saved = await page.ask('model/save', {
      url: `http://127.0.0.1:${port}/v1`,
      model: 'm',
      key: 'sk-very-secret',
    })
    const running = start(page, 'trigger-sampling-request', { prompt: 'Why?', maxTokens: 50 })
    const question = await openQuestion(page)

    await page.ask('questions/answer', { id: question.id, answer: { action: 'model' } })

    expect(JSON.stringify((await running).result)).toContain('The model says hello.')
    expect(asked[0]?.authorization).toBe('Bearer sk-very-secret')
    expect(asked[0]?.body).toMatchObject({ model: 'm', max_tokens: 50 })
    expect(saved).toEqual({ url: `http://127.0.0.1:${port}/v1`, model: 'm', hasKey: true })
    expect(JSON.stringify(await page.ask('state/get', {}))).not.toContain('sk-very-secret')
  })
})

describe('roots', () => {
  const listed = (page: PageClient) => start(page, 'get-roots-list')

  test('are told as the settings say, and shown to have been asked for [ROOTUI-01]', async () => {
    const page = await openEverything('2025-11-25')
    const roots = ['/tmp/mine', '/tmp/a#b', '/tmp/100%', '/tmp/sp ace?x']
    await page.ask('servers/settings', { name: 'all', settings: { roots } })
    await page.ask('servers/restart', { name: 'all' })

    const outcome = await listed(page)

    const told = JSON.stringify(outcome.result)
    for (const path of ['mine', 'a%23b', '100%25', 'sp%20ace%3Fx']) {
      expect(told).toContain(`file:///tmp/${path}`)
    }
    expect((await page.ask('state/get', {})).questions).toContainEqual(
      expect.objectContaining({ kind: 'roots', rule: 'settings', state: 'answered' }),
    )
  })

  test.each(['2025-11-25', '2026-07-28'])(
    'that change while it is connected are asked for as before: shown, and by rule [ROOTUI-01, ROOTUI-02] (%s)',
    async (era) => {
      const page = await openEverything(era)
      const asked = async () =>
        (await page.ask('state/get', {})).questions.filter(({ kind }) => kind === 'roots')

      await page.ask('servers/settings', { name: 'all', settings: { roots: ['/tmp/later'] } })
      const told = await listed(page)
      const shown = await asked()
      const rule: Rule = { id: 'no', kind: 'roots', answer: { action: 'decline' }, enabled: true }
      await page.ask('rules/save', { rules: [rule] })
      const refused = await listed(page)

      expect(JSON.stringify(told.result)).toContain('file:///tmp/later')
      expect(shown.at(-1)).toMatchObject({ rule: 'settings', state: 'answered' })
      expect(JSON.stringify(refused)).not.toContain('file:///tmp/later')
      expect((await asked()).at(-1)).toMatchObject({ rule: 'no' })

      await page.ask('rules/save', { rules: [] })
      await page.ask('servers/settings', { name: 'all', settings: { askForRoots: true } })
      const running = listed(page)
      const question = await openQuestion(page)
      await page.ask('questions/answer', { id: question.id, answer: { action: 'decline' } })
      await running
      expect(question.kind).toBe('roots')
    },
  )

  test.each(['2025-11-25', '2026-07-28'])(
    'are told at once where none are set, and that is noted (%s)',
    async (era) => {
      const page = await openEverything(era)

      const outcome = await listed(page)

      const { questions, logs } = await page.ask('state/get', {})
      expect(outcome).toMatchObject({ result: { content: expect.anything() } })
      expect(questions.filter(({ kind }) => kind === 'roots')).toMatchObject([
        { rule: 'settings', state: 'answered' },
      ])
      expect(logs.map(({ data }) => data)).toContainEqual(
        expect.stringContaining('got none: add them in Settings'),
      )
    },
  )

  test('a person is asked where the settings want that [ROOTUI-02, ROOT-15, TRUST-04]', async () => {
    const page = await openEverything('2026-07-28')
    await page.ask('servers/settings', { name: 'all', settings: { askForRoots: true } })
    const running = listed(page)
    const question = await openQuestion(page)

    await page.ask('questions/answer', {
      id: question.id,
      answer: { action: 'accept', content: { roots: [{ uri: 'file:///tmp/told' }] } },
    })

    expect(question.kind).toBe('roots')
    expect(JSON.stringify((await running).result)).toContain('file:///tmp/told')
  })

  test('a rule tells others, or none', async () => {
    const page = await openEverything('2026-07-28')
    const content = { roots: [{ uri: 'file:///tmp/ruled' }] }
    const rule: Rule = {
      id: 'r',
      kind: 'roots',
      answer: { action: 'accept', content },
      enabled: true,
    }
    await page.ask('rules/save', { rules: [rule] })
    const told = await listed(page)
    await page.ask('rules/save', { rules: [{ ...rule, answer: { action: 'decline' } }] })
    const refused = await listed(page)

    expect(JSON.stringify(told.result)).toContain('file:///tmp/ruled')
    expect(refused.error ?? refused.result?.['isError']).toBeTruthy()
  })

  test('a question is void when its connection is gone', async () => {
    const page = await openEverything('2026-07-28')
    await page.ask('servers/settings', { name: 'all', settings: { askForRoots: true } })
    const running = listed(page)
    await openQuestion(page)

    await page.ask('servers/disconnect', { name: 'all' })
    await running

    await page.next('questions/changed', ({ questions }) => questions[0]?.state === 'void')
  })
})

test.each(['ask', 'roots'])(
  'a question that its server withdraws is void, and takes no answer (%s) [EUI-07]',
  async (tool) => {
    const page = await openPage({ servers: [{ name: 'all', entry: troubledEntry }] })
    onTestFinished(() => page[Symbol.asyncDispose]())
    await page.ask('servers/settings', { name: 'all', settings: { askForRoots: true } })
    await page.ask('servers/connect', { name: 'all' })
    const running = start(page, tool)
    const question = await openQuestion(page)

    await start(page, 'withdraw')
    await page.next('questions/changed', ({ questions }) => questions[0]?.state === 'void')

    const late = page.ask('questions/answer', { id: question.id, answer: { action: 'decline' } })
    await expect(late).rejects.toThrow('question_over')
    await page.ask('runs/cancel', { run: tool })
    await running
  },
)

test('rounds of one call share a round [2026-07-28]', async () => {
  const page = await openEverything('2026-07-28')
  const running = start(page, 'plan-trip')
  const where = await openQuestion(page, 'Where to?')
  await page.ask('questions/answer', {
    id: where.id,
    answer: { action: 'accept', content: { city: 'Rome' } },
  })
  const booking = await openQuestion(page, 'Book room')
  await page.ask('questions/answer', {
    id: booking.id,
    answer: { action: 'accept', content: { agreed: true } },
  })

  expect(JSON.stringify((await running).result)).toContain('Rome is booked')
  expect(booking.round).toBe(where.round)
})

test.each(['2025-11-25', '2026-07-28'])(
  'a link is offered, and nothing is opened by us, in %s',
  async (era) => {
    const page = await openEverything(era)
    const running = start(page, 'trigger-url-elicitation', { url: 'https://example.com/form' })
    const question = await openQuestion(page)
    await page.ask('questions/answer', { id: question.id, answer: { action: 'accept' } })

    expect(question.params).toMatchObject({
      mode: 'url',
      url: expect.stringContaining('https://example.com'),
    })
    expect((await running).error).toBeUndefined()
  },
)

test('a key goes to no other endpoint than the one it was given for', async () => {
  await using page = await openPage()
  await page.ask('model/save', { url: 'https://one.example/v1', model: 'm', key: 'sk-very-secret' })

  const moved = await page.ask('model/save', { url: 'https://two.example/v1', model: 'm' })

  expect(moved.hasKey).toBe(false)
})

test('answers that fit no such question are refused', async () => {
  await using page = await openPage()
  const rule: Rule = { id: 'x', kind: 'elicitation', answer: { action: 'model' }, enabled: true }

  await expect(page.ask('rules/save', { rules: [rule] })).rejects.toThrow('unfitting_answer')
})

describe('a question asked as a task, in 2025-11-25,', () => {
  test('is marked, and answered as any other', async () => {
    const page = await openEverything('2025-11-25')
    const running = start(page, 'trigger-elicitation-request-async')
    const question = await openQuestion(page)

    const answer = { action: 'accept', content: { name: 'Ada' } } as const
    await page.ask('questions/answer', { id: question.id, answer })
    const outcome = await running

    expect(question).toMatchObject({ kind: 'elicitation', taskId: expect.any(String) })
    expect(JSON.stringify(outcome.result)).toContain(`Task created: ${question.taskId}`)
    expect(JSON.stringify(outcome.result)).toContain('Ada')
  })

  test('is declared in no other revision', async () => {
    const page = await openEverything('2026-07-28')

    const { servers } = await page.ask('state/get', {})

    expect(servers[0]?.session?.client.capabilities).not.toHaveProperty('tasks')
  })
})
