import { relative } from 'node:path'

import { unifiedDiff } from '@parley/foundation/diff'
import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { findSources } from '../migrate/find-sources.ts'
import { migrateFiles, writeMigrated, type MigratedFile } from '../migrate/migrate-files.ts'
import { ensureNative } from '../native.ts'
import { counted, createPrinter, type Printer } from '../output/printer.ts'

interface MigrateFlags extends CommonFlags {
  readonly write?: boolean | undefined
  readonly force?: boolean | undefined
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley migrate` */
export function build({ io }: CommandContext): Command {
  const command = newCommand(
    'migrate',
    'Moves sources from the official SDK or FastMCP to Parley. Shows the changes; --write makes them.',
    [
      ['parley migrate src', 'shows what would change'],
      ['parley migrate --write', 'changes the sources and package.json here'],
    ],
  )
  return addOutputFlags(command)
    .argument('[paths...]', 'files and folders (default: this folder)')
    .option('-w, --write', 'change the files')
    .option('-f, --force', 'change files with uncommitted changes, too')
    .action(async (paths: readonly string[], flags: MigrateFlags) => {
      const printer = createPrinter(io, flags)
      await ensureNative('oxc-parser', io)
      const named = paths.length === 0 ? ['.'] : paths
      const found = await migrateFiles(await findSources(named, io.cwd))
      const migrated = found.map((item) => ({
        ...item,
        name: relative(io.cwd, item.file) || item.file,
      }))
      if (flags.write === true) await writeMigrated(migrated, flags.force === true)
      if (printer.isJson) printJson(printer, migrated, flags)
      else printChanges(printer, migrated, flags)
      const left = migrated.flatMap(({ places }) => places).length
      if (left === 0) return
      throw new CliError('invalid', `${counted(left, 'place')} left to do by hand`, {
        hint: 'Each has a comment that starts with `// parley:`, with a link.',
      })
    })
}

type Named = MigratedFile & { readonly name: string }

function printJson(
  printer: Printer,
  migrated: readonly Named[],
  { write = false }: MigrateFlags,
): void {
  const files = migrated.map(({ name, before, after, edits, places }) => ({
    file: name,
    edits,
    places,
    ...(!write && { diff: unifiedDiff(name, before, after) }),
  }))
  printer.json({ written: write, files })
}

function printChanges(
  printer: Printer,
  migrated: readonly Named[],
  { write = false }: MigrateFlags,
): void {
  const { colors } = printer
  if (migrated.length === 0) return printer.note('nothing of the official SDK or FastMCP here')
  for (const { name, before, after } of write ? [] : migrated) {
    for (const line of unifiedDiff(name, before, after).split('\n')) {
      const shown = safeText(line, { multiline: false })
      printer.line(
        line.startsWith('+')
          ? colors.green(shown)
          : line.startsWith('-')
            ? colors.red(shown)
            : shown,
      )
    }
  }
  for (const { name, places } of migrated) {
    for (const { line, message } of places)
      printer.line(`${name}:${line}: ${safeText(message, { multiline: false })}`)
  }
  const edits = migrated.reduce((sum, item) => sum + item.edits, 0)
  const left = migrated.flatMap(({ places }) => places).length
  printer.line(
    `${counted(migrated.length, 'file')}, ${counted(edits, 'edit')} ${write ? 'made' : 'to make'}, ${counted(left, 'place')} left`,
  )
  if (!write) printer.note('nothing was written: use --write')
}
