/** The reference server and ours ask the same client for a task. */

import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { maskOwnWords } from './mask-own-words.ts'
import {
  openPlainClient,
  untilListed,
  type Answer,
  type Described,
  type PlainClient,
} from './plain-client.ts'
import { answering } from './support.ts'

const programs = {
  reference: fileURLToPath(
    new URL(
      'dist/index.js',
      import.meta.resolve('@modelcontextprotocol/server-everything/package.json'),
    ),
  ),
  ours: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
}

/** What the client does with what it is asked. */
const ways = [
  'answers at once',
  'works on it',
  'refuses',
  'fails',
  'cancels',
  'declines',
  'gives up',
] as const
type Way = (typeof ways)[number]

/** What a client that does so was asked, and answers. */
function createResponse(asked: Described[]): Answer & { way: Way } {
  let states: readonly string[] = []

  function state(): object {
    const [status = 'working', ...later] = states
    states = later
    const statusMessage = status === 'failed' ? { statusMessage: 'it broke' } : {}
    return { taskId: 'task', status, ...statusMessage, ...times }
  }

  function answer(method: string, params: Described): object | undefined {
    if (method === 'roots/list') return { roots: [] }
    if (method === 'tasks/get') return state()
    asked.push({ method, params })
    if (answer.way === 'fails' && method === 'tasks/result') return undefined
    if (method === 'tasks/result') return { ...result(asked, answer.way), _meta: related }
    if (answer.way === 'refuses') return undefined
    if (params['task'] === undefined || answer.way === 'answers at once') {
      return result(asked, answer.way)
    }
    const polled = answer.way === 'works on it' ? ['working'] : []
    states = ['working', ...polled, ends[answer.way] ?? 'completed']
    return { task: state() }
  }
  answer.way = 'works on it' as Way
  return answer
}

const sampling = 'trigger-sampling-request-async'
const ends: { readonly [way: string]: string } = { fails: 'failed', cancels: 'cancelled' }
const related = { 'io.modelcontextprotocol/related-task': { taskId: 'task' } }
const time = new Date(0).toISOString()
const times = { createdAt: time, lastUpdatedAt: time, ttl: 600_000, pollInterval: 1_000 }

function result(asked: readonly Described[], way: Way): object {
  if (asked.some(({ method }) => method === 'sampling/createMessage')) return answering.sample()
  if (way === 'declines') return { action: 'decline' }
  if (way === 'gives up') return { action: 'cancel' }
  return { action: 'accept', content: { name: 'Ada', favoriteColor: 'Green', agreeToTerms: true } }
}

interface Side {
  readonly client: PlainClient
  readonly asked: Described[]
  readonly answer: ReturnType<typeof createResponse>
}

let sides: readonly Side[] = []
beforeAll(async () => {
  sides = await Promise.all(
    Object.values(programs).map(async (program) => {
      const asked: Described[] = []
      const answer = createResponse(asked)
      const client = await openPlainClient(program, answer)
      await untilListed(client)
      return { client, asked, answer }
    }),
  )
})
afterAll(() => {
  for (const { client } of sides) client[Symbol.dispose]()
})

const cases: readonly (readonly [tool: string, way: Way, args: object])[] = [
  ...ways.map((way) => ['trigger-elicitation-request-async', way, {}] as const),
  // A model neither declines nor gives up.
  ...ways.slice(0, 5).map((way) => [sampling, way, { prompt: 'Why?' }] as const),
]

test.each(cases)('the same: %s of a client that %s', async (name, way, args) => {
  const [expected, actual] = await Promise.all(
    sides.map(async ({ client, asked, answer }) => {
      asked.length = 0
      answer.way = way
      const given = await client.ask('tools/call', { name, arguments: args })
      // A task that has failed answers with its error; the reference does not ask for that.
      const questions = asked.filter(({ method }) => way !== 'fails' || method !== 'tasks/result')
      return maskOwnWords({ given, questions })
    }),
  )

  expect(actual).toEqual(expected)
})
