// mcp-hub with the floor as its only server: over stdio, or over HTTP with `--http`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { floorStdio, startFloorHttp } from './bridged-floor.mjs'
import { runRival } from './rival-bridge.mjs'

const isHttp = process.argv.includes('--http')
const floor = isHttp ? { url: await startFloorHttp() } : { command: execPath, args: [floorStdio] }
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const config = join(folder, 'servers.json')
writeFileSync(config, JSON.stringify({ mcpServers: { floor } }))
process.on('exit', () => rmSync(folder, { recursive: true }))
await runRival('mcp-hub', (port) => ['--port', port, '--config', config], isConnected)

/** It listens before its servers can be called. */
async function isConnected(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/servers`).catch(() => undefined)
  if (!answer?.ok) return false
  const { servers } = await answer.json()
  return servers.some(({ status }) => status === 'connected')
}
