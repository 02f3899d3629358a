import { isDeepStrictEqual } from 'node:util'

import { findInjection, showHidden } from '@parley/foundation/text-safety'
import type { Tool } from '@parley/mcp'

import type { ServerConnection } from '../connections/connection.ts'
import type { ServerFeatures } from '../connections/server-features.ts'
import { definitionOf } from '../consent/memory/definition.ts'
import type { TurnEvent } from '../turn/turn-event.ts'
import type { ToolRegistry } from './tool-registry.ts'

type Notice = Extract<TurnEvent, { type: 'notice' }>

/** Returns notices about a list of tools that was just read. */
export function offerNotices(
  connection: ServerConnection,
  previous: ServerFeatures,
  registry: ToolRegistry,
): readonly Notice[] {
  const server = connection.server.name
  const before = new Map(previous.tools.map((tool) => [tool.name, tool]))
  const notices: Notice[] = []
  for (const { connection: owner, tool, hiddenCharacters } of registry.all()) {
    if (owner !== connection) continue
    const existing = before.get(tool.name)
    const isSame = existing !== undefined && isDeepStrictEqual(existing, tool)
    if (existing !== undefined && !isSame) {
      const message = `${tool.name} is described differently than before`
      notices.push({ type: 'notice', code: 'definition-changed', message, server, tool: tool.name })
    }
    if (hiddenCharacters > 0 && !isSame) {
      const message = `${hiddenCharacters} hidden characters were removed from the description of ${tool.name}`
      notices.push({ type: 'notice', code: 'hidden-characters', message, server, tool: tool.name })
    }
  }
  notices.push(...orderNotices(connection, previous, before))
  const changed = listChanges(before, connection.features)
  if (previous.tools.length > 0 && changed !== '') {
    notices.push({ type: 'notice', code: 'tools-changed', message: changed, server })
  }
  return notices
}

/** Texts that a model reads unchanged. Each is reported once, until it changes. */
function orderNotices(
  { server: { name: server }, features }: ServerConnection,
  previous: ServerFeatures,
  before: ReadonlyMap<string, Tool>,
): readonly Notice[] {
  const notices: Notice[] = []
  const { instructions = '' } = features
  const inInstructions = instructions === previous.instructions ? [] : findInjection(instructions)
  if (inInstructions.length > 0) {
    const message = `its instructions give the model orders: ${inInstructions.join(', ')}`
    notices.push({ type: 'notice', code: 'orders', message, server })
  }
  for (const tool of features.tools) {
    const existing = before.get(tool.name)
    if (existing !== undefined && isDeepStrictEqual(existing, tool)) continue
    const found = findInjection(definitionOf(tool))
    if (found.length === 0) continue
    const message = `the definition of ${showHidden(tool.name)} gives the model orders: ${found.join(', ')}`
    notices.push({ type: 'notice', code: 'orders', message, server, tool: tool.name })
  }
  return notices
}

function listChanges(before: ReadonlyMap<string, unknown>, { tools }: ServerFeatures): string {
  const now = new Set(tools.map(({ name }) => name))
  const added = [...now].filter((name) => !before.has(name))
  const removed = [...before.keys()].filter((name) => !now.has(name))
  return [
    ...(added.length > 0 ? [`new tools: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed tools: ${removed.join(', ')}`] : []),
  ].join('; ')
}
