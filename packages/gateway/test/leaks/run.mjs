#!/usr/bin/env node
// npm run leaks -- [--gateway] [--sessions N] [--mode shared|per-session] [--lanes N]
import { parseArgs } from 'node:util'

import { countsOf, findLeaks } from './find-leaks.mjs'

const { values } = parseArgs({
  options: {
    gateway: { type: 'boolean', default: false },
    sessions: { type: 'string', default: '20000' },
    mode: { type: 'string', default: 'shared' },
    lanes: { type: 'string', default: '16' },
  },
})
const { gateway, sessions, mode, lanes } = values
const of = gateway ? 'gateway' : 'bridge'
const started = performance.now()
const found = await findLeaks({ of, mode, sessions: Number(sessions), lanes: Number(lanes) })
const seconds = ((performance.now() - started) / 1_000).toFixed(0)
console.log(`${of}: ${sessions} sessions of ungraceful clients, ${mode}, in ${seconds} s`)
console.table(found)
const perSession = (found.after.heapBytes - found.before.heapBytes) / Number(sessions)
console.log(`heap kept for each session: ${perSession.toFixed(0)} bytes`)
const isSame = JSON.stringify(countsOf(found.before)) === JSON.stringify(countsOf(found.after))
process.exitCode = isSame && perSession < 1_000 ? 0 : 1
