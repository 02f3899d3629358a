import { setImmediate } from 'node:timers/promises'

import type { ConsentAnswer } from '@parley/host'
import { expect, test } from 'vitest'

import { consentWith, proposed, rulesOf, toolNamed } from './proposed.ts'

const never = new AbortController().signal

test('asks about parallel calls together, and answers each in order', async () => {
  const { consent, asked } = consentWith({
    rules: rulesOf([
      { tool: 'free', decision: 'allow' },
      { tool: 'forbidden', decision: 'deny' },
    ]),
    ask: async () => [{ decision: 'allow' }, { decision: 'deny', message: 'use the other file' }],
  })
  const calls = ['free', 'one', 'forbidden', 'two'].map((name) =>
    proposed({ id: name, tool: toolNamed(name) }),
  )

  const decisions = await consent.decide(calls, never)

  expect(asked.map((questions) => questions.map(({ call }) => call.id))).toEqual([['one', 'two']])
  expect(decisions.map(({ decision }) => decision)).toEqual(['allow', 'allow', 'deny', 'deny'])
  expect(decisions[3]).toMatchObject({
    message: 'The user refused this call. They say: use the other file',
  })
})

test('a refusal is told to the model, and says that the user refused [TUI-02]', async () => {
  const { decideOne } = consentWith({ ask: async () => [{ decision: 'deny' }] })

  expect(await decideOne(proposed())).toMatchObject({
    decision: 'deny',
    message: 'The user refused this call.',
  })
})

test.each([
  ['too few answers', []],
  ['no answers', undefined],
  ['something else', [{ decision: 'maybe' }]],
  ['a text', ['allow']],
  ['arguments that are no object', [{ decision: 'allow', arguments: ['/etc'] }]],
])('%s allow nothing', async (_, answers) => {
  // What a program in JavaScript may return.
  const ask = async () => answers as unknown as readonly ConsentAnswer[]
  const { decideOne } = consentWith({ ask })

  expect(await decideOne(proposed())).toMatchObject({ decision: 'deny' })
})

test('a person who cannot be asked allows nothing', async () => {
  const { decideOne } = consentWith({
    ask: async () => {
      throw new Error('the window is gone')
    },
  })

  expect(await decideOne(proposed())).toMatchObject({
    decision: 'deny',
    rule: expect.stringContaining('the window is gone') as string,
    unanswered: { ruleThatAllows: { server: 'fs', tool: 'write_file', decision: 'allow' } },
  })
})

test('changed arguments are used, if neither rules nor schema refuse them [TUI-03]', async () => {
  const tool = toolNamed('write_file', {
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    },
  })
  const decideWith = async (edited: object) => {
    const { decideOne, records } = consentWith({
      rules: rulesOf([{ args: { path: '/etc/**' }, decision: 'deny' }]),
      ask: async () => [{ decision: 'allow', arguments: { ...edited } }],
    })
    const decision = await decideOne(proposed({ tool, arguments: { path: '/tmp/a' } }))
    return { decision, record: records[0] }
  }

  const fine = await decideWith({ path: '/tmp/b' })
  expect(fine.decision).toMatchObject({ decision: 'allow', arguments: { path: '/tmp/b' } })
  expect(fine.record).toMatchObject({
    arguments: { path: '/tmp/a' },
    changedArguments: { path: '/tmp/b' },
    decidedBy: 'person',
  })
  const forbidden = await decideWith({ path: '/tmp/../etc/passwd' })
  expect(forbidden.decision).toMatchObject({
    decision: 'deny',
    rule: expect.stringMatching(/^rule 1/) as string,
  })
  expect(forbidden.record).toMatchObject({ changedArguments: { path: '/tmp/../etc/passwd' } })
  const wrong = await decideWith({ path: 5 })
  expect(wrong.decision).toMatchObject({
    decision: 'deny',
    rule: 'the changed arguments do not fit the schema of the tool',
  })
})

test('an answer that comes after the end is not heard, and not remembered', async () => {
  const controller = new AbortController()
  let answer = (_: readonly ConsentAnswer[]): void => {}
  const answered = new Promise<readonly ConsentAnswer[]>((resolve) => (answer = resolve))
  const { consent, asked, records } = consentWith({ ask: () => answered })
  const deciding = consent.decide([proposed(), proposed({ id: 'call-2' })], controller.signal)
  while (asked.length === 0) await setImmediate()

  controller.abort()
  const decisions = await deciding
  answer([
    { decision: 'allow', remember: 'always' },
    { decision: 'allow', remember: 'always' },
  ])
  await setImmediate()

  expect(decisions).toMatchObject([
    { decision: 'deny', rule: 'cancelled before a decision' },
    { decision: 'deny', rule: 'cancelled before a decision' },
  ])
  expect(records.map(({ decision }) => decision)).toEqual(['deny', 'deny'])
  const after = consent.decide([proposed()], controller.signal)
  expect(await after).toMatchObject([{ decision: 'deny' }])
  expect(asked).toHaveLength(1)
})

test('a rule allows nothing once the turn has ended', async () => {
  const { consent, records } = consentWith({ rules: rulesOf([{ decision: 'allow' }]) })

  expect(await consent.decide([proposed()], AbortSignal.abort())).toMatchObject([
    { decision: 'deny' },
  ])
  expect(records).toMatchObject([{ decision: 'deny' }])
})

test('each decision is in the audit before it counts, with its rule [OBS-04]', async () => {
  const { consent, records } = consentWith({
    rules: rulesOf([{ tool: 'free', decision: 'allow' }]),
  })
  const call = proposed({
    id: 'c1',
    tool: toolNamed('free'),
    arguments: { path: '/a', password: 'hunter2-hunter2' },
  })

  await consent.decide([call], never)
  await consent.recordOutcome(call, { outcome: 'error', message: 'no such file', durationMs: 3 })
  await consent.decide([proposed()], never)

  expect(records).toMatchObject([
    {
      type: 'decision',
      call: 'c1',
      server: 'fs',
      tool: 'free',
      arguments: { path: '/a', password: '••••••' },
      decision: 'allow',
      rule: expect.stringMatching(/^rule 1 \(rules\.json:\d+\): allow \*\/free$/) as string,
      proposedBy: 'model',
    },
    { type: 'outcome', call: 'c1', outcome: 'error', message: 'no such file', durationMs: 3 },
    { type: 'decision', decision: 'deny', unanswered: true, asked: 'no rule matches this call' },
  ])
})

test.each([
  ['fails', async () => Promise.reject(new Error('disk full'))],
  ['is full', async () => ({ written: false, reason: 'full', message: 'disk full' }) as const],
])('nothing runs while the audit %s', async (_, append) => {
  const { decideOne } = consentWith({
    rules: rulesOf([{ decision: 'allow' }]),
    audit: { append },
  })

  expect(await decideOne(proposed())).toMatchObject({
    decision: 'deny',
    message: expect.stringContaining('disk full') as string,
  })
})

test('large arguments are in the audit by their hash', async () => {
  const { decideOne, records } = consentWith({ rules: rulesOf([{ decision: 'allow' }]) })

  await decideOne(proposed({ arguments: { content: 'x'.repeat(2_000_000) } }))

  expect(records[0]?.['arguments']).toMatchObject({ truncated: true, length: 2_000_014 })
  expect(JSON.stringify(records[0]).length).toBeLessThan(5_000)
})
