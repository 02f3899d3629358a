import { broken, kept, type Check } from './check.ts'
import { initializeMessage } from './legacy-peer.ts'

/** What only a process shows. */
export const stdioChecks: readonly Check[] = [
  {
    ids: ['STDIO-07', 'STDIO-03'],
    level: 'MUST',
    rule: 'standard output carries only messages',
    run({ link }) {
      const [first] = link.noise?.() ?? []
      return first === undefined
        ? kept
        : broken('something else was written to it', 'Log to standard error.', { got: first })
    },
  },
  {
    ids: ['N07-STDIO-03', 'LIFE-11'],
    level: 'SHOULD',
    rule: 'the server exits when its input ends',
    async run({ subject, revision }) {
      await using link = await subject.open()
      await link.exchange(initializeMessage(revision), { waitMs: 30_000 })
      const hasEnded = (await link.endInput?.(5_000)) ?? true
      return hasEnded
        ? kept
        : broken('it still ran five seconds later', 'Exit when standard input ends.')
    },
  },
]
