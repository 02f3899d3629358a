import { describe, expect, test } from 'vitest'

import { chooseRuns, readArguments, usage, UsageError } from '../suite/arguments.mjs'

describe('what the conformance run is told', () => {
  test('is nothing, the names of scenarios, or a flag', () => {
    const nothing = {
      help: false,
      list: false,
      write: false,
      cluster: false,
      bridge: false,
      gateway: false,
      scenarios: [],
    }

    expect(readArguments([])).toEqual(nothing)
    expect(readArguments(['ping', 'tools-call'])).toEqual({
      ...nothing,
      scenarios: ['ping', 'tools-call'],
    })
    expect(readArguments(['--help'])).toEqual({ ...nothing, help: true })
    expect(readArguments(['--write'])).toEqual({ ...nothing, write: true })
    expect(readArguments(['--cluster'])).toEqual({ ...nothing, cluster: true })
    expect(readArguments(['--bridge'])).toEqual({ ...nothing, bridge: true })
    expect(readArguments(['--gateway'])).toEqual({ ...nothing, gateway: true })
  })

  test('is refused with a sentence where it means nothing', () => {
    expect(() => readArguments(['--wirte'])).toThrow(UsageError)
    expect(() => readArguments(['--write', 'ping'])).toThrow('--write needs all scenarios')
    expect(() => readArguments(['--cluster', '--bridge'])).toThrow('two runs')
    expect(() => readArguments(['--bridge', '--gateway'])).toThrow(
      '--bridge and --gateway are two runs',
    )
    expect(() => readArguments(['--write', '--bridge'])).toThrow('--write needs all scenarios')
    expect(() => readArguments(['--write', '--cluster'])).toThrow('--write needs all scenarios')
  })

  test('is explained by its flags', () => {
    for (const flag of Object.keys(readArguments([]))) {
      if (flag !== 'scenarios') expect(usage).toContain(`--${flag} `)
    }
  })
})

test('only the scenarios that were named are run, and a name that none has is refused', () => {
  const planned = [{ scenario: 'ping' }, { scenario: 'ping' }, { scenario: 'tools-call' }]

  expect(chooseRuns(planned, [])).toEqual(planned)
  expect(chooseRuns(planned, ['ping'])).toEqual(planned.slice(0, 2))
  expect(() => chooseRuns(planned, ['ping', 'pong'])).toThrow(
    new UsageError('no scenario is named pong; --list shows their names'),
  )
})
