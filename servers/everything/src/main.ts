#!/usr/bin/env node
/** The everything server as a program. */

import { argv, exit } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

import { serveStdio } from '@parley/mcp/stdio'

import { readArguments, usage } from './arguments.ts'
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
    serveStdio(createEverythingServer(command.options))
}
