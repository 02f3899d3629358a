/** `node dist/weather-server.js`: the weather over stdio, for whoever starts this program. */

import { serve } from '@parley/mcp/node'

import { createWeatherServer } from './weather.ts'

await serve(createWeatherServer())
