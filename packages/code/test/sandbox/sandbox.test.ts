import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { createSandbox, ProgramCallError, type RunProgramOptions } from '@parley/code'
import { afterAll, describe, expect, test } from 'vitest'

const sandbox = createSandbox({ limits: { answerBytes: 1_000, openCalls: 3, queuedPrograms: 1 } })
afterAll(() => sandbox[Symbol.asyncDispose]())

const echo = {
  tools: ['crm__get_customer', 'crm__list_customers', 'mail__send'],
  call: async ({ arguments: args }) => args,
} satisfies RunProgramOptions

/** Resolves with a promise and what settles it. */
function deferred<T>() {
  let settle: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => (settle = resolve))
  return { promise, settle }
}

describe('calls', () => {
  test('of one moment come together, and others wait until there is room', async () => {
    const turns: number[][] = []
    let turn: number[] | undefined
    let open = 0
    let most = 0

    const outcome = await sandbox.run(
      'return await Promise.all([1, 2, 3, 4, 5].map((a) => tools.mail__send({ a })))',
      {
        ...echo,
        async call({ index, arguments: args }) {
          if (turn === undefined) {
            turns.push((turn = []))
            setImmediate(() => (turn = undefined))
          }
          turn.push(index)
          open += 1
          most = Math.max(most, open)
          await nextTurn()
          open -= 1
          return args
        },
      },
    )

    expect(outcome).toMatchObject({
      ok: true,
      value: [1, 2, 3, 4, 5].map((a) => ({ a })),
      calls: 5,
    })
    expect(turns[0]).toEqual([0, 1, 2])
    expect(turns.flat()).toEqual([0, 1, 2, 3, 4])
    expect(most).toBe(3)
  })

  test('belong to the asynchronous context that runs the program', async () => {
    const context = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const run = (name: string) =>
      context.run(name, () =>
        sandbox.run('await tools.mail__send({})\nawait tools.mail__send({})', {
          ...echo,
          call: async () => void seen.push(context.getStore()),
        }),
      )

    await run('first')
    await run('second') // in the same thread

    expect(seen).toEqual(['first', 'first', 'second', 'second'])
  })

  test('know the line that made them', async () => {
    const lines: (number | undefined)[] = []

    await sandbox.run('// first\nawait tools.mail__send({})\n\nawait tools.mail__send()', {
      ...echo,
      call: async ({ line }) => void lines.push(line),
    })

    expect(lines).toEqual([2, 4])
  })

  test('that nobody awaits are cancelled with the end, and counted', async () => {
    const aborted = deferred<unknown>()

    const outcome = await sandbox.run('tools.mail__send({})\nawait sleep(1)\nreturn 1', {
      ...echo,
      call: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.settle(signal.reason)
            reject(signal.reason as Error)
          })
        }),
    })

    expect(outcome).toMatchObject({ ok: true, value: 1, calls: 2, notAwaited: 1 })
    expect(await aborted.promise).toMatchObject({ message: 'the program has ended' })
  })

  test('throw in the program what they threw in the host, with what is known of them', async () => {
    const outcome = await sandbox.run(
      `try { await tools.mail__send({}) } catch (error) {
        return [error instanceof DeniedError, error instanceof ToolError, error.name, error.message, error.server, error.rule]
      }`,
      {
        ...echo,
        call: () =>
          Promise.reject(new ProgramCallError('denied', 'no', { server: 'mail', rule: 'never' })),
      },
    )

    expect(outcome).toMatchObject({ value: [true, true, 'DeniedError', 'no', 'mail', 'never'] })
  })

  test('with an answer that is too large throw, and say what fits', async () => {
    const outcome = await sandbox.run('return await tools.mail__send({})', {
      ...echo,
      call: async () => 'x'.repeat(2_000),
    })

    expect(outcome).toMatchObject({ ok: false, kind: 'threw' })
    expect(!outcome.ok && outcome.message).toContain(
      'the answer of mail__send has 2 KiB, and 1000 bytes fit: ask for fewer fields or pages',
    )
  })
})

