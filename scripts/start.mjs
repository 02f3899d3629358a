#!/usr/bin/env node
/** `npm start`: serves the everything server over HTTP, shows in the terminal what passes with a client, and goes on serving. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process, { argv, env, execPath, exit } from 'node:process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import { root } from './source-files.mjs'

const usage = `npm start -- [options]

Serves the everything server over HTTP on this machine and walks through the protocol with a client of it.

  --tour       only the walk; ends after it
  --serve      only the server
  --port N     where to listen; 0 picks a free port (default: PORT, or 3001)
  --fast       do not wait between the parts of the walk
  --frames     show its messages in full
  --revision R walk in this revision of the protocol (default: the newest)
  --help       this text
`

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    tour: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
    port: { type: 'string' },
    fast: { type: 'boolean', default: false },
    frames: { type: 'boolean', default: false },
    revision: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  exit(0)
}

const program = (/** @type {string} */ name) => join(root, `servers/everything/dist/${name}.js`)
if (!existsSync(program('main'))) {
  console.error('the everything server is not built: run npm run build')
  exit(1)
}

const address = values.tour ? undefined : await serve()
if (!values.serve) await tour()
if (address === undefined) exit(0)
console.log(`
The server goes on at ${address}: any MCP client can use it. From a program:

  import { connect } from '@parley/mcp/client'
  await using client = await connect('${address}')

Ctrl-C ends it.`)

/**
 * Resolves with its address when the server listens; ends with it when it ends.
 *
 * @returns {Promise<string>}
 */
async function serve() {
  const child = spawn(execPath, [program('main'), 'streamableHttp'], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...env, ...(values.port !== undefined && { PORT: values.port }) },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => child.kill(signal))
  }
  child.on('close', (code, signal) => exit(code ?? (signal ? 1 : 0)))
  const lines = createInterface({ input: child.stderr })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      console.error(line)
      if (line.startsWith('listening on ')) resolve(line.slice('listening on '.length))
    })
  })
}

/** Resolves after a walk that went as it should; otherwise ends with its exit code. */
async function tour() {
  const options = [
    ...(values.fast ? ['--fast'] : []),
    ...(values.frames ? ['--frames'] : []),
    ...(values.revision === undefined ? [] : ['--revision', values.revision]),
  ]
  const child = spawn(execPath, [program('demo'), ...options], { stdio: 'inherit' })
  const code = await new Promise((resolve) => child.on('close', (ended) => resolve(ended ?? 1)))
  if (code !== 0) exit(code)
}
