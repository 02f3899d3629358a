#!/usr/bin/env node
/** `npx @parley/chat` */

import { startProgram } from '../start-program.ts'

await startProgram(async () => {
  const { oneCommand } = await import('../program.ts')
  return oneCommand(
    {
      name: 'chat',
      summary: 'talk to a model that may use your servers',
      load: () => import('../commands/host/chat.ts'),
    },
    [
      {
        name: 'run',
        summary: 'run one prompt against a model, without a person',
        load: () => import('../commands/host/run.ts'),
      },
      {
        name: 'rules',
        summary: 'manage which tool calls are allowed',
        load: () => import('../rules/rules.ts'),
      },
      {
        name: 'audit',
        summary: 'who allowed which call',
        load: () => import('../audit/audit.ts'),
      },
      {
        name: 'serve',
        summary: 'serve a definition from a file',
        load: () => import('../commands/serve.ts'),
      },
    ],
  )
})
