import { isRpcError } from '@parley/mcp'
import { expect, test } from 'vitest'

import { answering, inEveryRevision, textsOf } from './support.ts'

inEveryRevision((open, revision) => {
  test.each([
    ['schema-ref', { from: { city: 'Oslo' }, to: { city: 'Rome' } }, { from: {}, to: {} }],
    ['schema-all-of', { name: 'Ada', age: 36 }, { name: 'Ada' }],
    ['schema-one-of', { phone: '123' }, { phone: '123', email: 'ada@example.com' }],
    ['schema-nullable', { note: null }, {}],
    [
      'schema-recursive',
      { name: 'root', children: [{ name: 'leaf' }] },
      { name: 'root', children: [{ children: [] }] },
    ],
  ])('%s takes what fits and refuses what does not', async (name, fitting, other) => {
    await using client = await open({}, { extras: true })

    const taken = await client.callTool(name, fitting)
    const refused = await client.callTool(name, other)

    expect(JSON.parse(textsOf(taken)[0] ?? '')).toEqual(fitting)
    expect(refused.isError).toBe(true)
  })

  test('trigger-error fails with a result, or with the error that was asked for', async () => {
    await using client = await open({}, { extras: true })
    async function codeOf(args: object): Promise<unknown> {
      const error: unknown = await client.callTool('trigger-error', args).catch((e: unknown) => e)
      return isRpcError(error) ? [error.code, error.wireCode] : error
    }

    expect(await codeOf({ kind: 'tool_error', message: 'no' })).toEqual({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
    })
    expect(await codeOf({ kind: 'invalid_request' })).toEqual(['invalid_request', -32600])
    expect(await codeOf({ kind: 'method_not_found' })).toEqual(['method_not_found', -32601])
    expect(await codeOf({ kind: 'internal_error' })).toEqual(['internal_error', -32603])
    // From 2026-07-28 on it has the number of bad params, and only who read a resource can know better.
    expect(await codeOf({ kind: 'resource_not_found' })).toEqual(
      revision < '2026-07-28' ? ['resource_not_found', -32002] : ['invalid_params', -32602],
    )
    expect(await codeOf({ kind: 'overloaded' })).toEqual(['overloaded', 503])
    expect(await codeOf({ kind: 'other', code: 4_711 })).toEqual(['other', 4_711])
  })

  test('roll-dice says which page belongs to it, and the page is there', async () => {
    await using client = await open({}, { extras: true })

    const tool = (await client.listTools().toArray()).find(({ name }) => name === 'roll-dice')
    const uri = 'ui://everything/dice'
    const { contents } = await client.readResource(uri)
    const rolled = await client.callTool('roll-dice', { count: 3 })

    const meta = revision >= '2025-06-18' ? { ui: { resourceUri: uri } } : undefined
    expect(tool?._meta).toEqual(meta)
    expect(contents).toMatchObject([{ uri, mimeType: 'text/html;profile=mcp-app' }])
    expect(JSON.stringify(contents)).toContain('ui/initialize')
    const [, dice = '', total] =
      /^Rolled (.*): (\d+) in all\.$/.exec(textsOf(rolled)[0] ?? '') ?? []
    const numbers = dice.split(', ').map(Number)
    expect(numbers).toHaveLength(3)
    expect(numbers.reduce((sum, one) => sum + one, 0)).toBe(Number(total))
  })

  test('get-large-output answers with as many bytes as asked for', async () => {
    await using client = await open({}, { extras: true })

    const text = await client.callTool('get-large-output', { bytes: 2_000_001 })
    const binary = await client.callTool('get-large-output', { bytes: 3_000, form: 'binary' })

    expect(textsOf(text)[0]).toHaveLength(2_000_001)
    const [block] = binary.content
    const blob = block?.type === 'resource' && 'blob' in block.resource ? block.resource.blob : ''
    expect(Buffer.from(blob, 'base64')).toHaveLength(3_000)
  })

  test('lists come in pages of the size that was set', async () => {
    await using client = await open(answering, { pageSize: 4, numberedResources: 10 })

    const first = await client.listResources().page()
    const all = await client.listResources().toArray()
    const tools = await client.listTools().toArray()

    expect(first.items).toHaveLength(4)
    expect(first.nextCursor).toBeDefined()
    expect(all).toHaveLength(7 + 10)
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(17)
    expect(tools.length).toBeGreaterThan(12)
    await expect(client.readResource('demo://resource/numbered/10')).resolves.toMatchObject({
      contents: [{ text: 'This is number 10 of 10.' }],
    })
    await expect(client.readResource('demo://resource/numbered/11')).rejects.toMatchObject({
      code: 'resource_not_found',
    })
  })
})
