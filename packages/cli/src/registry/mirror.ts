import { join, resolve } from 'node:path'

import { stateFolder } from '@parley/foundation/secrets'
import type { Registry } from '@parley/registry'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'

/** Flags of `parley registry sync` and `export`. */
export interface MirrorFlags extends CommonFlags {
  readonly database?: string
  readonly id?: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** Takes over what has changed at another registry. */
export async function sync(url: string, flags: MirrorFlags, { io }: CommandContext): Promise<void> {
  if (!/^https?:\/\/./.test(url)) {
    throw new CliError('error', `${url} is not a URL: it begins with https://`)
  }
  const printer = createPrinter(io, flags)
  const { SyncError } = await import('@parley/registry')
  await using registry = await openRegistry(flags, io)
  const { allow, deny, id = new URL(url).host } = flags
  const token = io.env['PARLEY_REGISTRY_TOKEN']
  const source = { id, url, token, allow, deny }
  const report = await registry.sync({ source, signal: io.signal }).catch((cause: unknown) => {
    if (!(cause instanceof SyncError)) throw cause
    const hint = 'What was read is kept. The next run goes on there.'
    throw new CliError('unreachable', cause.message, { hint, cause })
  })
  if (printer.isJson) return printer.json(report)
  for (const why of report.refused) printer.note(`left out: ${flat(why)}`)
  printer.line(`${counted(report.changed, 'change')} in ${counted(report.read, 'row')}`)
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

async function openRegistry({ database }: MirrorFlags, { cwd, env }: Io): Promise<Registry> {
  const { createRegistry } = await import('@parley/registry')
  const address = database ?? join(stateFolder({ env }), 'registry.db')
  return createRegistry({ database: /^[a-z]+:/i.test(address) ? address : resolve(cwd, address) })
}
