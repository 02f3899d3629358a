#!/usr/bin/env node
import { runServer } from '@parley/server-kit/program'

import { gitProgram } from './program.ts'

await runServer(gitProgram)
