import { fileURLToPath } from 'node:url'

import { runServer } from '@parley/server-kit/program'
import { expect, test } from 'vitest'

import {
  complaintOf,
  describeReachable,
  type ReachableProgram,
} from '../../../test-support/reachable-program.ts'
import { timeProgram } from '../src/program.ts'

const run: ReachableProgram['run'] = (surroundings) => runServer(timeProgram, surroundings)

describeReachable({
  main: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
  run,
  args: ['--local-timezone', 'Asia/Tokyo', '--enable', 'list_timezones'],
  tools: ['get_current_time', 'convert_time', 'list_timezones'],
  call: [
    'convert_time',
    { source_timezone: 'Asia/Tokyo', time: '09:00', target_timezone: 'Asia/Kathmandu' },
  ],
  answer: '"time_difference": "-3.25h"',
})

test.each([
  [['--local-timezone', 'Mars/Base'], 'Unknown time zone Mars/Base.'],
  [['--enable', 'time_betwen'], 'Did you mean time_between?'],
])('says what is wrong with %j', async (args, reason) => {
  expect(await complaintOf(run, args)).toContain(reason)
})
