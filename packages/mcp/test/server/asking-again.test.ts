import { expect, test, vi } from 'vitest'
import { z } from 'zod'

import { createServer } from '../../src/server/create-server.ts'
import { inputRequired } from '../../src/server/input-required.ts'
import { describeStandalone } from '../support/standalone-client.ts'

const elicitation = { capabilities: { elicitation: { form: {} } } }
const name = z.object({ name: z.string() })

describeStandalone('a handler that asks', ({ open }) => {
  test('ends the round, and runs again with the answer [N07-MRTR-01, N07-MRTR-03, N07-MRTR-04]', async () => {
    const server = createServer({ name: 'asks', version: '1' })
    const runs = vi.fn()
    server.tool('greet', {}, async (_, context) => {
      runs()
      const answer = await context.elicit({ message: 'Your name?', requestedSchema: name })
      return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello!'
    })
    const client = await open(server)

    const first = await client.request('tools/call', { name: 'greet' }, elicitation)
    const { inputRequests, requestState, resultType } = first.result as {
      inputRequests: Record<string, object>
      requestState: string
      resultType: string
    }
    expect(resultType).toBe('input_required')
    expect(Object.values(inputRequests)).toEqual([
      {
        method: 'elicitation/create',
        params: {
          message: 'Your name?',
          requestedSchema: expect.objectContaining({ type: 'object' }) as object,
        },
      },
    ])
    const [key = ''] = Object.keys(inputRequests)

    const second = await client.request(
      'tools/call',
      {
        name: 'greet',
        requestState,
        inputResponses: { [key]: { action: 'accept', content: { name: 'Ada' } } },
      },
      elicitation,
    )
    expect(second.result).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: 'Hello, Ada!' }],
    })
    expect(runs).toHaveBeenCalledTimes(2)
  })

  test('says explicitly what it needs, and is called again [N07-MRTR-03]', async () => {
    const server = createServer({ name: 'asks', version: '1' })
    server.tool('greet', {}, (_, context) => {
      const question = inputRequired.elicit({ message: 'Your name?', requestedSchema: name })
      const answer = context.inputResponse('user_name', question)
      if (answer === undefined) {
        return inputRequired({ inputRequests: { user_name: question }, requestState: { at: 7 } })
      }
      const { at } = context.requestState as { at: number }
      return answer.action === 'accept' ? `Hello, ${answer.content.name}, ${at}` : 'Hello!'
    })
    const client = await open(server)

    const first = await client.request('tools/call', { name: 'greet' }, elicitation)
    expect(first.result).toMatchObject({ inputRequests: { user_name: {} } })
    const { requestState } = first.result as { requestState: string }
    const second = await client.request(
      'tools/call',
      {
        name: 'greet',
        requestState,
        inputResponses: { user_name: { action: 'accept', content: { name: 'Ada' } } },
      },
      elicitation,
    )
    expect(second.result).toMatchObject({ content: [{ text: 'Hello, Ada, 7' }] })

    const tampered = `${requestState.slice(0, -4)}AAAA`
    const third = await client.request(
      'tools/call',
      { name: 'greet', requestState: tampered, inputResponses: {} },
      elicitation,
    )
    expect(third.error).toMatchObject({ code: -32602 })
  })

  test('discovers and lists', async () => {
    const server = createServer({ name: 'asks', version: '1' })
    server.tool('greet', {}, () => 'hi')
    const client = await open(server)
    expect((await client.request('server/discover')).result).toMatchObject({
      resultType: 'complete',
      supportedVersions: expect.arrayContaining(['2026-07-28']) as object,
      capabilities: { tools: { listChanged: true } },
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'asks', version: '1' } },
    })
    expect((await client.request('tools/list')).result).toMatchObject({
      resultType: 'complete',
      tools: [{ name: 'greet' }],
      ttlMs: 0,
      cacheScope: 'private',
    })
  })

  test('tells those who listen', async () => {
    const server = createServer({ name: 'asks', version: '1' })
    server.tool('greet', {}, () => 'hi')
    const client = await open(server)
    void client
      .request('subscriptions/listen', { notifications: { toolsListChanged: true } }, { id: 'L1' })
      .catch(() => undefined)
    expect(await client.next((message) => message.method !== undefined)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true } },
    })
    server.notifyChanged('tools')
    expect(await client.next((message) => message.method !== undefined)).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'L1' } },
    })
  })
})
