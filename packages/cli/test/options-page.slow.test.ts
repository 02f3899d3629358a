/** `docs/cli/options.md` is made from the commands themselves, and the other pages name no flag that does not exist. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import type { Io } from '@parley/cli'
import type { Command, Option } from 'commander'
import { beforeAll, expect, test } from 'vitest'

import { commandTable } from '../src/commands/table.ts'

const docs = join(import.meta.dirname, '../../../docs/cli')
const commands = new Map<string, Command>()

beforeAll(async () => {
  const output = { isTTY: false, columns: 100, write: () => true }
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  const { signal } = new AbortController()
  const io: Io = { stdin, stdout: output, stderr: output, env: {}, cwd: '/', signal }
  const context = { io, serverCommand: undefined, args: [] }
  for (const { name, load } of commandTable) commands.set(name, (await load()).build(context))
})

test('the page of all options is current: vitest -u writes it', async () => {
  await expect(optionsPage()).toMatchFileSnapshot(join(docs, 'options.md'))
})

test('no page of a command has a table with a flag that no command takes', () => {
  const known = new Set(
    [...commands.values()].flatMap((command) =>
      withChildren(command).flatMap(({ options }) =>
        options.flatMap(({ short, long }) => [short, long]),
      ),
    ),
  )
  const unknown = readdirSync(docs)
    .filter((file) => file !== 'options.md')
    .flatMap((file) =>
      readFileSync(join(docs, file), 'utf8')
        .split('\n')
        .flatMap((line) => /^\| (`-[^|]*)/.exec(line)?.[1]?.match(/(?<=`)--?[a-z][a-z-]*/g) ?? [])
        .filter((flag) => !known.has(flag))
        .map((flag) => `${file}: ${flag}`),
    )

  expect(unknown).toEqual([])
})

function withChildren(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((child) => withChildren(child))]
}

const sharedGroups = ['Which server:', 'Talking to it:', 'Output:']

function optionsPage(): string {
  const sections = commandTable
    .filter(({ help }) => help !== 'hidden')
    .flatMap(({ name }) => {
      const whole = commands.get(name)
      const child = name === 'accounts' ? 'status' : name
      const command = whole?.commands.find((each) => each.name() === child) ?? whole
      return command === undefined ? [] : sectionsOf(command, `parley ${name}`, '##')
    })
  const list = commands.get('list')
  const shared = (list?.options ?? []).filter((option) => isShared(option) && !option.hidden)
  return `# All options

This page is made from the commands: \`parley COMMAND --help\` shows the same. The page of each [command](index.md) explains its own.

${sections.join('\n\n')}

## Options of most commands

${tableOf(shared)}
`
}

function sectionsOf(command: Command, name: string, heading: string): readonly string[] {
  const own = command.options.filter((option) => !isShared(option) && !option.hidden)
  const children = command.commands.filter((child) => child.name() !== 'help')
  const parts = [
    `${heading} ${name}`,
    command.description(),
    `\`\`\`sh\n${`${name} ${command.usage()}`.trim()}\n\`\`\``,
    ...(own.length === 0 ? [] : [tableOf(own)]),
  ]
  const inner = children.flatMap((child) => sectionsOf(child, `${name} ${child.name()}`, '###'))
  return [parts.filter((part) => part !== '').join('\n\n'), ...inner]
}

function tableOf(options: readonly Option[]): string {
  const rows = options.map(({ flags, description, defaultValue }) => {
    const usual = defaultValue === undefined ? '' : ` (default: \`${String(defaultValue)}\`)`
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${description.replaceAll('|', '\\|')}${usual} |`
  })
  return ['| option | meaning |', '|---|---|', ...rows].join('\n')
}

function isShared({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading !== undefined && sharedGroups.includes(helpGroupHeading)
}
