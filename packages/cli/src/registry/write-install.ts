import type { InstallEntry, ToolSnapshot } from '@parley/registry/client'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { flat, type Printer } from '../output/printer.ts'
import type { Prompter } from '../questions/asker.ts'
import {
  resolveAll,
  choosePlan,
  isConfirmed,
  rejectionReason,
  type Answers,
  type InstallFlags,
} from './install.ts'
import type { Install } from './installs.ts'
import { commitInstall, prepareInstall, type InstallTarget } from './prepare-install.ts'
import { previewInstall } from './preview.ts'
import { describeDifference, probeEntry } from './probe.ts'

/** What to write, and from where. */
export interface InstallRequest extends InstallTarget {
  /** Which package or remote: a part of its title. */
  readonly use: string | undefined
  /** What was answered before. */
  readonly known: Answers
  /** What the entry was before. */
  readonly before?: Install | undefined
}

interface Talk {
  readonly io: Io
  readonly printer: Printer
  readonly prompter: Prompter | undefined
}

/** Shows what would be written, asks, writes the file, and remembers where the entry came from. True if it was written. */
export async function writeInstall(
  request: InstallRequest,
  flags: InstallFlags & { readonly probe?: boolean },
  { io, printer, prompter }: Talk,
): Promise<boolean> {
  const { found, file, entry, before } = request
  const { compareSnapshots, installOffers } = await import('@parley/registry/client')
  const { name, version } = found.server
  const offers = installOffers(found.server)
  const plan = choosePlan(offers, request.use, name)
  for (const item of offers.refused) printer.note(`not offered: ${rejectionReason(item)}`)
  const answers = await resolveAll(plan, flags, prompter, request.known)
  const prepared = await prepareInstall(request, plan, answers, io)
  const { made } = prepared
  const { servers, inputs, notes } = made.exported
  const snapshot = flags.probe ? await probe(made.entry, { io, printer }) : undefined
  const difference =
    snapshot && before?.snapshot ? compareSnapshots(before.snapshot, snapshot) : undefined
  const preview = previewInstall(request, prepared, io)
  if (printer.isJson) {
    const from = before === undefined ? {} : { from: before.version }
    const seen = snapshot === undefined ? {} : { toolsHash: snapshot.hash, difference }
    const { lines: _lines, ...previewFields } = preview
    printer.json({
      name,
      ...from,
      version,
      entry,
      file,
      ...previewFields,
      servers,
      inputs,
      notes,
      ...seen,
    })
  } else {
    const was = before === undefined ? '' : `${flat(before.version)} → `
    printer.line(`${flat(name)} ${was}${flat(version)} (${flat(plan.title)})`)
    for (const line of preview.lines) printer.line(line)
    if (snapshot) printer.line(`tools: ${snapshot.tools.length}, hash ${snapshot.hash}`)
    for (const line of difference ? describeDifference(difference) : []) printer.line(line)
  }
  if (flags.dryRun || !(await isConfirmed(flags, file, prompter))) return false
  const storedSnapshot = snapshot ?? (before?.version === version ? before.snapshot : undefined)
  await commitInstall(request, prepared, flags, { io, snapshot: storedSnapshot })
  printer.note(`wrote ${file}`)
  return true
}

/** A probe that cannot be made is said; one that fails ends the command. */
async function probe(
  entry: InstallEntry,
  { io, printer }: Omit<Talk, 'prompter'>,
): Promise<ToolSnapshot | undefined> {
  const outcome = await probeEntry(entry, io)
  switch (outcome.kind) {
    case 'seen':
      return outcome.snapshot
    case 'cannot':
      printer.note(`not probed: ${outcome.why}`)
      return undefined
    case 'failed':
      throw new CliError('unreachable', `the probe failed: ${outcome.why}`, {
        hint: 'It runs without a network, so what it needs must be on this machine already. Without --probe it is added unseen.',
      })
  }
}
