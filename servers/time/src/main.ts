#!/usr/bin/env node
import { runServer } from '@parley/server-kit/program'

import { timeProgram } from './program.ts'

await runServer(timeProgram)
