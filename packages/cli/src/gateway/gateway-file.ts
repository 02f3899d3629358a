import { resolveEntry, type ConfigProblem } from '@parley/foundation/config'
import type { GatewayConfig } from '@parley/gateway'

import { near } from '../config/list.ts'
import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { counted, flat, type Printer } from '../output/printer.ts'
import type { ServiceLog } from '../output/service-log.ts'
import { answerSource } from '../target/answer-source.ts'

/** Flags of every command that reads the file of a gateway. */
export interface GatewayFileFlags extends Pick<
  CommonFlags,
  'input' | 'json' | 'quiet' | 'verbose' | 'color'
> {}

/** Gets each mistake of the file, and how it is described. */
export type ReportProblem = (problem: ConfigProblem, text: string) => void

/** Writes them to the log of a gateway that runs. */
export function problemsTo(log: ServiceLog): ReportProblem {
  return (problem, text) => log.write(problem.level, 'config', flat(text))
}

/** Reads it with the answers and secrets of this user. */
export async function loadGatewayFile(
  file: string,
  flags: GatewayFileFlags,
  io: Io,
): Promise<{ readonly config: GatewayConfig; readonly problems: readonly ConfigProblem[] }> {
  const { loadGatewayConfig } = await import('@parley/gateway')
  const { env, cwd } = io
  const answers = Object.fromEntries(
    (flags.input ?? []).map((pair) => pair.split('=', 2) as [string, string]), // two parts
  )
  return loadGatewayConfig(file, {
    env,
    cwd,
    async resolve(entry) {
      await using source = answerSource(entry, { json: true }, io)
      return resolveEntry(entry, { env, cwd, answers, ask: source.ask, secret: source.secret })
    },
  })
}

/** The configuration; every mistake is printed, and an error among them ends the command. */
export async function requireGatewayFile(
  file: string | undefined,
  flags: GatewayFileFlags,
  io: Io,
  report: Pick<Printer, 'note'> | ReportProblem,
): Promise<GatewayConfig> {
  if (file === undefined) {
    throw new CliError('error', 'which file? none was named', {
      hint: 'For example: parley gateway gateway.yaml, with the servers under "servers:".',
    })
  }
  const { config, problems } = await loadGatewayFile(file, flags, io)
  for (const problem of problems) {
    const text = describeProblem(problem, io)
    if (typeof report === 'function') report(problem, text)
    else if (problem.level === 'error') io.stderr.write(`${text}\n`)
    else report.note(text)
  }
  try {
    requireNoErrors(problems)
  } catch (error) {
    await config.audit?.[Symbol.asyncDispose]()
    throw error
  }
  return config
}

export function requireNoErrors(problems: readonly ConfigProblem[]): void {
  const errors = problems.filter(({ level }) => level === 'error').length
  if (errors > 0) throw new CliError('invalid', `${counted(errors, 'error')} in the configuration`)
}

/** `gateway.yaml:7:11: error: servers.git.mode is unknown: "all"`, and what to write. */
export function describeProblem(problem: ConfigProblem, { cwd, env }: Io): string {
  const { level, file, line, column, key, message, fix } = problem
  const at = [line, column].filter((each) => each !== undefined).map((each) => `:${each}`)
  const place = `${near(file, cwd, env['HOME'])}${at.join('')}`
  const what = key === undefined ? '' : `${flat(key)} `
  const cure = fix === undefined ? '' : `\n    ${flat(fix)}`
  return `${place}: ${level}: ${what}${flat(message)}${cure}`
}
