import type { ServerConnection } from '../connections/connection.ts'
import type { ModelTool } from '../models/model.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'
import { estimateTokens, estimateTool } from './estimate.ts'
import { instructionsOf } from './system-text.ts'

/** The share of the context that servers take, in tokens. Every number is an estimate by bytes; providers count differently. */
export interface ContextMeter {
  /** A reminder: no number here is exact. */
  readonly isEstimate: true
  /** How much the model can read at once. */
  readonly windowTokens: number
  /** The share of each server. */
  readonly servers: readonly ServerMeter[]
  /** Definitions that a request carries now, those of the host's own tools included. */
  readonly definitionsSent: number
  /** The part of `definitionsSent` that the host's own tools take, such as those that search and read. */
  readonly hostDefinitions: number
  /** Instructions of all servers. */
  readonly instructions: number
  /** The tokens of all definitions together. */
  readonly definitionsOfAll: number
}

/** The same for one server. */
export interface ServerMeter {
  /** The server, as the configuration names it. */
  readonly server: string
  /** How many tools it has. */
  readonly tools: number
  /** Tokens of the definitions of its tools. */
  readonly definitions: number
  /** Tokens of its instructions. */
  readonly instructions: number
  /** The tokens of all results so far. */
  readonly results: number
}

/** Reads the meter. */
export function readMeter(
  connections: readonly ServerConnection[],
  registry: ToolRegistry,
  sent: readonly ModelTool[],
  results: ReadonlyMap<string, number>,
  windowTokens: number,
): ContextMeter {
  const enabled = registry.enabled()
  const ofServers = new Set<ModelTool>(enabled.map(({ shown }) => shown))
  const servers = connections.map((connection): ServerMeter => {
    const { name } = connection.server
    const own = enabled.filter((candidate) => candidate.connection === connection)
    return {
      server: name,
      tools: own.length,
      definitions: own.reduce((sum, { shown }) => sum + estimateTool(shown), 0),
      instructions: estimateTokens(instructionsOf(connection)),
      results: results.get(name) ?? 0,
    }
  })
  return {
    isEstimate: true,
    windowTokens,
    servers,
    definitionsSent: costOf(sent),
    hostDefinitions: costOf(sent.filter((tool) => !ofServers.has(tool))),
    instructions: servers.reduce((sum, { instructions }) => sum + instructions, 0),
    definitionsOfAll: servers.reduce((sum, { definitions }) => sum + definitions, 0),
  }
}

function costOf(tools: readonly ModelTool[]): number {
  return tools.reduce((sum, tool) => sum + estimateTool(tool), 0)
}
