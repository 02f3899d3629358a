import type { Tool } from '@parley/mcp'
import { clientTasks } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import {
  referencePrompts,
  referenceResources,
  referenceTemplates,
  referenceTools,
} from './reference.ts'
import { answering, inEveryRevision } from './support.ts'

/** Tools for what came later than the protocol did. */
const since = new Map([
  ['trigger-elicitation-request', '2025-06-18'],
  ['trigger-url-elicitation', '2025-11-25'],
  ['simulate-research-query', '2025-11-25'],
])
/** Tools for clients that work on questions as tasks, which ours does not. */
const forTasks = ['trigger-sampling-request-async', 'trigger-elicitation-request-async']

inEveryRevision((open, revision) => {
  const hasTitles = revision >= '2025-06-18'

  test('lists the tools of the reference server, in its order', async () => {
    await using client = await open({ ...answering, extensions: [clientTasks()] })

    const tools = await client.listTools().toArray()

    const known = referenceTools.filter(
      ({ name }) =>
        revision >= (since.get(name) ?? '') &&
        (!forTasks.includes(name) || revision === '2025-11-25'),
    )
    expect(tools.map(({ name }) => name)).toEqual(known.map(({ name }) => name))
    for (const [index, tool] of tools.entries()) {
      const { inputSchema, annotations, title, outputSchema, execution } = known[index] ?? {}
      expect(withoutDescriptions(tool.inputSchema)).toEqual(inputSchema)
      expect(tool.execution).toEqual(revision === '2025-11-25' ? execution : undefined)
      expect(tool.annotations).toEqual(revision >= '2025-03-26' ? annotations : undefined)
      expect(tool.title).toBe(hasTitles ? title : undefined)
      expect(tool.outputSchema && withoutDescriptions(tool.outputSchema)).toEqual(
        hasTitles ? outputSchema : undefined,
      )
      expect(tool.description).toMatch(/\.$/)
    }
  })

  test('hides the tools that ask from a client that cannot be asked', async () => {
    await using client = await open()

    const names = (await client.listTools().toArray()).map(({ name }) => name)

    // Any caller of 2025-11-25 may ask for a task.
    expect(names).toHaveLength(revision === '2025-11-25' ? 13 : 12)
    expect(names).not.toContain('get-roots-list')
    await expect(client.callTool('get-roots-list')).rejects.toMatchObject({
      code: 'invalid_params',
    })
  })

  test('lists the prompts, resources and templates of the reference server [REFS-01]', async () => {
    await using client = await open()

    const prompts = await client.listPrompts().toArray()
    const resources = await client.listResources().toArray()
    const templates = await client.listResourceTemplates().toArray()

    expect(prompts.map(({ description: _, title, ...rest }) => ({ ...rest, title }))).toEqual(
      referencePrompts.map(({ title, arguments: args, name }) => ({
        name,
        title: hasTitles ? title : undefined,
        ...(args && { arguments: args.map((one) => expect.objectContaining(one)) }),
      })),
    )
    expect(resources.map(({ description: _, ...rest }) => rest)).toEqual(referenceResources)
    expect(templates.map(({ description: _, ...rest }) => rest)).toEqual(referenceTemplates)
  })

  test('says who it is and what it can do', async () => {
    await using client = await open()

    expect(client.server.info).toMatchObject({ name: 'mcp-servers/everything', version: '2.0.0' })
    expect(client.server.info?.title).toBe(hasTitles ? 'Everything Reference Server' : undefined)
    expect(client.server.capabilities).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
      ...(revision >= '2025-03-26' && { completions: {} }),
      ...(revision === '2025-11-25' && {
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      }),
    })
    expect(client.server.instructions).toContain('# Everything server')
  })
})

function withoutDescriptions(schema: Tool['inputSchema']): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value)),
  ) as object // JSON of an object
}
