/** What a small program of ours weighs, made the way an application's author makes it. */

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { rolldown } from 'rolldown'

import { root } from './source-files.mjs'

/**
 * @typedef {object} Program
 * @property {string} title
 * @property {string} code
 * @property {'node' | 'browser'} platform
 * @property {readonly (readonly string[])[]} uses names of the parts it loads later that it cannot do without, in each
 *   of the ways it is used; the largest of them counts
 * @property {number} goal bytes
 * @property {number} limit bytes
 */

/** @type {readonly Program[]} */
export const programs = [
  {
    title: 'server with stdio',
    code: `import { createServer } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'
import { z } from 'zod'
const server = createServer({ name: 'small', version: '1.0.0' })
server.tool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => text)
serveStdio(server)`,
    platform: 'node',
    uses: [[]], // a server imports all it has
    // A server's bundle has no budget, its cold start has (docs/internals/performance.md); the limit only shows accidents.
    goal: 64_000,
    limit: 64_000,
  },
  {
    title: 'client with HTTP',
    code: `import { connect } from '@parley/mcp/client'
async function greet() {
  const client = await connect('https://example.com/mcp')
  console.log(await client.callTool('echo', { text: 'hello' }))
}
greet()`, // with an await at its top, bundlers leave in two files what could be in one
    platform: 'browser',
    // Nothing else, in the newest revision or an older one, answered by JSON or by a stream: test/loaded-by-calls.test.ts.
    uses: [['http-transport']],
    goal: 36_000,
    limit: 36_000,
  },
]

/**
 * Bytes, minified and compressed: what is loaded at the start and by the parts of the larger of `uses`, and the rest.
 *
 * @param {Program} program
 * @returns {Promise<{ loaded: number, later: number }>}
 */
export async function measureProgram({ code, platform, uses }) {
  const path = join(root, 'bench/small-program.mjs') // not a file: a place from which the packages are found
  const bundle = await rolldown({
    input: path,
    platform,
    external: /^node:|^(ws|zod)$/,
    plugins: [
      {
        name: 'small-program',
        resolveId: (name) => (name === path ? path : undefined),
        load: (name) => (name === path ? code : undefined),
      },
    ],
    onLog(_, { message }) {
      throw new Error(message)
    },
  })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  await bundle.close()
  const chunks = new Map(
    output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
  )

  const all = compressedSize(chunks.values())
  const loaded = Math.max(...uses.map((parts) => compressedSize(chunksLoaded(chunks, parts))))
  return { loaded, later: all - loaded }
}

/**
 * What the program has to load first, and with these parts.
 *
 * @param {ReadonlyMap<string, Chunk>} chunks by file
 * @param {readonly string[]} parts
 */
function chunksLoaded(chunks, parts) {
  const missing = parts.filter((part) => ![...chunks.values()].some(({ name }) => name === part))
  if (missing.length > 0) throw new Error(`there is no part ${missing.join(', ')}`)
  const loaded = new Set(
    [...chunks.values()].filter(
      ({ isEntry, isDynamicEntry, name }) => isEntry || (isDynamicEntry && parts.includes(name)),
    ),
  )
  // Whatever is added while going through it is reached too.
  for (const chunk of loaded) {
    for (const imported of chunk.imports) {
      const found = chunks.get(imported)
      if (found) loaded.add(found)
    }
  }
  return loaded
}

/** @typedef {import('rolldown').OutputChunk} Chunk */

/** @param {Iterable<Chunk>} chunks */
function compressedSize(chunks) {
  return [...chunks].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
}
