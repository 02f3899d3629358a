import { createServer, visibleTools } from '@parley/mcp/server'
import { createTestClient, testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

test('middleware sees the tools that its caller is listed, all pages and mounted ones', async () => {
  const inner = createServer({ name: 'inner', version: '1.0.0' })
  inner.tool('open', {}, () => '')
  inner.tool('secret', { visible: ({ auth }) => auth?.subject === 'ada' }, () => '')
  inner.tool('filtered', {}, () => '')
  inner.use('tools/list', async (_, next) => {
    const { result } = await next()
    const tools = result.tools.filter(({ name }) => name !== 'filtered')
    return { resultType: 'complete', result: { tools } }
  })
  const server = createServer({ name: 'outer', version: '1.0.0', pageSize: 1 })
  server.mount('in', inner)
  server.tool('own', {}, () => '')
  server.use('tools/call', async ({ context }) => {
    const tools = await visibleTools(server, context)
    const text = tools.map(({ name }) => name).join(' ')
    return { resultType: 'complete', result: { content: [{ type: 'text', text }] } }
  })

  const seenBy = async (subject: string) => {
    await using client = await createTestClient(server, { caller: testAuth({ subject }) })
    return (await client.callTool('own')).content
  }

  expect(await seenBy('ada')).toMatchObject([{ text: 'in_open in_secret own' }])
  expect(await seenBy('bob')).toMatchObject([{ text: 'in_open own' }])
})
