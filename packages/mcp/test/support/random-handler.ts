import type { CreateMessageRequestParams, CreateMessageResult } from '@parley/mcp'
import type { ConnectOptions } from '@parley/mcp/client'
import {
  type Context,
  createServer,
  type InputRequest,
  inputRequired,
  type InputRequired,
  type Server,
} from '@parley/mcp/server'
import * as fc from 'fast-check'
import { z } from 'zod'

/** A question; its number says what is asked and what the answer will be. */
interface Ask {
  readonly type: 'elicit' | 'sample' | 'roots'
  readonly number: number
  readonly isKeyed: boolean
}
/** Something to be done once; its number says what comes of it. */
interface Once {
  readonly type: 'once'
  readonly number: number
}
/** What a handler does, as data. */
export type Step =
  | Ask
  | Once
  | { readonly type: 'log'; readonly number: number }
  | { readonly type: 'progress'; readonly number: number }
  | { readonly type: 'sleep'; readonly number: number }
  | { readonly type: 'together'; readonly steps: readonly (Ask | Once)[] }
  | { readonly type: 'finally'; readonly ask: Ask; readonly after: Once }
  /** Begins to ask, does something else for a while, and then awaits the answer. */
  | { readonly type: 'early'; readonly ask: Ask; readonly number: number }

/** Handlers that ask, log, report progress, sleep, and do things that must be done once. */
export function randomProgram(
  inputRequests: readonly Ask['type'][],
): fc.Arbitrary<readonly Step[]> {
  const number = fc.nat(99)
  const ask = fc.record({
    type: fc.constantFrom(...inputRequests),
    number,
    isKeyed: fc.boolean(),
  })
  const once = fc.record({ type: fc.constant('once' as const), number })
  const plain = fc.record({
    type: fc.constantFrom('log' as const, 'progress' as const, 'sleep' as const),
    number: fc.nat(4),
  })
  const together = fc.record({
    type: fc.constant('together' as const),
    steps: fc.array(fc.oneof(ask, once), { minLength: 1, maxLength: 4 }),
  })
  const guarded = fc.record({ type: fc.constant('finally' as const), ask, after: once })
  const early = fc.record({ type: fc.constant('early' as const), ask, number: fc.nat(4) })
  const step = fc.oneof(ask, once, plain, together, guarded, early) as fc.Arbitrary<Step> // each of them is one
  return fc.array(step, { maxLength: 8 })
}

export interface RandomServer {
  readonly server: Server
  /** How often each thing was done, by the call it was done for. */
  effectsOf(call: string): readonly number[]
}

/** How a server runs a program: by awaiting what it asks, or by returning it. */
export const randomTools = ['run', 'return'] as const

/** Runs any program it is given. */
export function createRandomServer(): RandomServer {
  const effects = new Map<string, number[]>()
  const server = createServer({ name: 'random', version: '1', onError: () => undefined })
  const inputSchema = z.object({ call: z.string(), program: z.array(z.any()) })

  function effectsOf(call: string): number[] {
    const done = effects.get(call) ?? []
    effects.set(call, done)
    return done
  }

  server.tool('return', { inputSchema }, ({ call, program }, context) =>
    returnQuestions(program as readonly Step[], context, effectsOf(call)),
  )
  server.tool('run', { inputSchema }, async ({ call, program }, context) => {
    const results: unknown[] = []
    const done = effectsOf(call)
    let inputRequests = 0
    let things = 0

    function ask({ type, number, isKeyed }: Ask): Promise<unknown> {
      const options = isKeyed ? { key: `key ${(inputRequests += 1)}` } : {}
      if (type === 'roots') return context.listRoots(options)
      if (type === 'sample') return context.sample(messageFor(number), options)
      return context.elicit(formFor(number), options)
    }

    function once({ number }: Once): Promise<unknown> {
      const thing = (things += 1)
      return context.once(`thing ${thing}`, () => make(thing, number, done))
    }

    for (const step of program as readonly Step[]) {
      switch (step.type) {
        case 'together': {
          const run = (part: Ask | Once) => (part.type === 'once' ? once(part) : ask(part))
          results.push(...(await Promise.all(step.steps.map(run))).map(toResult))
          break
        }
        case 'early': {
          const requesting = ask(step.ask)
          await pause(step.number)
          results.push(toResult(await requesting))
          break
        }
        case 'finally':
          try {
            results.push(toResult(await ask(step.ask)))
          } finally {
            results.push(await once(step.after))
          }
          break
        case 'once':
          results.push(await once(step))
          break
        case 'log':
        case 'progress':
        case 'sleep':
          await say(step.type, step.number, results.length, context)
          break
        case 'elicit':
        case 'sample':
        case 'roots':
          results.push(toResult(await ask(step)))
      }
    }
    return JSON.stringify(results)
  })
  return { server, effectsOf: (call) => effectsOf(call).filter(() => true) }
}

