import module from 'node:module'
import process from 'node:process'

import type { Program } from './program.ts'
import { version } from './version.ts'

/** Runs a program in this process, which ends with its exit code. */
export async function startProgram(load: () => Promise<Program>): Promise<void> {
  const argv = process.argv.slice(2)
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    console.log(version) // nothing else is loaded for it
  } else {
    await main(argv, load)
  }
}

async function main(argv: readonly string[], load: () => Promise<Program>): Promise<void> {
  // Compiled once for all starts, where Node can do that; its types are not in those of Node 20.
  const cache: unknown = Reflect.get(module, 'enableCompileCache')
  if (typeof cache === 'function') cache()
  const program = await load()
  const { runProgram } = await import('./run.ts')
  const { processIo } = await import('./io.ts')
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new Error('interrupted'))
  })
  let interrupted = 130
  process.on('SIGTERM', () => {
    interrupted = 143 // as shells have it
    controller.abort(new Error('terminated'))
  })
  if (process.platform === 'win32') {
    process.on('SIGHUP', () => controller.abort(new Error('the console was closed')))
    process.on('SIGBREAK', () => controller.abort(new Error('interrupted')))
  }
  // Node's own way to tell of warnings would break what programs read from us.
  process.removeAllListeners('warning')
  process.on('warning', ({ message }) => {
    if (argv.includes('--verbose') || argv.includes('-v')) process.stderr.write(`${message}\n`)
  })
  // Who reads us may have read enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  process.stderr.on('error', () => undefined) // nobody is left who could be told
  const ended = await runProgram(program, argv, processIo(controller.signal))
  const code = ended === 130 ? interrupted : ended
  process.exitCode = code
  // Whoever reads slowly gets everything first. Then a terminal that was asked something, or a child that will not end,
  // must not keep the process.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  setTimeout(() => process.exit(code), 500).unref()
  process.stdin.unref?.()
}

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return // a server that was served on it guards it: nothing is written without need
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
