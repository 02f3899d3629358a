#!/usr/bin/env node
import { runServer } from '@parley/server-kit/program'

import { sequentialThinkingProgram } from './program.ts'

await runServer(sequentialThinkingProgram)
