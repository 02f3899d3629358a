#!/usr/bin/env node
/** Runs the demonstration of the everything server. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { argv, execPath, exit } from 'node:process'

import { root } from './source-files.mjs'

const program = join(root, 'servers/everything/dist/demo.js')

if (existsSync(program)) {
  const child = spawn(execPath, [program, ...argv.slice(2)], { stdio: 'inherit' })
  child.on('close', (code, signal) => exit(code ?? (signal ? 1 : 0)))
} else {
  console.error(
    'servers/everything/dist/demo.js is missing: its source is servers/everything/src/demo.ts',
  )
  console.error(
    'build it with npm run build; if the source is missing too, this checkout has no demonstration',
  )
  exit(1)
}
