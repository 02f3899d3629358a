import { describeServer } from '../../../test-support/described-server.ts'
import { createTimeServer, extras } from '../src/time.ts'

await describeServer(
  () => createTimeServer({ enable: extras }),
  [{ uri: 'time://now/{+timezone}', argument: 'timezone', typed: 'war', offered: 'Europe/Warsaw' }],
)
