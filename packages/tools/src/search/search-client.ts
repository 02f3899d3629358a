import type { JsonObject, Tool } from '@parley/mcp'
import type { CallOptions, Client, PagedList, ToolCallOptions } from '@parley/mcp/client'

import { createToolIndex } from './create-tool-search.ts'
import { createOffer } from './offer.ts'
import { toolSearchTools } from './search-tools.ts'
import type { OfferOptions } from './tool-search.ts'

/** A client that shows a search instead of the tools of its server. */
export function searchClient(client: Client, options: OfferOptions): Client {
  const { maxAgeMs = 10_000 } = options
  const offer = createOffer(options)
  let listed: { readonly tools: readonly Tool[]; readonly at: number } | undefined
  const search = createToolIndex({ tools: () => listed?.tools ?? [] })
  const three = toolSearchTools(search, options.names)

  async function fetchTools(callOptions?: CallOptions): Promise<readonly Tool[]> {
    const tools = await client.listTools(callOptions).toArray()
    listed = { tools, at: Date.now() }
    return tools
  }

  async function currentTools(callOptions?: CallOptions): Promise<readonly Tool[]> {
    const isFresh = listed !== undefined && Date.now() - listed.at < maxAgeMs
    return isFresh && listed ? listed.tools : fetchTools(callOptions)
  }

  function listTools(callOptions?: CallOptions): PagedList<Tool> {
    async function toArray(): Promise<Tool[]> {
      const tools = await fetchTools(callOptions)
      if (!offer.isOffered(tools)) return [...tools]
      return [...three.map(({ definition }) => definition), ...tools.filter(offer.isPinned)]
    }
    return {
      toArray,
      page: async () => ({ items: await toArray() }),
      async *[Symbol.asyncIterator]() {
        yield* await toArray()
      },
    }
  }

  async function callTool(name: string, args: object = {}, callOptions?: ToolCallOptions) {
    const tool = three.find(({ definition }) => definition.name === name)
    if (tool === undefined) return client.callTool(name, args, callOptions)
    const { signal } = callOptions ?? {}
    if (!offer.isOffered(await currentTools({ signal }))) {
      return client.callTool(name, args, callOptions)
    }
    const input = args as JsonObject // arguments of tools are JSON
    return tool.handle(input, {
      call: (called, forwarded) => client.callTool(called, forwarded, callOptions),
    })
  }

  // Everything else is the client's own.
  return Object.create(client, {
    listTools: { value: listTools },
    callTool: { value: callTool },
  }) as Client
}
