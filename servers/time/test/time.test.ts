import { describe, expect, test } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { textOf } from '../../../test-support/text-of.ts'
import { createTimeServer } from '../src/time.ts'
import { openClient } from './support.ts'

const winter = '2024-01-01T12:00:00Z' // a Monday
const summer = '2024-07-04T23:30:45.678Z' // a Thursday
const failed = 'Error processing mcp-server-time query: '

/** Zone, moment, and what its clocks show: time with offset, day of the week, daylight saving time. */
const currentTimes = [
  ['UTC', winter, '2024-01-01T12:00:00+00:00', 'Monday', false],
  ['Europe/Warsaw', winter, '2024-01-01T13:00:00+01:00', 'Monday', false],
  ['Europe/Warsaw', summer, '2024-07-05T01:30:45+02:00', 'Friday', true],
  ['Europe/London', winter, '2024-01-01T12:00:00+00:00', 'Monday', false],
  ['Europe/London', summer, '2024-07-05T00:30:45+01:00', 'Friday', true],
  ['America/New_York', winter, '2024-01-01T07:00:00-05:00', 'Monday', false],
  ['America/New_York', summer, '2024-07-04T19:30:45-04:00', 'Thursday', true],
  ['America/Phoenix', summer, '2024-07-04T16:30:45-07:00', 'Thursday', false],
  ['Asia/Tokyo', summer, '2024-07-05T08:30:45+09:00', 'Friday', false],
  ['Asia/Kolkata', winter, '2024-01-01T17:30:00+05:30', 'Monday', false],
  ['Asia/Kathmandu', winter, '2024-01-01T17:45:00+05:45', 'Monday', false],
  ['Australia/Sydney', winter, '2024-01-01T23:00:00+11:00', 'Monday', true],
  ['Australia/Sydney', summer, '2024-07-05T09:30:45+10:00', 'Friday', false],
  ['Australia/Lord_Howe', winter, '2024-01-01T23:00:00+11:00', 'Monday', true],
  ['Pacific/Kiritimati', winter, '2024-01-02T02:00:00+14:00', 'Tuesday', false],
  ['Pacific/Pago_Pago', winter, '2024-01-01T01:00:00-11:00', 'Monday', false],
  ['Antarctica/Troll', summer, '2024-07-05T01:30:45+02:00', 'Friday', true],
  ['Etc/GMT+5', winter, '2024-01-01T07:00:00-05:00', 'Monday', false],
] as const

describe('get_current_time', () => {
  test.each(currentTimes)(
    '%s at %s: %s [REFS-07]',
    async (timezone, at, datetime, day_of_week, is_dst) => {
      await using client = await openClient(at)

      const result = await client.callTool('get_current_time', { timezone })

      const expected = { timezone, datetime, day_of_week, is_dst }
      expect(textOf(result)).toBe(JSON.stringify(expected, null, 2))
      expect(result.structuredContent).toEqual(expected)
    },
  )

  test.each([
    [
      'a zone that is none',
      { timezone: 'Mars/Olympus' },
      "Invalid timezone: 'No time zone found with key Mars/Olympus'",
    ],
    [
      'the city of the old example',
      { timezone: 'America/San_Francisco' },
      "Invalid timezone: 'No time zone found with key America/San_Francisco'",
    ],
    ['an offset', { timezone: '+02:00' }, "Invalid timezone: 'No time zone found with key +02:00'"],
    [
      'a path',
      { timezone: '../etc/passwd' },
      "Invalid timezone: 'No time zone found with key ../etc/passwd'",
    ],
    ['nothing', {}, 'Missing required argument: timezone'],
    ['an empty name', { timezone: '' }, 'Missing required argument: timezone'],
  ])('refuses %s', async (_, args, why) => {
    await using client = await openClient(winter)

    const result = await client.callTool('get_current_time', args)

    expect(result.isError).toBe(true)
    expect(textOf(result)).toBe(`${failed}${why}`)
  })

  test('names a zone as it is written, whatever letters it was asked with [REFS-07]', async () => {
    await using client = await openClient(winter)

    const result = await client.callTool('get_current_time', { timezone: 'europe/warsaw' })

    expect(result.structuredContent).toMatchObject({ timezone: 'Europe/Warsaw' })
  })
})

