#!/usr/bin/env node
/** `npx @parley/gateway gateway.yaml` */

import { startProgram } from '../start-program.ts'

await startProgram(async () => {
  const { oneCommand } = await import('../program.ts')
  return oneCommand(
    {
      name: 'gateway',
      summary: 'serve many servers at one address',
      load: () => import('../gateway/gateway.ts'),
    },
    [
      {
        name: 'bridge',
        summary: 'serve a server on another transport',
        load: () => import('../commands/bridge.ts'),
      },
    ],
  )
})
