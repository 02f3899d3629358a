import { afterAll, beforeAll, describe } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { startEverything, type HttpServer } from '../http-server.ts'
import { servers } from '../run.ts'
import { transcript } from '../transcript.ts'

let http: HttpServer
let folder: string
beforeAll(async () => {
  http = await startEverything('streamableHttp')
  folder = folderWith(
    { 'mcp.json': { mcpServers: { notes: { type: 'http', url: http.url } } } },
    afterAll,
  )
})
afterAll(() => http[Symbol.asyncDispose]())

describe('parley request, as in request.transcript.md [INSP-12, INSP-13]', () => {
  transcript(
    new URL('request.transcript.md', import.meta.url),
    () => ({ URL: http.url, COMMAND: servers.everything }),
    () => ({ cwd: folder }),
  )
})
