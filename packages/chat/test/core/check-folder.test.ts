import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { checkFolder } from '../../src/core/check-folder.ts'

test('the scheme of a folder may be written in any case', async () => {
  const { href } = pathToFileURL(tmpdir())

  await expect(checkFolder(href.replace('file:', 'FILE:'))).resolves.toBeUndefined()
})
