import { fileURLToPath } from 'node:url'

import { startChild } from './child.mjs'
import { sampleOf } from './statistics.mjs'

const callerProgram = fileURLToPath(new URL('caller-process.mjs', import.meta.url))
const floorServer = fileURLToPath(new URL('../servers/floor-http.mjs', import.meta.url))

/** One round of calls made by a client in a new process; CPU time is that process's, without warm-up. */
export async function measureCaller(
  program,
  { operations, warmUp, inFlight, args = [], nodeArgs },
) {
  const child = startChild(callerProgram, { args: [program, ...args], nodeArgs })
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

/** The same over HTTP, against the floor's server in a process of its own. */
export async function measureHttpCaller(program, load) {
  const server = startChild(floorServer)
  try {
    const url = `http://127.0.0.1:${await server.hear('port')}/mcp`
    return await measureCaller(program, { ...load, args: [url] })
  } finally {
    await server.end()
  }
}
