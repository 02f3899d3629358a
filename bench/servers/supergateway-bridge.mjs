import { runRival } from './rival-bridge.mjs'

await runRival('supergateway', (port, command) => [
  '--stdio',
  command.join(' '),
  '--outputTransport',
  'streamableHttp',
  '--stateful',
  '--logLevel',
  'none',
  '--port',
  port,
])
