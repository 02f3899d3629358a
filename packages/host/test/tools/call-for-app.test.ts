import type { CallOutcome } from '@parley/host'
import { appTool, defineApp, serverApps } from '@parley/mcp/apps'
import { createServer, defineTool } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { consentBy, inProcess, testHost } from '../playing.ts'

function shop() {
  const called: string[] = []
  const tool = (name: string) =>
    defineTool(name, {}, () => {
      called.push(name)
      return name
    })
  const app = defineApp({
    uri: 'ui://shop/cart',
    html: '<p>cart</p>',
    tools: [
      tool('show-cart'),
      appTool(tool('empty-cart'), { visibility: ['app'] }),
      appTool(tool('pay'), { visibility: ['model'] }),
    ],
  })
  const server = createServer({ name: 'shop', version: '1.0.0', extensions: [serverApps(app)] })
  return { server, called }
}

test('a call of an app is made once consent allows it, and its outcome is recorded', async () => {
  const { server, called } = shop()
  const outcomes: CallOutcome[] = []
  const consent = {
    ...consentBy(),
    recordOutcome: async (_: unknown, outcome: CallOutcome) => void outcomes.push(outcome),
  }
  const host = testHost([], [inProcess('shop', server)], { consent, apps: true })

  const result = await host.callForApp({ server: 'shop', tool: 'empty-cart', arguments: {} })

  expect(result.content).toEqual([{ type: 'text', text: 'empty-cart' }])
  expect(called).toEqual(['empty-cart'])
  expect(consent.asked).toMatchObject([
    [{ server: 'shop', by: 'app', tool: { name: 'empty-cart' }, flow: { untrusted: true } }],
  ])
  expect(outcomes).toMatchObject([{ outcome: 'result' }])
})

test('what is refused, not for apps, switched off or unknown is not called', async () => {
  const { server, called } = shop()
  const deny = consentBy(() => ({ decision: 'deny', rule: 'test', message: 'denied by test' }))
  const host = testHost([], [inProcess('shop', server)], { consent: deny, apps: true })
  const ask = (tool: string) => host.callForApp({ server: 'shop', tool, arguments: {} })

  await expect(ask('empty-cart')).rejects.toMatchObject({
    code: 'not_called',
    message: expect.stringContaining('denied by test'),
  })
  await expect(ask('pay')).rejects.toThrow('pay is not for apps')
  await expect(ask('unknown')).rejects.toThrow('has no tool "unknown"')
  host.tools.setEnabled('shop', 'show-cart', false)
  await expect(ask('show-cart')).rejects.toThrow('has no tool "show-cart"')
  await expect(
    host.callForApp({ server: 'other', tool: 'show-cart', arguments: {} }),
  ).rejects.toThrow('there is no server')
  expect(called).toEqual([])
  expect(deny.asked).toHaveLength(1)
})

test('tools for apps are unknown to the model, and to clients that show none', async () => {
  const { server } = shop()
  const showing = testHost([], [inProcess('shop', server)], { apps: true })
  const plain = testHost([], [inProcess('shop', server)])
  await showing.start()
  await plain.start()

  expect(showing.tools.all().map(({ tool }) => tool.name)).toEqual([
    'show-cart',
    'empty-cart',
    'pay',
  ])
  expect(showing.tools.enabled().map(({ tool }) => tool.name)).toEqual(['show-cart', 'pay'])
  expect(plain.tools.all().map(({ tool }) => tool.name)).toEqual(['show-cart', 'pay'])
})

test('apps of a server ask one question after the other, and those that are gone ask none', async () => {
  const { server, called } = shop()
  const answers: (() => void)[] = []
  const consent = {
    ...consentBy(),
    decide: async (calls: readonly unknown[], signal?: AbortSignal) => {
      await new Promise<void>((resolve, reject) => {
        answers.push(resolve)
        signal?.addEventListener('abort', () => reject(new Error('withdrawn')), { once: true })
      })
      return calls.map(() => ({ decision: 'allow', rule: 'test' }) as const)
    },
  }
  const host = testHost([], [inProcess('shop', server)], { consent, apps: true })
  await host.start()
  const gone = new AbortController()
  const call = (signal?: AbortSignal) =>
    host.callForApp({ server: 'shop', tool: 'empty-cart', arguments: {}, signal })

  const [first, second, third] = [call(), call(gone.signal), call()]
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.()
  await first
  await expect.poll(() => answers.length).toBe(2)
  gone.abort()
  await expect(second).rejects.toThrow('aborted')
  await expect.poll(() => answers.length).toBe(3)
  answers[2]?.()
  await third

  expect(called).toEqual(['empty-cart', 'empty-cart'])
})

test('a tool that is switched off while its call is decided is not called, and the audit says so', async () => {
  const { server, called } = shop()
  const outcomes: CallOutcome[] = []
  const allow = consentBy()
  const host = testHost([], [inProcess('shop', server)], {
    apps: true,
    consent: {
      async decide(calls, signal) {
        host.tools.setEnabled('shop', 'empty-cart', false)
        return allow.decide(calls, signal)
      },
      recordOutcome: async (_, outcome) => void outcomes.push(outcome),
    },
  })

  const call = host.callForApp({ server: 'shop', tool: 'empty-cart', arguments: {} })

  await expect(call).rejects.toThrow('not called: shop no longer offers empty-cart')
  expect(called).toEqual([])
  expect(outcomes).toMatchObject([
    { outcome: 'cancelled', message: 'not called: shop no longer offers empty-cart' },
  ])
})
