/**
 * `@modelcontextprotocol/sdk/client/stdio.js`: starts a server as a process of its own and talks to it over its standard streams.
 *
 * Programs are found by their full path first. Lines are cut by `ReadBuffer` and joined by `LineWriter`, as on the server's side.
 */

import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import process from 'node:process'
import { PassThrough, type Stream } from 'node:stream'

import { LineWriter } from '../shared/line-writer.ts'
import { ReadBuffer } from '../shared/stdio.ts'
import type { Transport } from '../shared/transport.ts'
import type { JSONRPCMessage } from '../types.ts'

export type StdioServerParameters = {
  /** The program. */
  command: string
  args?: string[]
  /** The environment; `getDefaultEnvironment()` is always part of it. */
  env?: Record<string, string>
  /** @defaultValue 'inherit' */
  stderr?: IOType | Stream | number
  cwd?: string
  /**
   * A longer message is an error and ends the connection.
   * @defaultValue 10 MB
   */
  maxBufferSize?: number
}

/** The variables of the environment that every server gets. */
export const DEFAULT_INHERITED_ENV_VARS: string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PROCESSOR_ARCHITECTURE',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
        'PROGRAMFILES',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']

/** Returns those of these variables that are set. Functions of a shell are left out. */
export function getDefaultEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of DEFAULT_INHERITED_ENV_VARS) {
    const value = process.env[name]
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return environment
}

/** Milliseconds that a server has to end by itself, and again after each signal. */
const graceMs = 2_000

/** Starts a server and talks to it over its standard input and output. */
export class StdioClientTransport implements Transport {
  private _process?: ChildProcess
  private _abortController: AbortController = new AbortController()
  private _readBuffer: ReadBuffer
  private _serverParams: StdioServerParameters
  private _stderrStream: PassThrough | null = null
  private readonly _writer = new LineWriter(
    () => this._process?.stdin,
    (error) => {
      this.onerror?.(error)
      void this.close()
    },
  )

  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  constructor(server: StdioServerParameters) {
    this._serverParams = server
    this._readBuffer = new ReadBuffer({ maxBufferSize: server.maxBufferSize })
    if (server.stderr === 'pipe' || server.stderr === 'overlapped') {
      this._stderrStream = new PassThrough()
    }
  }

  /** Starts the server. */
  async start(): Promise<void> {
    if (this._process) {
      throw new Error(
        'StdioClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      )
    }
    const { cwd, stderr = 'inherit' } = this._serverParams
    const env = {
      ...(process.platform === 'win32' && { NoDefaultCurrentDirectoryInExePath: '1' }),
      ...getDefaultEnvironment(),
      ...this._serverParams.env,
    }
    const found = await this.find(env)
    return new Promise((resolve, reject) => {
      const child = spawn(found.file, found.args, {
        env,
        stdio: ['pipe', 'pipe', stderr],
        windowsHide: process.platform === 'win32',
        windowsVerbatimArguments: found.isVerbatim,
        cwd,
      })
      this._process = child
      child.on('error', (error) => {
        reject(error)
        this.onerror?.(error)
      })
      child.on('spawn', () => resolve())
      child.on('close', () => {
        this._process = undefined
        this.onclose?.()
      })
      child.stdin?.on('error', (error) => this.onerror?.(error))
      child.stdout?.on('data', (chunk: Buffer) => this.receive(chunk))
      child.stdout?.on('error', (error) => this.onerror?.(error))
      if (this._stderrStream) child.stderr?.pipe(this._stderrStream)
    })
  }

  /** Finds the program by its full path: `spawn` would look into the current directory first on Windows. */
  private async find(env: Record<string, string>) {
    const { command, args = [], cwd } = this._serverParams
    const { resolveCommand } = await import('@parley/mcp/system')
    const found = resolveCommand(command, args, { env, ...(cwd !== undefined && { cwd }) })
    if (found.kind === 'found') return found
    const error = found.kind === 'refused' ? new Error(found.reason) : notFound(command, args)
    this.onerror?.(error)
    throw error
  }

  /** The server's standard error, if that is piped; there before the server is started. */
  get stderr(): Stream | null {
    return this._stderrStream ?? this._process?.stderr ?? null
  }

  /** The id of the process, once it is started. */
  get pid(): number | null {
    return this._process?.pid ?? null
  }

  private receive(chunk: Buffer): void {
    try {
      this._readBuffer.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      void this.close()
      return
    }
    this.processReadBuffer()
  }

  private processReadBuffer(): void {
    while (true) {
      try {
        const message = this._readBuffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(error as Error)
      }
    }
  }

  /** Ends the server: closes its input, and kills it if that is not enough. */
  async close(): Promise<void> {
    const child = this._process
    this._writer.flush()
    this._process = undefined
    this._readBuffer.clear()
    if (!child) return
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.stdin?.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await within(closed)) break
      if (child.exitCode === null) child.kill(signal)
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this._process?.stdin) return Promise.reject(new Error('Not connected'))
    return this._writer.write(message)
  }
}

/** Waits for a while. */
async function within(closed: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), graceMs)
    timer.unref()
  })
  const isClosed = await Promise.race([closed.then(() => true), timeout])
  clearTimeout(timer)
  return isClosed
}

/** The error of `spawn` for a program that is not there. */
function notFound(command: string, args: readonly string[]): Error {
  const syscall = `spawn ${command}`
  const details = { errno: -2, code: 'ENOENT', syscall, path: command, spawnargs: args }
  return Object.assign(new Error(`${syscall} ENOENT`), details)
}
