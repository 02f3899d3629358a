import { setInJson } from '@parley/foundation/config'
import { changeLockedFile } from '@parley/foundation/files'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { near } from '../config/list.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter } from '../output/printer.ts'
import { rulesFile } from './consent-files.ts'

/** `parley rules trust` and `parley rules distrust` */
export function buildTrust(name: 'trust' | 'distrust', { io }: CommandContext): Command {
  const isTrust = name === 'trust'
  const description = isTrust
    ? 'Trusts what servers say of their tools, and what they answer.'
    : 'Takes that back.'
  const command = newCommand(name, description).argument(
    '<server...>',
    'servers, as the configuration names them; patterns such as "git*" too',
  )
  return addOutputFlags(command).action(async (servers: readonly string[], flags: CommonFlags) => {
    const printer = createPrinter(io, flags)
    const trusted = await changeTrusted(io, (before) => {
      const others = before.filter((each) => !servers.includes(each))
      const missing = servers.find((each) => !before.includes(each))
      if (!isTrust && missing !== undefined) {
        throw new CliError('error', `${missing} is not in "trusted" of your rules`, {
          hint: 'See parley rules list.',
        })
      }
      return isTrust ? [...others, ...servers] : others
    })
    if (printer.isJson) printer.json({ trusted })
    else printer.note(`Trusted: ${trusted.join(', ') || 'no server'}.`)
  })
}

/** Changes the list in your own rules, and nothing else there. */
async function changeTrusted(
  io: Io,
  change: (trusted: readonly string[]) => readonly string[],
): Promise<readonly string[]> {
  const { readRules } = await import('@parley/host')
  const file = rulesFile(io)
  let result: readonly string[] = []
  await changeLockedFile(file, (text = '{\n  "rules": []\n}\n') => {
    const read = readRules(text, { file, workspaceFolder: io.cwd })
    if (!read.ok) {
      const shown = near(file, io.cwd, io.env['HOME'])
      throw new CliError('invalid', `${shown} has mistakes`, { hint: 'See parley rules check.' })
    }
    const before = read.rules.trusted
    result = change(before)
    return setInJson(text, ['trusted'], result)
  })
  return result
}
