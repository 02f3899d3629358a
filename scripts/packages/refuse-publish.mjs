/** `npm publish` in a package's folder ends here: it would publish conditions that point at sources. */

import { exit } from 'node:process'

console.error(
  'npm publish does not work in a folder of the repository. Use npm run release: see docs/internals/releasing.md.',
)
exit(1)
