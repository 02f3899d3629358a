import { revisions } from '@parley/mcp'
import { testAuth } from '@parley/mcp/testing'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { createClient } from '../../src/client/create-client.ts'
import { openServed, serverChannels } from '../support/matrix.ts'
import { describeStandalone, type StandaloneClient } from '../support/modern-client.ts'
import { describeNetwork } from '../support/network.ts'
import {
  answering,
  answerTo,
  createRandomServer,
  expectedResults,
  numberIn,
  partsOf,
  randomProgram,
  randomTools,
  type RandomServer,
  type Step,
} from '../support/random-handler.ts'
import type { Raw } from '../support/raw-channel.ts'
import { resolveAll, roundOf, type PreparedRequest, type Round } from '../support/rounds-driver.ts'

const limits = { rounds: 1_000, stateBytes: 1_000_000 }
let calls = 0

const anyTool = fc.constantFrom(...randomTools)

/** Those that ask only what the revision can. */
function programsFor(revision: string): fc.Arbitrary<readonly Step[]> {
  return randomProgram(
    revision >= '2025-06-18' ? ['elicit', 'sample', 'roots'] : ['sample', 'roots'],
  )
}

function textOf({ content }: { readonly content?: unknown }): unknown {
  return JSON.parse((content as [{ text: string }])[0].text)
}

async function runWith(
  { effectsOf }: RandomServer,
  program: readonly Step[],
  call: (args: {
    call: string
    program: readonly Step[]
  }) => Promise<{ readonly content?: unknown }>,
): Promise<void> {
  const name = `call ${(calls += 1)}`
  const result = await call({ call: name, program })

  expect(textOf(result)).toEqual(expectedResults(program))
  expect(effectsOf(name).every((times) => times === 1)).toBe(true)
  expect(effectsOf(name)).toHaveLength(
    partsOf(program).filter(({ type }) => type === 'once').length,
  )
}

describe.each(serverChannels)('a random handler over %s', (channel) => {
  test.each(revisions)(
    'gives the same in %s, and does once what is to be done once',
    async (revision) => {
      const random = createRandomServer()

      await fc.assert(
        fc.asyncProperty(programsFor(revision), anyTool, async (program, tool) => {
          const logs: unknown[] = []
          const progress: number[] = []
          // A new one each time: a client answers so many questions in so much time.
          const { near, service } = await openServed(channel, random.server, { revisions, limits })
          const client = await createClient(() => near, {
            protocolVersion: revision,
            limits,
            onError: () => undefined,
            onLog: ({ data }) => logs.push(data),
            ...answering,
          })
          await client.setLoggingLevel('info')

          await runWith(random, program, (args) =>
            client.callTool(tool, args, { onProgress: (told) => progress.push(told.progress) }),
          )
          await client.close()
          await service.drain({ deadlineMs: 0 })

          expect(logs).toEqual(logsOf(program))
          expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b))
        }),
        { numRuns: tries(12) },
      )
    },
  )
})

/** Each log tells how many results there were before it. */
function logsOf(program: readonly Step[]): readonly number[] {
  return program.flatMap(({ type }, at) =>
    type === 'log' ? [expectedResults(program.slice(0, at)).length] : [],
  )
}

// In a revision that has a handshake and no session there is no way to ask.
describeNetwork(
  'a random handler',
  ({ revision, serve }) => {
    test('gives the same as anywhere', async () => {
      const random = createRandomServer()
      await using network = await serve(random.server)

      await fc.assert(
        fc.asyncProperty(programsFor(revision), anyTool, async (program, tool) => {
          const client = await network.connect({ protocolVersion: revision, limits, ...answering })
          await runWith(random, program, (args) => client.callTool(tool, args))
          await client.close()
        }),
        { numRuns: 4 },
      )
    })
  },
  { wayBack: true },
)

const capabilities = { elicitation: {}, sampling: {}, roots: {} }

function wireAnswer({ method, params }: PreparedRequest): object {
  if (method === 'roots/list') return { roots: answerTo('roots', 0) }
  if (method === 'elicitation/create')
    return answerTo('elicit', Number(params['message'])) as object
  const content = answerTo('sample', numberIn(params['messages']))
  return { role: 'assistant', model: 'm', content }
}

/** What a client that does as it pleases sends for one question in one round. */
const whims = fc.infiniteStream(fc.constantFrom('answer', 'answer', 'skip', 'nonsense'))

