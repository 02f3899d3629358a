// A bridge in a process of its own that says what it holds: `node --expose-gc bridge-process.mjs MODE SESSION_TIMEOUT_MS`.
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { startBridge } from '@parley/gateway'

import { heldBy } from './held.mjs'

const [mode, timeout] = process.argv.slice(2)
const program = fileURLToPath(new URL('../fixtures/matrix-server.mjs', import.meta.url))
const bridge = await startBridge({
  from: { command: execPath, args: [program] },
  to: 'http',
  port: 0,
  mode,
  sessionTimeoutMs: Number(timeout),
  onError: () => undefined, // clients that vanish are no error of ours
})

const held = () => heldBy(bridge.connections)

process.on('message', (message) => {
  if (message === 'close') return void bridge.close({ deadlineMs: 0 }).then(() => process.exit())
  return process.send(held())
})
process.on('disconnect', () => process.exit())
process.send({ url: bridge.url.href, idle: held() })
