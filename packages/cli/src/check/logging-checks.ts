import { skipped, type Check } from './check.ts'
import { expectCode } from './expect-code.ts'

/** Logs, if they are declared. */
export const loggingChecks: readonly Check[] = [
  {
    ids: ['LOG-07'],
    level: 'SHOULD',
    rule: 'a level nobody knows is refused with -32602',
    async run(peer) {
      if (!('logging' in peer.capabilities)) return skipped('there are no logs')
      return expectCode(
        await peer.ask('logging/setLevel', { level: 'loud' }),
        [-32602],
        'Answer -32602.',
      )
    },
  },
]
