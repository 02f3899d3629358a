import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

import {
  createSandbox,
  type ProgramOutcome,
  type RunProgramOptions,
  type SandboxLimits,
} from '@parley/code'

/** What no program may ever see. */
const bait = `bait-${crypto.randomUUID()}`

/** A sandbox in a process full of things to steal or break, and what became of them. */
export interface BaitedSandbox extends AsyncDisposable {
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  run(program: string, options?: Partial<RunProgramOptions>): Promise<ProgramOutcome>
  /** What a program has taken or changed, in words. */
  damage(outcome: ProgramOutcome): readonly string[]
}

/** Bait in the environment, in a global, in a file, at an address, in the arguments of another caller, and in errors of tools. */
export async function baitedSandbox(limits: SandboxLimits = {}): Promise<BaitedSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'bait-'))
  const file = join(folder, 'secret.txt')
  writeFileSync(file, bait)
  env['PARLEY_BAIT'] = bait
  Reflect.set(globalThis, 'bait', bait)
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end(bait)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const before = surroundings()
  const sandbox = createSandbox({ limits })
  const calls: { readonly name: string; readonly arguments: unknown }[] = []

  return {
    calls,
    run: (program, options) =>
      sandbox.run(
        program.replaceAll('BAIT_FILE', file).replaceAll('BAIT_URL', `http://127.0.0.1:${port}/`),
        {
          tools: ['echo', 'fail', 'slow', '__proto__'],
          async call({ name, arguments: args }, { signal }) {
            calls.push({ name, arguments: args })
            if (name === 'fail') throw new TypeError('the tool failed')
            if (name === 'slow')
              await new Promise((resolve) => signal.addEventListener('abort', resolve))
            return args
          },
          ...options,
        },
      ),
    damage(outcome) {
      const told = JSON.stringify(outcome)
      return [
        ...(told.includes(bait) ? ['the bait was told'] : []),
        ...(/file:\/\/\/|node:internal|\.ts\b|\/dist\//.test(told)
          ? [`a path of the host was told: ${told}`]
          : []),
        ...(requests > 0 ? ['the address was asked'] : []),
        ...(readFileSync(file, 'utf8') === bait ? [] : ['the file was changed']),
        ...(readdirSync(folder).length === 1 ? [] : ['a file was written']),
        ...(surroundings() === before ? [] : ['the process was changed']),
        ...calls
          .filter(({ name }) => !['echo', 'fail', 'slow', '__proto__'].includes(name))
          .map(({ name }) => `${name} was called`),
      ]
    },
    async [Symbol.asyncDispose]() {
      delete env['PARLEY_BAIT']
      Reflect.deleteProperty(globalThis, 'bait')
      await sandbox[Symbol.asyncDispose]()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a program would change if it got out. */
function surroundings(): string {
  const shared = [Object, Array, Function, String, Promise, Map, Error, JSON, Reflect].flatMap(
    (one) => [one, Reflect.get(one, 'prototype') as unknown],
  )
  const keys = shared.map((one) =>
    typeof one === 'object' || typeof one === 'function'
      ? Reflect.ownKeys(Object(one)).map(String)
      : [],
  )
  return JSON.stringify([keys, Object.keys(env).toSorted(), Reflect.has({}, 'polluted')])
}
