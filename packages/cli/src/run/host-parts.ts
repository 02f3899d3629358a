import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import {
  createFileConsentStore,
  readRules,
  type ConsentRules,
  type ConsentStore,
  type HostLimits,
  type HostServer,
} from '@parley/host'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { auditFile, rememberedFile, rulesFile } from '../rules/consent-files.ts'

/** The flags that say what a model may do, and where that is written down. */
export interface ConsentFlags {
  readonly rules?: string | undefined
  readonly audit?: string | undefined
}

/** What every host of a command line decides by. */
export interface HostParts {
  readonly rules: ConsentRules
  readonly remembered: ConsentStore
  /** The file of the audit. */
  readonly audit: string
}

/** A server that ignores the end of its input and SIGTERM holds the exit of a command for twice as long. */
export const stopMs = 500

/** Rules, answers that last, and where each decision is written. */
export async function hostContext(flags: ConsentFlags, io: Io): Promise<HostParts> {
  return {
    rules: await rulesOf(flags.rules, io),
    remembered: createFileConsentStore(rememberedFile(io)),
    audit: auditFile(flags.audit, io),
  }
}

/** A server whose results are trusted if its entry or the rules say so. */
export function withTrust(server: HostServer, rules: ConsentRules): HostServer {
  return { ...server, trusted: server.trusted === true || rules.isTrusted(server.name) }
}

/** The limits of the rules. */
export function limitsOf({ limits }: ConsentRules, requestsPerTurn?: number): HostLimits {
  const { callsPerTurn, callsPerMinute, parallelCalls } = limits
  return { requestsPerTurn, callsPerTurn, callsPerMinute, parallelCalls: parallelCalls }
}

/** Those of the file that was named, else your own, else none. */
async function rulesOf(named: string | undefined, io: Io): Promise<ConsentRules> {
  const file = named ?? rulesFile(io)
  const path = resolve(io.cwd, file)
  const isThere = named !== undefined || existsSync(path)
  const text = isThere ? await readText(path, '--rules') : '{"rules": []}'
  const read = readRules(text, { file, workspaceFolder: io.cwd })
  if (read.ok) return read.rules
  const [first] = read.problems
  throw new CliError(
    'error',
    `${file}:${first?.line ?? 1}: ${first?.message ?? 'cannot be used'}`,
    {
      hint: first?.fix,
    },
  )
}

async function readText(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CliError('error', `${flag} ${path} cannot be read: ${why}`, { cause: error })
  }
}
