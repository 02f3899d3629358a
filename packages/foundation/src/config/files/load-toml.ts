import { createRequire } from 'node:module'

import type * as Toml from 'smol-toml'

let loaded: typeof Toml | undefined

/** The TOML library, when the first such file is met. */
export function loadToml(): typeof Toml {
  loaded ??= createRequire(import.meta.url)('smol-toml') as typeof Toml // by its own declarations
  return loaded
}
