import { contestants, missingBuild } from '../contestants.mjs'
import { measureImports } from './import-time.mjs'
import { measureInstallSize } from './install-size.mjs'
import { interleave } from './interleave.mjs'

/** All rounds of a case; one row for each contestant. */
export async function runCase(
  subject,
  { rounds = subject.rounds, operations, quick, only, onProgress },
) {
  switch (subject.kind) {
    case 'imports':
      return measureImports({ rounds, onProgress })
    case 'sizes':
      return measureInstallSize()
    default: {
      const everyone = subject.contestants ?? [...contestants, ...(subject.guests ?? [])]
      return interleave(
        everyone.filter(({ name }) => only === undefined || only.includes(name.split('@', 1)[0])),
        {
          rounds,
          onProgress,
          missing: ({ name, isOurs }) => (isOurs ? missingBuild() : subject.cannot?.[name]),
          measure: (contestant) => subject.measure(contestant, { operations, quick }),
        },
      )
    }
  }
}
