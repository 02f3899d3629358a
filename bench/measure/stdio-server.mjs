import { startChild } from './child.mjs'
import { sampleOf } from './statistics.mjs'
import { openSession } from './stdio-session.mjs'
import { echo } from './workloads.mjs'

/** One round of load on a stdio server in a new process; CPU time is the server's, without warm-up. */
export async function measureStdioServer(
  program,
  { workload, operations, warmUp, inFlight, args, nodeArgs },
) {
  const child = startChild(program, { args, nodeArgs })
  try {
    const session = openSession(child)
    await child.orExit(session.initialize())
    await child.orExit(session.run({ ...workload, operations: warmUp, inFlight }))
    const before = await child.cpuMicros()
    const { latencies, seconds } = await child.orExit(
      session.run({ ...workload, operations, inFlight }),
    )
    const after = await child.cpuMicros()
    return sampleOf({ cpuMicros: after - before, latencies, seconds })
  } finally {
    await child.end()
  }
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
