import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createProgressBar } from '@parley/foundation/terminal'

import { mayDraw } from '../../connection.ts'
import type { CommonFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requiredScenarios, runSuite, type SuiteProgram } from './run-suite.ts'
import { judgeScenario, type Scenario } from './scenario.ts'
import type { OfferedNames } from './wanted-names.ts'

/** One revision of one server. */
export interface Play {
  readonly suite: SuiteProgram
  readonly revision: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** What the server has; undefined if it cannot be asked. */
  readonly offered: OfferedNames | undefined
}

/** All scenarios of a revision, one after the other, with a bar on the terminal. */
export async function* playScenarios(
  { suite, revision, url, headers, offered }: Play,
  flags: CommonFlags,
  io: Io,
): AsyncGenerator<Scenario> {
  const required = await requiredScenarios(suite, revision, io)
  const which =
    required === undefined
      ? ['--suite', 'active', '--spec-version', revision]
      : ['--requirements', revision]
  const args = [
    ...which,
    ...(flags.timeout === undefined ? [] : ['--timeout', String(flags.timeout)]),
  ]
  const bar = createProgressBar(io.stderr)
  const isDrawn = mayDraw(io, flags)
  const folder = await mkdtemp(join(tmpdir(), 'parley-suite-'))
  let done = 0
  let total = 0
  try {
    for await (const event of runSuite(suite, { url, headers, args, folder }, io)) {
      if (event.type === 'count') total = event.count
      else if (event.type === 'started') {
        const message = `${revision} ${event.scenario}`
        if (isDrawn) bar.update({ progress: done, total, message })
      } else {
        done += 1
        const { scenario, checks } = event
        bar.done() // the line is needed for results
        const isRequired = required?.has(scenario) ?? true
        yield { scenario, revision, isRequired, verdict: judgeScenario(scenario, checks, offered) }
      }
    }
  } finally {
    bar.done()
    await rm(folder, { recursive: true, force: true })
  }
}
