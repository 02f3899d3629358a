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
 * @property {readonly string[]} uses names of the parts it loads later that it cannot do without
 * @property {number} goal bytes
 * @property {number} limit bytes; never raised, lowered with each step towards the goal
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
    uses: [],
    goal: 25_000,
    limit: 37_000,
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
    uses: ['http-transport'],
    goal: 30_000,
    limit: 30_000,
  },
]

/**
 * Bytes, minified and compressed: what is loaded at the start and by the parts in `uses`, and what only rarer uses load.
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

  const loaded = new Set()
  const waiting = [...chunks.values()].filter(
    ({ isEntry, isDynamicEntry, name }) => isEntry || (isDynamicEntry && uses.includes(name)),
  )
  for (let chunk = waiting.pop(); chunk !== undefined; chunk = waiting.pop()) {
    if (loaded.has(chunk.fileName)) continue
    loaded.add(chunk.fileName)
    waiting.push(...chunk.imports.flatMap((name) => chunks.get(name) ?? []))
  }
  const sizes = { loaded: 0, later: 0 }
  for (const { fileName, code: text } of chunks.values()) {
    sizes[loaded.has(fileName) ? 'loaded' : 'later'] += gzipSync(text, { level: 9 }).length
  }
  return sizes
}
