/**
 * The weather server of the MCP tutorials: alerts and forecasts of the US National Weather Service. `weather-server.ts`
 * serves it, `weather-client.ts` talks to it.
 */

import { ToolError } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { z } from 'zod'

export interface WeatherOptions {
  /** Where the weather comes from; tests give their own. @defaultValue the global fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const origin = 'https://api.weather.gov'

const alerts = z.object({
  features: z.array(
    z.object({
      properties: z.object({
        event: z.string(),
        areaDesc: z.string(),
        severity: z.string(),
        headline: z.string().nullish(),
      }),
    }),
  ),
})

const place = z.object({ properties: z.object({ forecast: z.url() }) })

const forecast = z.object({
  periods: z.array(
    z.object({
      name: z.string(),
      temperature: z.number(),
      temperatureUnit: z.string(),
      windSpeed: z.string(),
      shortForecast: z.string(),
    }),
  ),
})

/** A definition: serve it on as many channels as you like. */
export function createWeatherServer({ fetch = globalThis.fetch }: WeatherOptions = {}): Server {
  const server = createServer({
    name: 'weather',
    version: '1.0.0',
    instructions: 'Weather of the United States. Forecasts go by coordinates, alerts by state.',
  })

  async function read<T>(schema: z.ZodType<T>, url: string, signal: AbortSignal): Promise<T> {
    const headers = { accept: 'application/geo+json', 'user-agent': 'parley-examples/0.1' }
    const response = await fetch(url, { headers, signal }).catch((cause: unknown) => {
      signal.throwIfAborted()
      throw new ToolError('The weather service cannot be reached; try again later.', { cause })
    })
    if (response.status === 404) throw new ToolError('The weather service knows US places only.')
    if (!response.ok)
      throw new ToolError(`The weather service answered ${response.status}; try again later.`)
    return schema.parse(await response.json())
  }

  server.tool(
    'get_alerts',
    {
      description: 'Weather alerts that are active in a US state',
      inputSchema: z.object({
        state: z
          .string()
          .regex(/^[A-Za-z]{2}$/, 'two letters, such as CA')
          .describe('Two-letter code of the state, such as CA'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async ({ state }, { signal }) => {
      const url = `${origin}/alerts/active?area=${state.toUpperCase()}`
      const { features } = await read(alerts, url, signal)
      if (features.length === 0) return `No alerts in ${state.toUpperCase()}.`
      return features.map(({ properties: { event, areaDesc, severity, headline } }) =>
        [`${event} (${severity}): ${areaDesc}`, headline].filter(Boolean).join('\n'),
      )
    },
  )

  server.tool(
    'get_forecast',
    {
      description: 'Weather forecast for a place in the US',
      inputSchema: z.object({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
      }),
      outputSchema: forecast,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async ({ latitude, longitude }, { progress, signal }) => {
      await progress({ progress: 1, total: 2, message: 'looking for the place' })
      const point = `${latitude.toFixed(4)},${longitude.toFixed(4)}`
      const { properties } = await read(place, `${origin}/points/${point}`, signal)
      // The address comes from outside: it must not lead elsewhere.
      if (new URL(properties.forecast).origin !== origin)
        throw new Error(`the forecast is not at ${origin}: ${properties.forecast}`)

      await progress({ progress: 2, total: 2, message: 'reading the forecast' })
      const answer = await read(z.object({ properties: forecast }), properties.forecast, signal)
      return { periods: answer.properties.periods.slice(0, 5) }
    },
  )

  return server
}
