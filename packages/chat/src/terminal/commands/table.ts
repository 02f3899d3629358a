import { didYouMean } from '@parley/foundation/command-line'

import { flat, line, type Line } from '../line.ts'
import type { Command, CommandContext } from './command.ts'
import { exportTo } from './export.ts'
import { open } from './open.ts'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'

const modes = ['auto', 'all', 'pinned', 'search'] as const

/** By name. */
export const commands: { readonly [name: string]: Command } = {
  help: { usage: '/help', about: 'this list', isSafe: true, run: help },
  model: {
    usage: '/model [NAME]',
    about: 'the models, or another one for this conversation',
    run: model,
  },
  mode: {
    usage: '/mode [auto|all|pinned|search]',
    about: 'which tools the model is told of',
    run: mode,
  },
  servers: { usage: '/servers', about: 'the servers and how they are', isSafe: true, run: servers },
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
  context: CommandContext,
): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const meant = didYouMean(name, Object.keys(commands))
    const hint = meant === undefined ? '/help lists the commands' : `did you mean /${meant}?`
    context.print([line(`there is no command /${name}: ${hint}`, 'warning')])
    return
  }
  if (context.isRunning && command.isSafe !== true) {
    context.print([line(`/${name} has to wait for the end of the turn: Esc stops it`, 'warning')])
    return
  }
  try {
    await command.run(words, context)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    context.print([line(`/${name}: ${flat(message)}`, 'bad')])
  }
}

/** What Tab makes of a line: the rest of a command's name, or of the name of a model. */
export function completeLine(text: string, models: readonly string[]): string | undefined {
  const [, name, beginning] = /^\/(?:([a-z]*)|model\s+(\S*))$/i.exec(text) ?? []
  const known = name === undefined ? models : Object.keys(commands)
  const begun = name ?? beginning
  if (begun === undefined) return undefined
  const fitting = known.filter((one) => one.startsWith(begun))
  const [first] = fitting
  if (first === undefined) return undefined
  const shared = fitting.reduce((one, other) => commonStart(one, other), first)
  const isWhole = fitting.length === 1
  return name === undefined ? `/model ${shared}` : `/${shared}${isWhole ? ' ' : ''}`
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return one.slice(0, length)
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

async function model([name]: readonly string[], context: CommandContext): Promise<void> {
  const { models } = context.chat
  if (name === undefined) {
    context.print(models.map((one) => line(`${one === context.model ? '▸' : ' '} ${flat(one)}`)))
    return
  }
  const found = models.find((one) => one === name)
  if (found === undefined) {
    throw new Error(`there is no model ${name}; there is: ${models.join(', ')}`)
  }
  await context.setModel(found)
  context.print([line(`${flat(found)} answers from now on`, 'dim')])
}

function mode([word]: readonly string[], { print, setMode }: CommandContext): void {
  const found = modes.find((one) => one === word)
  if (found === undefined) {
    const known = `use ${modes.slice(0, -1).join(', ')} or ${modes.at(-1) ?? ''}`
    throw new Error(word === undefined ? known : `${word} is not a mode: ${known}`)
  }
  setMode(found)
  print([line(`tools: ${found}`, 'dim')])
}

function servers(_: readonly string[], { chat, print }: CommandContext): void {
  const all = chat.host.servers
  if (all.length === 0) return print([line('there are no servers', 'dim')])
  print(
    all.flatMap(({ name, status, tools, prompts: offered, resources: found }) => {
      const counts = `${tools.length} tools, ${offered.length} prompts, ${found.length} resources`
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
