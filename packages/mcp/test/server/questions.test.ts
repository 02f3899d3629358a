import { setTimeout as sleep } from 'node:timers/promises'

import { type Revision, revisions, RpcError } from '@parley/mcp'
import { toolOutput } from '@parley/mcp/client'
import { type Context, createServer, inputRequired, type Server } from '@parley/mcp/server'
import { clientTasks, serverTasks } from '@parley/mcp/tasks'
import { createTestClient, type TestOptions } from '@parley/mcp/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const unhandled: unknown[] = []
const keep = (error: unknown): void => void unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', keep)
})
afterEach(() => {
  process.off('unhandledRejection', keep)
})

const withForms = revisions.filter((revision) => revision >= '2025-06-18')
const text = { type: 'text', text: 'Well?' } as const
const thought = { role: 'assistant', model: 'm', content: text } as const

/** The one thing that every revision can ask. */
function think({ sample }: Context, key?: string): Promise<unknown> {
  return sample({ messages: [{ role: 'user', content: text }], maxTokens: 9 }, { key })
}

function createClientInput(onError: (error: unknown) => void = () => undefined): Server {
  const extensions = [serverTasks({ pollIntervalMs: 1 })]
  return createServer({ name: 'asks', version: '1', onError, extensions })
}

function open(server: Server, revision: Revision, options: TestOptions = {}) {
  const extensions = [clientTasks()]
  return createTestClient(server, { revision, extensions, onError: () => undefined, ...options })
}

describe.each(revisions)('a question that is begun in %s', (revision) => {
  const answer: TestOptions = { sample: () => thought, roots: [] }

  test('may be awaited later', async () => {
    const server = createClientInput()
    server.tool('early', {}, async (_, context) => {
      const requesting = think(context)
      const folders = context.listRoots()
      await sleep(5)
      await requesting
      return `asked, ${(await folders).length}`
    })
    await using client = await open(server, revision, answer)

    expect(toolOutput(await client.callTool('early'))).toBe('asked, 0')
    await sleep(20)
    expect(unhandled).toEqual([])
  })

  test('may be awaited never', async () => {
    const server = createClientInput()
    server.tool('forgets', {}, async (_, context) => {
      void think(context)
      await sleep(5)
      return 'returned'
    })
    server.tool('leaves', {}, (_, context) => {
      void think(context)
      return 'returned'
    })
    await using client = await open(server, revision, answer)

    expect(toolOutput(await client.callTool('forgets'))).toBe('returned')
    expect(toolOutput(await client.callTool('leaves'))).toBe('returned')
    await sleep(20)
    expect(unhandled).toEqual([])
  })

  test.each([
    ['cannot be asked', {}],
    ['is refused', { sample: () => Promise.reject(new Error('no')) }],
    ['is given up', { sample: () => new Promise<never>(() => undefined) }],
  ])('and %s meanwhile ends nothing but its call', async (_, options: TestOptions) => {
    const server = createClientInput()
    const seen: unknown[] = []
    let end = (): void => undefined
    const over = new Promise<void>((resolve) => (end = resolve))
    server.tool('early', {}, async (__, context) => {
      const requesting = think(context)
      await sleep(20)
      await requesting.catch((error: unknown) => seen.push(error))
      end()
      return 'over'
    })
    await using client = await open(server, revision, options)
    const signal = AbortSignal.timeout(10)

    await client.callTool('early', {}, { signal }).catch(() => undefined)
    await over
    await sleep(5)

    expect(seen).toHaveLength(1)
    expect(unhandled).toEqual([])
  })
})

describe.each(revisions)('two questions of one name in %s', (revision) => {
  test.each([
    ['one after the other', 'never'],
    ['together', 'never'],
    ['one after the other', 'required'],
    ['together', 'required'],
  ] as const)('are the author’s fault: %s, task %s', async (how, task) => {
    if (task === 'required' && revision < '2025-11-25') return
    const report: unknown[] = []
    const asked: unknown[] = []
    const server = createClientInput((error) => report.push(error))
    server.tool('twice', { task }, async (_, context) => {
      if (how === 'together') await Promise.all([think(context, 'sure'), think(context, 'sure')])
      await think(context, 'sure')
      await think(context, 'sure')
      return 'deleted both'
    })
    await using client = await open(server, revision, {
      sample: (params) => {
        asked.push(params)
        return thought
      },
    })

    expect(await client.callTool('twice')).toMatchObject({ isError: true })

    expect(report.map(String)).toEqual([
      'TypeError: two input requests have the key sure: give each its own',
    ])
    expect(asked.length).toBeLessThan(2)
  })

  test('are two questions if they are of two calls, or have no name', async () => {
    const server = createClientInput()
    server.tool('two', {}, async (_, context) => {
      await think(context)
      await think(context)
      await think(context, 'sure')
      return 'asked'
    })
    await using client = await open(server, revision, { sample: () => thought })

    expect(toolOutput(await client.callTool('two'))).toBe('asked')
    expect(toolOutput(await client.callTool('two'))).toBe('asked')
  })
})

