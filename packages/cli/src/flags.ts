import { readPort } from '@parley/foundation/command-line'
import { Option, type Command } from 'commander'

import { CliError } from './exit.ts'

/** What every command that talks to a server understands. */
export interface CommonFlags {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
  readonly verbose?: boolean | undefined
  /** Undefined unless it was said. */
  readonly color?: boolean | undefined
  readonly era?: string | undefined
  readonly header?: readonly string[] | undefined
  readonly env?: readonly string[] | undefined
  readonly cwd?: string | undefined
  readonly timeout?: number | undefined
  readonly trace?: string | undefined
  readonly config?: readonly string[] | undefined
  readonly server?: string | undefined
  readonly input?: readonly string[] | undefined
  /** What a project's file starts, or sends of the user's, is approved. */
  readonly trust?: boolean | undefined
  readonly root?: readonly string[] | undefined
  readonly transport?: string | undefined
}

/** How output looks; for every command. */
export function addOutputFlags(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .option('--json', 'print JSON, and errors as one line of JSON')
    .option('-q, --quiet', 'print results only')
    .addOption(new Option('--color').hideHelp()) // FORCE_COLOR and NO_COLOR do it too
    .addOption(new Option('--no-color').hideHelp())
    .optionsGroup('')
}

/** Which server, where it is not talked to. */
export function addEntryFlags(command: Command): Command {
  command
    .optionsGroup('Which server:')
    .option('--config <file>', 'a configuration file; may be repeated', collect)
    .option('--server <name>', 'the entry to use, instead of a target')
    .option('--input <pair>', 'an answer to a question of the configuration, id=value', collect)
    .option(
      '--trust',
      "approve what a project's configuration starts, or sends from your files and environment",
    )
    .optionsGroup('')
  return addOutputFlags(command)
}

/** Which server, and how to talk to it. */
export function addTargetFlags(command: Command): Command {
  command
    .optionsGroup('Which server:')
    .option('-H, --header <line>', 'a header, "Name: value"; may be repeated', collect)
    .option('--transport <kind>', 'http, sse or ws; for URLs that do not say')
    .option('-e, --env <pair>', 'a variable for a command, NAME=value; may be repeated', collect)
    .option('--cwd <folder>', 'the working directory of a command')
    .optionsGroup('Talking to it:')
    .option('--era <era>', 'auto, legacy, modern, or a revision such as 2025-06-18')
    .option('--root <folder>', 'a root to offer the server; may be repeated', collect)
    .option(
      '--timeout <time>',
      'the limit for connecting and for each answer, such as 5s',
      milliseconds,
    )
    .option('--trace <file>', 'write every message to this file')
    .option('-v, --verbose', 'show what the server writes to standard error, logs and warnings')
    .optionsGroup('')
  return addEntryFlags(command)
}

/** Flags of the two above that take a value, to find the command behind them. */
export const flagsWithValue = new Set(
  '--config --server --era --transport -H --header -e --env --cwd --input --root --timeout --trace'.split(
    ' ',
  ),
)

/** Why a command that does not take one of the flags above has no use for it; undefined for other flags. */
export function whyUseless(flag: string): string | undefined {
  if (/^(?:--json|-q|--quiet|--color|--no-color)$/.test(flag))
    return 'what it prints is always the same'
  if (/^(?:--config|--server|--input|--trust)$/.test(flag)) return 'it uses no configuration'
  const isOfTarget = flagsWithValue.has(flag) || flag === '-v' || flag === '--verbose'
  return isOfTarget ? 'it connects to no server' : undefined
}

/** For flags that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** For flags that count something. */
export function positiveNumber(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new CliError('error', `${JSON.stringify(text)} is not a number greater than 0`)
}

/** For flags that count whole things. */
export function positiveInteger(text: string): number {
  const value = positiveNumber(text)
  if (Number.isSafeInteger(value)) return value
  throw new CliError('error', `${JSON.stringify(text)} is not a whole number`)
}

/** For times: `500ms`, `5s`, `2m`, `1h`; a number alone is milliseconds. */
export function milliseconds(text: string): number {
  return timeOf(text, 'ms')
}

/** The same in seconds, and a number alone is seconds; 0 is allowed. */
export function seconds(text: string): number {
  return Number(text) === 0 && text.trim() !== '' ? 0 : timeOf(text, 's') / 1_000
}

const units: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

function timeOf(text: string, usual: string): number {
  const [, amount = '', unit = usual] = /^(\d*\.?\d+)(ms|s|m|h)?$/.exec(text.trim()) ?? []
  const ms = Number(amount) * (units[unit] ?? 0)
  if (ms > 0 && Number.isFinite(ms)) return ms
  throw new CliError('error', `${JSON.stringify(text)} is not a time: write 500ms, 5s or 2m`)
}

/** For a port to listen on; 0 picks a free one. */
export function portNumber(text: string): number {
  try {
    return readPort(text)
  } catch (error) {
    if (error instanceof RangeError) throw new CliError('error', error.message)
    throw error
  }
}

/** `NAME=value` as a pair; the value may hold more signs. */
export function readPair(text: string, flag: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new CliError('error', `${flag} needs NAME=value, not ${JSON.stringify(text)}`)
}

/** `Name: value` as a pair. */
export function readHeader(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':')
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  throw new CliError('error', `--header needs "Name: value", not ${JSON.stringify(text)}`)
}
