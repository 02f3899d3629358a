import type { Diagnose } from '../../options.ts'
import type { DiagnosisStep } from '../../protocol/index.ts'
import type { Handlers } from '../handlers.ts'
import { ProblemError } from '../problem.ts'
import { requireRunnable } from './connections.ts'
import type { Servers } from './servers.ts'

const maxSteps = 200
const maxMs = 120_000

/** Finds out what stands in the way to a server, by what whoever started us has given us for it. */
export function createDiagnosis(
  diagnose: Diagnose | undefined,
  servers: Servers,
): Handlers<'servers/diagnose'> {
  const running = new Map<string, Promise<readonly DiagnosisStep[]>>()

  async function walk(start: Diagnose, name: string): Promise<readonly DiagnosisStep[]> {
    const { entry } = servers.find(name)
    const steps: DiagnosisStep[] = []
    const signal = AbortSignal.timeout(maxMs)
    for await (const step of start(entry, { name, signal })) {
      steps.push(step)
      if (steps.length >= maxSteps) break
    }
    return steps
  }

  return {
    'servers/diagnose'({ name }) {
      requireRunnable(servers.find(name))
      if (diagnose === undefined) {
        throw new ProblemError('no_diagnosis', 'diagnosis is not available in this inspector', {
          hint: 'In a terminal: parley doctor.',
        })
      }
      const diagnosis = running.get(name)
      if (diagnosis) return diagnosis
      const started = walk(diagnose, name).finally(() => running.delete(name))
      running.set(name, started)
      return started
    },
  }
}
