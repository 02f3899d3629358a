import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'

import type { Finding, Subject } from '../../src/check/check.ts'
import type { SpokenRevisions } from '../../src/check/revisions.ts'
import { checkServer } from '../../src/check/run-checks.ts'
import { openHttpLink } from '../../src/probe/http-link.ts'
import { linkTo, type RunningProgram } from '../../src/probe/stdio-link.ts'
import { createBroken } from './fixtures/broken-rules.mjs'

export const brokenServer = fileURLToPath(new URL('fixtures/broken-server.mjs', import.meta.url))

/** The hand-written server with these faults, in this process and yet like a command: it has pipes, and ends. */
export function brokenCommand(...faults: readonly string[]): Subject {
  return { kind: 'stdio', open: async () => linkTo(startBroken(faults)) }
}

function startBroken(faults: readonly string[]): RunningProgram {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  let resolve = (): void => undefined
  const exited = new Promise<void>((settle) => (resolve = settle))
  function exit(): void {
    stdin.destroy()
    stdout.end()
    resolve()
  }
  createBroken(faults).serveLines(stdin, (text) => stdout.writable && stdout.write(text), exit)
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
  ...faults: readonly string[]
): Promise<Subject & AsyncDisposable & { readonly url: string }> {
  const server = await createBroken(faults).serveHttp()
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
  spoken?: SpokenRevisions,
): Promise<readonly string[]> {
  return (await findings(subject, spoken)).flatMap(({ ids, verdict }) =>
    verdict.kind === 'broken' ? [ids[0] ?? ''] : [],
  )
}

async function findings(subject: Subject, spoken?: SpokenRevisions): Promise<readonly Finding[]> {
  const all: Finding[] = []
  for await (const finding of checkServer(subject, spoken)) all.push(finding)
  return all
}
