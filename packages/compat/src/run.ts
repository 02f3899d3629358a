#!/usr/bin/env node
/** `npx @parley/compat run some-server --flag`: runs a published server, or a file, on this package. */

import { spawn } from 'node:child_process'
import process from 'node:process'

import { programToRun } from './program-to-run.ts'

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
const found = programToRun(program, args)
if (found.kind !== 'found') {
  const reason =
    found.kind === 'refused' ? found.reason : `npx was not found in ${found.searched.join(', ')}`
  console.error(`${program} could not be started: ${reason}`)
  process.exit(1)
}
const child = spawn(found.file, found.args, {
  stdio: 'inherit',
  env: {
    ...(process.platform === 'win32' && { NoDefaultCurrentDirectoryInExePath: '1' }),
    ...process.env,
    NODE_OPTIONS: options,
  },
  windowsVerbatimArguments: found.isVerbatim,
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
