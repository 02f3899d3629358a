import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'

import type { Finding, Subject } from '../../src/check/check.ts'
import type { SupportedRevisions } from '../../src/check/revisions.ts'
import { checkServer } from '../../src/check/run-checks.ts'
import { openHttpLink } from '../../src/probe/http-link.ts'
import { linkTo, type RunningProgram } from '../../src/probe/stdio-link.ts'
import { createBroken } from './fixtures/broken-rules.mjs'

export const brokenServer = fileURLToPath(new URL('fixtures/broken-server.mjs', import.meta.url))

/** The hand-written server with these faults, in this process. */
export function brokenCommand(...faults: readonly string[]): Subject {
  return inProcess((stdin, stdout, exit) => {
    const write = (text: string) => stdout.writable && stdout.write(text)
    createBroken(faults).serveLines(stdin, write, exit)
  })
}

/** A server in this process and yet like a command: it has pipes, and ends. A process for each attempt costs a fifth of a second. */
export function inProcess(
  serve: (stdin: PassThrough, stdout: PassThrough, exit: () => void) => void,
): Subject {
  return { kind: 'stdio', open: async () => linkTo(start(serve)) }
}

function start(serve: Parameters<typeof inProcess>[0]): RunningProgram {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  let resolve = (): void => undefined
  const exited = new Promise<void>((settle) => (resolve = settle))
  function exit(): void {
    stdin.destroy()
    stdout.end()
    resolve()
  }
  serve(stdin, stdout, exit)
  return {
    stdin,
    stdout,
    stderr: () => '',
    exited,
    [Symbol.asyncDispose]: async () => exit(),
  }
}

/** The same over HTTP. */
export async function listenBroken(
  ...problems: readonly string[]
): Promise<Subject & AsyncDisposable & { readonly url: string }> {
  const server = await createBroken(problems).serveHttp()
  const { port } = server.address() as AddressInfo // it listens on a port
  const url = `http://127.0.0.1:${port}/mcp`
  return {
    kind: 'http',
    url,
    open: async () => openHttpLink(url),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await ended
    },
  }
}

/** The ids of the rules that are broken, the first of each. */
export async function brokenIds(
  subject: Subject,
  supported?: SupportedRevisions,
): Promise<readonly string[]> {
  return (await findings(subject, supported)).flatMap(({ ids, verdict }) =>
    verdict.kind === 'broken' ? [ids[0] ?? ''] : [],
  )
}

async function findings(
  subject: Subject,
  supported?: SupportedRevisions,
): Promise<readonly Finding[]> {
  const all: Finding[] = []
  for await (const finding of checkServer(subject, supported)) all.push(finding)
  return all
}
