import { serveStdio } from '@parley/mcp/stdio'

import { createWorkload } from './parley.mjs'

serveStdio(createWorkload())
