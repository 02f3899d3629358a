import { afterEach, expect, test, vi } from 'vitest'

import { isInstalled, startProgress } from '../setup.mjs'

afterEach(() => void vi.useRealTimers())

const wanted = JSON.stringify({
  packages: {
    '': { name: 'parley' },
    'packages/mcp': { version: '0.1.0' },
    'node_modules/@parley/mcp': { link: true },
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/binding-elsewhere': { version: '1.0.0', optional: true },
  },
})

/** What npm leaves in `node_modules` after installing the above on another platform. */
function installedWith(packages: Record<string, unknown>): string {
  const base = {
    'node_modules/@parley/mcp': { link: true },
    'node_modules/zod': { version: '4.0.0' },
  }
  return JSON.stringify({ packages: { ...base, ...packages } })
}

test('installed packages that match the lock file need no installation', () => {
  expect(isInstalled(wanted, installedWith({}))).toBe(true)
  expect(isInstalled(wanted, installedWith({ 'node_modules/extra': { version: '1.0.0' } }))).toBe(
    true,
  )
})

test('missing, outdated or unlinked packages need an installation', () => {
  expect(isInstalled(wanted, undefined)).toBe(false)
  expect(isInstalled(wanted, JSON.stringify({}))).toBe(false)
  expect(isInstalled(wanted, installedWith({ 'node_modules/zod': { version: '3.9.0' } }))).toBe(
    false,
  )
  expect(
    isInstalled(wanted, installedWith({ 'node_modules/@parley/mcp': { version: '0.1.0' } })),
  ).toBe(false)
})

test('an optional package of the wrong version needs an installation, an absent one does not', () => {
  const outdated = installedWith({ 'node_modules/binding-elsewhere': { version: '0.9.0' } })

  expect(isInstalled(wanted, outdated)).toBe(false)
})

test.each([
  [true, ['\r\u001B[Ksetup: building … 1 s', '\r\u001B[Ksetup: building … 2 s']],
  [false, []],
])(
  'a step that takes long is seen to go on, in a terminal (%s) every second',
  (isTerminal, lines) => {
    vi.useFakeTimers()
    const written: string[] = []
    const progress = startProgress('building', { isTerminal, write: (text) => written.push(text) })

    vi.advanceTimersByTime(2_000)
    expect(written).toEqual(lines)
    vi.advanceTimersByTime(8_000)
    const soFar = [...written]
    progress.end()
    vi.advanceTimersByTime(60_000)

    expect(soFar.at(-1)).toContain(isTerminal ? '… 10 s' : 'setup: building, 10 s so far …')
    expect(written.slice(soFar.length)).toEqual(isTerminal ? ['\r\u001B[K'] : [])
  },
)
