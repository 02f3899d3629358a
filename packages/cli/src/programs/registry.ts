#!/usr/bin/env node
/** `npx @parley/registry serve` */

import { startProgram } from '../start-program.ts'

await startProgram(async () => {
  const { oneCommand } = await import('../program.ts')
  return oneCommand(
    {
      name: 'registry',
      summary: 'publish servers to a registry, or serve one',
      load: () => import('../registry/registry.ts'),
    },
    [],
  )
})
