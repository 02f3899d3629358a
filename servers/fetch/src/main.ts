#!/usr/bin/env node
import { runServer } from '@parley/server-kit/program'

import { fetchProgram } from './program.ts'

await runServer(fetchProgram)
