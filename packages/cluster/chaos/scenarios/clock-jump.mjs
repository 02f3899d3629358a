import { createClient } from '../client.mjs'
import { judgeCalls, runnerOfCall } from '../oracle.mjs'
import { total } from '../scenario.mjs'
import { untilEvents } from '../world.mjs'

const hourMs = 3_600_000

/** @type {import('../scenario.mjs').Scenario} */
export const clockJump = {
  name: 'clock-jump',
  title: 'clock jump of ± 1 h in one process',
  target: 'no takeover, no early expiry',
  stores: ['redis', 'postgres'],

  async run(world, { number }) {
    const faults = []
    let streams = 0
    for (const offsetMs of [hourMs, -hourMs]) {
      const before = await Promise.all(Array.from({ length: 4 }, () => world.openClient()))
      const calls = before.map((client, index) => {
        const key = `clock-${number}-${offsetMs}-${index}`
        return client.call('count', { to: 60, everyMs: 50, key }, { cutAfter: [20, 40] })
      })
      await untilEvents(calls, 2)
      const node = world.nodeOf(runnerOfCall(calls[0]))
      node.server.notify({ clockOffsetMs: offsetMs })

      // Sessions of before are known to the process, and sessions it opens are known to all others.
      const asking = before.map(({ sessionId }) => ({
        sessionId,
        url: node.server.url,
        when: 'before',
      }))
      const { sessionId } = await world.openClient({ url: node.server.url })
      asking.push(
        ...world.nodes.map(({ server }) => ({ sessionId, url: server.url, when: 'after' })),
      )
      for (const { when, ...about } of asking) {
        const asked = createClient(about).ask('where')
        await asked.catch((error) => faults.push(`a session of ${when}: ${error.message}`))
      }

      const records = await Promise.all(calls.map(({ done }) => done))
      faults.push(...(await judgeCalls(world, records)))
      for (const { answer } of records) {
        if (answer?.result === undefined) faults.push(`no result: ${JSON.stringify(answer)}`)
      }
      streams += records.length
      node.server.notify({ clockOffsetMs: 0 })
    }
    return { faults, figures: { streams: [streams] } }
  },

  describe: ({ streams }) => `${total(streams)} streams, all with their result`,
}
