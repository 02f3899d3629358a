import type { CallToolResult } from '@parley/mcp'
import { connect, toolOutput } from '@parley/mcp/client'
import { createProxy } from '@parley/mcp/proxy'
import { createServer } from '@parley/mcp/server'
import { createTestClient, testAuth } from '@parley/mcp/testing'
import { withToolSearch } from '@parley/tools'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const three = ['find_tools', 'describe_tool', 'call_tool']

function createNotes() {
  const server = createServer({ name: 'notes', version: '1.0.0', pageSize: 2 })
  const inputSchema = z.object({ id: z.string() })
  server.tool('read_note', { description: 'Reads a note', inputSchema }, ({ id }) => `note ${id}`)
  server.tool('delete_note', { description: 'Deletes a note', inputSchema }, () => 'gone')
  server.tool('list_notes', { description: 'All notes' }, () => 'none')
  server.tool(
    'wipe',
    { description: 'Removes every note', visible: ({ auth }) => auth?.subject === 'ada' },
    () => 'wiped',
  )
  return server
}

async function namesOf(client: {
  listTools(): { toArray(): Promise<readonly { name: string }[]> }
}) {
  return (await client.listTools().toArray()).map(({ name }) => name)
}

function found(result: CallToolResult): readonly string[] {
  const { tools } = JSON.parse(String(toolOutput(result)))
  return tools.map(({ name }: { name: string }) => name)
}

