import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, collect } from '../flags.ts'
import type { MirrorFlags } from './mirror.ts'
import type { ModerateFlags } from './moderate.ts'
import type { ProbeFlags } from './probe-command.ts'
import type { VerifyFlags } from './verify.ts'

/** Subcommands of `parley registry` for those who run one, or look after its entries. */
export function operatorCommands(context: CommandContext): readonly Command[] {
  const importCommand = addOutputFlags(
    newCommand('import', 'Takes over a snapshot that `export` has written.')
      .argument('<path>', 'the folder of the export, or its snapshot.ndjson')
      .option('--database <address>', 'the database of the mirror')
      .requiredOption('--id <name>', 'what the mirror calls the registry it is of')
      .option('--key <key>', 'the public key, base64: refuse what was not signed with it')
      .option('--allow <pattern>', 'only these names; may be repeated', collect)
      .option('--deny <pattern>', 'not these names; may be repeated', collect),
  ).action(async (path: string, flags: MirrorFlags) => {
    const { importFiles } = await import('./mirror.ts')
    await importFiles(path, flags, context)
  })
  const verifyCommand = addOutputFlags(
    newCommand('verify', 'Compares a copy of a registry with the signed index of the original.')
      .argument('<url>', 'the copy: a mirror, or an export that is served')
      .requiredOption('--key <key>', 'the public key of the original, base64')
      .option('--index <url>', 'where the index is; at the copy by default'),
  ).action(async (url: string, flags: VerifyFlags) => {
    const { verify } = await import('./verify.ts')
    await verify(url, flags, context)
  })
  const moderateCommand = addOutputFlags(
    newCommand('moderate', 'Hides and restores entries, blocks publishers, and sets rules.', [
      ['parley registry moderate hide com.example/spam --reason spam', 'by its API'],
      [
        'parley registry moderate set deny "com.example/*" --reason untested --database mirror.db',
        'in a database of yours',
      ],
    ])
      .argument('<action>', 'list, hide, restore, block, unblock, note, set or remove')
      .argument('[words...]', 'the name, the publisher, or kind and pattern of a rule')
      .option('--reason <text>', 'why; for those who ask')
      .option('--value <text>', 'of set pin: the version; of set overlay: an object as JSON')
      .option('--database <address>', 'work on this database instead of asking a registry')
      .option('--registry <url>', 'the registry to ask'),
  ).action(async (action: string, words: readonly string[], flags: ModerateFlags) => {
    const { moderate } = await import('./moderate.ts')
    await moderate(action, words, flags, context)
  })
  const renameCommand = addOutputFlags(
    newCommand('rename', 'Gives a server another name; its remote URLs go with it.')
      .argument('<from>', 'the name it has')
      .argument('<to>', 'the name it gets')
      .option('--registry <url>', 'the registry to ask'),
  ).action(async (from: string, to: string, flags: ModerateFlags) => {
    const { rename } = await import('./moderate.ts')
    await rename(from, to, flags, context)
  })
  const probeCommand = addOutputFlags(
    newCommand('probe', 'Starts a server once without a network, and shows which tools it has.')
      .argument('<name>', 'its name, with @version for another than the latest')
      .option('--use <text>', 'which package, if there are several: a part of its name')
      .option('--answer <pair>', 'an answer to a question, NAME=value; may be repeated', collect)
      .option('--submit', 'tell the registry what was seen; needs a sign-in')
      .option('--registry <url>', 'the registry to ask'),
  ).action(async (name: string, flags: ProbeFlags) => {
    const { probe } = await import('./probe-command.ts')
    await probe(name, flags, context)
  })
  return [importCommand, verifyCommand, moderateCommand, renameCommand, probeCommand]
}
