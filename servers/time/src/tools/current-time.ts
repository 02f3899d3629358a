import { withJsonSchema } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { failure } from '../failure.ts'
import { describeMoment, momentSchema } from '../moment.ts'
import type { TimeSettings } from '../settings.ts'
import { readZone } from '../zone.ts'

/** The time in one zone. */
export function currentTime({ now, localZone }: TimeSettings): Feature {
  const shown = z.object({
    timezone: z
      .string()
      .describe(
        `IANA name of a time zone, such as 'America/New_York' or 'Europe/London'. Use '${localZone}' as the local one if the user names none.`,
      ),
  })
  return defineTool(
    'get_current_time',
    {
      title: 'Get Current Time',
      description: 'The current time in a time zone',
      // What is missing is answered below, in the words of the reference.
      inputSchema: withJsonSchema(z.object({ timezone: z.string().optional() }), {
        input: z.toJSONSchema(shown),
      }),
      outputSchema: momentSchema,
      annotations: toolHints('reads'),
    },
    ({ timezone }) => {
      if (!timezone) throw failure('Missing required argument: timezone')
      return prettyResult(describeMoment(now().toZonedDateTimeISO(readZone(timezone))))
    },
  )
}
