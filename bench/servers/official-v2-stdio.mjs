import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

import { createWorkload } from './official-v2.mjs'

// Hand-wired rather than through its `serveStdio`, whose choice of revision costs a little more.
await createWorkload().connect(new StdioServerTransport())
