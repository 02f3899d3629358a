// Our gateway with the floor as its only server: over stdio, one child for all, or over HTTP with `--http`.
import { execPath } from 'node:process'

import { startGateway } from '@parley/gateway'

import { announce } from './announce.mjs'
import { floorStdio, startFloorHttp } from './bridged-floor.mjs'

const isHttp = process.argv.includes('--http')
const from = isHttp ? { url: await startFloorHttp() } : { command: execPath, args: [floorStdio] }
const { url, started } = await startGateway({
  servers: { floor: { ...from, mode: 'shared', protocolVersion: 'legacy' } },
  naming: 'manual',
  port: 0,
})
await started
announce(Number(url.port))