/** Moment, from, time, to, and both clocks with the difference. */
const conversions = [
  [
    winter,
    'Europe/London',
    '12:00',
    'Europe/Warsaw',
    '2024-01-01T12:00:00+00:00',
    '2024-01-01T13:00:00+01:00',
    '+1.0h',
  ],
  [
    summer,
    'Europe/London',
    '12:00',
    'Europe/Warsaw',
    '2024-07-05T12:00:00+01:00',
    '2024-07-05T13:00:00+02:00',
    '+1.0h',
  ],
  [
    winter,
    'America/New_York',
    '14:30',
    'Asia/Tokyo',
    '2024-01-01T14:30:00-05:00',
    '2024-01-02T04:30:00+09:00',
    '+14.0h',
  ],
  [
    summer,
    'America/New_York',
    '14:30',
    'Asia/Tokyo',
    '2024-07-04T14:30:00-04:00',
    '2024-07-05T03:30:00+09:00',
    '+13.0h',
  ],
  [
    winter,
    'Asia/Tokyo',
    '00:00',
    'America/New_York',
    '2024-01-01T00:00:00+09:00',
    '2023-12-31T10:00:00-05:00',
    '-14.0h',
  ],
  [
    winter,
    'Europe/Warsaw',
    '12:00',
    'Asia/Kathmandu',
    '2024-01-01T12:00:00+01:00',
    '2024-01-01T16:45:00+05:45',
    '+4.75h',
  ],
  [
    summer,
    'Europe/Warsaw',
    '12:00',
    'Asia/Kathmandu',
    '2024-07-05T12:00:00+02:00',
    '2024-07-05T15:45:00+05:45',
    '+3.75h',
  ],
  [
    winter,
    'UTC',
    '23:59',
    'Asia/Kolkata',
    '2024-01-01T23:59:00+00:00',
    '2024-01-02T05:29:00+05:30',
    '+5.5h',
  ],
  [
    winter,
    'Asia/Kolkata',
    '0:0',
    'UTC',
    '2024-01-01T00:00:00+05:30',
    '2023-12-31T18:30:00+00:00',
    '-5.5h',
  ],
  [winter, 'UTC', '9:05', 'UTC', '2024-01-01T09:05:00+00:00', '2024-01-01T09:05:00+00:00', '+0.0h'],
  [
    winter,
    'Pacific/Pago_Pago',
    '12:00',
    'Pacific/Kiritimati',
    '2024-01-01T12:00:00-11:00',
    '2024-01-02T13:00:00+14:00',
    '+25.0h',
  ],
  [
    winter,
    'Australia/Lord_Howe',
    '12:00',
    'Australia/Eucla',
    '2024-01-01T12:00:00+11:00',
    '2024-01-01T09:45:00+08:45',
    '-2.25h',
  ],
] as const

describe('convert_time', () => {
  test.each(conversions)(
    'at %s, %s %s in %s [REFS-07]',
    async (at, source_timezone, time, target_timezone, source, target, time_difference) => {
      await using client = await openClient(at)
      const args = { source_timezone, time, target_timezone }

      const result = await client.callTool('convert_time', args)

      expect(result.structuredContent).toMatchObject({
        source: { timezone: source_timezone, datetime: source },
        target: { timezone: target_timezone, datetime: target },
        time_difference,
      })
      expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
      expect(Object.keys(JSON.parse(textOf(result)) as object)).toEqual([
        'source',
        'target',
        'time_difference',
      ])
    },
  )

  const complete = { source_timezone: 'UTC', time: '12:00', target_timezone: 'UTC' }
  const badTime = 'Invalid time format. Expected HH:MM [24-hour format]'
  test.each([
    [
      'a source that is none',
      { ...complete, source_timezone: 'A/B' },
      "Invalid timezone: 'No time zone found with key A/B'",
    ],
    [
      'a target that is none',
      { ...complete, target_timezone: 'A/B' },
      "Invalid timezone: 'No time zone found with key A/B'",
    ],
    ['an hour too late', { ...complete, time: '24:00' }, badTime],
    ['a minute too late', { ...complete, time: '12:60' }, badTime],
    ['seconds', { ...complete, time: '12:00:00' }, badTime],
    ['twelve hours', { ...complete, time: '2pm' }, badTime],
    ['an empty time', { ...complete, time: '' }, badTime],
    ['no time', { source_timezone: 'UTC', target_timezone: 'UTC' }, 'Missing required arguments'],
    ['no source', { time: '12:00', target_timezone: 'UTC' }, 'Missing required arguments'],
    ['no target', { source_timezone: 'UTC', time: '12:00' }, 'Missing required arguments'],
    [
      'a date that is none',
      { ...complete, date: '2024-02-30' },
      'Invalid date. Expected YYYY-MM-DD',
    ],
    ['a date in words', { ...complete, date: 'tomorrow' }, 'Invalid date. Expected YYYY-MM-DD'],
  ])('refuses %s', async (_, args, why) => {
    await using client = await openClient(winter)

    const result = await client.callTool('convert_time', args)

    expect(result.isError).toBe(true)
    expect(textOf(result)).toBe(`${failed}${why}`)
  })

  const warsaw = { source_timezone: 'Europe/Warsaw', target_timezone: 'UTC' }
  const skipped = { ...warsaw, date: '2024-03-31', time: '02:30' }
  const repeated = { ...warsaw, date: '2024-10-27', time: '02:30' }
  test.each([
    [
      'on another day',
      { ...warsaw, date: '2024-07-01', time: '12:00' },
      '2024-07-01T10:00:00+00:00',
      undefined,
    ],
    ['skipped, without a choice', skipped, '2024-03-31T01:30:00+00:00', ['skipped', 'later']],
    [
      'skipped, earlier',
      { ...skipped, disambiguation: 'earlier' },
      '2024-03-31T00:30:00+00:00',
      ['skipped', 'earlier'],
    ],
    [
      'skipped, later',
      { ...skipped, disambiguation: 'later' },
      '2024-03-31T01:30:00+00:00',
      ['skipped', 'later'],
    ],
    ['repeated, without a choice', repeated, '2024-10-27T00:30:00+00:00', ['repeated', 'earlier']],
    [
      'repeated, earlier',
      { ...repeated, disambiguation: 'earlier' },
      '2024-10-27T00:30:00+00:00',
      ['repeated', 'earlier'],
    ],
    [
      'repeated, later',
      { ...repeated, disambiguation: 'later' },
      '2024-10-27T01:30:00+00:00',
      ['repeated', 'later'],
    ],
  ])('a time %s', async (_, args, utc, change) => {
    await using client = await openClient(winter)

    const { structuredContent } = await client.callTool('convert_time', args)

    expect(structuredContent).toMatchObject({ target: { datetime: utc } })
    if (change === undefined) expect(structuredContent).not.toHaveProperty('clock_change')
    else {
      const [kind, used] = change
      expect(structuredContent).toMatchObject({ clock_change: { kind, used } })
    }
  })

  test.each([
    ['skipped', skipped, 'show 2024-03-31T02:30 never'],
    ['repeated', repeated, 'show 2024-10-27T02:30 twice'],
  ])('a %s time can be refused, and both moments are named', async (_, args, why) => {
    await using client = await openClient(winter)

    const result = await client.callTool('convert_time', { ...args, disambiguation: 'reject' })

    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(`The clocks of Europe/Warsaw ${why}`)
    expect(textOf(result)).toMatch(/earlier is 2024-\S+, later is 2024-\S+\./)
  })
})

