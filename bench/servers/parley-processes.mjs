// The workload from `--processes N` processes that share a port.
import { spawnSync } from 'node:child_process'
import nodeCluster from 'node:cluster'
import { readFileSync } from 'node:fs'

import { runProcesses } from '@parley/cluster/process'
import { serveHttp } from '@parley/mcp/node'

import { announce } from './announce.mjs'
import { createWorkload } from './parley.mjs'
import { numberFlag } from './workload.mjs'

const processes = numberFlag('--processes', 2)
if (nodeCluster.isPrimary) {
  useAllCores()
  nodeCluster.setupPrimary({ execArgv: [] }) // the probe is for whoever is asked, and lets a child end too soon
  const ports = []
  nodeCluster.on('message', (_, { port }) => {
    if (port !== undefined && ports.push(port) === processes) announce(port)
  })
}
await runProcesses({ processes }, async (cluster) => {
  const service = await serveHttp(createWorkload(), { port: 0, cluster })
  process.send({ port: Number(service.url.port) })
  return service
})

/** The load generator keeps all it starts on its own core, which is one too few here. */
function useAllCores() {
  if (process.platform !== 'linux') return
  const cores = readFileSync('/sys/devices/system/cpu/online', 'utf8').trim()
  spawnSync('taskset', ['-acp', cores, String(process.pid)])
}
