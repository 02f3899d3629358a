import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { CheckProblem } from '../check-problem.ts'
import { openSection, type Section } from '../section.ts'
import type { PatternMode, PatternPlace, PatternsOptions } from './patterns.ts'

const modes = ['off', 'warn', 'redact', 'refuse'] as const satisfies readonly PatternMode[]

/** Reads `patterns:`: `secrets`, `pii` and `injection` with a mode each, or one for each place; `except`. */
export function readPatterns(settings: JsonValue, problems: CheckProblem[]): PatternsOptions {
  const section = openSection(settings, ['patterns'], problems)
  if (section === undefined || !isJsonObject(settings)) return {}
  const options = {
    secrets: readModes(section, settings, 'secrets', ['arguments', 'results']),
    pii: readModes(section, settings, 'pii', ['arguments', 'results']),
    injection: readModes(section, settings, 'injection', ['results', 'descriptions']),
    except: section.texts('except'),
  }
  section.end()
  return options
}

function readModes<Place extends PatternPlace>(
  section: Section,
  settings: JsonObject,
  name: string,
  locations: readonly Place[],
): { readonly [Each in Place]?: PatternMode } | undefined {
  if (settings[name] === undefined) return undefined
  const child = isJsonObject(settings[name]) ? section.child(name) : undefined
  const all = child === undefined ? section.choice(name, modes) : undefined
  const pairs = locations.map(
    (location) => [location, child?.choice(location, modes) ?? all] as const,
  )
  child?.end()
  // Each place has been asked for by its name.
  return Object.fromEntries(pairs.filter(([, mode]) => mode !== undefined)) as {
    [Each in Place]?: PatternMode
  }
}
