import { createHash } from 'node:crypto'

import { withoutHidden, withoutHiddenIn } from '@parley/foundation/text-safety'
import type { JsonObject, Tool } from '@parley/mcp'
import { isToolFor } from '@parley/mcp/apps'
import { exposedToolName } from '@parley/tools/naming'

import { createCallSlots } from '../calls/call-slots.ts'
import { serverDefinition, serverHash } from '../connections/server-hash.ts'
import { createConsentBatch } from '../consent/consent-batch.ts'
import type { ModelContent } from '../models/model.ts'
import { createCallRate, resolveLimits } from '../turn/limits.ts'
import type { AdapterOptions, AdapterServer, AdapterServers } from './adapter-options.ts'
import { callBoundTool } from './call-bound-tool.ts'

/** A tool under a name that every model takes, with how to call it. */
export interface BoundTool {
  /** Within `^[A-Za-z0-9_-]{1,64}$`, a function of server and tool alone. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly server: string
  readonly tool: Tool
  /** Never rejects, unless the signal is aborted: what goes wrong is an answer for the model. */
  call(args: JsonObject, request: BoundRequest): Promise<ToolOutcome>
}

/** Which call this is, and how it ends early. */
export interface BoundRequest {
  readonly callId: string
  readonly signal?: AbortSignal | undefined
}

/** The result of a call, as the model reads it. */
export interface ToolOutcome {
  readonly content: readonly ModelContent[]
  readonly isError: boolean
  /** The server's structured content, unchanged, for programs; missing if the tool was not called. */
  readonly structuredContent?: unknown
}

/** Lists the tools of all servers, each with consent and limits around it. */
export async function bindTools(
  servers: AdapterServers,
  options: AdapterOptions,
): Promise<readonly BoundTool[]> {
  const limits = resolveLimits(options.limits)
  const shared = {
    options,
    limits,
    rate: createCallRate(limits.callsPerMinute),
    slots: createCallSlots(limits.parallelCalls),
    decide: createConsentBatch(options.consent),
    flow: { untrusted: false, private: false },
  }
  const lists = await Promise.all(
    Object.entries(servers).map(async ([name, entry]) => {
      const server = 'client' in entry ? entry : { client: entry }
      const tools = await server.client.listTools().toArray()
      const usable = tools.filter(
        (tool) => isToolFor('model', tool) && (options.filter?.(name, tool) ?? true),
      )
      const identity = identityOf(name, server)
      return usable.map((tool): BoundTool => ({
        ...shownOf(name, tool),
        server: name,
        tool,
        call: (args, request) =>
          callBoundTool({ name, server, identity, tool, args, request }, shared),
      }))
    }),
  )
  return lists.flat()
}

export interface ServerIdentity {
  readonly serverHash: string
  readonly serverDefinition?: JsonObject
}

/** Returns the identity that consent is bound to. A client does not know how it was connected. */
function identityOf(name: string, { client, target }: AdapterServer): ServerIdentity {
  if (target !== undefined) {
    return { serverHash: serverHash(target), serverDefinition: serverDefinition(target) }
  }
  const identity = JSON.stringify(['client', name, client.server.info?.name ?? null])
  return { serverHash: createHash('sha256').update(identity).digest('hex') }
}

/** Without what a person would not see, and with the two members that providers insist on. */
function shownOf(server: string, tool: Tool) {
  // It came as JSON, so it is some.
  const { value: schema } = withoutHiddenIn(tool.inputSchema as JsonObject)
  return {
    name: exposedToolName(server, tool.name),
    description: withoutHidden(tool.description ?? tool.title ?? '').text,
    inputSchema: { ...schema, type: 'object', properties: schema['properties'] ?? {} },
  }
}
