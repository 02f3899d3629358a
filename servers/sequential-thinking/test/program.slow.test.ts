import { fileURLToPath } from 'node:url'

import { runServer } from '@parley/server-kit/program'

import { describeReachable } from '../../../test-support/reachable-program.ts'
import { sequentialThinkingProgram } from '../src/program.ts'

describeReachable({
  main: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
  run: (surroundings) => runServer(sequentialThinkingProgram, surroundings),
  args: ['--enable', 'all'],
  tools: ['sequentialthinking', 'reset', 'get_thoughts'],
  call: [
    'sequentialthinking',
    { thought: 'Hm.', nextThoughtNeeded: 'true', thoughtNumber: '7', totalThoughts: 3 },
  ],
  answer: '"totalThoughts": 7',
})
