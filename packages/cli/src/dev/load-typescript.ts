import { register } from 'node:module'
import process from 'node:process'

import { findNative } from '@parley/foundation/native'

let isAllowed = false

/**
 * Lets `import()` take TypeScript from here on, with errors that name its lines. Also where Node can do it: alone it
 * takes neither `./a.js` for `./a.ts` nor an `enum`.
 */
export function allowTypeScript(): void {
  if (isAllowed) return
  isAllowed = true
  process.setSourceMapsEnabled(true)
  const transformer = findNative('oxc-transform')
  register(new URL('./typescript-hooks.js', import.meta.url), { data: { transformer } })
}
