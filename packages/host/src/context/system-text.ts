import { plainName, withoutHidden } from '@parley/foundation/text-safety'

import type { ServerConnection } from '../connections/connection.ts'
import { fenceData, fenceRule } from './data-fence.ts'

const maxInstructionsLength = 4_000

/** Returns the system text: the host's instructions, then the instructions of the servers. */
export function systemText(
  own: string | undefined,
  connections: readonly ServerConnection[],
  /** The same in every request of a conversation: providers cache what does not change. */
  number: string,
): string {
  const about = connections.flatMap((connection) => {
    const instructions = instructionsOf(connection)
    return instructions === ''
      ? []
      : [
          fenceData(
            instructions,
            `how the server ${plainName(connection.server.name)} says it is used`,
            number,
          ),
        ]
  })
  return [...(own === undefined ? [] : [own]), fenceRule, ...about].join('\n\n')
}

/** Returns the instructions of a server, cut to what the model gets. */
export function instructionsOf({ features, status }: ServerConnection): string {
  if (status.state === 'off') return ''
  return withoutHidden(features.instructions ?? '').text.slice(0, maxInstructionsLength)
}
