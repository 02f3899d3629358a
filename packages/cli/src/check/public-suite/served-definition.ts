import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import type { UrlEntry } from '@parley/mcp/client'

import { CliError } from '../../exit.ts'
import type { Io } from '../../io.ts'
import { member } from '../../json.ts'
import { mainFile } from '../../main-file.ts'
import type { Target } from '../../target/target.ts'

/** A server that listens, for as long as it is needed. */
export interface ServedTarget extends AsyncDisposable {
  readonly entry: UrlEntry
}

/** The suite speaks HTTP alone: an address is there already, and a definition is served at one in a process of its own. */
export async function servedDefinition(
  { entry, definition, name }: Target,
  { signal }: Pick<Io, 'signal'>,
): Promise<ServedTarget> {
  if ('url' in entry) return { entry, [Symbol.asyncDispose]: async () => undefined }
  if (definition === undefined) {
    throw new CliError('error', `the public suite needs HTTP, but ${name} is a command`, {
      hint: 'Serve it over HTTP and pass its URL, or leave --suite out: our own checks support commands.',
    })
  }
  const child = spawn(execPath, [mainFile(), 'serve', definition, '--http', '0', '--json'], {
    cwd: entry.cwd,
    env: { ...process.env, ...entry.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  child.on('error', () => undefined) // it was stopped, which `close` says
  const closed = once(child, 'close')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-4_000)
  })
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([first]) => String(first)),
    closed.then(() => undefined),
  ])
  if (line === undefined) {
    throw new CliError('unreachable', `${name} cannot be served`, { details: { stderr } })
  }
  return {
    entry: { url: String(member(JSON.parse(line), 'url')) },
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    },
  }
}
