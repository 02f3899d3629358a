import { startChild } from './child.mjs'
import { sampleOf } from './statistics.mjs'
import { openSession } from './stdio-session.mjs'
import { openWebSocket } from './websocket-lines.mjs'
import { echo } from './workloads.mjs'

/** One round of load on a stdio server in a new process; CPU time is the server's, without warm-up. */
export async function measureStdioServer(program, { args, nodeArgs, ...load }) {
  const child = startChild(program, { args, nodeArgs })
  try {
    return await measureSession(child, openSession(child), load)
  } finally {
    await child.end()
  }
}

/** The same over one WebSocket. */
export async function measureWebSocketServer(program, { args, nodeArgs, ...load }) {
  const child = startChild(program, { args, nodeArgs })
  let socket
  try {
    socket = await child.orExit(openWebSocket(await child.hear('port')))
    return await measureSession(child, openSession(socket), load)
  } finally {
    socket?.close()
    await child.end()
  }
}

async function measureSession(child, session, { workload, operations, warmUp, inFlight }) {
  await child.orExit(session.initialize())
  await child.orExit(session.run({ ...workload, operations: warmUp, inFlight }))
  const before = await child.cpuMicros()
  const { latencies, seconds } = await child.orExit(
    session.run({ ...workload, operations, inFlight }),
  )
  const after = await child.cpuMicros()
  return sampleOf({ cpuMicros: after - before, latencies, seconds })
}

/** One start of a stdio server, up to the answer of the first tool call. */
export async function measureColdStart(program, { nodeArgs } = {}) {
  const startedAt = performance.now()
  const child = startChild(program, { nodeArgs })
  try {
    const session = openSession(child)
    await child.orExit(session.initialize())
    await child.orExit(session.run({ ...echo, operations: 1, inFlight: 1 }))
    const elapsedMs = performance.now() - startedAt
    const cpuMicros = await child.cpuMicros()
    const latencies = Float64Array.of(elapsedMs * 1_000)
    return sampleOf({ cpuMicros, latencies, seconds: elapsedMs / 1_000 })
  } finally {
    await child.end()
  }
}
