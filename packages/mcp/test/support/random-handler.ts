import * as fc from 'fast-check'
import { z } from 'zod'

import type { ConnectOptions } from '../../src/client/options.ts'
import type { Context } from '../../src/server/context.ts'
import { createServer } from '../../src/server/create-server.ts'
import type { Server } from '../../src/server/server.ts'

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

/** Handlers that ask, log, report progress, sleep, and do things that must be done once. */
export function randomProgram(questions: readonly Ask['type'][]): fc.Arbitrary<readonly Step[]> {
  const number = fc.nat(99)
  const ask = fc.record({
    type: fc.constantFrom(...questions),
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
  const step = fc.oneof(ask, once, plain, together, guarded) as fc.Arbitrary<Step> // each of them is one
  return fc.array(step, { maxLength: 8 })
}

export interface RandomServer {
  readonly server: Server
  /** How often each thing was done, by the call it was done for. */
  effectsOf(call: string): readonly number[]
}

/** Runs any program it is given. */
export function createRandomServer(): RandomServer {
  const effects = new Map<string, number[]>()
  const server = createServer({ name: 'random', version: '1', onError: () => undefined })
  const inputSchema = z.object({ call: z.string(), program: z.array(z.any()) })
  server.tool('run', { inputSchema }, async ({ call, program }, context) => {
    const results: unknown[] = []
    const done = effects.get(call) ?? []
    effects.set(call, done)
    let questions = 0
    let things = 0

    function ask({ type, number, isKeyed }: Ask): Promise<unknown> {
      const options = isKeyed ? { key: `key ${(questions += 1)}` } : {}
      if (type === 'roots') return context.listRoots(options)
      if (type === 'sample') {
        const content = { type: 'text', text: String(number) } as const
        const params = { messages: [{ role: 'user', content } as const], maxTokens: 9 }
        return context.sample(params, options).then((sampled) => sampled.content)
      }
      const requestedSchema = z.object({ text: z.string() })
      return context.elicit({ message: String(number), requestedSchema }, options)
    }

    function once({ number }: Once): Promise<unknown> {
      const thing = (things += 1)
      return context.once(`thing ${thing}`, async () => {
        done[thing] = (done[thing] ?? 0) + 1
        await pause(number % 3)
        return { made: number }
      })
    }

    for (const step of program as readonly Step[]) {
      switch (step.type) {
        case 'together': {
          const run = (part: Ask | Once) => (part.type === 'once' ? once(part) : ask(part))
          results.push(...(await Promise.all(step.steps.map(run))))
          break
        }
        case 'finally':
          try {
            results.push(await ask(step.ask))
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
          results.push(await ask(step))
      }
    }
    return JSON.stringify(results)
  })
  return { server, effectsOf: (call) => (effects.get(call) ?? []).filter(() => true) }
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