describe('a run', () => {
  test('goes the same way with the same clock and the same answers', async () => {
    const program = `const seen = [Date.now(), Math.random()]
      await Promise.all([tools.mail__send({}), sleep(1)])
      return [...seen, Date.now(), Math.random(), new Date(2020, 0).toISOString()]`
    const clock = { now: 1_790_000_000_000, seed: 7 }
    const run = async (seed: number) => {
      let now = clock.now
      const outcome = await sandbox.run(program, {
        ...echo,
        clock: { ...clock, seed },
        now: () => (now += 1_000),
      })
      return outcome.ok ? outcome.value : outcome.message
    }

    const [first, second, other] = [await run(7), await run(7), await run(8)]

    expect(first).toEqual(second)
    expect(Object(first)).toMatchObject({ 0: clock.now, 2: clock.now + 2_000 })
    expect(other).not.toEqual(first)
  })

  test('ends when it is stopped, and the next one works', async () => {
    const stop = new AbortController()
    const outcome = await sandbox.run('await tools.mail__send({})\nfor (;;);', {
      ...echo,
      signal: stop.signal,
      async call() {
        setImmediate(() => stop.abort())
      },
    })

    expect(outcome).toMatchObject({ ok: false, kind: 'cancelled' })
    expect(await sandbox.run('return 1', { signal: stop.signal })).toMatchObject({
      kind: 'cancelled',
    })
    expect(await sandbox.run('return 1')).toMatchObject({ ok: true })
  })

  test('does not count the time of a person', async () => {
    await using quick = createSandbox({ limits: { totalMs: 500 } })
    const person = deferred<void>()
    let isPaused = false
    const running = quick.run('await tools.mail__send({})\nreturn 1', {
      ...echo,
      call: (_, { paused }) =>
        paused(() => {
          isPaused = true
          return person.promise
        }),
    })
    await expect.poll(() => isPaused).toBe(true)
    // Two looks of the clock at a run whose time is over, told by another program.
    expect(
      await quick.run('await new Promise(() => tools.mail__send({}))', {
        ...echo,
        call: () => new Promise(() => undefined),
      }),
    ).toMatchObject({ kind: 'time' })
    person.settle()

    expect(await running).toMatchObject({ ok: true, value: 1 })
  })

  test('finds nothing of the one before in the same thread', async () => {
    await sandbox.run(
      'globalThis.kept = args.secret; Array.prototype.kept = 1; Object.prototype.kept = 1; Math.random = () => 4; /(kept)/.test("kept"); return 1',
      { args: { secret: 'kept' } },
    )

    const outcome = await sandbox.run(
      'return [typeof globalThis.kept, [].kept, ({}).kept, Math.random() === 4, RegExp.$1, JSON.stringify(args)]',
    )

    expect(outcome).toMatchObject({
      value: ['undefined', null, null, false, expect.not.stringContaining('kept'), '{}'],
    })
  })

  test('waits for its turn, and is refused when too many wait', async () => {
    await using narrow = createSandbox({
      limits: { programs: 2, programsOfCaller: 1, queuedPrograms: 1 },
    })
    const gate = deferred<void>()
    const started: string[] = []
    const run = (caller: string, program = 'await tools.mail__send({})\nreturn 1') =>
      narrow.run(program, {
        ...echo,
        caller,
        call: () => {
          started.push(caller)
          return gate.promise
        },
      })

    const first = run('a')
    const second = run('a')
    const third = run('b')
    const fourth = run('a')
    expect(await fourth).toMatchObject({
      ok: false,
      kind: 'refused',
      message: expect.stringContaining('1 wait'),
    })
    await expect.poll(() => started.toSorted()).toEqual(['a', 'b'])
    gate.settle()

    expect(await Promise.all([first, second, third])).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: true },
    ])
    expect(started.at(-1)).toBe('a')
  })

  test('is refused when the program is too long, or the limits make no sense', async () => {
    expect(await sandbox.run(' '.repeat(300_000))).toMatchObject({
      kind: 'refused',
      message: 'the program has 293 KiB, and 256 KiB fit',
    })
    expect(() => createSandbox({ limits: { cpuMs: 0 } })).toThrow('cpuMs must be a number above 0')
  })

  test('ends with the sandbox', async () => {
    const own = createSandbox()
    const running = own.run('await tools.mail__send({})', {
      ...echo,
      call: () => new Promise(() => undefined),
    })

    await own[Symbol.asyncDispose]()

    expect(await running).toMatchObject({ ok: false, kind: 'cancelled' })
    expect(await own.run('return 1')).toMatchObject({ kind: 'cancelled' })
  })
})

describe('console', () => {
  test('comes line by line, and ends with how much was left out', async () => {
    await using small = createSandbox({ limits: { consoleBytes: 40 } })
    const lines: string[] = []

    const outcome = await small.run(
      'console.log("one", { a: [1] }, undefined, new TypeError("x"))\nconsole.error("y".repeat(40))\nconsole.log("z")\nreturn 1',
      { onLog: (line) => void lines.push(line) },
    )

    expect(lines).toEqual([
      'one {"a":[1]} undefined TypeError: x',
      '[2 more lines were left out: 40 bytes of console fit]',
    ])
    expect(outcome.logs).toEqual(lines)
  })
})

describe('an error', () => {
  test.each([
    ['const a = 1\n  a.b()', 'TypeError: not a function\nline 2, column 5: a.b()\nprint the shape'],
    ['const a: string = 1', 'TypeScript is not understood: leave the types out'],
    ['import a from "b"', 'there are no modules'],
    ['return require("fs")', 'there are no modules and no Node'],
    ['return fetch("x")', 'there is no network: call one of the tools'],
    ['setTimeout(1)', 'await sleep(milliseconds)'],
    ['return tools.crm__get_costumer({})', 'the nearest: crm__get_customer'],
    ['return tools.get_customer({})', 'the nearest: crm__get_customer'],
    [
      'return tools.mail__send("x")',
      'tools.mail__send takes one object with the arguments by name',
    ],
    ['throw new Error("a\\nb")', 'Error: a\nb\nline 1, column 11'],
    ['throw 5', 'the program threw 5'],
  ])('says what, where, and what to write: %s', async (program, expected) => {
    const outcome = await sandbox.run(program, echo)

    expect(outcome.ok ? '' : outcome.message).toContain(expected)
  })
})
