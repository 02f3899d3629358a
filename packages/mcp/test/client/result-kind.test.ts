import type { ClientExtension } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import type { ExtensionCall } from '../../src/client/extension.ts'
import { metaKeys } from '../../src/wire/request-meta.ts'
import { openStandalone } from '../support/raw-modern-server.ts'

const content = [{ type: 'text', text: 'done' }]

describe('the kind of a result', () => {
  test('is not shown to the caller once it is complete [N07-RES-01]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const calling = client.callTool('t')
    await server.answer('tools/call', { resultType: 'complete', content })

    expect(await calling).toEqual({ content })
    await client.close()
  })

  test('and who gave it are not shown; what else the server says in _meta is [N07-DISC-02]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const info = { name: 's', version: '1' }
    for (const [sent, shown] of [
      [{ [metaKeys.server]: info }, undefined],
      [{ [metaKeys.server]: info, 'com.example/a': 1 }, { 'com.example/a': 1 }],
      [{ 'com.example/a': 1 }, { 'com.example/a': 1 }],
      [{}, {}],
    ]) {
      const calling = client.callTool('t')
      await server.answer('tools/call', { resultType: 'complete', content, _meta: sent })
      expect((await calling)._meta).toEqual(shown)
    }
    await client.close()
  })

  test.each(['weird', 7, null])(
    '%j makes the answer invalid [N07-RES-03, N07-T-08]',
    async (resultType) => {
      const server = openStandalone()
      const client = await server.discovered()
      const calling = client.callTool('t')
      calling.catch(() => undefined)
      await server.answer('tools/call', { resultType, content })

      await expect(calling).rejects.toMatchObject({ code: 'invalid_message' })
      await client.close()
    },
  )

  test('task is invalid without the extension that has it [N07-RES-04]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const calling = client.callTool('t')
    calling.catch(() => undefined)
    await server.answer('tools/call', { resultType: 'task', taskId: '1' })

    await expect(calling).rejects.toMatchObject({ code: 'invalid_message' })
    await client.close()
  })

  test('may be absent, unless strict [N07-RES-05]', async () => {
    const lax = openStandalone()
    const trusting = await lax.discovered()
    const taken = trusting.callTool('t')
    await lax.answer('tools/call', { content })
    expect(await taken).toEqual({ content })
    await trusting.close()

    const server = openStandalone({ validation: { strict: true } })
    const client = await server.discovered()
    const calling = client.callTool('t')
    calling.catch(() => undefined)
    await server.answer('tools/call', { content })
    await expect(calling).rejects.toMatchObject({ code: 'invalid_message' })
    await client.close()
  })

  test('is nothing an older server has to say [N07-RES-02]', async () => {
    const server = openStandalone({ protocolVersion: 'legacy', validation: { strict: true } })
    const client = await server.accept()
    const calling = client.callTool('t')
    await server.answer('tools/call', { content })

    expect(await calling).toMatchObject({ content })
    await client.close()
  })

  test.each(['tools/list', 'completion/complete', 'com.example/own'])(
    'input_required is invalid on %s [N07-MRTR-02]',
    async (method) => {
      const server = openStandalone()
      const client = await server.discovered()
      const calling = client.request(method)
      calling.catch(() => undefined)
      await server.answer(method, { resultType: 'input_required', requestState: 's' })

      await expect(calling).rejects.toMatchObject({ code: 'invalid_message' })
      await client.close()
    },
  )
})

describe('an extension with results of its own', () => {
  function later(onResult: (call: ExtensionCall) => Promise<object>): ClientExtension {
    return {
      id: 'com.example/later',
      '~client': {
        results: { later: ['tools/call'] },
        onResult: async (_, __, call) => (await onResult(call)) as never,
      },
    }
  }

  test('follows one to the result the caller waits for [N07-RES-04]', async () => {
    const extension = later(async (call) => {
      const { result } = await call.request('com.example/get', { of: call.params['name'] })
      return result as object
    })
    const server = openStandalone({ extensions: [extension] })
    const client = await server.discovered()
    const calling = client.callTool('t')
    await server.answer('tools/call', { resultType: 'later', ticket: 1 })
    const request = await server.answer('com.example/get', {
      resultType: 'complete',
      result: { content },
    })

    expect(await calling).toEqual({ content })
    expect(request.params).toMatchObject({ of: 't' })
    expect(request.params).toHaveProperty('_meta')
    await client.close()
  })

  test('may ask on behalf of the call', async () => {
    const extension = later(async (call) => {
      const answers = await call.ask({ a: { method: 'roots/list' } })
      return { content: [{ type: 'text', text: JSON.stringify(answers) }] }
    })
    const server = openStandalone({ extensions: [extension], roots: ['file:///home'] })
    const client = await server.discovered()
    const calling = client.callTool('t')
    await server.answer('tools/call', { resultType: 'later' })

    expect(await calling).toMatchObject({
      content: [{ text: '{"a":{"roots":[{"uri":"file:///home"}]}}' }],
    })
    await client.close()
  })

  test('has them only where it says', async () => {
    const server = openStandalone({ extensions: [later(async () => ({}))] })
    const client = await server.discovered()
    const reading = client.readResource('a:b')
    reading.catch(() => undefined)
    await server.answer('resources/read', { resultType: 'later' })

    await expect(reading).rejects.toMatchObject({ code: 'invalid_message' })
    await client.close()
  })
})
