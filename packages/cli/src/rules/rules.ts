import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { buildCheck } from './check.ts'
import { buildExplain } from './explain.ts'
import { buildList, buildRevoke } from './remembered.ts'
import { buildTrust } from './trust.ts'

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley rules` */
export function build(context: CommandContext): Command {
  return newCommand('rules', 'What a model may call without asking, and what you answered.', [
    ['parley rules check rules.json', 'mistakes in a file, with line and cure'],
    ['parley rules explain git git_push branch=main', 'what happens to a call, and why'],
    ['parley rules list', 'what you answered with "always"'],
    ['parley rules revoke --server git', 'asks again'],
    ['parley rules trust git', 'believes what it says of its tools'],
  ])
    .addCommand(buildCheck(context))
    .addCommand(buildExplain(context))
    .addCommand(buildList(context))
    .addCommand(buildRevoke(context))
    .addCommand(buildTrust('trust', context))
    .addCommand(buildTrust('distrust', context))
}
