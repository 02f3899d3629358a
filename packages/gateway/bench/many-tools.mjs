#!/usr/bin/env node
/**
 * What tool search costs a gateway with very many tools: `node packages/gateway/bench/many-tools.mjs [tools] [servers]`, after
 * a build. Servers and gateway are processes of their own. Times of the gateway are CPU time, so that other work on the machine counts little.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import process, { argv } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(import.meta.url)
const [role = '50000', second = '10', third = ''] = argv.slice(2)

if (role === 'serve') await serve(Number(second), Number(third))
else if (role === 'gateway') await runGateway(JSON.parse(second))
else await compare(Number(role), Number(second))

/** The client is here, so that its memory is not the gateway's. @param {number} tools @param {number} servers */
async function compare(tools, servers) {
  const { connect } = await import('@parley/mcp/client')
  const serving = fork(own, ['serve', String(tools / servers), String(servers)])
  const [urls] = await once(serving, 'message')
  const startedAt = performance.now()
  const gateway = fork(own, ['gateway', JSON.stringify(urls)], { execArgv: ['--expose-gc'] })
  const [{ url }] = await once(gateway, 'message')
  const ask = async () => {
    gateway.send('figures')
    const [figures] = await once(gateway, 'message')
    return figures
  }
  const client = await connect(url, { cache: false })
  const listed = await client.listTools().toArray()
  const first = await client.callTool('find_tools', { query: 'close a ticket' })
  if (listed.length !== 3 || !JSON.stringify(first.content).includes('close_ticket')) {
    throw new Error(`the search did not work: ${JSON.stringify(first).slice(0, 200)}`)
  }
  const readyMs = performance.now() - startedAt
  const ready = await ask()
  const queries = [
    'close a ticket',
    'export invoice 4711',
    'find customer',
    'calender event',
    'merge branch of project 17',
  ]
  const rounds = 20
  for (let round = 0; round < rounds; round += 1) {
    for (const query of queries) await client.callTool('find_tools', { query })
  }
  const searched = await ask()
  await sleep(3_000) // memory goes back to the system a moment after it was collected
  const rested = await ask()
  console.table({
    tools,
    'ready, s of CPU': Number((ready.cpuMs / 1_000).toFixed(2)),
    'ready, s by the clock, with the start of its process': Number((readyMs / 1_000).toFixed(2)),
    'find_tools, ms of CPU': Number(
      ((searched.cpuMs - ready.cpuMs) / rounds / queries.length).toFixed(2),
    ),
    'heap, MB': searched.heapMB,
    'outside of the heap, MB': searched.externalMB,
    'resident, MB': searched.residentMB,
    'resident three seconds later, MB': rested.residentMB,
  })
  await client.close()
  gateway.kill()
  serving.kill()
}

/** @param {number} count @param {number} servers */
async function serve(count, servers) {
  const { createServer } = await import('@parley/mcp/server')
  const { serveHttp } = await import('@parley/mcp/node')
  const verbs = ['create', 'list', 'update', 'delete', 'find', 'export', 'merge', 'close']
  const things = ['invoice', 'ticket', 'branch', 'customer', 'report', 'message', 'calendar event']
  const urls = []
  for (let at = 0; at < servers; at += 1) {
    const server = createServer({ name: `server-${at}`, version: '1.0.0' })
    for (let number = 0; number < count; number += 1) {
      const verb = verbs[number % verbs.length] ?? ''
      const thing = things[number % things.length] ?? ''
      server.tool(
        `${verb}_${thing.replace(' ', '_')}_${number}`,
        {
          description: `Use it to ${verb} one ${thing} of the project ${number % 991} in the system of department ${at}, with all that belongs to it.`,
          inputSchema: {
            type: 'object',
            properties: {
              id: { type: 'string', description: `Which ${thing}: its number or its name.` },
              since: { type: 'string', format: 'date', description: 'Only what is newer.' },
              limit: { type: 'integer', minimum: 1, maximum: 100 },
            },
            required: ['id'],
          },
        },
        () => 'done',
      )
    }
    const service = await serveHttp(server, { port: 0, ownsProcess: false })
    urls.push(service.url.href)
  }
  process.send?.(urls)
}

/** @param {string[]} urls */
async function runGateway(urls) {
  const { startGateway } = await import('@parley/gateway')
  const gateway = await startGateway({
    port: 0,
    servers: Object.fromEntries(urls.map((url, at) => [`s${at}`, { url }])),
    search: { mode: 'auto' },
    firstListMs: 60_000,
  })
  await gateway.started
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send?.({
      cpuMs: (user + system) / 1_000,
      heapMB: Math.round(heapUsed / 1e6),
      externalMB: Math.round(external / 1e6),
      residentMB: Math.round(rss / 1e6),
    })
  })
  process.send?.({ url: gateway.url?.href })
}
