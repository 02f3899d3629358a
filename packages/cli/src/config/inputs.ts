import {
  createInputAnswers,
  inputVariable,
  type ConfigEntry,
  type InputDefinition,
} from '@parley/foundation/config'
import { openSecretStore, stateFolder } from '@parley/foundation/secrets'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { createPrompter } from '../questions/asker.ts'
import { loadFor } from '../target/configured-target.ts'
import { addConfigFlags, near } from './list.ts'

interface InputFlags extends CommonFlags {
  readonly unprotected?: boolean | undefined
  readonly secret?: boolean | undefined
}

/** `parley config inputs` */
export function buildInputs({ io }: CommandContext): Command {
  const list = newCommand('list', 'Shows the inputs of the files, and which are set.')
  const set = newCommand('set', 'Stores the value of an input; asks for it unless given.', [
    ['parley config inputs set region eu', 'an answer'],
    ['parley config inputs set --secret github', 'a value for ${secret:github}'],
  ])
  const clear = newCommand('clear', 'Deletes the stored value of an input.')

  addConfigFlags(list).action(async (flags: CommonFlags) => listInputs(flags, io))
  addConfigFlags(set)
    .argument('<id>', 'the question')
    .argument('[value]', 'the value; if left out, it is asked for or read from standard input')
    .option('--secret', 'the id is the name of a secret')
    .option(
      '--unprotected',
      'without a keychain, store secrets in files that only your account can read',
    )
    .action(async (id: string, value: string | undefined, flags: InputFlags) =>
      setInput(id, value, flags, io),
    )
  addConfigFlags(clear)
    .argument('<id>', 'the question')
    .option('--secret', 'the id is the name of a secret')
    .option('--unprotected', 'as with set')
    .action(async (id: string, flags: InputFlags) => clearInput(id, flags, io))
  return newCommand('inputs', 'Stores values for the inputs of configuration files.')
    .addCommand(list)
    .addCommand(set)
    .addCommand(clear)
}

interface FoundInput {
  readonly file: string
  readonly input: InputDefinition
}

async function findInputs(flags: CommonFlags, io: Io): Promise<readonly FoundInput[]> {
  const { entries } = await loadFor(flags, io)
  const found = new Map<string, FoundInput>()
  for (const { source, inputs } of entries satisfies readonly ConfigEntry[]) {
    for (const input of inputs.values()) {
      found.set(`${source.file} ${input.id}`, { file: source.file, input })
    }
  }
  return [...found.values()]
}

/** Answers last longer than this process, or they are not taken. */
async function openStore({ unprotected }: InputFlags, io: Io) {
  const store = await openSecretStore({ env: io.env, allowUnprotected: unprotected })
  if (store.kind !== 'memory') return store
  throw new CliError('error', 'no keychain is available to store the secret in', {
    hint: 'Set MCP_SECRET_KEY to a passphrase, or use --unprotected.',
  })
}

function answersOf(flags: InputFlags, io: Io) {
  return createInputAnswers(stateFolder({ env: io.env }), () => openStore(flags, io))
}

async function listInputs(flags: CommonFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  const secrets = openSecretStore({ env: io.env })
  const answers = createInputAnswers(stateFolder({ env: io.env }), () => secrets)
  const rows = await Promise.all(
    (await findInputs(flags, io)).map(async ({ file, input }) => {
      const isSet = io.env[inputVariable(input.id)] !== undefined
      const isCompleted = isSet || (await answers.get(file, input)) !== undefined
      return {
        id: input.id,
        type: input.type,
        file,
        variable: inputVariable(input.id),
        isAnswered: isCompleted,
        input,
      }
    }),
  )
  if (printer.isJson) return printer.json({ inputs: rows.map(({ input: _, ...row }) => row) })
  printer.table(
    rows.map(({ id, isAnswered, variable, file, input }) => [
      flat(id),
      isAnswered ? 'answered' : input.default === undefined ? 'open' : 'default',
      variable,
      flat(input.description),
      near(file, io.cwd, io.env['HOME']),
    ]),
    [
      { title: 'id', overflow: 'keep' },
      { title: 'state', overflow: 'keep' },
      { title: 'variable', overflow: 'keep' },
      { title: 'question', overflow: 'wrap' },
      { title: 'file' },
    ],
  )
  if (rows.length === 0) printer.note('No file has inputs.')
}

async function findInput(id: string, flags: CommonFlags, io: Io): Promise<readonly FoundInput[]> {
  const found = (await findInputs(flags, io)).filter(({ input }) => input.id === id)
  if (found.length > 0) return found
  throw new CliError('error', `no file has the input ${JSON.stringify(id)}`)
}

async function setInput(
  id: string,
  text: string | undefined,
  flags: InputFlags,
  io: Io,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const found = flags.secret ? [] : await findInput(id, flags, io)
  const isHidden =
    flags.secret === true ||
    found.some(({ input }) => input.type === 'promptString' && input.isPassword)
  const value = text ?? (await askValue(id, isHidden, io))
  for (const { input } of found) {
    if (input.type === 'pickString' && !input.options.includes(value)) {
      throw new CliError('error', `${value} is not one of ${input.options.join(', ')}`)
    }
  }
  if (flags.secret) await (await openStore(flags, io)).set(id, value)
  for (const { file, input } of found) await answersOf(flags, io).set(file, input, value)
  printer.note(`${id} is stored.`)
}

async function askValue(id: string, isHidden: boolean, io: Io): Promise<string> {
  const prompter = createPrompter(io)
  try {
    const line = await prompter.ask(io.stdin.isTTY ? `${id}: ` : '', { isHidden })
    if (line) return line
    throw new CliError('input_required', `no value for ${id}`)
  } finally {
    prompter.close()
  }
}

async function clearInput(id: string, flags: InputFlags, io: Io): Promise<void> {
  const printer = createPrinter(io, flags)
  if (flags.secret) await (await openStore(flags, io)).delete(id)
  else {
    for (const { file, input } of await findInput(id, flags, io)) {
      await answersOf(flags, io).clear(file, input)
    }
  }
  printer.note(`${id} is deleted.`)
}
