import { expect, vi } from 'vitest'

import type { MatrixClient, ServerCapabilities } from './client.ts'

/** A row of the matrix: what a pair must have to use a feature, and what it must then do. */
export interface Feature {
  readonly name: string
  readonly needs: Needs
  check(client: MatrixClient): Promise<void>
}

/** All of them must hold; a pair that lacks one cannot use the feature, and that is the reason. */
export interface Needs {
  readonly capability?: keyof ServerCapabilities
  readonly resources?: 'subscribe' | 'listChanged'
  /** A tool that makes the server use the feature. */
  readonly tool?: string
  /** The last revision that has it. */
  readonly until?: string
  readonly pages?: true
}

const followed = 'demo://resource/dynamic/text/9'
/** Enough for servers that do something every five seconds, on a busy machine. */
export const patience = { interval: 20 }

export const features: readonly Feature[] = [
  {
    name: 'tools: list',
    needs: { capability: 'tools' },
    async check(client) {
      const names = await client.listTools()
      expect(names).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-structured-content']))
      expect(new Set(names).size).toBe(names.length)
    },
  },
  {
    name: 'tools: list of several pages',
    needs: { capability: 'tools', pages: true },
    async check(client) {
      // What comes last is on another page than what comes first.
      expect(await client.listTools()).toEqual(
        expect.arrayContaining(['echo', 'trigger-sampling-request']),
      )
    },
  },
  {
    name: 'tools: call, text',
    needs: { tool: 'echo' },
    async check(client) {
      const { content, isError } = await client.callTool('echo', { message: 'hello' })
      expect(content).toEqual([{ type: 'text', text: 'Echo: hello' }])
      expect(isError ?? false).toBe(false)
    },
  },
  {
    name: 'tools: call, structured content',
    needs: { tool: 'get-structured-content' },
    async check(client) {
      const result = await client.callTool('get-structured-content', { location: 'New York' })
      const weather = { temperature: 33, conditions: 'Cloudy', humidity: 82 }
      expect(result.structuredContent).toEqual(weather)
    },
  },
  {
    name: 'tools: call, error for the model',
    needs: { tool: 'get-sum' },
    async check(client) {
      const { isError } = await client.callTool('get-sum', { a: 'one', b: 2 })
      expect(isError).toBe(true)
    },
  },
  {
    name: 'progress',
    needs: { tool: 'trigger-long-running-operation' },
    async check(client) {
      const told: number[] = []
      // Heard while the call goes on: official clients forget it with its result, and what came with that.
      await cancelCall(client, (progress) => told.push(progress) === 3)
      expect(told.slice(0, 3)).toEqual([1, 2, 3])
    },
  },
  {
    name: 'cancellation',
    needs: { tool: 'trigger-long-running-operation' },
    async check(client) {
      await cancelCall(client, () => true)
      expect(await client.callTool('echo', { message: 'still here' })).toMatchObject({
        content: [{ text: 'Echo: still here' }],
      })
    },
  },
  {
    name: 'logging',
    needs: { capability: 'logging', tool: 'toggle-simulated-logging' },
    async check(client) {
      const before = client.received.logs.length
      await client.setLoggingLevel('debug')
      await client.callTool('toggle-simulated-logging')
      await vi.waitFor(() => expect(client.received.logs.length).toBeGreaterThan(before), patience)
      await client.callTool('toggle-simulated-logging') // its timer would keep the server running
    },
  },
  {
    name: 'resources: list, read',
    needs: { capability: 'resources' },
    async check(client) {
      const uri = 'demo://resource/static/document/features.md'
      expect(await client.listResources()).toContain(uri)
      expect((await client.readResource(uri)).contents).toMatchObject([
        { uri, mimeType: 'text/markdown' },
      ])
      await expect(client.readResource('demo://nowhere')).rejects.toBeDefined()
    },
  },
  {
    name: 'resources: templates',
    needs: { capability: 'resources' },
    async check(client) {
      expect(await client.listTemplates()).toContain('demo://resource/dynamic/text/{resourceId}')
      expect((await client.readResource(followed)).contents).toMatchObject([
        { uri: followed, mimeType: 'text/plain' },
      ])
    },
  },
  {
    name: 'resources: following one',
    needs: { resources: 'subscribe', tool: 'toggle-subscriber-updates' },
    async check(client) {
      await using _ = await client.follow(followed)
      await client.callTool('toggle-subscriber-updates')
      await vi.waitFor(() => expect(client.received.updates).toContain(followed), patience)
      await client.callTool('toggle-subscriber-updates')
    },
  },
  {
    name: 'changes of a list',
    needs: { resources: 'listChanged', tool: 'gzip-file-as-resource' },
    async check(client) {
      await using _ = await client.follow(followed)
      const before = client.received.changes.length
      await client.callTool('gzip-file-as-resource', { name: 'new.gz', data: 'data:,new' })
      await vi.waitFor(
        () => expect(client.received.changes.length).toBeGreaterThan(before),
        patience,
      )
    },
  },
  {
    name: 'prompts: list, get',
    needs: { capability: 'prompts' },
    async check(client) {
      expect(await client.listPrompts()).toContain('args-prompt')
      expect((await client.getPrompt('args-prompt', { city: 'Oslo' })).messages).toEqual([
        { role: 'user', content: { type: 'text', text: "What's weather in Oslo?" } },
      ])
      await expect(client.getPrompt('args-prompt', {})).rejects.toBeDefined()
    },
  },
  {
    name: 'completion',
    needs: { capability: 'completions' },
    async check(client) {
      const prompt = { type: 'ref/prompt', name: 'completable-prompt' } as const
      const uri = 'demo://resource/dynamic/text/{resourceId}'
      const template = { type: 'ref/resource', uri } as const
      const departments = await client.complete(prompt, { name: 'department', value: 'S' })
      expect(departments).toEqual(['Sales', 'Support'])
      expect(await client.complete(template, { name: 'resourceId', value: '12' })).toEqual(['12'])
    },
  },
  {
    name: 'elicitation of a form',
    needs: { tool: 'trigger-elicitation-request' },
    check: (client) => expectResponse(client, 'trigger-elicitation-request', {}, 'Ada'),
  },
  {
    name: 'sampling',
    needs: { tool: 'trigger-sampling-request' },
    check: (client) =>
      expectResponse(client, 'trigger-sampling-request', { prompt: 'Why?' }, 'Forty-two.'),
  },
  {
    name: 'roots',
    needs: { tool: 'get-roots-list' },
    check: (client) => expectResponse(client, 'get-roots-list', {}, 'file:///home/ada'),
  },
  {
    name: 'ping',
    needs: { until: '2025-11-25' },
    check: (client) => client.ping(),
  },
]