describe('what the reference does not have', () => {
  test('lists zones by a part of their name', async () => {
    await using client = await openClient(summer, { enable: ['list_timezones'] })

    const result = await client.callTool('list_timezones', { query: 'new york', limit: 5 })
    const all = await client.callTool('list_timezones', { limit: 1 })

    expect(result.structuredContent).toEqual({
      timezones: [{ timezone: 'America/New_York', offset: '-04:00' }],
      total: 1,
    })
    expect(all.structuredContent).toMatchObject({ total: expect.any(Number) as number })
  })

  test.each([
    ['2024-01-01', '2024-03-01', 'UTC', 'P2M', 60, 60 * 86_400],
    ['2024-03-30T12:00', '2024-03-31T12:00', 'Europe/Warsaw', 'P1D', 1, 23 * 3_600],
    ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00', 'UTC', 'PT0S', 0, 0],
    ['2024-01-02T00:00Z', '2024-01-01T00:00Z', 'UTC', '-P1D', -1, -86_400],
    ['now', '2024-01-01T12:00:05Z', 'UTC', 'PT5S', 0, 5],
  ])('from %s to %s in %s', async (from, to, timezone, duration, days, seconds) => {
    await using client = await openClient(winter, { enable: ['time_between'] })

    const result = await client.callTool('time_between', { from, to, timezone })

    expect(result.structuredContent).toMatchObject({ duration, days, seconds })
  })

  test('refuses a time that is none', async () => {
    await using client = await openClient(winter, { enable: ['time_between'] })

    const result = await client.callTool('time_between', { from: 'soon', to: 'now' })

    expect(textOf(result)).toBe(`${failed}Invalid time "soon". Expected ISO 8601, or now`)
  })

  test('has the time of a zone as a resource, and completes its name', async () => {
    await using client = await openClient(winter)
    const ref = { type: 'ref/resource', uri: 'time://now/{+timezone}' } as const

    const { contents } = await client.readResource('time://now/Europe/Warsaw')
    const { values } = await client.complete(ref, { name: 'timezone', value: 'war' })

    expect(contents).toMatchObject([
      {
        mimeType: 'application/json',
        text: expect.stringContaining('2024-01-01T13:00:00+01:00') as string,
      },
    ])
    expect(values[0]).toBe('Europe/Warsaw')
    await expect(client.readResource('time://now/Mars/Base')).rejects.toMatchObject({
      code: 'resource_not_found',
    })
  })
})

describe.each(triedRevisions)('in %s', (revision) => {
  test('lists the tools of the reference, which name the local zone', async () => {
    await using client = await openClient(winter, {}, { revision })

    const tools = await client.listTools().toArray()

    expect(client.server.info?.name).toBe('mcp-time')
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema['required']])).toEqual([
      ['get_current_time', ['timezone']],
      ['convert_time', ['source_timezone', 'time', 'target_timezone']],
    ])
    for (const { inputSchema, annotations } of tools) {
      expect(JSON.stringify(inputSchema)).toContain("'Europe/Warsaw'")
      if (revision < '2025-03-26') continue
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      })
    }
  })
})

test('refuses a local zone that is none', () => {
  expect(() => createTimeServer({ localTimezone: 'Mars/Base' })).toThrow(
    'Unknown time zone Mars/Base',
  )
})
