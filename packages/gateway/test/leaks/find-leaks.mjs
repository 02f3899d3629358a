// What a bridge or a gateway still holds when the last of many ungraceful clients is gone.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { misbehave } from './ungraceful.mjs'

const programs = {
  bridge: fileURLToPath(new URL('bridge-process.mjs', import.meta.url)),
  gateway: fileURLToPath(new URL('gateway-process.mjs', import.meta.url)),
}
const sessionTimeoutMs = 1_000

/** Before the sessions, after as many as warm it up, and after all of them, each time when all has ended. */
export async function findLeaks({ of = 'bridge', mode, sessions, lanes }) {
  const child = fork(programs[of], [mode, String(sessionTimeoutMs)], { execArgv: ['--expose-gc'] })
  try {
    const [{ url, idle }] = await once(child, 'message')
    await misbehave(url, Math.min(sessions, 200), lanes)
    const before = await resolved(child, idle)
    await misbehave(url, sessions, lanes)
    const peak = await ask(child)
    const after = await resolved(child, idle)
    return { idle, before, peak, after }
  } finally {
    if (child.exitCode === null) {
      child.send('close')
      await once(child, 'exit')
    }
  }
}

/** When no more is connected than before the first client, and nothing changes. */
async function resolved(child, idle) {
  let last = await ask(child)
  for (let look = 0; look < 60; look += 1) {
    await wait(sessionTimeoutMs)
    const now = await ask(child)
    const isOver =
      now.connections === idle.connections &&
      now.sockets === idle.sockets &&
      now.children === idle.children
    if (isOver && JSON.stringify(countsOf(now)) === JSON.stringify(countsOf(last))) return now
    last = now
  }
  throw new Error(`it still holds ${JSON.stringify(last)}`)
}

/** Without the heap, which is never twice the same. */
export function countsOf({ heapBytes: _, ...counts }) {
  return counts
}

async function ask(child) {
  const answer = once(child, 'message')
  child.send('held')
  const [held] = await answer
  return held
}
