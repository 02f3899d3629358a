import process from 'node:process'
import type { Readable } from 'node:stream'

/** What the program reads from and writes to; tests give it others. */
export interface Io {
  /** Standard input. */
  readonly stdin: Input
  /** Standard output: results alone. */
  readonly stdout: Output
  /** Standard error: messages for people. */
  readonly stderr: Output
  /** Environment variables. */
  readonly env: { readonly [name: string]: string | undefined }
  /** The current folder. */
  readonly cwd: string
  /** Aborts when the user has had enough. */
  readonly signal: AbortSignal
}

/** Where answers come from. */
export type Input = Readable & {
  /** Whether a person types the answers. */
  readonly isTTY?: boolean | undefined
}

/** Where text goes. */
export interface Output {
  /** It is a terminal, so colours and columns make sense. */
  readonly isTTY?: boolean | undefined
  /** The width of the terminal in characters. */
  readonly columns?: number | undefined
  /** Writes text or bytes. */
  write(text: string | Uint8Array): unknown
}

/** Those of this process. */
export function processIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr, env } = process
  return { stdin, stdout, stderr, env, cwd: process.cwd(), signal }
}

/** How wide lines may be; what is no terminal gets lines that fit most. */
export function widthOf({ columns }: Output): number {
  return Math.max(40, Math.min(columns || 100, 160)) // some terminals say 0
}
