import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { sampleOf } from './statistics.mjs'

/** What the model is sent of 40 servers, by mode. */
export async function measureDefinitions({ mode }) {
  return run('definitions', [mode])
}

/** Calls through the host, or by a client alone. */
export async function measureHostCalls({ name }, { operations, warmUp }) {
  const { cpuMicros, latencies, seconds } = await run('call', [name, operations, warmUp])
  return sampleOf({ cpuMicros, latencies: Float64Array.from(latencies), seconds })
}

/** From the start of a process to its first request to the model. */
export async function measureHostStart({ servers, kind }) {
  return run('start', [servers, kind])
}

async function run(program, args) {
  const file = fileURLToPath(new URL(`../host/${program}.mjs`, import.meta.url))
  const { NODE_OPTIONS: _, ...environment } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args.map(String)], {
    env: { ...environment, NODE_ENV: 'production' },
    timeout: 120_000,
    maxBuffer: 64 * 2 ** 20,
  })
  return JSON.parse(stdout)
}
