import { describeServer } from '../../../test-support/described-server.ts'
import { createFetchServer } from '../src/fetch.ts'

await describeServer(() => createFetchServer())
