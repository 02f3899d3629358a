// Our bridge in front of the floor: over stdio, one child for all, or over HTTP with `--http`.
import { execPath } from 'node:process'

import { startBridge } from '@parley/gateway/bridge'

import { announce } from './announce.mjs'
import { floorStdio, startFloorHttp } from './bridged-floor.mjs'

const isHttp = process.argv.includes('--http')
const from = isHttp ? { url: await startFloorHttp() } : { command: execPath, args: [floorStdio] }
const { url } = await startBridge({
  from,
  to: 'http',
  port: 0,
  mode: 'shared',
  protocolVersion: 'legacy',
})
announce(Number(url.port))
