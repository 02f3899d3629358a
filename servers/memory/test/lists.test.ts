import { expect, test } from 'vitest'

import { referenceResource, referenceTools } from './reference.ts'
import { inEveryRevision } from './support.ts'

inEveryRevision((open, revision) => {
  const hasTitles = revision >= '2025-06-18'

  test('lists the tools of the reference server, in its order', async () => {
    await using client = await open()

    const tools = await client.listTools().toArray()

    expect(tools.map(({ name }) => name)).toEqual(referenceTools.map(({ name }) => name))
    for (const [index, tool] of tools.entries()) {
      const { inputSchema, outputSchema, annotations, title } = referenceTools[index] ?? {}
      expect(withoutDescriptions(tool.inputSchema)).toEqual(inputSchema)
      expect(tool.outputSchema && withoutDescriptions(tool.outputSchema)).toEqual(
        hasTitles ? outputSchema : undefined,
      )
      expect(tool.annotations).toEqual(revision >= '2025-03-26' ? annotations : undefined)
      expect(tool.execution).toEqual(
        revision === '2025-11-25' ? { taskSupport: 'forbidden' } : undefined,
      )
      expect(tool.title).toBe(hasTitles ? title : undefined)
      expect(tool.description).toMatch(/\.$/)
    }
  })

  test('lists the resource of the reference server', async () => {
    await using client = await open()

    const resources = await client.listResources().toArray()
    const templates = await client.listResourceTemplates().toArray()

    const { title, ...rest } = referenceResource
    expect(resources.map(({ description: _, ...shown }) => shown)).toEqual([
      hasTitles ? { ...rest, title } : rest,
    ])
    expect(templates).toEqual([])
  })

  test('says who it is and what it can do', async () => {
    await using client = await open()

    expect(client.server.info).toMatchObject({ name: 'memory-server', version: '0.6.3' })
    expect(client.server.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    })
  })
})

function withoutDescriptions(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value)),
  ) as object // JSON of an object
}
