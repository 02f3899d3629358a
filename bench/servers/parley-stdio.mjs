import { serveStdio } from '@parley/mcp/stdio'

import { createWorkload } from './parley.mjs'

// Room for the largest message of the benchmark and its framing.
serveStdio(createWorkload(), { limits: { messageBytes: 80 * 2 ** 20 } })
