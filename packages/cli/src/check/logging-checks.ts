import { skipped, type Check } from './check.ts'
import { expectCode } from './expect-code.ts'

/** Logs, if they are declared. */
export const loggingChecks: readonly Check[] = [
  {
    ids: ['LOG-07'],
    level: 'SHOULD',
    rule: 'an unknown log level is refused with -32602',
    async run(peer) {
      if (!('logging' in peer.capabilities)) return skipped('the server has no logging')
      return expectCode(
        await peer.ask('logging/setLevel', { level: 'loud' }),
        [-32602],
        'Answer -32602.',
      )
    },
  },
]
