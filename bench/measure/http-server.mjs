import { setTimeout } from 'node:timers/promises'

import { startChild } from './child.mjs'
import { openHttpLoad } from './http-load.mjs'
import { sampleOf } from './statistics.mjs'

/** One round of requests to an HTTP server in a new process; CPU time is the server's, without warm-up. */
export function measureHttpServer(
  program,
  { workload, operations, warmUp, sessions = 'on', idleSessions = 0, args = [], ...options },
) {
  const ownArgs = sessions === 'off' ? [...args, '--stateless'] : args
  return withServer(program, { ...options, args: ownArgs }, async (child, load) => {
    if (idleSessions > 0) await load.handshake(idleSessions, { ends: false })
    if (sessions === 'on') await load.openSessions()
    await load.call(workload, warmUp)
    return costOf(child, () => load.call(workload, operations))
  })
}

/** One start of an HTTP server, up to the result of the first call. */
export async function measureFirstCall(program, { workload, nodeArgs }) {
  const startedAt = performance.now()
  return withServer(program, { nodeArgs, connections: 1 }, async (child, load) => {
    await load.openSessions()
    await load.call(workload, 1)
    const elapsedMs = performance.now() - startedAt
    const latencies = Float64Array.of(elapsedMs * 1_000)
    return sampleOf({ cpuMicros: await child.cpuMicros(), latencies, seconds: elapsedMs / 1_000 })
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
export function measureSessionMemory(program, { operations, warmUp, nodeArgs = [], ...options }) {
  const withCollector = { ...options, nodeArgs: ['--expose-gc', ...nodeArgs] }
  return withServer(program, withCollector, async (child, load) => {
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

/** What sessions cost that somebody listens to: to open, to keep in memory, and while nothing happens. */
export function measureListeners(program, { operations, warmUp, nodeArgs = [] }) {
  const withCollector = ['--expose-gc', ...nodeArgs]
  return withServer(program, { nodeArgs: withCollector, connections: 1 }, async (child, load) => {
    const listeners = []
    try {
      for (let count = 0; count < warmUp; count++) listeners.push(await load.listen())
      const before = await child.ask('memory', 'memory')
      const cpuBefore = await child.cpuMicros()
      for (let count = 0; count < operations; count++) listeners.push(await load.listen())
      const cpuMicros = ((await child.cpuMicros()) - cpuBefore) / operations
      const after = await child.ask('memory', 'memory')
      const idleBefore = await child.cpuMicros()
      await setTimeout(idleSeconds * 1_000)
      const idleMicros = (await child.cpuMicros()) - idleBefore
      return {
        heapBytes: (after.heapBytes - before.heapBytes) / operations,
        residentBytes: (after.residentBytes - before.residentBytes) / operations,
        cpuMicros,
        idlePercent: idleMicros / idleSeconds / 10_000,
      }
    } finally {
      for (const listener of listeners) listener.close()
    }
  })
}

const idleSeconds = 3

/** Starts a server for as long as it is measured, with connections to it. */
export async function withServer(program, { connections, headers, ...options }, measure) {
  const child = startChild(program, options)
  let load
  try {
    load = openHttpLoad(await child.hear('port'), connections, headers)
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
