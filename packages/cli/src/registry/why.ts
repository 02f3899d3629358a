import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { hasServer, isConfigFormat, readConfigText } from '@parley/foundation/config'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { readInstalls, type Install } from './installs.ts'
import { isMeant, unknown } from './update.ts'

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley why` */
export function build(context: CommandContext): Command {
  const command = newCommand('why', 'Shows where an entry of a configuration file came from.', [
    ['parley why weather', 'registry, version, hash, publisher, checks'],
  ]).argument('<name>', 'the entry or the server')
  return addOutputFlags(command).action((name: string, flags: CommonFlags) =>
    why(name, flags, context),
  )
}

async function why(word: string, flags: CommonFlags, { io }: CommandContext): Promise<void> {
  const printer = createPrinter(io, flags)
  const all = await readInstalls(io)
  const found = all.filter((candidate) => isMeant(candidate, word))
  if (found.length === 0) throw unknown(word, all)
  const entries = await Promise.all(
    found.map(async (install) => ({ ...install, isPresent: await isStillThere(install) })),
  )
  if (printer.isJson) return printer.json({ entries })
  for (const [index, install] of entries.entries()) {
    if (index > 0) printer.line()
    printer.table(rowsOf(install), [
      { overflow: 'keep', style: printer.colors.bold },
      { overflow: 'wrap' },
    ])
  }
}

function rowsOf(
  install: Install & { readonly isPresent: boolean },
): readonly (readonly string[])[] {
  const { entry, file, name, version, registry, hash, isPinned, addedAt, isPresent } = install
  const { publishedAt, fileSha256, flags, checks, snapshot } = install
  return [
    ['entry', `${flat(entry)} of ${flat(file)}${isPresent ? '' : ' (no longer there)'}`],
    ['server', `${flat(name)} ${flat(version)}${isPinned ? ', pinned' : ''}`],
    ['registry', flat(registry)],
    ['publisher', flat(name.slice(0, name.indexOf('/')))],
    ...(publishedAt === undefined ? [] : [['published', flat(publishedAt)]]),
    ['added', flat(addedAt)],
    ['from', flat(install.use)],
    ['hash', flat(hash)],
    ...(fileSha256 === undefined ? [] : [['file hash', flat(fileSha256)]]),
    [
      'checks',
      checks.length === 0 ? 'none by the registry' : checks.map((check) => flat(check)).join('; '),
    ],
    ...(flags.length === 0 ? [] : [['warnings', flags.map((flag) => flat(flag)).join('; ')]]),
    [
      'tools',
      snapshot === undefined
        ? 'not probed'
        : `${snapshot.tools.length} when it was probed, hash ${snapshot.hash}`,
    ],
  ]
}

/** Somebody may have changed the file since. */
async function isStillThere({ file, entry, product }: Install): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const { clientFormats } = await import('@parley/registry/client')
  const format = clientFormats[product]
  if (format !== undefined && !isConfigFormat(format))
    return hasServer({ file, text, format }, entry)
  const { entries } = readConfigText(text, { name: file, cwd: dirname(file) })
  return entries.some(({ name }) => name === entry)
}
