import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { allowedRoots, sensitiveFolders } from '../../src/connections/allowed-roots.ts'

const uri = (...names: string[]) => pathToFileURL(join(homedir(), ...names)).href

test.each([
  uri('.ssh'),
  uri('.SSH', 'keys'),
  uri('.ssh').replace('file:', 'FILE:'),
  uri('Library', 'Keychains', 'login'),
  uri('AppData', 'Roaming', 'gnupg'),
  uri('AppData', 'Roaming', 'Microsoft', 'Credentials'),
  uri('appdata', 'local', 'microsoft', 'credentials'),
])('%s is no root for a server', (root) => {
  expect(allowedRoots([root], sensitiveFolders)).toEqual([])
})

test.each([uri('.sshd'), uri('work'), uri('AppData', 'Roaming'), uri()])(
  '%s is one: only the folder itself and what is in it are kept back',
  (root) => {
    expect(allowedRoots([root], sensitiveFolders)).toEqual([root])
  },
)
