import type { JsonValue } from '@parley/mcp'
import type { Rate } from '@parley/mcp/internal'

import type { CheckProblem } from '../check-problem.ts'
import { openSection, type Section } from '../section.ts'
import type { LimitsOptions } from './limits.ts'

/** Reads `limits:`: `rate` of `caller`, `tool` and `upstream`, `arguments`, `results`, `concurrency`. */
export function readLimits(settings: JsonValue, problems: CheckProblem[]): LimitsOptions {
  const section = openSection(settings, ['limits'], problems)
  if (section === undefined) return {}
  const rate = section.child('rate')
  const options = {
    rate: rate && {
      caller: readRate(rate, 'caller'),
      tool: readRate(rate, 'tool'),
      upstream: readRate(rate, 'upstream'),
    },
    argumentBytes: section.bytes('arguments'),
    resultBytes: section.bytes('results'),
    concurrentPerCaller: section.number('concurrency', 1, 100_000),
  }
  rate?.end()
  section.end()
  return options
}

function readRate(section: Section, name: string): Rate | undefined {
  const rate = section.child(name)
  const perSecond = rate?.number('perSecond', 0.001, 1_000_000)
  const burst = rate?.number('burst', 1, 1_000_000)
  rate?.end()
  if (rate === undefined) return undefined
  if (perSecond === undefined) {
    section.problem(name, `${name} has no rate`, `write ${name}: { burst: 20, perSecond: 5 }`)
    return undefined
  }
  return { perSecond, burst: burst ?? Math.max(1, perSecond) }
}
