import { isDeepStrictEqual } from 'node:util'

import type { Connection } from '../connections/connection.ts'
import type { ServerOffers } from '../connections/server-offers.ts'
import type { TurnEvent } from '../turn/turn-event.ts'
import type { ToolRegistry } from './tool-registry.ts'

type Notice = Extract<TurnEvent, { type: 'notice' }>

/** What is worth knowing about a list of tools that was just read. */
export function offerNotices(
  connection: Connection,
  previous: ServerOffers,
  registry: ToolRegistry,
): readonly Notice[] {
  const server = connection.server.name
  const before = new Map(previous.tools.map((tool) => [tool.name, tool]))
  const notices: Notice[] = []
  for (const { connection: owner, tool, hiddenCharacters } of registry.all()) {
    if (owner !== connection) continue
    const known = before.get(tool.name)
    const isSame = known !== undefined && isDeepStrictEqual(known, tool)
    if (known !== undefined && !isSame) {
      const message = `${tool.name} is described differently than before`
      notices.push({ type: 'notice', code: 'definition-changed', message, server, tool: tool.name })
    }
    if (hiddenCharacters > 0 && !isSame) {
      const message = `${hiddenCharacters} hidden characters were removed from the description of ${tool.name}`
      notices.push({ type: 'notice', code: 'hidden-characters', message, server, tool: tool.name })
    }
  }
  const changed = listChanges(before, connection.offers)
  if (previous.tools.length > 0 && changed !== '') {
    notices.push({ type: 'notice', code: 'tools-changed', message: changed, server })
  }
  return notices
}

function listChanges(before: ReadonlyMap<string, unknown>, { tools }: ServerOffers): string {
  const now = new Set(tools.map(({ name }) => name))
  const added = [...now].filter((name) => !before.has(name))
  const removed = [...before.keys()].filter((name) => !now.has(name))
  return [
    ...(added.length > 0 ? [`new tools: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed tools: ${removed.join(', ')}`] : []),
  ].join('; ')
}
