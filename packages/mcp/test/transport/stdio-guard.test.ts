import { Console } from 'node:console'
import { PassThrough } from 'node:stream'

import { OutgoingMessage } from '@parley/mcp'
import { createStdioTransport } from '@parley/mcp/stdio'
import { describe, expect, test, vi } from 'vitest'

import { guardStdout } from '../../src/transport/stdio/serve-stdio.ts'

function createStreams() {
  return { stdout: new PassThrough(), stderr: new PassThrough() }
}

function read(stream: PassThrough): string {
  return String(stream.read() ?? '')
}

describe('guarding stdout', () => {
  test('sends stray writes to stderr and reports the first, with who made it [STDIO-07]', () => {
    const { stdout, stderr } = createStreams()
    const onFirst = vi.fn<(error: Error) => void>()
    guardStdout(stdout, stderr, onFirst)

    function strayCaller(): void {
      new Console(stdout).log('hello')
    }
    strayCaller()
    stdout.write('again\n')

    expect(read(stdout)).toBe('')
    expect(read(stderr)).toBe('hello\nagain\n')
    expect(onFirst).toHaveBeenCalledOnce()
    expect(onFirst.mock.lastCall?.[0].stack).toMatch(/strayCaller/)
  })

  test('passes on encodings and callbacks', async () => {
    const { stdout, stderr } = createStreams()
    guardStdout(stdout, stderr, () => {})

    await new Promise<void>((resolve) => stdout.write('6869', 'hex', () => resolve()))
    await new Promise<void>((resolve) => stdout.write('!', () => resolve()))

    expect(read(stderr)).toBe('hi!')
  })

  test('lets through what a transport made before writes, and nothing else [STDIO-07]', async () => {
    const { stdout, stderr } = createStreams()
    const transport = createStdioTransport({ input: new PassThrough(), output: stdout })
    guardStdout(stdout, stderr, () => {})

    void transport.send(new OutgoingMessage({ id: 1 }))
    stdout.write('stray\n')
    await transport[Symbol.asyncDispose]()

    expect(read(stdout)).toBe('{"id":1}\n')
    expect(read(stderr)).toBe('stray\n')
  })

  test('is undone without a trace, also under another wrapper', () => {
    const { stdout, stderr } = createStreams()
    const undo = guardStdout(stdout, stderr, () => {})
    undo()
    expect(Object.hasOwn(stdout, 'write')).toBe(false)

    const undoInner = guardStdout(stdout, stderr, () => {})
    const guarded = stdout.write.bind(stdout)
    stdout.write = (chunk: unknown) => guarded(`<${String(chunk)}>`)
    undoInner()
    stdout.write('free')

    expect(read(stdout)).toBe('<free>')
    expect(read(stderr)).toBe('')
  })
})
