import type { Caller, PolicyExplanation, Subject } from '@parley/gateway'
import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, collect, type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { requireChecks } from './checks-file.ts'
import { loadGatewayFile } from './gateway-file.ts'

interface ExplainFlags extends Pick<CommonFlags, 'json' | 'quiet' | 'color'> {
  readonly upstream: string
  readonly tool?: string
  readonly prompt?: string
  readonly resource?: string
  readonly args?: string
  readonly claims?: string
  readonly annotations?: string
  readonly scope?: readonly string[]
  readonly caller?: string
}

/** `parley gateway explain` */
export function buildExplain({ io }: CommandContext): Command {
  const command = newCommand(
    'explain',
    'Says what the policy of a file decides about a request, rule by rule. Starts nothing.',
    [
      [
        'parley gateway explain gateway.yaml --upstream git --tool push --claims \'{"groups":["writers"]}\'',
        'a call of a tool',
      ],
    ],
  )
    .argument('<file>', 'the file of the gateway')
    .requiredOption('--upstream <server>', 'the server, as the file names it')
    .option('--tool <name>', 'a tool of it')
    .option('--prompt <name>', 'a prompt of it')
    .option('--resource <uri>', 'a resource of it')
    .option('--args <json>', 'the arguments')
    .option('--annotations <json>', 'what the tool says of itself: {"readOnlyHint":true}')
    .option('--caller <principal>', 'the caller (default: anonymous)')
    .option('--claims <json>', 'the claims of the token')
    .option('--scope <scope>', 'a scope of the token; may be repeated', collect)
  return addOutputFlags(command).action(async (file: string, flags: ExplainFlags) => {
    const printer = createPrinter(io, flags)
    const { policy } = await requireChecks(file, io)
    if (policy === undefined) {
      throw new CliError('error', `${flat(file)} has no policy: everything is allowed`, {
        hint: 'Add policy: with rules.',
      })
    }
    const caller = callerOf(flags)
    const { subject, method } = subjectOf(flags)
    const call = policy.explain({
      caller,
      method,
      subject,
      arguments: readJson(flags.args, '--args'),
    })
    const list = policy.explainListing(caller, subject)
    const calledAs = await outgoingOf(file, flags.upstream, io)
    if (printer.isJson) printer.json({ call, list, ...(calledAs !== undefined && { calledAs }) })
    else print(call, list, printer, calledAs)
  })
}

/** As whom the server would be called; undefined where the file has no such server, or needs an answer first. */
async function outgoingOf(file: string, upstream: string, io: Io): Promise<string | undefined> {
  const { config } = await loadGatewayFile(file, {}, io)
  await config.audit?.[Symbol.asyncDispose]()
  const server = Object.hasOwn(config.servers, upstream) ? config.servers[upstream] : undefined
  const { describeOutgoing } = await import('@parley/gateway')
  return server && describeOutgoing(server)
}

function print(
  call: PolicyExplanation,
  list: PolicyExplanation,
  printer: Printer,
  calledAs: string | undefined,
): void {
  const { bold } = printer.colors
  printer.line(`${bold(call.decision)}  ${flat(call.message)}`)
  printer.line(`in lists: ${list.decision === 'allow' ? 'shown' : 'hidden'}`)
  if (calledAs !== undefined) printer.line(`the server is called ${flat(calledAs)}`)
  printer.table(
    call.trace.map(({ rule, decision, result, error, when }) => [
      flat(rule),
      decision,
      flat(error ?? result),
      flat(when),
    ]),
    ['rule', 'decision', 'was', 'when'].map((title) => ({ title })),
  )
}

function callerOf({ caller, claims, scope = [] }: ExplainFlags): Caller {
  const isAnonymous = caller === undefined && claims === undefined
  return {
    principal: caller ?? (isAnonymous ? 'anonymous' : 'somebody'),
    isAnonymous,
    claims: readJson(claims, '--claims'),
    scopes: scope,
  }
}

function subjectOf({ upstream, tool, prompt, resource, annotations }: ExplainFlags): {
  readonly subject: Subject
  readonly method: string
} {
  const named = [
    { kind: 'tool', name: tool, method: 'tools/call' },
    { kind: 'prompt', name: prompt, method: 'prompts/get' },
    { kind: 'resource', name: resource, method: 'resources/read' },
  ] as const
  const [first, second] = named.filter(({ name }) => name !== undefined)
  if (first?.name === undefined || second !== undefined) {
    throw new CliError('error', 'about what? name one of --tool, --prompt and --resource')
  }
  const { kind, name, method } = first
  const definition = { name, annotations: readJson(annotations, '--annotations') }
  return {
    method,
    subject: {
      kind,
      upstream,
      name,
      exposedName: kind === 'resource' ? name : `${upstream}__${name}`,
      definition,
    },
  }
}

function readJson(text: string | undefined, flag: string): JsonObject {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // said below
  }
  throw new CliError('error', `${flag} is not a JSON object: write ${flag} '{"name":"value"}'`)
}
