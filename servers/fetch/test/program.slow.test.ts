import { fileURLToPath } from 'node:url'

import { runServer } from '@parley/server-kit/program'
import { expect, test } from 'vitest'

import {
  complaintOf,
  describeReachable,
  type ReachableProgram,
} from '../../../test-support/reachable-program.ts'
import { fetchProgram } from '../src/program.ts'
import { openHost } from './support.ts'

const host = await openHost({ '/': { body: '<p>Reached.</p>' } })

const run: ReachableProgram['run'] = (surroundings) => runServer(fetchProgram, surroundings)

describeReachable({
  main: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
  run,
  args: ['--allow-private-ips', '--timeout', '10'],
  tools: ['fetch'],
  call: ['fetch', { url: host.origin }],
  answer: `Contents of ${host.origin}/:\nReached.`,
})

test.each([
  [['--timeout', 'soon'], '--timeout takes a number greater than 0, not "soon".'],
  [['--max-bytes', '0'], '--max-bytes takes a whole number'],
  [['--deny-host', 'https://example.com/'], '"https://example.com/" is not a host name'],
  [['--proxy-url', 'notaurl'], 'The URL of the proxy must begin with http:// or https://'],
  [['--allow-private-ip'], 'Did you mean --allow-private-ips?'],
])('says what is wrong with %j', async (args, reason) => {
  expect(await complaintOf(run, args)).toContain(reason)
})
