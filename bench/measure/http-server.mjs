import { setTimeout } from 'node:timers/promises'

import { startChild } from './child.mjs'
import { openHttpLoad } from './http-load.mjs'
import { sampleOf } from './statistics.mjs'

/** One round of requests to an HTTP server in a new process; CPU time is the server's, without warm-up. */
export function measureHttpServer(
  program,
  { workload, operations, warmUp, connections, sessions = 'on', args = [], nodeArgs = [] },
) {
  const ownArgs = sessions === 'off' ? [...args, '--stateless'] : args
  return withServer(program, { args: ownArgs, nodeArgs, connections }, async (child, load) => {
    if (sessions === 'on') await load.openSessions()
    await load.call(workload, warmUp)
    return costOf(child, () => load.call(workload, operations))
  })
}

/** One round of sessions opened and ended. */
export function measureHandshakes(program, { operations, warmUp, connections, nodeArgs }) {
  return withServer(program, { nodeArgs, connections }, async (child, load) => {
    await load.handshake(warmUp, { ends: true })
    return costOf(child, () => load.handshake(operations, { ends: true }))
  })
}

/** What each of so many idle sessions keeps in memory, after the garbage is gone. */
export function measureSessionMemory(program, { operations, warmUp, connections, nodeArgs = [] }) {
  const withCollector = ['--expose-gc', ...nodeArgs]
  return withServer(program, { nodeArgs: withCollector, connections }, async (child, load) => {
    await load.handshake(warmUp, { ends: false })
    const before = await child.ask('memory', 'memory')
    await load.handshake(operations, { ends: false })
    const after = await child.ask('memory', 'memory')
    return {
      heapBytes: (after.heapBytes - before.heapBytes) / operations,
      residentBytes: (after.residentBytes - before.residentBytes) / operations,
    }
  })
}

async function withServer(program, { connections, ...options }, measure) {
  const child = startChild(program, options)
  let load
  try {
    load = openHttpLoad(await child.hear('port'), connections)
    return await child.orExit(measure(child, load))
  } catch (error) {
    // A server that died says more than its closed connection.
    await child.orExit(setTimeout(200))
    throw error
  } finally {
    load?.close()
    await child.end()
  }
}

async function costOf(child, run) {
  const before = await child.cpuMicros()
  const { latencies, seconds } = await run()
  const after = await child.cpuMicros()
  return sampleOf({ cpuMicros: after - before, latencies, seconds })
}
