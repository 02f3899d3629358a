import { showHidden } from '@parley/foundation/text-safety'
import { skeletonOf, type UsedName } from '@parley/foundation/text-safety'

import type { ServerConnection } from '../connections/connection.ts'
import type { TurnEvent } from '../turn/turn-event.ts'

type Notice = Extract<TurnEvent, { type: 'notice' }>

/** Notices names of servers and tools that a person may take for others. */
export interface LookAlikeWatch {
  /** Looks at the tools of a server; each is looked at once. */
  look(connection: ServerConnection): readonly Notice[]
}

const maxNames = 100_000

export function watchLookAlikes(): LookAlikeWatch {
  const seen = new Set<string>()
  const bySkeleton = new Map<string, UsedName>()

  function compare(kind: 'server' | 'tool', own: UsedName): Notice | undefined {
    const key = `${kind} ${skeletonOf(own[kind])}`
    const other = bySkeleton.get(key)
    if (other === undefined) bySkeleton.set(key, own)
    if (other === undefined || other[kind] === own[kind]) return undefined
    const name = showHidden(own[kind])
    const like = showHidden(other[kind])
    const whose = kind === 'tool' ? ` of ${other.server}` : ''
    const message = `the ${kind} ${name} looks like ${like}${whose}`
    const tool = kind === 'tool' ? { tool: own.tool } : {}
    return { type: 'notice', code: 'look-alike', message, server: own.server, ...tool }
  }

  return {
    look({ server: { name: server }, features }) {
      const found: Notice[] = []
      for (const { name: tool } of features.tools) {
        const id = JSON.stringify([server, tool])
        if (seen.has(id) || seen.size >= maxNames) continue
        seen.add(id)
        const ofTool = compare('tool', { server, tool })
        if (ofTool !== undefined) found.push(ofTool)
      }
      const ofServer = seen.has(server) ? undefined : compare('server', { server, tool: '' })
      seen.add(server)
      return ofServer === undefined ? found : [ofServer, ...found]
    },
  }
}
