import { once } from 'node:events'
import { execPath } from 'node:process'

import { startCommand } from '@parley/mcp/command'
import { expect, test } from 'vitest'

test('a command is started for who speaks with it by hand, and ends with everything it started', async () => {
  const program = `
    console.error('up')
    process.stdin.on('data', (chunk) => process.stdout.write(String(chunk).toUpperCase()))
    process.stdin.on('end', () => process.exit(3))
  `
  const lines: string[] = []
  const command = await startCommand(
    { command: execPath, args: ['-e', program] },
    { onStderr: (line) => lines.push(line) },
  )

  command.stdin.write('hello')
  const [said] = (await once(command.stdout, 'data')) as [Buffer] // nothing else comes there
  await command[Symbol.asyncDispose]()

  expect(String(said)).toBe('HELLO')
  expect(lines).toEqual(['up'])
  expect(await command.exited).toMatchObject({ exitCode: 3, stderr: 'up\n' })
})

test('a command that does not exist is told', async () => {
  await expect(startCommand({ command: 'no-such-program' })).rejects.toMatchObject({
    code: 'spawn_failed',
  })
})