describe('toolSearch on a server', () => {
  test('lists three tools, finds and calls the others', async () => {
    await using client = await connect(withToolSearch(createNotes()))

    expect(await namesOf(client)).toEqual(three)
    expect(found(await client.callTool('find_tools', { query: 'remove note' }))[0]).toBe(
      'delete_note',
    )
    const called = await client.callTool('call_tool', { name: 'read_note', arguments: { id: '7' } })
    expect(toolOutput(called)).toBe('note 7')
  })

  test('arguments are checked by the tool that is called', async () => {
    await using client = await connect(withToolSearch(createNotes()))

    const called = await client.callTool('call_tool', { name: 'read_note' })

    expect(called.isError).toBe(true)
    expect(called.content[0]).toMatchObject({ text: expect.stringContaining('id') })
  })

  test('a tool that a caller cannot see is neither found, described nor called', async () => {
    const server = withToolSearch(createNotes())
    await using ada = await createTestClient(server, { caller: testAuth({ subject: 'ada' }) })
    await using bob = await createTestClient(server, { caller: testAuth({ subject: 'bob' }) })

    expect(found(await ada.callTool('find_tools', { query: 'wipe' }))).toEqual(['wipe'])
    expect(found(await bob.callTool('find_tools', { query: 'wipe' }))).toEqual([])
    expect(found(await bob.callTool('find_tools', {}))).toHaveLength(3)
    expect((await bob.callTool('describe_tool', { name: 'wipe' })).isError).toBe(true)
    expect((await bob.callTool('call_tool', { name: 'wipe' })).isError).toBe(true)
    expect(toolOutput(await ada.callTool('call_tool', { name: 'wipe' }))).toBe('wiped')
  })

  test('what other middleware removes from the list is not found', async () => {
    const server = withToolSearch(createNotes())
    server.use('tools/list', async (_, next) => {
      const outcome = await next()
      const tools = outcome.result.tools.filter(({ name }) => name !== 'delete_note')
      return { resultType: 'complete', result: { tools } }
    })
    await using client = await connect(server)

    expect(found(await client.callTool('find_tools', { query: 'delete note' }))).not.toContain(
      'delete_note',
    )
    expect((await client.callTool('call_tool', { name: 'delete_note' })).isError).toBe(true)
  })

  test('pinned tools stay in the list', async () => {
    await using client = await connect(withToolSearch(createNotes(), { pinned: ['list_notes'] }))

    expect(await namesOf(client)).toEqual([...three, 'list_notes'])
    expect(toolOutput(await client.callTool('list_notes'))).toBe('none')
  })

  test('a few tools are listed as they are', async () => {
    const server = withToolSearch(createNotes(), { above: 3 })
    await using bob = await createTestClient(server, { caller: testAuth({ subject: 'bob' }) })
    await using ada = await createTestClient(server, { caller: testAuth({ subject: 'ada' }) })

    expect(await namesOf(bob)).toEqual(['read_note', 'delete_note', 'list_notes'])
    await expect(bob.callTool('find_tools')).rejects.toThrow('unknown tool: find_tools')
    expect(await namesOf(ada)).toEqual(three)
  })

  test('tools that are added, and those of mounted servers, are found', async () => {
    const server = withToolSearch(
      createServer({ name: 'outer', version: '1.0.0', declares: ['tools'] }),
    )
    await using client = await connect(server)
    server.mount('inner', createNotes())
    server.tool('translate', { description: 'Into Latin' }, () => 'salve')

    expect(found(await client.callTool('find_tools', { query: 'latin' }))).toEqual(['translate'])
    const called = await client.callTool('call_tool', {
      name: 'inner_read_note',
      arguments: { id: '1' },
    })
    expect(toolOutput(called)).toBe('note 1')
  })

  test.each(['legacy', 'modern'] as const)(
    'a tool called through it can ask, in the %s era',
    async (protocolVersion) => {
      const server = createServer({ name: 'asking', version: '1.0.0' })
      server.tool('book', {}, async (_, { elicit, progress }) => {
        await progress({ progress: 1 })
        const requestedSchema = z.object({ seat: z.string() })
        const answer = await elicit({ message: 'Which seat?', requestedSchema })
        return answer.action === 'accept' ? `booked ${answer.content.seat}` : 'not booked'
      })
      const steps: number[] = []
      await using client = await connect(withToolSearch(server), {
        protocolVersion,
        elicit: () => ({ action: 'accept', content: { seat: '3A' } }),
      })

      const result = await client.callTool(
        'call_tool',
        { name: 'book' },
        {
          onProgress: ({ progress }) => void steps.push(progress),
        },
      )

      expect(toolOutput(result)).toBe('booked 3A')
      expect(steps[0]).toBe(1)
    },
  )

  test('refuses a server that has a tool of the same name', async () => {
    const server = createNotes()
    server.tool('find_tools', {}, () => 'mine')

    expect(() => withToolSearch(server)).toThrow('the server has a tool called find_tools already')
    await using client = await connect(withToolSearch(server, { names: { find: 'search_tools' } }))
    expect(found(await client.callTool('search_tools', { query: 'find' }))[0]).toBe('find_tools')
  })

  test('refuses a proxy, which has no tools of its own', async () => {
    await using proxy = createProxy(createNotes())

    expect(() => withToolSearch(proxy)).toThrow('a proxy has no features of its own')
  })
})

describe('toolSearch on a client', () => {
  test('lists three tools, finds and calls the others', async () => {
    await using client = await connect(createNotes())
    const searching = withToolSearch(client, { pinned: ['read_note'] })

    expect(await namesOf(searching)).toEqual([...three, 'read_note'])
    expect(found(await searching.callTool('find_tools', { query: 'delete' }))).toEqual([
      'delete_note',
    ])
    const called = await searching.callTool('call_tool', {
      name: 'read_note',
      arguments: { id: '7' },
    })
    expect(toolOutput(called)).toBe('note 7')
    expect(toolOutput(await searching.callTool('list_notes'))).toBe('none')
    expect(searching.server.info?.name).toBe('notes')
    expect(await namesOf(client)).toHaveLength(3)
  })

  test('sees a new tool when the list is too old, and passes on what a small server has', async () => {
    const server = createNotes()
    await using client = await connect(server)
    const searching = withToolSearch(client, { maxAgeMs: 0, above: 3 })
    expect(await namesOf(searching)).toHaveLength(3)

    server.tool('translate', { description: 'Into Latin' }, () => 'salve')

    expect(found(await searching.callTool('find_tools', { query: 'latin' }))).toEqual(['translate'])
  })
})
