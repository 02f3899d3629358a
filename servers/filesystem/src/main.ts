#!/usr/bin/env node
import { runServer } from '@parley/server-kit/program'

import { filesystemProgram } from './program.ts'

await runServer(filesystemProgram)
