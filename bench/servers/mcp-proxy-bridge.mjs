import { runRival } from './rival-bridge.mjs'

await runRival('mcp-proxy', (port, command) => [
  '--host',
  '127.0.0.1',
  '--port',
  port,
  '--server',
  'stream',
  '--',
  ...command,
])
