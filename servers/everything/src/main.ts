#!/usr/bin/env node
/** The everything server as a program. */

import { argv, env, exit } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

import { serveHttp } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'

import { readArguments, usage, type Channel } from './arguments.ts'
import { createEverythingServer } from './everything.ts'

const command = readArguments(argv.slice(2))
switch (command.kind) {
  case 'help':
    console.log(usage)
    break
  case 'refused':
    console.error(`${command.why}\n\n${usage}`)
    exit(1)
  case 'serve':
    if (command.slowStartMs > 0) await wait(command.slowStartMs)
    await serve(createEverythingServer(command.options), command.channel)
}

async function serve(server: Server, channel: Channel): Promise<void> {
  if (channel === 'stdio') return void serveStdio(server)
  const port = Number(env['PORT'] ?? 3001)
  const isOld = channel === 'sse'
  const { url } = await serveHttp(server, { port, path: isOld ? '/' : '/mcp', legacySse: isOld })
  console.error(`listening on ${isOld ? new URL('sse', url).href : url.href}`)
}
