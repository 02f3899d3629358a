import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { connect, toolOutput } from '@parley/mcp/client'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { createWeatherServer } from '../weather.ts'
import { fakeWeather } from './fake-weather.ts'

const fixture = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const runner = fixture('./fixtures/run-example.mjs')
const serverCommand = [
  process.execPath,
  runner,
  fixture('./fixtures/weather-with-fake.ts'),
] as const
const california = { latitude: 38.58, longitude: -121.49 }

test('a client reads alerts and a forecast from the weather server over stdio', async () => {
  const [command, ...args] = serverCommand
  await using client = await connect({ command, args })

  const tools = await client.listTools().toArray()
  const alerts = await client.callTool('get_alerts', { state: 'ca' })
  const forecast = await client.callTool('get_forecast', california)

  expect(client.negotiated.transport).toBe('stdio')
  expect(tools.map(({ name }) => name)).toEqual(['get_alerts', 'get_forecast'])
  expect(toolOutput(alerts)).toBe(
    'Heat Advisory (Moderate): Sacramento Valley\nHeat Advisory until 8 PM',
  )
  expect(forecast.structuredContent).toMatchObject({
    periods: [{ name: 'Tonight', temperature: 60 }, {}, {}, {}, {}],
  })
})

test('the weather client starts the server and answers line by line', async () => {
  const program = [runner, fixture('../weather-client.ts'), ...serverCommand]
  const running = promisify(execFile)(process.execPath, program)
  running.child.stdin?.end(
    [
      'get_alerts {"state": "NV"}',
      'get_alerts {"state": "Nevada"}',
      'get_forecast {"latitude": 38.58, "longitude": -121.49}',
      'get_tides',
      'get_alerts {',
    ].join('\n'),
  )

  const { stdout } = await running

  expect(stdout).toContain('Connected to weather')
  expect(stdout).toContain('get_forecast: Weather forecast for a place in the US')
  expect(stdout).toContain('No alerts in NV.')
  expect(stdout).toContain('two letters, such as CA')
  expect(stdout).toContain('… reading the forecast')
  expect(stdout).toContain('"name": "Thursday"')
  expect(stdout).toContain('The server refuses: unknown tool: get_tides')
  expect(stdout).toContain('Arguments are JSON')
})

test('a place outside the service is an error the model can read', async () => {
  await using client = await createTestClient(createWeatherServer({ fetch: fakeWeather }))

  const result = await client.callTool('get_forecast', { latitude: 48.1, longitude: 11.6 })

  expect(result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'The weather service knows US places only.' }],
  })
})

test('the weather server follows no address away from its service', async () => {
  const asked: string[] = []
  const fetch: typeof fakeWeather = (input) => {
    asked.push(new Request(input).url)
    return fakeWeather(input)
  }
  const print = vi.spyOn(console, 'error').mockReturnValue(undefined)
  await using client = await createTestClient(createWeatherServer({ fetch }))

  const result = await client.callTool('get_forecast', { latitude: 1, longitude: 1 })

  expect(result.isError).toBe(true)
  expect(asked).toEqual(['https://api.weather.gov/points/1.0000,1.0000'])
  expect(print).toHaveBeenCalledOnce()
})
