import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { stateFolder } from '@parley/foundation/secrets'
import { errorMessage } from '@parley/mcp/json'
import type { Registry } from '@parley/registry'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { ensureSqlite } from '../native.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'

/** Flags of `parley registry sync` and `export`. */
export interface MirrorFlags extends CommonFlags {
  readonly database?: string
  readonly id?: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly key?: string
  readonly indexKey?: string
}

/** Takes over what has changed at another registry. */
export async function sync(url: string, flags: MirrorFlags, { io }: CommandContext): Promise<void> {
  if (!/^https?:\/\/./.test(url)) {
    throw new CliError('error', `${url} is not a URL: it begins with https://`)
  }
  const printer = createPrinter(io, flags)
  const { SyncError } = await import('@parley/registry')
  await using registry = await openRegistry(flags, io)
  const { allow, deny, key, id = new URL(url).host } = flags
  const token = io.env['PARLEY_REGISTRY_TOKEN']
  const source = { id, url, token, allow, deny, key }
  const report = await registry.sync({ source, signal: io.signal }).catch((cause: unknown) => {
    if (!(cause instanceof SyncError)) throw cause
    const hint = 'What was read is kept. The next run continues there.'
    throw new CliError('unreachable', cause.message, { hint, cause })
  })
  if (printer.isJson) return printer.json(report)
  for (const why of report.refused) printer.note(`left out: ${flat(why)}`)
  printer.line(`${counted(report.changed, 'change')} in ${counted(report.read, 'row')}`)
}

/** Takes over what an export has, with or without its signature. */
export async function importFiles(
  path: string,
  flags: MirrorFlags,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const { id = '', allow, deny, key } = flags
  const source = resolve(io.cwd, path)
  const isFolder = await stat(source).then(
    (found) => found.isDirectory(),
    (cause: unknown) => {
      throw new CliError('error', `${path} cannot be read`, { cause })
    },
  )
  const file = isFolder ? join(source, 'v0.1/x/snapshot.ndjson') : source
  if (key !== undefined) await requireSigned(file, key)
  await using registry = await openRegistry(flags, io)
  const report = await registry.importSnapshot({ file, source: { id, allow, deny } })
  if (printer.isJson) return printer.json(report)
  for (const why of report.refused) printer.note(`left out: ${flat(why)}`)
  printer.line(`${counted(report.changed, 'change')} in ${counted(report.read, 'row')}`)
}

/** Everything in the snapshot must be in the index beside it, and that be signed with the key. */
async function requireSigned(file: string, key: string): Promise<void> {
  const { verifyMirror } = await import('@parley/registry/client')
  const beside = join(file, '../index.json')
  const text = await readFile(beside, 'utf8').catch((cause: unknown) => {
    throw new CliError('error', `${beside} cannot be read: the snapshot is not signed`, { cause })
  })
  const index: unknown = JSON.parse(text)
  const { listSnapshot } = await import('@parley/registry')
  const found = await verifyMirror({ list: () => listSnapshot(file) }, index, key)
  const wrong = found.fault ?? [...found.changed, ...found.unknown][0]
  if (wrong === undefined) return
  throw new CliError('invalid', `${file} is not what was signed: ${flat(wrong)}`)
}

/** Writes plain files that any web server can serve. */
export async function exportFiles(
  folder: string,
  flags: MirrorFlags,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  await using registry = await openRegistry(flags, io)
  const path = resolve(io.cwd, folder)
  const { servers, files } = await registry.exportStatic(path)
  if (printer.isJson) return printer.json({ folder: path, servers, files })
  printer.line(`${path}: ${counted(servers, 'server')} in ${counted(files, 'file')}`)
}

/** The registry in a database, without serving it. */
export async function openRegistry(
  { database, indexKey }: Pick<MirrorFlags, 'database' | 'indexKey'>,
  io: Io,
): Promise<Registry> {
  const { cwd } = io
  const address = databaseAddress(database, io)
  if (!address.startsWith('postgres')) await ensureSqlite(io)
  const { createRegistry } = await import('@parley/registry')
  return createRegistry({
    database: address,
    indexKey: indexKey === undefined ? undefined : await readIndexKey(indexKey, cwd),
  })
}

/** A flag shows the password of a database to everybody on this machine; a variable does not. */
export function databaseAddress(
  flag: string | undefined,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): string {
  const address =
    flag ?? (env['PARLEY_REGISTRY_DATABASE'] || join(stateFolder({ env }), 'registry.db'))
  return /^[a-z]+:/i.test(address) ? address : resolve(cwd, address)
}

/** From a file: a key on the command line could be read by everybody on this machine. */
export async function readIndexKey(file: string, cwd: string): Promise<string> {
  const { readPublisherKey } = await import('@parley/registry/client')
  try {
    const hex = (await readFile(resolve(cwd, file), 'utf8')).trim()
    if (readPublisherKey(hex).algorithm !== 'ed25519') throw new Error('it is not an Ed25519 key')
    return hex
  } catch (cause) {
    const why = errorMessage(cause)
    throw new CliError('error', `--index-key ${file} cannot be used: ${why}`, {
      hint: 'It holds 64 hexadecimal digits, for example from `openssl rand -hex 32`.',
      cause,
    })
  }
}
