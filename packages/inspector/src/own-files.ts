import { readFileSync } from 'node:fs'

import { builtPage } from '@parley/foundation/listener'

/** Where the built page is. */
export const programPage = builtPage('inspector', import.meta.url)

/** The version of the program. */
export const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { readonly version: string } // our own package file has one
