import { describeServer } from '../../../test-support/described-server.ts'
import { createSequentialThinkingServer, extras } from '../src/sequential-thinking.ts'

await describeServer(() => createSequentialThinkingServer({ enable: extras }))
