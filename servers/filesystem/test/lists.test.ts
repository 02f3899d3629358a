import { expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { extras } from '../src/filesystem.ts'
import { referenceTools, textOutput } from './reference.ts'
import { createPlace, open } from './support.ts'

test.each(triedRevisions)(
  'lists the tools of the reference server, in its order, in %s',
  async (protocolVersion) => {
    await using place = await createPlace()
    await using client = await open(place, {}, { protocolVersion })

    const tools = await client.listTools().toArray()

    expect(tools.map(({ name }) => name)).toEqual(referenceTools.map(({ name }) => name))
    for (const [index, tool] of tools.entries()) {
      const {
        title,
        inputSchema,
        annotations,
        outputSchema = textOutput,
      } = referenceTools[index] ?? {}
      expect(withoutDescriptions(tool.inputSchema)).toEqual(inputSchema)
      expect(tool.annotations).toEqual(protocolVersion >= '2025-03-26' ? annotations : undefined)
      expect(tool.execution).toEqual(
        protocolVersion === '2025-11-25' ? { taskSupport: 'forbidden' } : undefined,
      )
      expect(tool.title).toBe(protocolVersion >= '2025-06-18' ? title : undefined)
      expect(tool.outputSchema && withoutDescriptions(tool.outputSchema)).toEqual(
        protocolVersion >= '2025-06-18' ? outputSchema : undefined,
      )
      expect(tool.description).toMatch(/\.$/)
    }
    expect(client.server.info).toMatchObject({ name: 'secure-filesystem-server', version: '0.2.0' })
    expect(Object.keys(client.server.capabilities)).toEqual(['tools', 'logging'])
  },
)

test('what the reference server does not have is there only if asked for', async () => {
  await using place = await createPlace()
  await using client = await open(place, { enable: [...extras, 'grep_files'] })

  const names = (await client.listTools().toArray()).map(({ name }) => name)

  const more = extras.filter((name) => name !== 'resources')
  expect(names).toEqual([...referenceTools.map(({ name }) => name), ...more])
  expect(
    (await client.listResourceTemplates().toArray()).map(({ uriTemplate }) => uriTemplate),
  ).toEqual(['file://{+path}'])
})

/** Whoever reads them, only their meaning counts. */
function withoutDescriptions(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'description' || key === '$schema' ? undefined : value,
    ),
  )
}
