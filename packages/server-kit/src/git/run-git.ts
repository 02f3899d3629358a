import { Buffer } from 'node:buffer'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'

import { killWindowsTrees } from '@parley/mcp/system'

import { GitError } from './git-error.ts'
import { createProgressReader, withoutProgress, type GitProgress } from './read/progress.ts'

/** What one run needs. */
export interface GitRun {
  /** Found by its full path. */
  readonly program: { readonly file: string }
  readonly args: readonly string[]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly input?: string | undefined
  readonly timeoutMs: number
  readonly outputBytes: number
  /** What has said enough is ended. A run that changes something goes on, unheard. */
  readonly stopWhenFull: boolean
  /** Files that git removes when it ends; one that is left is named in the error. */
  readonly lockFiles?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: GitProgress) => void) | undefined
}

/** What git said, and how it ended. */
export interface GitOutput {
  /** What it wrote to its standard output. */
  readonly bytes: Buffer
  /** The same as text. */
  readonly text: string
  /** What it wrote to its standard error. */
  readonly errors: string
  /** Its exit code. */
  readonly exitCode: number
  /** There was more than `outputBytes`. */
  readonly isCut: boolean
}

const killAfterMs = 2_000

/** Runs git, without a shell and in a process group of its own, and ends all of it when nobody wants the answer. */
export async function runGit(run: GitRun): Promise<GitOutput> {
  const { program, args, directory, environment, input, timeoutMs, signal } = run
  if (signal?.aborted) throw cancelled()
  const there = (run.lockFiles ?? []).filter((file) => existsSync(file))
  const child = spawn(program.file, [...args], {
    cwd: directory,
    env: environment,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let ended: GitError | undefined
  const end = (error: GitError) => {
    ended ??= error
    endTree(child)
  }
  const timer = setTimeout(() => end(tooSlow(timeoutMs)), timeoutMs)
  const onAbort = () => end(cancelled())
  signal?.addEventListener('abort', onAbort, { once: true })

  const output = collect(child.stdout, run.outputBytes, () => {
    if (run.stopWhenFull) endTree(child)
  })
  const errors = collect(child.stderr, 64 * 1024)
  if (run.onProgress) {
    const read = createProgressReader(run.onProgress)
    child.stderr.on('data', (chunk: Buffer) => read(chunk.toString('latin1')))
  }
  child.stdin.on('error', () => {}) // it ended before it had read everything
  child.stdin.end(input)
  try {
    const exitCode = await exitOf(child)
    if (ended) {
      const left = (run.lockFiles ?? []).filter((file) => !there.includes(file) && existsSync(file))
      throw left.length === 0 ? ended : withLocks(ended, left)
    }
    const bytes = output.bytes()
    return {
      bytes,
      text: bytes.toString(),
      errors: run.onProgress ? withoutProgress(errors.text()) : errors.text(),
      exitCode: output.isCut() && run.stopWhenFull ? 0 : exitCode,
      isCut: output.isCut(),
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new GitError('no_git', `git cannot run: ${error.message}`)))
    child.on('close', (code) => resolve(code ?? -1))
  })
}

/** Keeps the first bytes of a stream. */
function collect(stream: NodeJS.ReadableStream, most: number, full: () => void = () => {}) {
  const chunks: Buffer[] = []
  let collectedBytes = 0
  let isCut = false
  stream.on('data', (chunk: Buffer) => {
    const drained = most - collectedBytes
    if (chunk.length > drained) {
      if (!isCut) full()
      isCut = true
    }
    if (drained <= 0) return
    chunks.push(chunk.subarray(0, drained))
    collectedBytes += Math.min(drained, chunk.length)
  })
  const bytes = () => Buffer.concat(chunks)
  return { bytes, text: () => bytes().toString(), isCut: () => isCut }
}

/** Asks first, so that git removes its lock files, and kills it if it does not end. Windows can only kill. */
function endTree(child: ChildProcess): void {
  if (process.platform === 'win32') {
    // The git on PATH is a launcher there, whose child does the work.
    if (child.pid !== undefined && child.exitCode === null) killWindowsTrees([child.pid])
    return
  }
  signalTree(child, 'SIGTERM')
  const timer = setTimeout(() => {
    signalTree(child, 'SIGKILL')
    // What ran away from the group may hold the pipes; nobody reads them any more.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, killAfterMs)
  timer.unref()
  child.once('close', () => {
    clearTimeout(timer)
    signalTree(child, 'SIGKILL') // what it started and left
  })
}

function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // gone already
  }
}

function withLocks(error: GitError, files: readonly string[]): GitError {
  const message = `${error.message} It left ${files.join(' and ')}: delete that when no git runs there.`
  return new GitError(error.code, message)
}

function cancelled(): GitError {
  return new GitError('cancelled', 'git was stopped: the call was cancelled.')
}

function tooSlow(timeoutMs: number): GitError {
  return new GitError('timeout', `git was stopped: it took longer than ${timeoutMs} ms.`)
}
