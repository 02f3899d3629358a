import fc from 'fast-check'

import { tries } from '../thorough.ts'

/**
 * Generated tests draw the same values in every run, so that a change is judged by what it changes. To look further:
 * `FC_SEED=$RANDOM npm test`; a failure prints the seed that shows it again. At night each is tried ten times as often.
 */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_115), numRuns: tries(100) })
