// A call through a bridge, beside a relay written by hand and the bridges of others.
import { serverCase } from './case-kinds.mjs'
import { measureHttpServer } from './measure/http-server.mjs'
import { echo } from './measure/workloads.mjs'
import { rivals } from './rivals.mjs'

export const bridgeCases = {
  'gateway-stdio-32': bridgeCase({
    title: 'tools/call over HTTP through a bridge to a server over stdio, 32 connections',
    others: rivals,
    budget: { atMost: 2.5 },
    load: { workload: echo, operations: 15_000, warmUp: 10_000, connections: 32 },
  }),
  'gateway-http-32': bridgeCase({
    title: 'tools/call over HTTP through a bridge to a server over HTTP, 32 connections',
    load: {
      workload: echo,
      operations: 10_000,
      warmUp: 8_000,
      connections: 32,
      args: ['--http'],
    },
  }),
}

/** Our bridge and gateway beside a relay written by hand, all in front of the same server; CPU time is that of the bridge alone. */
function bridgeCase({ others = [], ...options }) {
  return {
    ...serverCase(measureHttpServer, 'servers/*-bridge', options),
    contestants: [
      { name: 'parley', title: 'parley bridge', isOurs: true },
      { name: 'floor', title: 'hand-written relay' },
      { name: 'gateway', title: 'parley gateway' },
      ...others,
    ],
  }
}
