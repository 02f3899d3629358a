import { RpcError } from '@parley/mcp'
import type { ServerExtension } from '@parley/mcp/server'
import { z } from 'zod'

const nowParams = z.object({ timeZone: z.string().default('UTC') })

/** An extension of nobody's but ours: it is declared with its settings, and answers a method of its own. */
export const clockExtension: ServerExtension = {
  id: 'dev.parley/clock',
  settings: { timeZones: true },
  methods: {
    'dev.parley/clock/now'(params) {
      const { timeZone } = read(params)
      const at = new Date()
      return { at: at.toISOString(), local: inZone(at, timeZone) }
    },
  },
}

/** Params of an extension are its own to check. */
function read(params: object): z.infer<typeof nowParams> {
  const { data, error } = nowParams.safeParse(params)
  if (data === undefined) throw new RpcError('invalid_params', z.prettifyError(error))
  return data
}

function inZone(at: Date, timeZone: string): string {
  try {
    return at.toLocaleString('en-GB', { timeZone })
  } catch (error) {
    throw new RpcError('invalid_params', `Unknown time zone ${timeZone}.`, { cause: error })
  }
}
