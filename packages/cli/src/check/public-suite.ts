import { spawn } from 'node:child_process'
import { versions } from 'node:process'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import type { Target } from '../target/target.ts'

/** The release that was current when this was written. */
const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

/** Runs the public conformance suite on a server over HTTP; npm brings it when it is not there. */
export async function runSuite(name: string, { entry }: Target, io: Io): Promise<void> {
  if (name !== 'public') {
    throw new CliError('error', `there is no suite ${JSON.stringify(name)}`, {
      hint: 'Use --suite public.',
    })
  }
  const [major = 0] = versions.node.split('.').map(Number)
  if (major < 22) {
    throw new CliError('error', `the public suite needs Node 22, this is ${versions.node}`, {
      hint: 'Our own checks run here: leave --suite out.',
    })
  }
  if (!('url' in entry)) {
    throw new CliError('error', 'the public suite needs a URL', {
      hint: 'Serve it over HTTP first: parley serve FILE --http 3000',
    })
  }
  const args = ['--yes', suite, 'server', '--url', entry.url]
  const child = spawn('npx', args, { stdio: ['ignore', 'inherit', 'inherit'], signal: io.signal })
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (ended) => resolve(ended ?? 1))
  })
  if (code !== 0) throw new CliError('invalid', 'the public suite found faults')
}