/** Calls what takes long, and cancels it when its progress is enough. */
async function cancelCall(client: MatrixClient, isEnough: (progress: number) => boolean) {
  const controller = new AbortController()
  const call = client.callTool(
    'trigger-long-running-operation',
    { duration: 20, steps: 1_000 },
    {
      signal: controller.signal,
      onProgress({ progress }) {
        if (isEnough(progress)) controller.abort(new Error('enough'))
      },
    },
  )
  await expect(call).rejects.toBeDefined()
}

/** The tool asks the client and says in its result what it was told. */
async function expectResponse(client: MatrixClient, tool: string, args: object, answer: string) {
  const { content, isError } = await client.callTool(tool, { ...args })
  expect(JSON.stringify(content)).toContain(answer)
  expect(isError ?? false).toBe(false)
}

/** Why a pair cannot use a feature, by what it has settled on and what the server offers. */
export async function findLack(
  client: MatrixClient,
  needs: Needs,
  tools: readonly string[],
): Promise<string | undefined> {
  const { revision, capabilities } = client
  const { capability, resources, tool, until, pages } = needs
  if (until !== undefined && revision > until) return `${revision} does not have it`
  if (capability !== undefined && capabilities[capability] === undefined) {
    return `the server does not declare \`${capability}\``
  }
  if (resources !== undefined && !capabilities.resources?.[resources]) {
    return `the server does not declare \`resources.${resources}\``
  }
  if (tool !== undefined && !tools.includes(tool)) {
    return `the server does not offer \`${tool}\``
  }
  if (pages && !(await client.listFirstTools()).hasMore)
    return 'the server sends its tools on one page'
  return undefined
}
