import { contestants, missingBuild } from '../contestants.mjs'
import { measureImports } from './import-time.mjs'
import { measureInstallSize } from './install-size.mjs'
import { interleave } from './interleave.mjs'

/** All rounds of a case; one row for each contestant. */
export async function runCase(subject, { rounds = subject.rounds, operations, only, onProgress }) {
  switch (subject.kind) {
    case 'imports':
      return measureImports({ rounds, onProgress })
    case 'sizes':
      return measureInstallSize()
    default: {
      const everyone = [...contestants, ...(subject.guests ?? [])]
      return interleave(
        everyone.filter(({ name }) => only === undefined || only.includes(name)),
        {
          rounds,
          onProgress,
          missing: ({ isOurs }) => (isOurs ? missingBuild() : undefined),
          measure: (contestant) => subject.measure(contestant, { operations }),
        },
      )
    }
  }
}
