#!/usr/bin/env node
import { runServer } from '@parley/server-kit/program'

import { everythingProgram } from './program.ts'

await runServer(everythingProgram)
