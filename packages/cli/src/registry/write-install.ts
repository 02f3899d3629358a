import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { editConfig } from '@parley/foundation/config'
import type { InstallEntry, ServerResponse, ToolSnapshot } from '@parley/registry/client'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { flat, type Printer } from '../output/printer.ts'
import type { Asker } from '../questions/asker.ts'
import {
  answerAll,
  choosePlan,
  formatOf,
  isConfirmed,
  keepSecrets,
  showEntry,
  usage,
  type Answers,
  type InstallFlags,
} from './install.ts'
import { keepInstall, type Install } from './installs.ts'
import { describeDifference, probeEntry } from './probe.ts'

/** What to write, and from where. */
export interface InstallRequest {
  readonly found: ServerResponse
  readonly registry: string
  readonly entry: string
  readonly file: string
  readonly product: string
  /** Which package or remote: a part of its title. */
  readonly use: string | undefined
  readonly isPinned: boolean
  /** What was answered before. */
  readonly known: Answers
  /** What the entry was before. */
  readonly before?: Install | undefined
}

interface Talk {
  readonly io: Io
  readonly printer: Printer
  readonly asker: Asker | undefined
}

/** Shows what would be written, asks, writes the file, and remembers where the entry came from. True if it was written. */
export async function writeInstall(
  request: InstallRequest,
  flags: InstallFlags & { readonly probe?: boolean },
  { io, printer, asker }: Talk,
): Promise<boolean> {
  const { found, file, entry, product, before } = request
  const { clientFormats, createClientEntry, documentHash, installPlans } =
    await import('@parley/registry/client')
  const format = formatOf(product, clientFormats)
  const { name, version } = found.server
  const plan = choosePlan(installPlans(found.server), request.use, name)
  const answers = await answerAll(plan, flags, asker, request.known)
  const made = usage(() => createClientEntry(plan, { name: entry, format, answers }))
  const { servers, inputs, notes } = made.exported
  const text = await readFile(file, 'utf8').catch(() => '')
  const edit = usage(() => editConfig({ file, text, format, servers, inputs }))
  const snapshot = flags.probe ? await probe(made.entry, { io, printer }) : undefined
  const difference =
    snapshot && before?.snapshot
      ? (await import('@parley/registry/client')).compareSnapshots(before.snapshot, snapshot)
      : undefined
  const runs = showEntry(made.entry)
  if (printer.isJson) {
    const from = before === undefined ? {} : { from: before.version }
    const seen = snapshot === undefined ? {} : { toolsHash: snapshot.hash, difference }
    printer.json({ name, ...from, version, entry, file, runs, servers, inputs, notes, ...seen })
  } else {
    const was = before === undefined ? '' : `${flat(before.version)} → `
    printer.line(`${flat(name)} ${was}${flat(version)} (${flat(plan.title)})`)
    printer.line(`runs: ${runs}`)
    for (const line of edit.diff.split('\n')) printer.line(flat(line))
    if (snapshot) printer.line(`tools: ${snapshot.tools.length}, hash ${snapshot.hash}`)
    for (const line of difference ? describeDifference(difference) : []) printer.line(line)
    for (const note of notes) printer.note(note)
  }
  if (flags.dryRun || !(await isConfirmed(flags, file, asker))) return false
  if (format === 'parley') await keepSecrets(made.open, answers, file, flags, io)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, edit.after)
  const secret = new Set(plan.questions.filter(({ isSecret }) => isSecret).map(({ id }) => id))
  const open = Object.entries(answers).flatMap(([id, value]) =>
    value === undefined || secret.has(id) ? [] : [[id, value] as const],
  )
  const meta = found._meta ?? {}
  await keepInstall(
    {
      file,
      entry,
      product,
      registry: request.registry,
      name,
      version,
      hash: documentHash(found.server),
      use: plan.title.replace(/[@:][^@:/ ]*$/, ''),
      fileSha256: found.server.packages?.find(({ fileSha256 }) => fileSha256)?.fileSha256,
      isPinned: request.isPinned,
      answers: Object.fromEntries(open),
      addedAt: new Date().toISOString(),
      publishedAt: meta['io.modelcontextprotocol.registry/official']?.publishedAt,
      flags: textsOf(meta['dev.parley.registry/flags']),
      checks: checksOf(meta['dev.parley.registry/checks']),
      snapshot: snapshot ?? (before?.version === version ? before.snapshot : undefined),
    },
    io,
  )
  printer.note(`wrote ${file}`)
  return true
}

/** A probe that cannot be made is said; one that fails ends the command. */
async function probe(
  entry: InstallEntry,
  { io, printer }: Omit<Talk, 'asker'>,
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

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** One line for each check. */
function checksOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('url' in one)) return []
    const isVerified = 'isVerified' in one && one.isVerified === true
    const why = 'why' in one ? ` (${String(one.why)})` : ''
    return [`${String(one.url)}: ${isVerified ? 'verified by its card' : `not verified${why}`}`]
  })
}
