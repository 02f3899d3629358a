import { createRequire } from 'node:module'

import type * as Yaml from 'yaml'

let loaded: typeof Yaml | undefined

/** The YAML library, when the first such file is met: it costs more to load than all other code of a short program. */
export function loadYaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml // by its own declarations
  return loaded
}
