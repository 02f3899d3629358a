import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

interface Program {
  readonly child: ChildProcess
  /** All it wrote to its stdout, at its end. */
  readonly output: Promise<string>
  readonly exit: Promise<{ code: number | null; signal: string | null }>
  /** Resolves when its stdout has this in it, with all that it wrote. */
  says(text: string): Promise<string>
}

function run(...[name, ...args]: [string, ...string[]]): Program {
  const file = fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  return {
    child,
    output: once(child.stdout, 'end').then(() => said),
    exit: once(child, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string | null,
    })),
    async says(text) {
      while (!said.includes(text)) {
        if (child.stdout.readableEnded) throw new Error(`it ended without saying ${text}`)
        await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')])
      }
      return said
    },
  }
}

describe('a process owned by what it serves', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'drains on %s and exits with 0, after clean-up, whatever was forgotten',
    async (signal) => {
      const program = run('owned', 'drains', 'forget')
      await program.says('ready')

      program.child.kill(signal)

      expect(await program.exit).toEqual({ code: 0, signal: null })
      expect(await program.output).toBe('ready\ndrain\ncleaned up\n')
    },
  )

  test('exits at once on a second signal', async () => {
    const program = run('owned', 'hangs', 'forget')
    await program.says('ready')

    program.child.kill('SIGTERM')
    await program.says('drain')
    program.child.kill('SIGINT')

    expect(await program.exit).toEqual({ code: 130, signal: null })
  })

  test('drains when its parent has gone although its stdin stays open', async () => {
    const launcher = run('launcher', 'owned.mjs', 'drains', 'forget')
    await launcher.says('ready')

    launcher.child.kill('SIGKILL')

    expect(await launcher.output).toBe('ready\ndrain\ncleaned up\n')
  })

  test('is not kept alive by being owned', async () => {
    const program = run('owned', 'hangs')

    // Node's own code for a promise that nothing can settle any more.
    expect(await program.exit).toEqual({ code: 13, signal: null })
  })

  test('finishes the calls of every service before it exits', async () => {
    const program = run('two-services')
    const url = await program.says(' \n')
    const client = await connect(url.trim())
    const answer = client.callTool('wait')
    await program.says('called')

    program.child.kill('SIGTERM')
    await program.says('first closed')
    program.child.stdin?.write('go on\n')

    expect(await answer).toMatchObject({ content: [{ text: 'done' }] })
    await client.close()
    expect(await program.exit).toEqual({ code: 0, signal: null })
  })

  test('goes on when the program itself has drained what it serves', async () => {
    const program = run('two-services', 'script')

    expect(await program.exit).toEqual({ code: 0, signal: null })
    expect(await program.output).toContain('goes on, 0 listeners')
  })
})
