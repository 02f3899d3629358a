import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { call, inProcess, of, play, testHost } from '../playing.ts'

function speaking(name: string) {
  const server = createServer({ name, version: '1.0.0' })
  server.tool('say', {}, () => `I am ${name}`)
  return server
}

test('a server that is added before the first turn is started by it, and not before', async () => {
  const host = testHost(['Hello.'], [inProcess('one', speaking('one'))])

  host.addServer(inProcess('two', speaking('two')))
  expect(host.servers.map(({ name, status }) => `${name} ${status.state}`)).toEqual([
    'one idle',
    'two idle',
  ])
  await play(host.turn('Hi.'))

  expect(host.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['one__say', 'two__say'])
})

test('a server that is added while a turn runs joins it', async () => {
  const host = testHost(
    [call('one__say'), call('two__say'), 'Done.'],
    [inProcess('one', speaking('one'))],
  )

  const events = []
  for await (const event of host.turn('Go.')) {
    events.push(event)
    if (event.type !== 'call' || event.server !== 'one') continue
    host.addServer(inProcess('two', speaking('two')))
    while (host.servers[1]?.status.state !== 'ready') await host.connection('two').start()
  }

  expect(of(events, 'result').map(({ server, isError }) => [server, isError])).toEqual([
    ['one', false],
    ['two', false],
  ])
})

test('a removed server ends, its tools are gone at once, and its name is free again', async () => {
  const host = testHost(
    ['Hello.', call('two__say'), 'I see.', call('two__say'), 'Again.'],
    [inProcess('one', speaking('one')), inProcess('two', speaking('two'))],
  )
  await play(host.turn('Hi.'))
  const removed = host.connection('two')

  await host.removeServer('two')
  const without = await play(host.turn('Go.'))
  host.addServer(inProcess('two', speaking('another two')))
  const again = await play(host.turn('Again.'))

  expect(host.model.requests[1]?.tools.map(({ name }) => name)).toEqual(['one__say'])
  expect(of(without, 'notice').map(({ code }) => code)).toEqual(['unknown-tool'])
  expect(removed.status).toEqual({ state: 'off', error: 'it was removed' })
  await expect(removed.use(new AbortController().signal)).rejects.toThrow('two was removed')
  expect(of(again, 'result')[0]?.content).toEqual([{ type: 'text', text: 'I am another two' }])
})

test('a call that was allowed is not made any more once its server was removed', async () => {
  const server = speaking('one')
  const host = testHost([call('one__say'), 'I see.'], [inProcess('one', server)], {
    consent: {
      async decide(calls) {
        await host.removeServer('one')
        return calls.map(() => ({ decision: 'allow', rule: 'test' }) as const)
      },
    },
  })

  const [result] = of(await play(host.turn('Go.')), 'result')

  expect(result).toMatchObject({ wasCalled: false, isError: true })
  expect(JSON.stringify(result?.content)).toContain('one cannot be reached: one was removed')
})

test('a name is given once, and one that is not there cannot be removed', async () => {
  const host = testHost(['Hello.'], [inProcess('one', speaking('one'))])

  expect(() => host.addServer(inProcess('one', speaking('other')))).toThrow(
    expect.objectContaining({
      code: 'duplicate_server',
      message: 'two servers are named "one": give each its own name',
    }),
  )
  await expect(host.removeServer('tow')).rejects.toMatchObject({
    code: 'unknown_server',
    message: 'there is no server "tow"; there is: one',
  })
  expect(host.servers).toHaveLength(1)
})
