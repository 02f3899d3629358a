import { shellWord } from '@parley/foundation/command-line'
import { isRpcError, type Prompt } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'
import type { Command } from 'commander'

import { readToolArguments } from '../call/tool-arguments.ts'
import { newCommand, type CommandContext } from '../command.ts'
import { withServer } from '../connection.ts'
import { hintFor } from '../did-you-mean.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { printContent } from '../output/content.ts'
import { flat } from '../output/printer.ts'
import { splitTarget } from '../target/target.ts'

/** Names of a server may look like flags. */
export const dashes = 'words-first'

/** `parley prompt` */
export function build(context: CommandContext): Command {
  const command = newCommand('prompt', 'Gets a prompt and prints its messages.', [
    ['parley prompt notes summarize topic=mcp', 'with an argument'],
    ['parley prompt simple-prompt --json -- node server.js', 'for programs'],
  ])
  return addTargetFlags(command)
    .argument('[words...]', 'target, prompt, arguments')
    .usage('[target] <prompt> [key=value | key@file | -]... [options] [-- command]')
    .action(async (words: readonly string[], flags: CommonFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      const [name, ...pairs] = rest
      if (name === undefined) {
        throw new CliError('error', 'no prompt was named', {
          hint: 'parley prompt TARGET PROMPT key=value',
        })
      }
      const args = textsOf((await readToolArguments(pairs, context.io)).values)
      await withServer(word, flags, context, async ({ client, printer, call: { signal } }) => {
        const result = await client
          .getPrompt(name, args, { signal })
          .catch(async (error: unknown) => {
            throw (await whyNoPrompt(name, args, { client, signal, error })) ?? error
          })
        if (printer.isJson) return printer.json(result)
        if (result.description !== undefined) printer.note(flat(result.description))
        for (const { role, content } of result.messages) {
          printer.line(printer.colors.bold(`${role}:`))
          printContent([content], printer)
        }
      })
    })
}

/** The arguments of a prompt are texts, all of them. */
function textsOf(values: { readonly [name: string]: unknown }): { [name: string]: string } {
  const pairs = Object.entries(values).map(([name, value]): [string, string] => {
    if (typeof value === 'string') return [name, value]
    throw new CliError('error', `${name}: the arguments of a prompt must be strings`, {
      hint: `Write ${name}=TEXT, or ${name}:='"TEXT"'.`,
    })
  })
  return Object.fromEntries(pairs)
}

/** Servers refuse a prompt that is not there, and arguments that are missing, in the same words. */
async function whyNoPrompt(
  name: string,
  values: { readonly [name: string]: string },
  { client, signal, error }: PreparedRequest,
): Promise<CliError | undefined> {
  if (!isRpcError(error)) return undefined
  const prompts = await client.listPrompts({ signal }).toArray()
  const names = prompts.map((prompt) => prompt.name)
  const found = prompts.find((prompt) => prompt.name === name)
  if (found === undefined) {
    return new CliError('error', `unknown prompt ${JSON.stringify(name)}`, {
      hint: hintFor(name, names),
    })
  }
  const { arguments: wanted = [] } = found
  const isUsual =
    wanted.every(({ name: itemName, required }) => !required || Object.hasOwn(values, itemName)) &&
    Object.keys(values).every((key) => wanted.some(({ name: other }) => other === key))
  if (isUsual) return undefined
  return new CliError('error', error.message, { hint: usageOf(found), cause: error })
}

/** What was asked, and what came of it. */
interface PreparedRequest {
  readonly client: Client
  readonly signal: AbortSignal
  readonly error: unknown
}

function usageOf({ name, arguments: wanted = [] }: Prompt): string {
  const words = wanted
    .slice(0, 12)
    .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(({ name: each, required }) => {
      const word = `${shellWord(flat(each, 40))}=TEXT`
      return required ? word : `[${word}]`
    })
  const called = shellWord(flat(name, 80))
  return words.length === 0
    ? `${flat(name, 80)} takes no arguments.`
    : `Usage: ${name.startsWith('-') ? '-- ' : ''}${[called, ...words].join(' ')}`
}
