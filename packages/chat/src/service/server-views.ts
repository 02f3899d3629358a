import type { Host } from '@parley/host'
import { appLinkOf } from '@parley/mcp/apps'

import type { ServerView, ToolView } from '../protocol/index.ts'

/** The servers as the page shows them. */
export function serverViews(
  host: Pick<Host, 'servers' | 'tools' | 'connection'>,
): readonly ServerView[] {
  const registered = host.tools.all()
  return host.servers.map((server): ServerView => {
    const { name, status, title, instructions, capabilities } = server
    const tools = registered
      .filter(({ connection }) => connection.server.name === name)
      .map((item): ToolView => ({
        name: item.tool.name,
        mention: item.name,
        title: item.tool.title ?? item.tool.annotations?.title,
        description: item.tool.description,
        isEnabled: host.tools.isEnabled(name, item.tool.name),
        appUri: appLinkOf(item.tool)?.resourceUri,
      }))
    return {
      name,
      title,
      state: status.state,
      error: status.error,
      instructions,
      tools,
      prompts: server.prompts,
      resources: server.resources.slice(0, maxListed),
      templates: server.templates.slice(0, maxListed),
      canComplete: capabilities.completions !== undefined,
      canSignIn: host.connection(name).server.signIn !== undefined,
    }
  })
}

/** What fits into a list that somebody looks through. */
const maxListed = 2_000
