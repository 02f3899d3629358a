import { withoutHidden, withoutHiddenIn } from '@parley/foundation/text-safety'
import type { JsonObject, Tool } from '@parley/mcp'
import { isToolFor } from '@parley/mcp/apps'
import { exposedToolName } from '@parley/tools/naming'

import type { ServerConnection } from '../connections/connection.ts'
import type { ModelTool } from '../models/model.ts'

/** A tool of a server under the name that models know. */
export interface RegisteredTool {
  /** A function of server and tool alone, within `^[A-Za-z0-9_-]{1,64}$`. */
  readonly name: string
  /** The server that it is of. */
  readonly connection: ServerConnection
  /** The tool as the server describes it. Requests use this name. */
  readonly tool: Tool
  /** The tool as the model sees it: without hidden characters, of bounded size. */
  readonly shown: ModelTool & { readonly description: string }
  /** The number of hidden characters that were removed. */
  readonly hiddenCharacters: number
  /** False for a tool that only apps of its server may call. */
  readonly isForModel: boolean
}

/** The tools of all servers. */
export interface ToolRegistry {
  /** Every tool, also those that are switched off. */
  all(): readonly RegisteredTool[]
  /** Those a model may know of. */
  enabled(): readonly RegisteredTool[]
  /** Finds a tool by the name that models know; undefined if there is none, or it is disabled. */
  find(name: string): RegisteredTool | undefined
  /** Whether models may know of a tool. */
  isEnabled(server: string, tool: string): boolean
  /** Switches a tool on or off. */
  setEnabled(server: string, tool: string, isEnabled: boolean): void
}

/** Merges the lists of all servers as they are now. */
export function createToolRegistry(connections: () => readonly ServerConnection[]): ToolRegistry {
  const off = new Set<string>()
  /** By the list they were made from: a list is replaced as a whole. */
  const made = new WeakMap<readonly Tool[], readonly RegisteredTool[]>()

  function toolsOf(connection: ServerConnection): readonly RegisteredTool[] {
    const { tools } = connection.features
    const cached = made.get(tools)
    if (cached !== undefined) return cached
    const byName = new Map<string, RegisteredTool>()
    for (const tool of tools) {
      const registered = register(connection, tool)
      if (!byName.has(registered.name)) byName.set(registered.name, registered)
    }
    const list = [...byName.values()]
    made.set(tools, list)
    return list
  }

  const isEnabled = (server: string, tool: string) =>
    off.size === 0 || !off.has(JSON.stringify([server, tool]))
  const all = () =>
    connections()
      .filter(({ status }) => status.state !== 'off')
      .flatMap(toolsOf)
  const enabled = () =>
    all().filter(
      ({ connection, tool, isForModel }) =>
        isForModel && isEnabled(connection.server.name, tool.name),
    )
  return {
    all,
    enabled,
    find: (name) => enabled().find((candidate) => candidate.name === name),
    isEnabled,
    setEnabled(server, tool, isOn) {
      const key = JSON.stringify([server, tool])
      if (isOn) off.delete(key)
      else off.add(key)
    },
  }
}

/** Longer descriptions are cut: a context is for more than one tool. */
const maxDescriptionLength = 8_192

function register(connection: ServerConnection, tool: Tool): RegisteredTool {
  const name = exposedToolName(connection.server.name, tool.name)
  const description = withoutHidden(tool.description ?? tool.title ?? '')
  // Not its JSON text: there a control character is an escape, which says nothing to the search for hidden characters.
  const schema = withoutHiddenIn(tool.inputSchema as JsonObject) // it came as JSON
  const shown = { name, description: cut(description.text), inputSchema: schema.value }
  const hiddenCharacters = description.count + schema.count
  return { name, connection, tool, shown, hiddenCharacters, isForModel: isToolFor('model', tool) }
}

function cut(text: string): string {
  return text.length <= maxDescriptionLength
    ? text
    : `${text.slice(0, maxDescriptionLength)}… (${text.length - maxDescriptionLength} more characters)`
}
