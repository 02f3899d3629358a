/** One server made of several: mounted parts, a guard and an audit around them, a part that comes and goes. */

import { text } from '@parley/mcp'
import { createServer, type Middleware, type Server } from '@parley/mcp/server'
import { z } from 'zod'

/** Writes down what was called and how it ended. */
export function audit(write: (line: string) => void): Middleware {
  return async ({ operation, params }, next) => {
    const name = 'name' in params ? ` ${params.name}` : ''
    try {
      const outcome = await next()
      write(`${operation}${name}: done`)
      return outcome
    } catch (error) {
      write(`${operation}${name}: failed`)
      throw error
    }
  }
}

/** A part with an `app` of its own, which the whole knows nothing about. */
export function createFilesServer(root: string): Server<{ readonly root: string }> {
  const files = createServer({ name: 'files', version: '1.0.0', app: () => ({ root }) })
  files.tool('where', {}, (_, { app }) => app.root)
  return files
}

export interface Workbench {
  readonly server: Server
  /** Offers `night_shift` until the returned function is called. */
  startNightShift(): () => void
}

export function createWorkbench(write: (line: string) => void): Workbench {
  const server = createServer({ name: 'workbench', version: '1.0.0' })
    .use(audit(write))
    // Around calls alone: answers by itself, so the tool never runs.
    .use('tools/call', async ({ params }, next) => {
      const isSteel = params.name === 'saw' && params.arguments['material'] === 'steel'
      if (!isSteel) return next()
      const rejection = { content: [text('The saw is for wood.')], isError: true }
      return { resultType: 'complete', result: rejection }
    })

  server.tool(
    'saw',
    { inputSchema: z.object({ material: z.string() }) },
    ({ material }) => `sawed ${material}`,
  )
  server.mount('files', createFilesServer('/srv'))

  return {
    server,
    startNightShift() {
      const registration = server.tool('night_shift', {}, () => 'good night')
      return () => registration.remove()
    },
  }
}
