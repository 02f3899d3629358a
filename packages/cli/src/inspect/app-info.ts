import type { Client } from '@parley/mcp/client'

import { CliError } from '../exit.ts'

/** What a tool says about the page that belongs to it; the tool is not called. Fails with 2 where there is none. */
export async function appInfo(name: string, client: Client): Promise<object> {
  const tools = await client.listTools().toArray()
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new CliError('tool_error', `unknown tool ${JSON.stringify(name)}`)
  const own = uiOf(tool._meta)
  const uri = own['resourceUri'] ?? tool._meta?.['ui/resourceUri']
  if (typeof uri !== 'string') {
    throw new CliError('no_app', `${name} has no app`, {
      details: { hasApp: false, toolName: name },
    })
  }
  const { contents } = await client.readResource(uri)
  const [page] = contents
  const { csp, permissions, domain, prefersBorder = own['prefersBorder'] } = uiOf(page?._meta)
  return {
    hasApp: true,
    toolName: name,
    resourceUri: uri,
    csp,
    permissions,
    domain,
    prefersBorder,
    resourceMimeType: page?.mimeType,
  }
}

function uiOf(meta: { readonly [name: string]: unknown } | undefined): {
  readonly [name: string]: unknown
} {
  const ui = meta?.['ui']
  return typeof ui === 'object' && ui !== null ? { ...ui } : {}
}
