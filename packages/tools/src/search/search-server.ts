import type { Tool } from '@parley/mcp'
import { visibleTools, type Outcome, type RequestContext, type Server } from '@parley/mcp/server'

import { createToolIndex } from './create-tool-search.ts'
import { createOffer, createSeenTools } from './offer.ts'
import { toolSearchTools, type SearchTool } from './search-tools.ts'
import type { OfferOptions } from './tool-search.ts'

type Called = Outcome<'tools/call'>

/** Puts the search in front of the tools of a server. What a caller must not see is not found for it either. */
export function searchServer<S extends Server>(server: S, options: OfferOptions): S {
  const offer = createOffer(options)
  /** Calls that look at the whole list, each by its signal. */
  const lookingAt = new WeakSet<AbortSignal>()
  const seen = createSeenTools()
  const search = createToolIndex({ tools: () => seen.all() })
  const three = toolSearchTools(search, options.names)
  requireFreeNames(server, three)

  async function listFor(context: RequestContext): Promise<readonly Tool[]> {
    lookingAt.add(context.signal)
    try {
      return await visibleTools(server, context)
    } finally {
      lookingAt.delete(context.signal)
    }
  }

  server.use('tools/list', async ({ context, params }, next) => {
    if (lookingAt.has(context.signal)) return next()
    const visible = await listFor(context)
    if (!offer.isOffered(visible)) return next()
    if (params.cursor !== undefined) return next() // of a list that was longer a moment ago
    const listed = [...three.map(({ definition }) => definition), ...visible.filter(offer.isPinned)]
    return { resultType: 'complete', result: { tools: listed } }
  })

  server.use('tools/call', async ({ context, params }, next) => {
    const tool = three.find(({ definition }) => definition.name === params.name)
    if (tool === undefined) return next()
    const visible = await listFor(context)
    if (!offer.isOffered(visible)) return next()
    const where = seen.by(visible) // nothing may wait between here and the answer of the index
    const outcome = await tool.handle<Called>(params.arguments, {
      where,
      call: (name, args) => next({ params: { ...params, name, arguments: args } }),
    })
    return 'resultType' in outcome ? outcome : { resultType: 'complete', result: outcome }
  })
  return server
}

function requireFreeNames(server: Server, three: readonly SearchTool[]): void {
  const own = new Set(three.map(({ definition }) => definition.name))
  const clash = server.tools().find(({ name }) => own.has(name))
  if (clash === undefined) return
  const fix = 'give the search other names: { names: { find, describe, call } }'
  throw new TypeError(`the server has a tool called ${clash.name} already: ${fix}`)
}
