import { relative } from 'node:path'

import { configFormats, type ConfigEntry } from '@parley/foundation/config'
import { maskArguments, maskSecrets } from '@parley/foundation/secrets'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, collect, type CommonFlags } from '../flags.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'
import { loadFor } from '../target/configured-target.ts'

/** `parley config list` */
export function buildList({ io }: CommandContext): Command {
  return addConfigFlags(newCommand('list', 'Shows all servers of the files found.')).action(
    async (flags: CommonFlags) => {
      const printer = createPrinter(io, flags)
      const { entries, problems } = await loadFor(flags, io)
      if (printer.isJson) {
        return printer.json({ servers: entries.map(toJson), problems })
      }
      printer.table(
        entries.map((entry) => [
          flat(entry.name),
          flat(describeTarget(entry)),
          configFormats[entry.source.format].title,
          `${near(entry.source.file, io.cwd, io.env['HOME'])}:${entry.source.line}`,
        ]),
        [
          { title: 'name', overflow: 'keep', style: printer.colors.cyan },
          { title: 'server' },
          { title: 'of', overflow: 'keep' },
          { title: 'file' },
        ],
      )
      if (entries.length === 0) printer.note('No configuration file has a server.')
      const errors = problems.filter(({ level }) => level === 'error').length
      if (errors > 0) printer.note(`${counted(errors, 'problem')}; see parley config check.`)
    },
  )
}

/** Output, and which files. */
export function addConfigFlags(command: Command): Command {
  return addOutputFlags(command).option(
    '--config <file>',
    'only this file; may be repeated',
    collect,
  )
}

function toJson({ name, source, raw, settings }: ConfigEntry): object {
  return { name, ...source, disabled: settings.isDisabled, entry: maskEntry(raw) }
}

function maskEntry(raw: ConfigEntry['raw']): object {
  const { args } = raw
  const isList = Array.isArray(args) && args.every((each) => typeof each === 'string')
  return maskSecrets(isList ? { ...raw, args: maskArguments(args) } : raw)
}

/** What is started or reached, without values that may be secret. */
export function describeTarget({ target, settings }: ConfigEntry): string {
  const text =
    target.kind === 'url' ? target.url : [target.command, ...maskArguments(target.args)].join(' ')
  return maskSecrets(settings.isDisabled ? `(off) ${text}` : text)
}

/** A path as people write it. */
export function near(file: string, cwd: string, home: string | undefined): string {
  const way = relative(cwd, file)
  if (!way.startsWith('..')) return way
  return home !== undefined && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}
