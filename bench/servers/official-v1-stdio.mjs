import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

import { createWorkload } from './official-v1.mjs'

await createWorkload().connect(new StdioServerTransport())