describe.each(revisions)('a handler in %s that', (revision) => {
  const ask = inputRequired.sample({ messages: [{ role: 'user', content: text }], maxTokens: 9 })
  const both = 'TypeError: a handler either returns inputRequired or awaits answers, not both'

  async function problemsOf(
    handler: (context: Context) => Promise<ReturnType<typeof inputRequired> | string>,
  ): Promise<{ readonly report: unknown[]; readonly asked: number }> {
    const report: unknown[] = []
    let asked = 0
    const server = createClientInput((error) => report.push(String(error)))
    server.tool('both', {}, (_, context) => handler(context))
    await using client = await open(server, revision, {
      sample: () => {
        asked += 1
        return thought
      },
    })
    expect(await client.callTool('both')).toMatchObject({ isError: true })
    return { report, asked }
  }

  test('awaits an answer and then returns a question is at fault, and nobody is asked again', async () => {
    const { report, asked } = await problemsOf(async (context) => {
      await think(context)
      return inputRequired({ inputRequests: { a: ask } })
    })

    expect(report).toEqual([both])
    expect(asked).toBe(1)
  })

  test('returns a question and then awaits an answer is at fault, and nobody is asked again', async () => {
    const { report, asked } = await problemsOf(async (context) => {
      if (!context.inputResponse('a', ask)) return inputRequired({ inputRequests: { a: ask } })
      await think(context)
      return 'never'
    })

    expect(report).toEqual([both])
    expect(asked).toBe(1)
  })

  test('returns what it needs is heard in every round', async () => {
    const logs: unknown[] = []
    const progress: unknown[] = []
    const server = createClientInput()
    server.tool('book', {}, async (_, { inputResponse, log, progress: report }) => {
      if (!inputResponse('where', ask)) {
        log('info', 'asking')
        return inputRequired({ inputRequests: { where: ask } })
      }
      log('info', 'booking')
      await report({ progress: 1, message: 'half' })
      return 'booked'
    })
    await using client = await open(server, revision, {
      sample: () => thought,
      onLog: ({ data }) => logs.push(data),
    })
    await client.setLoggingLevel('info')

    const result = await client.callTool(
      'book',
      {},
      { onProgress: (told) => progress.push(told.progress) },
    )

    expect(toolOutput(result)).toBe('booked')
    expect(logs).toEqual(['asking', 'booking'])
    expect(progress).toEqual([1])
  })
})

describe.each(withForms)('a form that changes while the user thinks, in %s', (revision) => {
  interface Form {
    readonly requestedSchema: { readonly properties: { readonly branch: { enum: string[] } } }
  }

  async function deploy(after: readonly string[]): Promise<readonly unknown[]> {
    let branches: readonly string[] = ['main', 'dev']
    const asked: string[] = []
    const server = createClientInput()
    server.tool('deploy', {}, async (_, context) => {
      const requestedSchema = z.object({ branch: z.enum(branches) })
      const answer = await context.elicit({ message: 'Which?', requestedSchema })
      return answer.action === 'accept' ? answer.content.branch : answer.action
    })
    await using client = await open(server, revision, {
      elicit: (form) => {
        const { branch } = (form as unknown as Form).requestedSchema.properties // as the tool has it
        asked.push(branch.enum.join())
        branches = after
        return { action: 'accept', content: { branch: branch.enum[0] ?? '' } }
      },
    })
    return [toolOutput(await client.callTool('deploy')), ...asked]
  }

  test('is answered if the answer still fits', async () => {
    expect(await deploy(['new', 'main'])).toEqual(['main', 'main,dev'])
  })

  if (revision === '2026-07-28') {
    test('is asked again if the answer fits no more [N07-MRTR-14]', async () => {
      expect(await deploy(['new', 'dev'])).toEqual(['new', 'main,dev', 'new,dev'])
    })
  }
})

describe.each(revisions.filter((revision) => revision < '2026-07-28'))(
  'a question that the client does not answer, in %s',
  (revision) => {
    async function failureOf(sample: TestOptions['sample']) {
      const faults: unknown[] = []
      const server = createClientInput((error) => faults.push(error))
      server.tool('think', {}, async (_, context) => String(await think(context)))
      await using client = await open(server, revision, { sample })
      return { result: await client.callTool('think'), faults }
    }

    test('is a failure of the tool that the model can read, and no error of the call [TOOL-19]', async () => {
      const { result, faults } = await failureOf(() => {
        throw new RpcError('invalid_request', 'User rejected sampling request')
      })

      expect(result).toMatchObject({
        isError: true,
        content: [
          {
            text: 'The client did not answer sampling/createMessage: User rejected sampling request',
          },
        ],
      })
      expect(faults).toEqual([])
    })
  },
)
