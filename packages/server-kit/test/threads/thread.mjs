/** A thread that does what it is told, as pages would have it. */

import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ input }) => {
  if (input === 'never ends') for (;;);
  if (input === 'takes all memory') {
    for (const all = []; ;) all.push(Array.from({ length: 1_000_000 }).fill(all.length + 0.5))
  }
  if (input === 'ends') process.exit()
  parentPort.postMessage(
    input === 'fails' ? { kind: 'failed', reason: 'as told' } : { kind: 'done', output: input },
    [],
  )
})
