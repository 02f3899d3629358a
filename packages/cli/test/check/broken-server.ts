import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import type { Finding, Subject } from '../../src/check/check.ts'
import type { SpokenRevisions } from '../../src/check/revisions.ts'
import { checkServer } from '../../src/check/run-checks.ts'
import { openHttpLink } from '../../src/probe/http-link.ts'
import { openStdioLink } from '../../src/probe/stdio-link.ts'

export const brokenServer = fileURLToPath(new URL('fixtures/broken-server.mjs', import.meta.url))

/** The hand-written server with these faults, as a command. */
export function brokenCommand(...faults: readonly string[]): Subject {
  const args = [brokenServer, ...faults]
  return { kind: 'stdio', open: () => openStdioLink({ command: process.execPath, args }) }
}

/** The same over HTTP. */
export async function listenBroken(
  ...faults: readonly string[]
): Promise<Subject & AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, [brokenServer, '--http', ...faults], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve)
  })
  const url = `http://127.0.0.1:${port}/mcp`
  return {
    kind: 'http',
    url,
    open: async () => openHttpLink(url),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill()
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
