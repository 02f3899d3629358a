#!/usr/bin/env node
/** `npx @parley/inspector node server.js` */

import { startProgram } from '../start-program.ts'

await startProgram(async () => {
  const { oneCommand } = await import('../program.ts')
  return oneCommand(
    {
      name: 'inspect',
      summary: 'show servers in the browser',
      load: () => import('../commands/inspect.ts'),
    },
    [
      {
        name: 'serve',
        summary: 'serve a definition from a file',
        load: () => import('../commands/serve.ts'),
      },
    ],
  )
})
