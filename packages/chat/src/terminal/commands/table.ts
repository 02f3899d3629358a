import { didYouMean } from '@parley/foundation/command-line'
import { errorMessage } from '@parley/mcp/json'

import { flat, line, type Line } from '../line.ts'
import { accounts } from './accounts.ts'
import { add } from './add.ts'
import { attached } from './attached.ts'
import type { Command, CommandContext } from './command.ts'
import { showContext } from './context.ts'
import { exportTo } from './export.ts'
import { folders } from './folders.ts'
import { model } from './model.ts'
import { open } from './open.ts'
import { permissions } from './permissions.ts'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'
import { signIn } from './sign-in.ts'
import { tools } from './tools.ts'
import { trace } from './trace.ts'
import { undo } from './undo.ts'

const modes = ['auto', 'all', 'pinned', 'search', 'code'] as const

/** By name. */
export const commands: { readonly [name: string]: Command } = {
  help: { usage: '/help', about: 'this list', isSafe: true, run: help },
  model: {
    usage: '/model [NAME [ADDRESS]]',
    about: 'the models, or another one for this conversation',
    run: model,
  },
  mode: {
    usage: '/mode [auto|all|pinned|search|code]',
    about: 'how many tools are described to the model; code: it writes programs',
    run: mode,
  },
  servers: {
    usage: '/servers',
    about: 'the servers, and why one is not there',
    isSafe: true,
    run: servers,
  },
  add: {
    usage: '/add [NAME …]',
    about: 'servers of other applications to add, or adds some',
    isSafe: true,
    run: add,
  },
  signin: {
    usage: '/signin [SERVER]',
    about: 'signs in to a server that wants it',
    isSafe: true,
    run: signIn,
  },
  accounts: {
    usage: '/accounts [out SERVER]',
    about: 'the servers you are signed in to; signs out of one',
    isSafe: true,
    run: accounts,
  },
  tools: {
    usage: '/tools [SERVER | on TOOL | off TOOL]',
    about: 'the tools; hides one from the model',
    isSafe: true,
    run: tools,
  },
  permissions: {
    usage: '/permissions [forget NUMBER]',
    about: 'what you allowed or refused for longer than once',
    isSafe: true,
    run: permissions,
  },
  folders: {
    usage: '/folders [FOLDER]',
    about: 'the folders that servers may know; adds or removes one',
    run: folders,
  },
  context: {
    usage: '/context',
    about: 'how much of what the model can read is used by servers',
    isSafe: true,
    run: showContext,
  },
  prompts: {
    usage: '/prompts [SERVER/NAME key=value …]',
    about: 'the prompts of servers, or one for your next message',
    run: prompts,
  },
  resources: {
    usage: '/resources [SERVER URI]',
    about: 'the resources of servers, or one for your next message',
    run: resources,
  },
  attached: {
    usage: '/attached [NUMBER | again NUMBER | forget NUMBER]',
    about: 'resources you attached, and what changed in them since',
    isSafe: true,
    run: attached,
  },
  trace: {
    usage: '/trace [SERVER | NUMBER | save FILE]',
    about: 'what was sent to servers and what they answered',
    isSafe: true,
    run: trace,
  },
  undo: { usage: '/undo', about: 'goes back to before your last message, in a copy', run: undo },
  new: { usage: '/new', about: 'another conversation', run: (_, context) => context.begin() },
  open: { usage: '/open [WORDS or NUMBER]', about: 'an earlier conversation', run: open },
  export: {
    usage: '/export [FILE.md or FILE.json]',
    about: 'this conversation as a file',
    run: exportTo,
  },
  quit: { usage: '/quit', about: 'leave', isSafe: true, run: (_, context) => context.leave() },
}

/** The command that a line is, if it is one: a slash and letters. A path is not. */
export function commandOf(
  text: string,
): { readonly name: string; readonly words: readonly string[] } | undefined {
  const [, name, rest = ''] = /^\/([a-z]+)(?:\s+(.*))?$/is.exec(text.trim()) ?? []
  if (name === undefined) return undefined
  return { name: name.toLowerCase(), words: rest.split(/\s+/).filter((word) => word !== '') }
}

/** Runs a command. What goes wrong is printed. */
export async function runCommand(
  { name, words }: { readonly name: string; readonly words: readonly string[] },
  commandContext: CommandContext,
): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const meant = didYouMean(name, Object.keys(commands))
    const hint = meant === undefined ? '/help lists the commands' : `did you mean /${meant}?`
    commandContext.print([line(`there is no command /${name}: ${hint}`, 'warning')])
    return
  }
  if (commandContext.isRunning && command.isSafe !== true) {
    commandContext.print([
      line(`/${name} has to wait for the end of the turn: Esc stops it`, 'warning'),
    ])
    return
  }
  try {
    await command.run(words, commandContext)
  } catch (error) {
    const message = errorMessage(error)
    commandContext.print([line(`/${name}: ${flat(message)}`, 'bad')])
  }
}

/** What Tab makes of a line: the rest of a command's name, or of the name of a model. */
export function completeLine(text: string, models: readonly string[]): string | undefined {
  const [, name, beginning] = /^\/(?:([a-z]*)|model\s+(\S*))$/i.exec(text) ?? []
  const names = name === undefined ? models : Object.keys(commands)
  const begun = name ?? beginning
  if (begun === undefined) return undefined
  const fitting = names.filter((candidate) => candidate.startsWith(begun))
  const [first] = fitting
  if (first === undefined) return undefined
  const shared = fitting.reduce((a, b) => commonStart(a, b), first)
  const isWhole = fitting.length === 1
  return name === undefined ? `/model ${shared}` : `/${shared}${isWhole ? ' ' : ''}`
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

function help(_: readonly string[], { print }: CommandContext): void {
  const widest = Math.max(...Object.values(commands).map(({ usage }) => usage.length))
  print([
    ...Object.values(commands).map(({ usage, about }): Line => [
      { text: usage.padEnd(widest + 2), look: 'accent' },
      { text: about, look: 'plain' },
    ]),
    line(
      'Enter sends, Alt-Enter or Ctrl-J begins a line, ↑ and ↓ bring back what you wrote.',
      'dim',
    ),
    line('Esc or Ctrl-C stops the turn; Ctrl-C again leaves.', 'dim'),
  ])
}

function mode([word]: readonly string[], { print, setMode }: CommandContext): void {
  const found = modes.find((candidate) => candidate === word)
  if (found === undefined) {
    const expected = `use ${modes.slice(0, -1).join(', ')} or ${modes.at(-1) ?? ''}`
    throw new Error(word === undefined ? expected : `${word} is not a mode: ${expected}`)
  }
  setMode(found)
  print([line(`tools: ${found}`, 'dim')])
}

function servers(_: readonly string[], { chat, print }: CommandContext): void {
  const all = chat.host.servers
  if (all.length === 0) return print([line('there are no servers', 'dim')])
  print(
    all.flatMap(({ name, status, tools: hostTools, prompts: offered, resources: found }) => {
      const counts = `${hostTools.length} tools, ${offered.length} prompts, ${found.length} resources`
      const state = status.state === 'ready' ? counts : status.state
      const head: Line = [
        { text: flat(name, 60), look: 'bold' },
        { text: `  ${state}`, look: status.state === 'failed' ? 'bad' : 'dim' },
      ]
      return status.error === undefined
        ? [head]
        : [head, line(`  ${flat(status.error)}`, 'warning')]
    }),
  )
}
