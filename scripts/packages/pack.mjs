#!/usr/bin/env node
/** `npm run pack [-- folder]`: writes the tarball of every package, as it would be published. */

import { join, resolve } from 'node:path'
import { argv } from 'node:process'

import { root } from '../source-files.mjs'
import { packAll } from './stage.mjs'

const destination = resolve(argv[2] ?? join(root, '.parley/packages'))
for (const { path, files, unpackedSize } of await packAll(destination)) {
  console.log(`${path}  ${files.length} files, ${Math.ceil(unpackedSize / 1_000)} kB unpacked`)
}
