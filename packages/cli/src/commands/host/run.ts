import { openAuditLog } from '@parley/foundation/audit'
import {
  createConsent,
  createHost,
  type ConsentRules,
  type SamplingSettings,
  type TurnEvent,
} from '@parley/host'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../../command.ts'
import { CliError, describeFailure, exitCodes } from '../../exit.ts'
import { addOutputFlags, positiveInteger } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { createPrinter } from '../../output/printer.ts'
import { hostContext, limitsOf, stopMs, withTrust } from '../../run/host-parts.ts'
import { hostServers } from '../../run/host-servers.ts'
import { modelOf } from '../../run/model-of.ts'
import { nobodyThere } from '../../run/nobody-there.ts'
import { createTurnPrinter } from '../../run/print-turn.ts'
import { turnExit } from '../../run/turn-exit.ts'
import { rootsOf } from '../../target/roots.ts'
import { version } from '../../version.ts'
import { addConsentFlags, addModelFlags, addServerFlags, type HostFlags } from './host-flags.ts'

interface RunFlags extends HostFlags {
  readonly prompt?: string | undefined
  readonly maxTurns?: number | undefined
  readonly code?: true | undefined
}

/** One question to a model that may use servers, without anybody there. */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'run',
    'Runs one prompt against a model, without a person. Rules decide which tools it may call.',
    [
      [
        'parley run -p "What changed today?" --config mcp.json --model openai/gpt-5 --rules rules.json',
        'one question',
      ],
      [
        'parley run -p "Hello" --config mcp.json --model llama3 --base-url http://127.0.0.1:11434/v1 --json',
        'a model on this machine, events as JSON lines',
      ],
      ['parley run -p "call echo" --config mcp.json --model scripted', 'try it without a model'],
    ],
  )
  command
    .usage('-p <text> --model <name> [options]')
    .optionsGroup('The question:')
    .option('-p, --prompt <text>', 'what to ask; without it, standard input is read')
  addServerFlags(addModelFlags(command))
  addConsentFlags(
    command,
    'which calls are allowed (default: your own rules); all others are refused, because there is no person to ask',
  )
    .option('--max-turns <number>', 'at most so many requests to the model', positiveInteger, 25)
    .option('--code', 'the model writes programs that call tools; needs @parley/code')
    .optionsGroup('')
  return addOutputFlags(command).action((flags: RunFlags) => run(flags, context))
}

async function run(flags: RunFlags, context: CommandContext): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const end = (code: number, reason: string, more: object): void => {
    if (printer.isJson) printer.jsonLine({ type: 'end', code, reason, ...more })
  }
  try {
    await runTurn(flags, context, end)
  } catch (error) {
    // What ends a turn has been told; this is what keeps one from beginning.
    if (!(error instanceof TurnFailure)) {
      const { code, message } = describeFailure(error, io.signal)
      end(exitCodes[code], code === 'error' ? 'usage' : code, { text: '', message })
      throw error
    }
    throw error.failure
  }
}

/** The end of a turn that was told already. */
class TurnFailure extends Error {
  readonly failure: CliError

  constructor(failure: CliError) {
    super(failure.message)
    this.failure = failure
  }
}

async function runTurn(
  flags: RunFlags,
  context: CommandContext,
  end: (code: number, reason: string, more: object) => void,
): Promise<void> {
  const { io } = context
  const printer = createPrinter(io, flags)
  const prompt = flags.prompt ?? (await readInput(io))
  const model = modelOf(flags, io)
  const { rules, remembered, audit: path } = await hostContext(flags, io)
  const servers = await hostServers(flags, context)

  const show = createTurnPrinter(io, printer)
  const shown = new Set<string>()
  const notify = (event: TurnEvent): void => {
    if (event.type === 'notice') {
      const key = JSON.stringify([event.code, event.server, event.tool])
      const isRepeated = event.code === 'definition-changed' && shown.has(key)
      shown.add(key)
      if (isRepeated) return
    }
    show(event)
  }
  const nobody = nobodyThere(notify)
  let auditProblem = 'the audit log cannot be written'
  const onProblem = (problem: string): void => {
    auditProblem = problem
    printer.note(problem)
  }
  await using audit = openAuditLog({ path, onProblem })
  const consent = createConsent({
    rules,
    audit,
    remembered,
    ask: nobody.ask,
    names: () =>
      host.tools
        .all()
        .map(({ connection, tool }) => ({ server: connection.server.name, tool: tool.name })),
  })
  await using host = createHost({
    servers: servers.map((server) => withTrust(server, rules)),
    model,
    consent,
    limits: limitsOf(rules, flags.maxTurns),
    instructions: flags.system,
    codeMode: flags.code === true,
    roots: rootsOf({ roots: [] }, flags, io.cwd),
    info: { name: 'parley', version },
    elicitation: nobody.elicitation,
    ...(rules.sampling.length > 0 && { sampling: samplingBy(rules) }),
    timeouts: { stopMs },
  })
  for await (const event of host.turn(prompt, { signal: io.signal })) {
    notify(event)
    if (event.type !== 'end') continue
    await host.close() // nothing of it is left when the end is told
    await audit.flush()
    const problem = audit.lost > 0 ? auditProblem : undefined
    const { code, reason, error } = turnExit(event, nobody.unanswered, io.signal, problem)
    const { text, message = error?.message, rulesThatAllow, rulesThatAsk } = event
    end(code, reason, { text, message, rulesThatAllow, rulesThatAsk })
    if (error !== undefined) throw new TurnFailure(error)
  }
}

/** Servers that the rules name may ask the model; all others are refused, because nobody can review it. */
function samplingBy(rules: ConsentRules): SamplingSettings {
  return { policy: (server) => (rules.allowsSampling(server) ? 'allow' : 'off') }
}

const maxInputLength = 4 * 1024 * 1024

async function readInput({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  if (stdin.isTTY !== true) {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk as Uint8Array) // no encoding was set
      size += bytes.length
      if (size > maxInputLength)
        throw new CliError('error', `standard input is longer than ${maxInputLength} bytes`)
      chunks.push(bytes)
    }
  }
  const text = Buffer.concat(chunks).toString('utf8').trim()
  if (text !== '') return text
  throw new CliError('error', 'there is no question', {
    hint: 'Write -p "your question", or pipe it in.',
  })
}
