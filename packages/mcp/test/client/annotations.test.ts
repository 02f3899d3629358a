import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'

const claims = [
  undefined,
  { readOnlyHint: true, destructiveHint: false },
  { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
]

describeMatrix('what a server claims about its tools', ({ rawServer }) => {
  test('reaches the host as it came, and changes nothing about calling them [TOOL-11, TOOL-30]', async () => {
    const server = rawServer()
    const client = await server.accept()
    const tools = claims.map((annotations, index) => ({
      name: `tool_${index}`,
      inputSchema: { type: 'object' },
      ...(annotations && { annotations }),
    }))

    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools })
    const listed = await listing
    const sent: unknown[] = []
    for (const { name } of tools) {
      const calling = client.callTool(name, { a: 1 })
      const request = await server.answer('tools/call', { content: [] })
      sent.push({ ...request, id: 0, params: { ...request.params, name: 'it' } })
      expect(await calling).toEqual({ content: [] })
    }

    expect(listed).toEqual(tools)
    expect(sent).toEqual([sent[0], sent[0], sent[0]])
    await client.close()
  })
})
