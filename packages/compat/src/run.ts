#!/usr/bin/env node
/** `npx @parley/compat run some-server --flag`: runs a published server, or a file, on this package. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'

const [command, program, ...args] = process.argv.slice(2)
if (command !== 'run' || program === undefined) {
  console.error(
    'Usage: npx @parley/compat run PACKAGE [ARGUMENTS]\n' +
      'Runs a published MCP server (or a JavaScript file) with Parley in place of @modelcontextprotocol/sdk.',
  )
  process.exit(command === 'help' || command === '--help' ? 0 : 1)
}

const register = new URL('register.js', import.meta.url).href
const options = [process.env['NODE_OPTIONS'], `--import=${register}`].filter(Boolean).join(' ')
const isWindows = process.platform === 'win32'
const [file, fileArgs] = existsSync(program)
  ? [process.execPath, [program, ...args]]
  : [isWindows ? 'npx.cmd' : 'npx', ['-y', program, ...args]]
const child = spawn(file, fileArgs, {
  stdio: 'inherit',
  env: { ...process.env, NODE_OPTIONS: options },
  shell: isWindows && file === 'npx.cmd',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => child.kill(signal))
}
child.on('error', (error) => {
  console.error(`${program} could not be started: ${error.message}`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0)
})
