import { serveHttp } from '@parley/mcp/node'

import { announce, isStateless } from './announce.mjs'
import { createWorkload } from './parley.mjs'

const { url } = await serveHttp(createWorkload(), {
  port: 0,
  ownProcess: false,
  sessions: isStateless ? 'off' : 'on',
})
announce(Number(url.port))
