// Our bridge as it is started by hand, with a child for each session.
import { fileURLToPath } from 'node:url'

import { runProgram } from './rival-bridge.mjs'

const program = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))
await runProgram(program, (port, command) => [
  'bridge',
  '--to',
  'http',
  '--port',
  port,
  '--',
  ...command,
])
