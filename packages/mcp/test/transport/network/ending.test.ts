import { expect, test } from 'vitest'

import { describeNetwork, eventually } from '../../support/network.ts'
import { createSampleServer } from '../../support/sample-server.ts'

describeNetwork('the end', ({ hasSessions, hasWayBack, serve }) => {
  test('of a client rejects what it waits for, and ends its session and its work on the server', async () => {
    const { server, aborted, release, calls } = createSampleServer()
    await using network = await serve(server)
    const [ada, bob] = [await network.connect({ onLog() {} }), await network.connect()]
    const sessions = [network.service.health().sessions]
    const calling = ada.callTool('hang')
    const failed = expect(calling).rejects.toMatchObject({ code: 'closed' })
    await eventually(() => expect(calls.hang).toBe(1))

    await ada.close()
    await failed
    if (!hasWayBack) release() // nothing can tell the handler
    sessions.push(await resolved(() => network.service.health().sessions, hasSessions ? 1 : 0))
    const answer = await bob.callTool('count')
    await bob.close()
    sessions.push(await resolved(() => network.service.health().sessions, 0))

    expect(answer).toMatchObject({ content: [{ text: '1' }] })
    expect(ada.status).toEqual({ state: 'closed' })
    expect(sessions).toEqual(hasSessions ? [2, 1, 0] : [0, 0, 0])
    await expect(ada.callTool('count')).rejects.toMatchObject({ code: 'closed' })
    if (hasWayBack) await eventually(() => expect(aborted).toHaveLength(1))
    release() // a service that ends waits for handlers
  })

  test('of a service lets calls finish', async () => {
    const { server, release, calls } = createSampleServer()
    await using network = await serve(server)
    const [ada, bob] = [await network.connect(), await network.connect()]
    const calling = [ada.callTool('hang'), ada.callTool('hang'), bob.callTool('hang')]
    await eventually(() => expect(calls.hang).toBe(3))

    const draining = network.service.drain()
    const { ready, inFlight } = network.service.health()
    release()

    for (const result of await Promise.all(calling)) {
      expect(result).toEqual({ content: [{ type: 'text', text: 'released' }] })
    }
    expect(await draining).toEqual({ finished: 3, aborted: 0 })
    expect({ ready, inFlight }).toEqual({ ready: false, inFlight: 3 })
    expect(network.service.health()).toMatchObject({ sessions: 0, inFlight: 0 })
  })

  test('of a service aborts at its deadline what has not finished, and says so', async () => {
    const { server, aborted, calls } = createSampleServer()
    await using network = await serve(server)
    const client = await network.connect({ reconnect: false })
    const calling = client.callTool('hang')
    const failed = expect(calling).rejects.toMatchObject({ code: 'overloaded' })
    await eventually(() => expect(calls.hang).toBe(1))

    const report = await network.service.drain({ deadlineMs: 20 })

    await failed
    expect(report).toEqual({ finished: 0, aborted: 1 })
    expect(aborted).toMatchObject([{ code: 'cancelled', details: { by: 'drain' } }])
  })
})

/** The number once it is the one expected, which a connection's end may take a moment to make it. */
async function resolved(read: () => number, expected: number): Promise<number> {
  await eventually(() => expect(read()).toBe(expected))
  return read()
}
