import { resolve } from 'node:path'

import type { JsonValue } from '@parley/mcp'

import type { CheckProblem } from '../check-problem.ts'
import { openSection } from '../section.ts'
import type { PinningMode, PinningOptions } from './pinning.ts'

const modes = ['off', 'warn', 'enforce'] as const satisfies readonly PinningMode[]
const kinds = ['tool', 'prompt', 'resource', 'resourceTemplate'] as const

/** Reads `pinning:`: a mode alone, or `{ mode, file, kinds }`. Files are found from `folder`. */
export function readPinning(
  settings: JsonValue,
  folder: string,
  problems: CheckProblem[],
): Pick<PinningOptions, 'file' | 'mode' | 'kinds'> | undefined {
  const section = openSection(
    typeof settings === 'string' ? { mode: settings } : settings,
    ['pinning'],
    problems,
  )
  if (section === undefined) return undefined
  const mode = section.choice('mode', modes)
  const file = resolve(folder, section.text('file') ?? 'parley-pins.json')
  const named = section.texts('kinds')
  const wrong = named?.find((each) => !kinds.some((kind) => kind === each))
  if (wrong !== undefined)
    section.problem('kinds', `there is no kind "${wrong}"`, `use ${kinds.join(', ')}`)
  section.end()
  const chosen = named && kinds.filter((kind) => named.includes(kind))
  return { file, mode, kinds: chosen }
}
