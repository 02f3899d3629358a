import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { editConfig, type ConfigEdit } from '@parley/foundation/config'
import type {
  ClientEntry,
  InstallPlan,
  ServerResponse,
  ToolSnapshot,
} from '@parley/registry/client'

import { readConfigText, saveEdit } from '../config/save-edit.ts'
import type { Io } from '../io.ts'
import {
  formatOf,
  keepSecrets,
  machineOf,
  usage,
  type Answers,
  type InstallFlags,
} from './install.ts'
import { keepInstall, type Install } from './installs.ts'

/** Which entry of a registry goes where. */
export interface InstallTarget {
  readonly found: ServerResponse
  readonly registry: string
  /** The name of the entry in the file. */
  readonly entry: string
  readonly file: string
  readonly product: string
  /** Whether the user named the version. */
  readonly isPinned: boolean
}

/** An entry that is ready to be written. */
export interface PreparedInstall {
  readonly plan: InstallPlan
  readonly answers: Answers
  readonly made: ClientEntry
  readonly edit: ConfigEdit
}

/** Makes the entry and the change of the file. Nothing is written. */
export async function prepareInstall(
  { entry, file, product }: InstallTarget,
  plan: InstallPlan,
  answers: Answers,
  io: Io,
): Promise<PreparedInstall> {
  const { clientFormats, createClientEntry } = await import('@parley/registry/client')
  const format = formatOf(product, clientFormats)
  const made = usage(() =>
    createClientEntry(plan, { name: entry, format, answers, machine: machineOf(io) }),
  )
  const { servers, inputs } = made.exported
  const text = await readConfigText(file)
  const edit = usage(() => editConfig({ file, text, format, servers, inputs }))
  return { plan, answers, made, edit }
}

/** Keeps the secrets, writes the file, and remembers where the entry came from. */
export async function commitInstall(
  target: InstallTarget,
  { plan, answers, made, edit }: PreparedInstall,
  flags: InstallFlags,
  { io, snapshot }: { readonly io: Io; readonly snapshot?: ToolSnapshot | undefined },
): Promise<void> {
  const { documentHash } = await import('@parley/registry/client')
  const { found, file, entry, product, registry, isPinned } = target
  if (product === 'parley') await keepSecrets(made.open, answers, file, flags, io)
  await mkdir(dirname(file), { recursive: true })
  await saveEdit(edit)
  const secret = new Set(plan.questions.filter(({ isSecret }) => isSecret).map(({ id }) => id))
  const open = Object.entries(answers).flatMap(([id, value]) =>
    value === undefined || secret.has(id) ? [] : [[id, value] as const],
  )
  const meta = found._meta ?? {}
  const install: Install = {
    file,
    entry,
    product,
    registry,
    name: found.server.name,
    version: found.server.version,
    hash: documentHash(found.server),
    use: plan.title.replace(/[@:][^@:/ ]*$/, ''),
    fileSha256: found.server.packages?.find(({ fileSha256 }) => fileSha256)?.fileSha256,
    isPinned,
    answers: Object.fromEntries(open),
    addedAt: new Date().toISOString(),
    publishedAt: meta['io.modelcontextprotocol.registry/official']?.publishedAt,
    flags: textsOf(meta['dev.parley.registry/flags']),
    checks: checksOf(meta['dev.parley.registry/checks']),
    snapshot,
  }
  await keepInstall(install, io)
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((candidate) => typeof candidate === 'string') : []
}

/** One line for each check. */
function checksOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('url' in item)) return []
    const isVerified = 'isVerified' in item && item.isVerified === true
    const why = 'why' in item ? ` (${String(item.why)})` : ''
    return [`${String(item.url)}: ${isVerified ? 'verified by its card' : `not verified${why}`}`]
  })
}
