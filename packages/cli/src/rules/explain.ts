import type { EvaluatedCall } from '@parley/host'
import type { Command } from 'commander'

import { readToolArguments } from '../call/tool-arguments.ts'
import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import type { JsonObject } from '../json.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { loadRules, printProblems } from './load-rules.ts'

interface ExplainFlags extends CommonFlags {
  readonly rules?: string
  readonly untrusted?: boolean
  readonly private?: boolean
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly openWorld?: boolean
}

/** `parley rules explain` */
export function buildExplain({ io }: CommandContext): Command {
  const command = newCommand('explain', 'Says what rules make of a call, and why; nothing is run.')
    .argument('<server>', 'the server, as the configuration names it')
    .argument('<tool>', 'the tool')
    .argument('[arguments...]', 'key=text, key:=json, key@file, or an object of JSON')
    .option('--rules <file>', 'the rules (default: your own)')
    .option('--untrusted', 'the conversation has read content of servers that are not trusted')
    .option('--private', 'it has read private content')
    .option('--read-only', 'the server says that the tool changes nothing')
    .option('--destructive', 'the server says that it may remove or overwrite')
    .option('--open-world', 'the server says that it reaches outside')
  return addOutputFlags(command).action(
    async (server: string, tool: string, words: readonly string[], flags: ExplainFlags) => {
      const printer = createPrinter(io, flags)
      const loaded = await loadRules(flags.rules, io)
      if (!loaded.read.ok) {
        printProblems(loaded, printer, io)
        throw new CliError('invalid', 'the rules have mistakes; correct them first')
      }
      const { explainRules } = await import('@parley/host')
      const { values } = await readToolArguments(words, io)
      const call = callOf(server, tool, values as JsonObject, flags) // text and JSON
      const { decision, reason, rules } = explainRules(call, loaded.read.rules)
      if (printer.isJson) return printer.json({ decision, reason, rules })
      const { green, red, yellow, dim } = printer.colors
      const color = { allow: green, ask: yellow, deny: red }[decision]
      printer.line(`${color(decision)}: ${flat(reason)}`)
      if (rules.length === 0) return
      printer.line()
      for (const { rule, matches, because } of rules) {
        printer.line(matches ? `  fits  ${flat(rule)}` : dim(`  -     ${flat(rule)} (${because})`))
      }
    },
  )
}

function callOf(
  server: string,
  name: string,
  input: JsonObject,
  flags: ExplainFlags,
): EvaluatedCall {
  const { untrusted = false, private: isPrivate = false } = flags
  const { readOnly, destructive, openWorld } = flags
  const annotations = {
    ...(readOnly === true && { readOnlyHint: true }),
    ...(destructive === true && { destructiveHint: true }),
    ...(openWorld === true && { openWorldHint: true }),
  }
  return {
    server,
    tool: { name, inputSchema: { type: 'object' }, annotations },
    arguments: input,
    flow: { untrusted, private: isPrivate },
    by: 'model',
  }
}
