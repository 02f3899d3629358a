/**
 * What a program did, so that another process can go on with it: its text, the names of its tools, where its clock and its random
 * numbers start, and for each call what was sent and what came back, in the order in which the program was told. Plain JSON, one entry
 * a line, appended before a call is sent and before its answer is given to the program.
 *
 * This file knows entries and where they are kept; `run-with-ledger.ts` writes them and goes by them.
 *
 * Guarantees: an entry is in the file before `append` resolves, and survives the end of the process, however it ends; a last line that was
 * cut off by that is left out; one process at a time has a ledger.
 */

import { mkdir, open, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'

import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import { withFileLock } from '@parley/mcp/system'

import { bytesInWords } from '../sandbox/limits.ts'
import type { ProgramClock } from '../sandbox/messages.ts'
import type { ProgramCallErrorDetails } from '../sandbox/program.ts'

/** One thing that happened to a program. */
export type LedgerEntry =
  | LedgerBegin
  | {
      /** A call is about to be sent. */
      readonly type: 'sent'
      /** Counts the calls of the program, from 0. */
      readonly index: number
      /** The name of the tool. */
      readonly name: string
      /** A hash of the arguments. */
      readonly hash: string
    }
  | LedgerAnswer
  | {
      /** The program has ended. */
      readonly type: 'end'
      /** How: `returned`, or why not. */
      readonly outcome: string
    }

/** The first entry: the program and everything that it depends on. */
export interface LedgerBegin {
  /** Says that a program begins. */
  readonly type: 'begin'
  /** The version of this format. */
  readonly version: 1
  /** The engine that runs it: another one may run it differently. */
  readonly engine: string
  /** The text of the program. */
  readonly program: string
  /** What it finds as `args`. */
  readonly args: JsonObject
  /** The tools that it knows of. */
  readonly tools: readonly string[]
  /** Where its clock and its random numbers start. */
  readonly clock: ProgramClock
}

/** The answer that a program was given to a call. */
export type LedgerAnswer = {
  /** Says that a call was answered. */
  readonly type: 'answer'
  /** Counts the calls of the program, from 0. */
  readonly index: number
  /** The name of the tool; empty for `sleep`. */
  readonly name: string
  /** A hash of the arguments. */
  readonly hash: string
  /** What the clock of the program says since then. */
  readonly now: number
} & (
  | {
      /** It was answered. */
      readonly isOk: true
      /** With this; absent for nothing. */
      readonly value?: unknown
    }
  | {
      /** It failed or was denied. */
      readonly isOk: false
      /** How. */
      readonly kind: 'denied' | 'failed'
      /** What the program was told. */
      readonly message: string
      /** Members of the error. */
      readonly details: ProgramCallErrorDetails
    }
)

/** The ledger of one program. */
export interface ProgramLedger {
  /** What happened so far. */
  readonly entries: readonly LedgerEntry[]
  /** Keeps an entry; resolves when it survives this process. Rejects if it cannot be kept. */
  append(entry: LedgerEntry): Promise<void>
}

/** Ledgers by the ids of their programs. */
export interface LedgerStore {
  /** Runs work on one ledger, which is empty if there was none. One process at a time. */
  open<T>(id: string, work: (ledger: ProgramLedger) => Promise<T>): Promise<T>
}

/** A ledger that ends with the process. */
export function createMemoryLedger(entries: readonly LedgerEntry[] = []): ProgramLedger {
  const all = [...entries]
  return {
    entries: all,
    async append(entry) {
      all.push(entry)
    },
  }
}

/** A larger run cannot be continued. */
const maxLedgerBytes = 16 * 2 ** 20

/** Ledgers as files that only their owner can read. */
export function createFileLedgers(folder: string): LedgerStore {
  return {
    async open(id, work) {
      if (!/^[\w-]{1,100}$/.test(id)) throw new Error(`${JSON.stringify(id)} is no id of a program`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${id}.jsonl`)
      const tooLate = () => new Error(`the program ${id} is run by another process`)
      return withFileLock(`${path}.lock`, (lock) => withFile(path, lock.isLocked, work), {
        timeoutMs: 6_000, // that of a process that died is free after five seconds
        tooLate,
      })
    },
  }
}

async function withFile<T>(
  path: string,
  isHeld: () => Promise<boolean>,
  work: (ledger: ProgramLedger) => Promise<T>,
): Promise<T> {
  const { entries, length } = readEntries(await readIfThere(path))
  let bytes = length
  const file = await open(path, 'a', 0o600)
  try {
    await truncate(path, length)
    return await work({
      entries,
      async append(entry) {
        const line = Buffer.from(`${JSON.stringify(entry)}\n`)
        if (bytes + line.length > maxLedgerBytes) {
          throw new Error(
            `the program has more results than can be kept: ${bytesInWords(maxLedgerBytes)}`,
          )
        }
        if (!(await isHeld())) throw new Error('another process took the program over')
        await file.appendFile(line)
        bytes += line.length
        entries.push(entry)
      },
    })
  } finally {
    await file.close()
  }
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Whole lines; what a process left unfinished is cut off. */
function readEntries(text: Buffer): { readonly entries: LedgerEntry[]; readonly length: number } {
  const length = text.lastIndexOf(0x0a) + 1
  const lines = text.toString('utf8', 0, length).split('\n').filter(Boolean)
  const entries = lines.map((line) => {
    const entry: unknown = JSON.parse(line)
    if (!isLedgerEntry(entry))
      throw new Error(`the ledger has a line that is no entry: ${line.slice(0, 100)}`)
    return entry
  })
  return { entries, length }
}

/** Files are written by this module alone: the first entry tells the version, the others their type. */
function isLedgerEntry(value: unknown): value is LedgerEntry {
  if (!isJsonObject(value)) return false
  if (value['type'] === 'begin') return value['version'] === 1
  return value['type'] === 'sent' || value['type'] === 'answer' || value['type'] === 'end'
}
