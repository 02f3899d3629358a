import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { CheckProblem } from '../check-problem.ts'
import { openSection, type Section } from '../section.ts'
import type { PatternMode, PatternPlace, PatternsOptions } from './patterns.ts'

const modes = ['off', 'warn', 'redact', 'refuse'] as const satisfies readonly PatternMode[]

/** Reads `patterns:`: `secrets`, `pii` and `injection` with a mode each, or one for each place; `except`. */
export function readPatterns(given: JsonValue, problems: CheckProblem[]): PatternsOptions {
  const section = openSection(given, ['patterns'], problems)
  if (section === undefined || !isJsonObject(given)) return {}
  const options = {
    secrets: readModes(section, given, 'secrets', ['arguments', 'results']),
    pii: readModes(section, given, 'pii', ['arguments', 'results']),
    injection: readModes(section, given, 'injection', ['results', 'descriptions']),
    except: section.texts('except'),
  }
  section.end()
  return options
}

function readModes<Place extends PatternPlace>(
  section: Section,
  given: JsonObject,
  name: string,
  places: readonly Place[],
): { readonly [Each in Place]?: PatternMode } | undefined {
  if (given[name] === undefined) return undefined
  const child = isJsonObject(given[name]) ? section.child(name) : undefined
  const all = child === undefined ? section.choice(name, modes) : undefined
  const pairs = places.map((place) => [place, child?.choice(place, modes) ?? all] as const)
  child?.end()
  // Each place has been asked for by its name.
  return Object.fromEntries(pairs.filter(([, mode]) => mode !== undefined)) as {
    [Each in Place]?: PatternMode
  }
}
