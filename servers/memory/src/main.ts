#!/usr/bin/env node
import { runServer } from '@parley/server-kit/program'

import { memoryProgram } from './program.ts'

await runServer(memoryProgram)
