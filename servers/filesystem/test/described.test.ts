import { afterAll } from 'vitest'

import { describeServer } from '../../../test-support/described-server.ts'
import { createFilesystemServer, extras } from '../src/filesystem.ts'
import { createPlace } from './support.ts'

const place = await createPlace({ 'notes.txt': 'notes', 'folder/inner.txt': 'inner' })
afterAll(() => place[Symbol.asyncDispose]())
const path = { uri: 'file://{+path}', argument: 'path' }

await describeServer(
  () => createFilesystemServer({ directories: [place.root], enable: extras }),
  [
    { ...path, typed: place.root.slice(0, -2), offered: `${place.root}/` },
    { ...path, typed: place.at('no'), offered: place.at('notes.txt') },
    { ...path, typed: place.at('fol'), offered: place.at('folder/') },
  ],
)
