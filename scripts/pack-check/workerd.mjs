/** A server as a Worker, in the runtime of Cloudflare. */

import { join } from 'node:path'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'

import { rolldown } from 'rolldown'

import { root } from '../source-files.mjs'
import { expectLines, run } from './command.mjs'
import { readRecipe } from './programs.mjs'
import { installTools } from './tools.mjs'

const worker = `
import { createMcpHandler } from '@parley/mcp/http'
import { createServer } from '@parley/mcp/server'
import * as z from 'zod'

const server = createServer({ name: 'greeter', version: '1.0.0' })
server.tool('greet', { inputSchema: z.object({ name: z.string() }) }, ({ name }) => 'Hello, ' + name + '!')
const handler = createMcpHandler(server, { allowedHosts: ['worker.example'] })
export default { fetch: (request) => handler.fetch(request) }
`

const recipe = () => readRecipe(join(root, 'docs/deploy.md'), 'Cloudflare Workers').code

/** @param {string} miniflare */
const host = (miniflare) => `
import { connect, toolOutput } from '@parley/mcp/client'
import { Miniflare } from ${JSON.stringify(miniflare)}

const runtime = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker-bundle.js' }],
  compatibilityDate: '2026-01-01',
})
const fetch = (url, init) => runtime.dispatchFetch(url, init)
for (const era of ['modern', 'legacy']) {
  const client = await connect('https://worker.example/mcp', { fetch, era })
  console.log(era, toolOutput(await client.callTool('greet', { name: 'Ada' })))
  await client.close()
}
await runtime.dispose()

const cookbook = new Miniflare({
  modules: [{ type: 'ESModule', path: 'recipe-bundle.js' }],
  compatibilityDate: '2026-01-01',
})
const client = await connect('https://clock.example.workers.dev/mcp', {
  fetch: (url, init) => cookbook.dispatchFetch(url, init),
})
console.log(toolOutput(await client.callTool('tick')))
await client.close()
await cookbook.dispose()
`

/** @type {import('./rows.mjs').Row} */
export const workerd = {
  name: 'workerd',
  needsProject: true,
  async start() {
    const folder = await installTools(['miniflare@4'])
    const miniflare = pathToFileURL(join(folder, 'node_modules/miniflare/dist/src/index.js')).href
    return {
      HTTP: async (project) => {
        project.write('worker.js', worker)
        await bundle(project.folder, 'worker.js', 'worker-bundle.js')
        project.write('recipe.ts', recipe())
        await bundle(project.folder, 'recipe.ts', 'recipe-bundle.js')
        project.write('worker-host.js', host(miniflare))
        const output = await run([execPath, 'worker-host.js'], { cwd: project.folder })
        expectLines(output, ['modern Hello, Ada!', 'legacy Hello, Ada!', 'tock'])
      },
    }
  },
}

/** @param {string} folder @param {string} input @param {string} output */
async function bundle(folder, input, output) {
  const made = await rolldown({
    cwd: folder,
    input: join(folder, input),
    platform: 'neutral',
    tsconfig: false,
    resolve: { conditionNames: ['workerd', 'worker', 'import', 'default'] },
    onLog(_, { message }) {
      throw new Error(message)
    },
  })
  await made.write({ file: join(folder, output), codeSplitting: false })
  await made.close()
}
