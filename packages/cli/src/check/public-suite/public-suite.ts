import type { CommandContext } from '../../command.ts'
import { withTarget } from '../../connection.ts'
import { CliError } from '../../exit.ts'
import type { CommonFlags } from '../../flags.ts'
import { counted, createPrinter } from '../../output/printer.ts'
import { createQuestions } from '../../questions/answers.ts'
import type { Target } from '../../target/target.ts'
import { openLegacy } from '../legacy-peer.ts'
import { openModern } from '../modern-peer.ts'
import type { SpokenRevisions } from '../revisions.ts'
import { subjectOf } from '../subject.ts'
import { reached, whySilent } from '../why-silent.ts'
import { findNode } from './find-node.ts'
import { findSuite, suiteVersion } from './find-suite.ts'
import { playScenarios } from './play-scenarios.ts'
import { isCounted, showScenario, showSuiteSummary } from './report-scenario.ts'
import type { Scenario } from './scenario.ts'
import { servedDefinition } from './served-definition.ts'
import { offeredNames, type OfferedNames } from './wanted-names.ts'

/** What the public suite understands besides the target. */
export interface SuiteFlags extends CommonFlags {
  readonly all?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly node?: string | undefined
}

/** Runs the public conformance suite on a server, in the revisions that it speaks, and tells in our own words. */
export async function checkByPublicSuite(
  target: Target,
  revisions: SpokenRevisions,
  flags: SuiteFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const node = await findNode(flags.node, io)
  await using served = await servedDefinition(target, io)
  const listening: Target = { ...target, entry: served.entry }
  const { url, headers = {} } = served.entry
  const program = await findSuite(io, () =>
    printer.note(`installing the public suite ${suiteVersion} with npm`),
  )
  const all: Scenario[] = []
  for (const revision of await spokenOf(listening, revisions)) {
    const offered = await offeredAt(revision, listening, flags, context)
    const play = { suite: { node, program }, revision, offered, url, headers }
    for await (const scenario of playScenarios(play, flags, io)) {
      all.push(scenario)
      if (!printer.isJson) showScenario(scenario, printer, flags.all)
    }
  }
  const failed = all.filter((scenario) => isCounted(scenario, flags.strict))
  if (printer.isJson) printer.json({ suite: suiteVersion, scenarios: all, failed: failed.length })
  else showSuiteSummary(all, printer, flags.all)
  if (failed.length === 0) return
  const names = [...new Set(failed.map(({ scenario }) => scenario))]
  const verb = failed.length === 1 ? 'fails' : 'fail'
  throw new CliError(
    'invalid',
    `${counted(failed.length, 'scenario')} ${verb}: ${names.join(', ')}`,
  )
}

/** Those of the wanted revisions that the server agrees to. Throws if it agrees to none. */
async function spokenOf(target: Target, wanted: SpokenRevisions): Promise<readonly string[]> {
  const subject = subjectOf(target)
  const { legacy, modern } = wanted
  const spoken: string[] = []
  if (legacy !== undefined) {
    await using peer = await reached(openLegacy(subject, legacy))
    if (peer !== undefined) spoken.push(peer.revision)
  }
  if (modern !== undefined) {
    await using peer = await reached(openModern(subject, modern))
    if (peer !== undefined) spoken.push(modern)
  }
  if (spoken.length === 0) throw await whySilent(subject)
  return spoken
}

/** A server that our client cannot talk to is tried all the same. */
async function offeredAt(
  revision: string,
  target: Target,
  flags: SuiteFlags,
  context: CommandContext,
): Promise<OfferedNames | undefined> {
  const { options } = await createQuestions({ decline: true }, context.io)
  const only = { timeout: flags.timeout, era: revision, quiet: true }
  try {
    return await withTarget(
      target,
      only,
      context,
      ({ client, call: { signal } }) => offeredNames(client, signal),
      options,
    )
  } catch {
    context.io.signal.throwIfAborted()
    return undefined
  }
}