/** The same program by rounds of its own: what has been done so far is in its state. */
async function returnQuestions(
  program: readonly Step[],
  context: Context,
  done: number[],
): Promise<InputRequired | string> {
  const state = context.requestState as { at: number; results: unknown[] } | undefined // as returned below
  const results = state?.results ?? []
  for (let at = state?.at ?? 0; at < program.length; at += 1) {
    const step = program[at]
    if (step?.type === 'log' || step?.type === 'progress' || step?.type === 'sleep') {
      await say(step.type, step.number, results.length, context)
      continue
    }
    const first = partsOf(program.slice(0, at)).length
    const parts = partsOf(program.slice(at, at + 1)).map((part, index) => ({
      part,
      key: `part ${first + index}`,
    }))
    const inputRequests = Object.fromEntries(
      parts.flatMap(({ part, key }) => (part.type === 'once' ? [] : [[key, requestFor(part)]])),
    )
    const answers = parts.map(({ part, key }, index) =>
      part.type === 'once'
        ? context.once(key, () => make(first + index, part.number, done))
        : context.inputResponse(key, requestFor(part)),
    )
    const values = await Promise.all(answers)
    if (values.includes(undefined)) {
      return inputRequired({ inputRequests, requestState: { at, results } })
    }
    results.push(...values.map(toResult))
  }
  return JSON.stringify(results)
}

function requestFor({ type, number }: Ask): InputRequest<unknown> {
  if (type === 'roots') return inputRequired.listRoots()
  if (type === 'sample') return inputRequired.sample(messageFor(number))
  return inputRequired.elicit(formFor(number))
}

function messageFor(number: number): CreateMessageRequestParams {
  const content = { type: 'text', text: String(number) } as const
  return { messages: [{ role: 'user', content }], maxTokens: 9 }
}

function formFor(number: number) {
  return { message: String(number), requestedSchema: z.object({ text: z.string() }) }
}

/** Of what a model says only that, and not which model it was. */
function toResult(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'model' in value
    ? (value as CreateMessageResult).content // nothing else has a model
    : value
}

async function make(thing: number, number: number, done: number[]): Promise<unknown> {
  done[thing] = (done[thing] ?? 0) + 1
  await pause(number % 3)
  return { made: number }
}

async function say(
  type: 'log' | 'progress' | 'sleep',
  number: number,
  soFar: number,
  context: Context,
): Promise<void> {
  if (type === 'log') context.log('info', soFar)
  else if (type === 'progress') await context.progress({ progress: soFar + 1 })
  else await pause(number)
}

/** A microtask, a turn of the event loop, or some time. */
async function pause(length: number): Promise<void> {
  if (length === 0) return undefined
  if (length === 1) return new Promise((resolve) => setImmediate(resolve))
  return new Promise((resolve) => setTimeout(resolve, length - 2))
}

/** Every answer by its question: what a person, a model and a client say. */
export function answerTo(type: Ask['type'], number: number): unknown {
  if (type === 'roots') return [{ uri: 'file:///home', name: 'home' }]
  if (type === 'sample') return { type: 'text', text: `thought ${number}` }
  if (number % 3 === 1) return { action: 'decline' }
  if (number % 3 === 2) return { action: 'cancel' }
  return { action: 'accept', content: { text: `answer ${number}` } }
}

/** How our client gives these answers. */
export const answering: Pick<ConnectOptions, 'elicit' | 'sample' | 'roots'> = {
  elicit: ({ message }) => answerTo('elicit', Number(message)) as { action: 'decline' }, // any of the three
  sample: ({ messages }) => ({
    role: 'assistant',
    model: 'm',
    content: answerTo('sample', numberIn(messages)) as { type: 'text'; text: string }, // as above
  }),
  roots: [{ uri: 'file:///home', name: 'home' }],
}

/** The number that a question for a model carries. */
export function numberIn(messages: unknown): number {
  const [{ content }] = messages as [{ content: { text: string } }]
  return Number(content.text)
}

/** What comes of a program, without running it. */
export function expectedResults(program: readonly Step[]): readonly unknown[] {
  return partsOf(program).map(({ type, number }) =>
    type === 'once' ? { made: number } : answerTo(type, number),
  )
}

/** Everything in a program that has a result, in order. */
export function partsOf(program: readonly Step[]): readonly (Ask | Once)[] {
  return program.flatMap((step): readonly (Ask | Once)[] => {
    switch (step.type) {
      case 'together':
        return step.steps
      case 'finally':
        return [step.ask, step.after]
      case 'early':
        return [step.ask]
      case 'log':
      case 'progress':
      case 'sleep':
        return []
      case 'elicit':
      case 'sample':
      case 'roots':
      case 'once':
        return [step]
    }
  })
}
