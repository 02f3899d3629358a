import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addTargetFlags, collect } from '../flags.ts'
import { debugSignIn } from '../sign-in/debug.ts'
import { login, logout, showStatus, type LoginFlags } from '../sign-in/login.ts'

/** `parley auth` */
export function build(context: CommandContext): Command {
  const client = (command: Command) =>
    command
      .option('--scope <name>', 'ask for this scope too; may be repeated', collect)
      .option('--client-id <id>', 'the client to sign in as: an id, or the URL of its document')
      .option('--client-secret <secret>', 'its secret')
      .option('--no-open', 'print the address instead of opening a browser')

  const loginCommand = addTargetFlags(newCommand('login', 'Signs in at a server.')).argument(
    '[target]',
  )
  const statusCommand = addTargetFlags(
    newCommand('status', 'Shows who is signed in where.'),
  ).argument('[target]')
  const logoutCommand = addTargetFlags(
    newCommand('logout', 'Forgets the tokens of a server.'),
  ).argument('[target]')
  const debugCommand = addTargetFlags(
    newCommand('debug', 'Shows each step of a sign-in, up to the page for the person.'),
  ).argument('[target]')

  client(loginCommand).action((word: string | undefined, flags: LoginFlags) =>
    login(word, flags, context),
  )
  statusCommand.action((word: string | undefined, flags: LoginFlags) =>
    showStatus(word, flags, context),
  )
  logoutCommand.action((word: string | undefined, flags: LoginFlags) =>
    logout(word, flags, context),
  )
  client(debugCommand)
    .option('--login', 'go on to the end, with a browser')
    .action((word: string | undefined, flags: LoginFlags) => debugSignIn(word, flags, context))

  return newCommand('auth', 'Signing in at servers on the network.', [
    ['parley auth login https://example.com/mcp', 'opens a browser'],
    ['parley auth status', 'every server, its scopes, and until when'],
    ['parley auth debug https://example.com/mcp', 'what each side says, secrets masked'],
    ['parley auth logout https://example.com/mcp', 'forgets'],
  ])
    .addCommand(loginCommand)
    .addCommand(statusCommand)
    .addCommand(logoutCommand)
    .addCommand(debugCommand)
}
