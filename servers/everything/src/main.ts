#!/usr/bin/env node
/** The everything server as a program. */

import { argv, env, exit } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

import { serveHttp } from '@parley/mcp/node'
import { serveStdio } from '@parley/mcp/stdio'

import { readArguments, usage, type Command } from './arguments.ts'
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
    await serve(command)
}

async function serve({ channel, options, auth }: Extract<Command, { kind: 'serve' }>) {
  const server = createEverythingServer(options)
  if (channel === 'stdio') return void serveStdio(server)
  const port = Number(env['PORT'] ?? 3001)
  const isOld = channel === 'sse'
  const path = isOld ? '/' : '/mcp'
  const { url } = await serveHttp(server, {
    port,
    path,
    legacySse: isOld,
    ...(auth && (await signIn(port, path))),
  })
  console.error(`listening on ${isOld ? new URL('sse', url).href : url.href}`)
}

/** Loaded only when asked for: the rest starts sooner without. */
async function signIn(port: number, path: string) {
  if (port === 0) {
    console.error('--auth needs a PORT: tokens are issued for an address that is known beforehand.')
    exit(1)
  }
  const { requireSignIn } = await import('./demo-sign-in.ts')
  return requireSignIn(new URL(path, `http://127.0.0.1:${port}`))
}
