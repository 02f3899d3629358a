import { Option, type Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addEntryFlags, addTargetFlags, collect, milliseconds } from '../flags.ts'
import { debugSignIn } from '../sign-in/debug.ts'
import { login, showStatus, type LoginFlags } from '../sign-in/login.ts'
import { logout, type LogoutFlags } from '../sign-in/logout.ts'

/** `parley auth` */
export function build(context: CommandContext): Command {
  const client = (command: Command) =>
    command
      .option('--client-id <id>', 'the client to sign in as: an id, or the URL of its document')
      .option('--client-secret <secret>', 'its secret')
      .addOption(new Option('--cimd <url>').hideHelp()) // --client-id takes it too
  const person = (command: Command) =>
    client(command)
      .option('--scope <name>', 'also request this scope; may be repeated', collect)
      .option('--no-open', 'print the address instead of opening a browser')

  const loginCommand = addTargetFlags(
    newCommand('login', 'Signs in to a server.', [
      ['parley login https://example.com/mcp', 'opens a browser'],
      ['parley login notes --scope read', 'a server of a configuration file, with one scope'],
    ]),
  ).argument('[target]')
  const statusCommand = addEntryFlags(
    newCommand('status', 'Shows the servers you are signed in to.', [
      ['parley accounts', 'every server, its scopes, and until when'],
    ]),
  ).argument('[target]')
  const logoutCommand = addEntryFlags(
    newCommand('logout', 'Deletes the tokens of a server, and has its issuer revoke them.', [
      ['parley logout https://example.com/mcp', 'deletes the tokens and tells the issuer'],
    ]),
  ).argument('[target]')
  const debugCommand = addTargetFlags(
    newCommand('debug', 'Shows each step of a sign-in, up to the page in the browser.'),
  ).argument('[target]')

  person(loginCommand).action((word: string | undefined, flags: LoginFlags) =>
    login(word, flags, context),
  )
  statusCommand.action((word: string | undefined, flags: LoginFlags) =>
    showStatus(word, flags, context),
  )
  client(logoutCommand)
    .option('--timeout <time>', 'how long the issuer may take, such as 5s', milliseconds)
    .option('--no-revoke', 'do not have the issuer revoke the tokens')
    .action((word: string | undefined, flags: LogoutFlags) => logout(word, flags, context))
  person(debugCommand)
    .option('--login', 'complete the sign-in, with a browser')
    .action((word: string | undefined, flags: LoginFlags) => debugSignIn(word, flags, context))

  return newCommand('auth', 'Signs in to servers on the network.', [
    ['parley login https://example.com/mcp', 'opens a browser'],
    ['parley accounts', 'every server, its scopes, and until when'],
    ['parley auth debug https://example.com/mcp', 'what each side sends, with secrets masked'],
    ['parley logout https://example.com/mcp', 'deletes the tokens and tells the issuer'],
  ])
    .addCommand(loginCommand)
    .addCommand(statusCommand)
    .addCommand(logoutCommand)
    .addCommand(debugCommand)
}
