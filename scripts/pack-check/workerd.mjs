/** A server as a Worker, in the runtime of Cloudflare. */

import { join } from 'node:path'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'

import { rolldown } from 'rolldown'

import { expectLines, run } from './command.mjs'
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
        await bundle(project.folder)
        project.write('worker-host.js', host(miniflare))
        const output = await run([execPath, 'worker-host.js'], { cwd: project.folder })
        expectLines(output, ['modern Hello, Ada!', 'legacy Hello, Ada!'])
      },
    }
  },
}

/** @param {string} folder */
async function bundle(folder) {
  const made = await rolldown({
    cwd: folder,
    input: join(folder, 'worker.js'),
    platform: 'neutral',
    tsconfig: false,
    resolve: { conditionNames: ['workerd', 'worker', 'import', 'default'] },
    onLog(_, { message }) {
      throw new Error(message)
    },
  })
  await made.write({ file: join(folder, 'worker-bundle.js'), codeSplitting: false })
  await made.close()
}
