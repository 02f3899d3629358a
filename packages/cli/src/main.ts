#!/usr/bin/env node
/** The `parley` command. */

import { startProgram } from './start-program.ts'

await startProgram(async () => (await import('./parley.ts')).parley)
