import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => void vi.restoreAllMocks())

/** Which of our files did what a Worker refuses while its module is loaded. */
function watchForbidden(): readonly string[] {
  const found: string[] = []
  const note = (name: string): void => {
    const ours = /packages\/mcp\/src\/\S+\.ts/.exec(new Error().stack ?? '')
    if (ours) found.push(`${name} in ${ours[0]}`)
  }
  const watch = <T extends object>(owner: T, name: keyof T & string): void => {
    const real = owner[name] as (...given: unknown[]) => unknown // each of them is a function
    vi.spyOn(owner, name as never).mockImplementation(((...given: unknown[]) => {
      note(name)
      return real.apply(owner, given)
    }) as never)
  }
  watch(crypto, 'randomUUID')
  watch(crypto, 'getRandomValues')
  watch(Math, 'random')
  watch(globalThis, 'setTimeout')
  watch(globalThis, 'setInterval')
  watch(globalThis, 'setImmediate')
  watch(globalThis, 'fetch')
  return found
}

test('a module of a Worker may define a server with all there is, and its handler', async () => {
  vi.resetModules()
  const forbidden = watchForbidden()

  const { createServer } = await import('../../src/entry/server.ts')
  const { serverTasks } = await import('../../src/entry/tasks.ts')
  const { serverSkills } = await import('../../src/entry/skills.ts')
  const { createMcpHandler } = await import('../../src/entry/http.ts')
  await import('../../src/entry/websocket.ts')
  await import('../../src/entry/client.ts')
  const server = createServer({
    name: 'worker',
    version: '1.0.0',
    extensions: [serverTasks(), serverSkills({ skills: [] })],
  })
  server.tool('work', { task: 'optional' }, () => 'done')
  const handler = createMcpHandler(server)

  expect(forbidden).toEqual([])
  await handler[Symbol.asyncDispose]()
})
