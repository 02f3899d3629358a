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

/** What a server is told of the environment without asking. */
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
  private readonly _writer = new LineWriter(() => this._process?.stdin)

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
    const env = { ...getDefaultEnvironment(), ...this._serverParams.env }
    const { file, args, verbatim } = await findCommand(this._serverParams, env)
    return new Promise((resolve, reject) => {
      const child = spawn(file, args, {
        env,
        stdio: ['pipe', 'pipe', stderr],
        shell: false,
        windowsHide: process.platform === 'win32',
        windowsVerbatimArguments: verbatim,
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

  /** What the server writes to standard error, if that is piped; there before the server is started. */
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

interface FoundCommand {
  file: string
  args: readonly string[]
  verbatim: boolean
}

/** On Windows a program such as `npx` is a batch file, which `spawn` does not start by itself. */
async function findCommand(
  { command, args = [], cwd }: StdioServerParameters,
  env: Record<string, string>,
): Promise<FoundCommand> {
  if (process.platform !== 'win32') return { file: command, args, verbatim: false }
  const { resolveCommand } = await import('@parley/mcp/system')
  const found = resolveCommand(command, args, { env, ...(cwd !== undefined && { cwd }) })
  if (found.kind === 'refused') throw new Error(found.reason)
  return found.kind === 'missing'
    ? { file: command, args, verbatim: false }
    : { file: found.file, args: found.args, verbatim: found.isVerbatim }
}
