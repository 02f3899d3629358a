import { createServer, type Server } from '@parley/mcp/server'

import { createFetchPage, type FetchPageOptions } from './fetch-page.ts'
import { fetchPrompt } from './prompt.ts'
import { fetchTool } from './tool.ts'

/** How pages are fetched. */
export type FetchServerOptions = FetchPageOptions

/** Web pages as text a model can read, by the tool and the prompt of the reference server. */
export function createFetchServer(options: FetchServerOptions = {}): Server {
  const fetchPage = createFetchPage(options)
  const server: Server = createServer({
    name: 'mcp-fetch',
    title: 'Fetch',
    version: '0.1.0',
    description: 'Web pages as text a model can read, without reaching inside your network',
  })
  server.add(fetchTool(fetchPage), fetchPrompt(fetchPage))
  return server
}
