import { fileURLToPath } from 'node:url'

import { missingBuild } from '../contestants.mjs'
import { startChild } from './child.mjs'
import { interleave } from './interleave.mjs'
import { sampleOf } from './statistics.mjs'

const importProgram = fileURLToPath(new URL('import-process.mjs', import.meta.url))
const entries = [
  ...['', '/server', '/client', '/stdio', '/node', '/testing'].map((path) => `@parley/mcp${path}`),
  '@modelcontextprotocol/sdk/server/mcp.js',
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/client',
  'zod',
]

/** CPU time of a process that imports one entry, less that of one that imports nothing; for each entry. */
export async function measureImports({ rounds, onProgress }) {
  const [bare, ...rows] = await interleave(
    [{ name: '', title: 'bare Node' }, ...entries.map((entry) => ({ name: entry, title: entry }))],
    {
      rounds,
      onProgress,
      missing: ({ name }) => (name.startsWith('@parley/') ? missingBuild(name) : undefined),
      measure: ({ name }) => measureImport(name),
    },
  )
  if (bare.figures === undefined) throw new Error(bare.failure)
  return rows.map(({ figures, ...row }) =>
    figures === undefined
      ? row
      : { ...row, aboveBareMs: (figures.cpuMicros - bare.figures.cpuMicros) / 1_000, figures },
  )
}

async function measureImport(entry) {
  const child = startChild(importProgram, { args: [entry] })
  try {
    const elapsedMs = await child.hear('elapsedMs')
    const cpuMicros = await child.cpuMicros()
    const latencies = Float64Array.of(elapsedMs * 1_000)
    return sampleOf({ cpuMicros, latencies, seconds: elapsedMs / 1_000 })
  } finally {
    await child.end()
  }
}
