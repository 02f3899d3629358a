// A gateway in a process of its own that says what it holds: `node --expose-gc gateway-process.mjs MODE SESSION_TIMEOUT_MS`.
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { startGateway } from '@parley/gateway'

import { heldBy } from './held.mjs'

const [mode, timeout] = process.argv.slice(2)
const program = fileURLToPath(new URL('../fixtures/matrix-server.mjs', import.meta.url))
const gateway = await startGateway({
  servers: { one: { command: execPath, args: [program], mode } },
  naming: 'manual',
  port: 0,
  firstListMs: 60_000,
  sessionTimeoutMs: Number(timeout),
  onError: () => undefined, // clients that vanish are no error of ours
})
await gateway.started
const held = () => heldBy(gateway.status().servers.one.connections)

process.on('message', (message) => {
  if (message === 'close') return void gateway.close({ deadlineMs: 0 }).then(() => process.exit())
  return process.send(held())
})
process.on('disconnect', () => process.exit())
process.send({ url: gateway.url.href, idle: held() })
