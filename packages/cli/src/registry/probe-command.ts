import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { openRegistryClient, readToken, withRegistry, type RegistryFlags } from './connection.ts'
import { resolveAll, choosePlan, machineOf, usage, warn } from './install.ts'
import { describeDifference, probeEntry } from './probe.ts'

/** Flags of `parley registry probe`. */
export interface ProbeFlags extends RegistryFlags {
  readonly use?: string
  readonly answer?: readonly string[]
  readonly submit?: boolean
}

/** Looks at a server before anybody installs it, and tells the registry what was seen. */
export async function probe(
  word: string,
  flags: ProbeFlags,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const { compareSnapshots, createSnapshot, installOffers } =
    await import('@parley/registry/client')
  const client = await openRegistryClient(flags, io)
  const [, name = word, version] = /^([^@]+)@(.+)$/.exec(word) ?? []
  const found = await withRegistry(() => client.find(name, version))
  warn(found, printer)
  const plan = choosePlan(installOffers(found.server), flags.use, name)
  const answers = await resolveAll(plan, flags, undefined)
  const entry = usage(() =>
    plan.fill(
      ({ id, isSecret, default: preset }) => (isSecret ? 'probe' : (answers[id] ?? preset)),
      machineOf(io),
    ),
  )
  const outcome = await probeEntry(entry, io)
  if (outcome.kind !== 'seen') {
    throw new CliError('unreachable', `${flat(name)} was not probed: ${flat(outcome.why)}`)
  }
  const { snapshot } = outcome
  const trust = await withRegistry(() => client.trust(name, found.server.version))
  const before = toolsOf(trust?.['snapshot'])
  const difference = before && compareSnapshots(createSnapshot(before), snapshot)
  if (flags.submit) {
    const token = await readToken(client, io)
    const { tools } = snapshot
    const reported = { name, version: found.server.version, tools }
    await withRegistry(() => client.submitSnapshot(reported, token))
  }
  if (printer.isJson) {
    return printer.json({ name, version: found.server.version, ...snapshot, difference })
  }
  printer.line(`${flat(name)} ${flat(found.server.version)}: hash ${snapshot.hash}`)
  for (const tool of snapshot.tools) printer.line(`  ${flat(tool.name)}`)
  for (const line of difference ? describeDifference(difference) : []) printer.line(line)
}

function toolsOf(snapshot: unknown): readonly unknown[] | undefined {
  if (typeof snapshot !== 'object' || snapshot === null || !('tools' in snapshot)) return undefined
  return Array.isArray(snapshot.tools) ? snapshot.tools : undefined
}