describeStandalone('a random handler and a client that answers as it pleases', ({ open }) => {
  test('agree in the end, whichever connection and service each round takes [N07-STATE-02, N07-MRTR-14, N07-MRTR-16]', async () => {
    const random = createRandomServer()
    const clients = [
      await open(random.server, { limits, secret: 'a secret that two share' }),
      await open(random.server, { limits, secret: 'a secret that two share' }),
    ] as const

    await fc.assert(
      fc.asyncProperty(
        programsFor('2026-07-28'),
        anyTool,
        whims,
        fc.infiniteStream(fc.nat(1)),
        async (program, tool, whim, turns) => {
          const answer = (asked: PreparedRequest) => {
            const { value } = whim.next() as { value: string }
            if (value === 'skip') return undefined
            return value === 'nonsense' ? { none: 'sense' } : wireAnswer(asked)
          }
          await runWith(random, program, async (args) => {
            let more: object = { inputResponses: { stray: { action: 'accept' } } }
            for (;;) {
              const { value } = turns.next() as { value: 0 | 1 }
              const params = { name: tool, arguments: args, ...more }
              const last = await clients[value].request('tools/call', params, { capabilities })
              if (last.result?.['resultType'] !== 'input_required') return last.result ?? {}
              more = resolveAll(roundOf(last), answer)
            }
          })
        },
      ),
      { numRuns: tries(20) },
    )
  })
})

describeStandalone(
  'a state of a random handler',
  ({ open }) => {
    afterEach(() => {
      vi.useRealTimers()
    })

    test('that was changed, is too old, somebody else’s, of another call or reordered is refused, and nothing is done for it [N07-MRTR-10, N07-MRTR-11]', async () => {
      const random = createRandomServer()
      const { server } = random
      const serving = { limits: { ...limits, inputMs: 60_000 }, secret: 'a secret that two share' }
      const mine = await open(server, { ...serving, auth: testAuth({ subject: 'ada' }) })
      const foreign = await open(server, { ...serving, auth: testAuth({ subject: 'bob' }) })
      const elsewhere = await open(server, {
        ...serving,
        auth: testAuth({ subject: 'ada' }),
        secret: 'a secret that is another',
      })
      const requesting = programsFor('2026-07-28').filter((program) =>
        partsOf(program).some(({ type }) => type !== 'once'),
      )

      await fc.assert(
        fc.asyncProperty(requesting, fc.nat(), fc.nat(), async (program, place, which) => {
          const name = `call ${(calls += 1)}`
          const args = { call: name, program }
          const rounds = await roundsOf(mine, args)
          const { requestState, inputResponses } = rounds[which % rounds.length] ?? fail()
          const effects = random.effectsOf(name)
          const send = (client: StandaloneClient, more: object): Promise<Raw> =>
            client.request(
              'tools/call',
              { name: 'run', arguments: args, inputResponses, requestState, ...more },
              { capabilities },
            )
          const parts = requestState.split('.')

          const rejections = [
            await send(mine, { requestState: flip(requestState, place % requestState.length) }),
            await send(mine, { requestState: parts.toReversed().join('.') }),
            await send(mine, {
              requestState: `${parts[0]}.${parts[1]}.${swapHalves(parts[2] ?? '')}`,
            }),
            await send(foreign, {}),
            await send(elsewhere, {}),
            await send(mine, { arguments: { ...args, call: 'another' } }),
          ]
          vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 })
          rejections.push(await send(mine, {}))
          vi.useRealTimers()

          expect(rejections.map(({ error }) => error?.code)).toEqual(rejections.map(() => -32602))
          expect(random.effectsOf(name)).toEqual(effects)
        }),
        { numRuns: tries(15) },
      )
    })
  },
  ['memory', 'stdio', 'http'],
)

/** Every state that was given out on the way to the end, with the answers that go with it. */
async function roundsOf(
  client: StandaloneClient,
  args: object,
): Promise<ReturnType<typeof resolveAll>[]> {
  const rounds: ReturnType<typeof resolveAll>[] = []
  let more: object = {}
  for (;;) {
    const params = { name: 'run', arguments: args, ...more }
    const last = await client.request('tools/call', params, { capabilities })
    if (last.result?.['resultType'] !== 'input_required') return rounds
    const round: Round = roundOf(last)
    const again = resolveAll(round, wireAnswer)
    rounds.push(again)
    more = again
  }
}

function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

function swapHalves(text: string): string {
  const half = Math.floor(text.length / 2)
  return `${text.slice(half)}${text.slice(0, half)}`
}

function fail(): never {
  throw new Error('it asked nothing')
}
