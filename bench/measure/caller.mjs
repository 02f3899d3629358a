import { fileURLToPath } from 'node:url'

import { startChild } from './child.mjs'
import { sampleOf } from './statistics.mjs'

const callerProgram = fileURLToPath(new URL('caller-process.mjs', import.meta.url))

/** One round of calls made by a client in a new process; CPU time is that process's, without warm-up. */
export async function measureCaller(program, { operations, warmUp, inFlight, nodeArgs }) {
  const child = startChild(callerProgram, { args: [program], nodeArgs })
  try {
    await child.hear('ready')
    await child.ask({ run: { operations: warmUp, inFlight } }, 'done')
    const { cpuMicros, latencies, seconds } = await child.ask(
      { run: { operations, inFlight } },
      'done',
    )
    return sampleOf({ cpuMicros, latencies: Float64Array.from(latencies), seconds })
  } finally {
    await child.end()
  }
}
